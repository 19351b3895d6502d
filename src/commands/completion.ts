/**
 * `riskcli completion SHELL`: prints the script that the build made from the command table. It is read, not made, since
 * shells that source it at every start wait for it.
 */
import { readFileSync } from 'node:fs';
import type { CommandBody, ParsedArgs } from '../cli/command.ts';
import type { Context } from '../context.ts';
import { IoError } from '../errors.ts';
import { writeAll } from '../files/stream.ts';
import { checkChoice } from '../text/choice.ts';
import { PACKAGE_ROOT } from '../version.ts';

const FILES: Readonly<Record<string, string>> = { bash: 'riskcli.bash', zsh: '_riskcli', fish: 'riskcli.fish' };
const SHELLS = Object.keys(FILES);

export const completion: CommandBody = {
  args: [{ name: 'shell', help: SHELLS.join(', '), choices: SHELLS }],
  examples: [
    { line: 'source <(riskcli completion bash)', does: 'bash: this session, or in ~/.bashrc every session' },
    { line: 'riskcli completion zsh > "$' + '{fpath[1]}/_riskcli"', does: 'zsh: every session' },
    { line: 'riskcli completion fish > ~/.config/fish/completions/riskcli.fish', does: 'fish: every session' },
  ],
  run: printScript,
};

async function printScript(typed: ParsedArgs, context: Context): Promise<undefined> {
  const shell = checkChoice('completion', typed.args[0] ?? '', SHELLS);
  await writeAll(context.stdout, readScript(FILES[shell] ?? ''));
}

function readScript(file: string): string {
  try {
    return readFileSync(new URL(`completions/${file}`, PACKAGE_ROOT), 'utf8');
  } catch (cause) {
    throw new IoError(`the completion script ${file} is missing`, { hint: 'install riskcli again', cause });
  }
}
