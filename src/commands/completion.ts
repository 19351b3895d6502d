/**
 * `riskcli completion SHELL`: prints the script that the build made from the command table. It is read, not made, since
 * shells that source it at every start wait for it.
 */
import { readFileSync } from 'node:fs';
import { command } from '../cli/command.ts';
import type { Context } from '../context.ts';
import { IoError } from '../errors.ts';
import { writeAll } from '../files/stream.ts';
import { checkChoice } from '../text/choice.ts';
import { PACKAGE_ROOT } from '../version.ts';

const FILES: Readonly<Record<string, string>> = {
  bash: 'riskcli.bash',
  zsh: '_riskcli',
  fish: 'riskcli.fish',
  powershell: 'riskcli.ps1',
};
const SHELLS = Object.keys(FILES);
/** What the scripts ask for: it cannot stand in them. */
const ENVIRONMENTS = 'environments';

export const completion = command({
  description: `Print the completion script of a shell. It completes commands, options, their
choices, paths of fields, files, and the environments of this machine, for which
it runs riskcli completion environments: that prints their names, and no secret.`,
  args: [{ name: 'shell', help: SHELLS.join(', '), choices: SHELLS }],
  flags: {},
  reads: ['settings'],
  examples: [
    { line: 'source <(riskcli completion bash)', does: 'bash: this session, or in ~/.bashrc every session' },
    { line: 'riskcli completion zsh > "$' + '{fpath[1]}/_riskcli"', does: 'zsh: every session' },
    { line: 'riskcli completion fish > ~/.config/fish/completions/riskcli.fish', does: 'fish: every session' },
    {
      line: 'riskcli completion powershell | Out-String | Invoke-Expression',
      does: 'PowerShell: this session, or in $PROFILE every session',
    },
  ],
  run: ({ args: [shell = ''] }, context) => printScript(shell, context),
});

async function printScript(asked: string, context: Context): Promise<undefined> {
  if (asked === ENVIRONMENTS) return printEnvironments(context);
  const shell = checkChoice('completion', asked, SHELLS);
  await writeAll(context.stdout, readScript(FILES[shell] ?? ''));
}

/** The names of all environments that have a key or a setting, a line each. */
async function printEnvironments(context: Context): Promise<undefined> {
  const { environmentNames } = await import('../settings/environments.ts');
  const names = environmentNames(context);
  if (names.length > 0) await writeAll(context.stdout, `${names.join('\n')}\n`);
}

function readScript(file: string): string {
  try {
    return readFileSync(new URL(`completions/${file}`, PACKAGE_ROOT), 'utf8');
  } catch (cause) {
    throw new IoError(`the completion script ${file} is missing`, { hint: 'install riskcli again', cause });
  }
}
