/**
 * `riskcli completion SHELL`: prints the script of completions/. It asks `riskcli __complete`
 * (src/complete.ts), so what is offered follows from the table of commands.
 */
import { command } from '../cli/command.ts';
import type { Context } from '../context.ts';
import { readPackageFile } from '../files/package-file.ts';
import { writeAll } from '../files/stream.ts';
import { checkChoice } from '../settings/typed-values.ts';

const FILES: Readonly<Record<string, string>> = {
  bash: 'riskcli.bash',
  zsh: '_riskcli',
  fish: 'riskcli.fish',
  powershell: 'riskcli.ps1',
};
const SHELLS = Object.keys(FILES);

export const completion = command({
  description: `Print the completion script of a shell. It completes commands, options, their
choices, paths of fields, files, and the environments of this machine. For that
it asks riskcli at each press of Tab; nothing is sent, and no secret is shown.`,
  args: [{ name: 'shell', help: SHELLS.join(', '), choices: SHELLS }],
  examples: [
    { line: 'source <(riskcli completion bash)', does: 'bash: this session, or in ~/.bashrc every session' },
    { line: 'source <(riskcli completion zsh)', does: 'zsh: this session, or in ~/.zshrc every session' },
    { line: 'riskcli completion fish | source', does: 'fish: this session, or in config.fish every session' },
    {
      line: 'riskcli completion powershell | Out-String | Invoke-Expression',
      does: 'PowerShell: this session, or in $PROFILE every session',
    },
  ],
  run: ({ args: [shell = ''] }, context) => printScript(shell, context),
});

async function printScript(asked: string, context: Context): Promise<undefined> {
  const shell = checkChoice('<shell>', asked, SHELLS);
  await writeAll(context.stdout, readPackageFile(`completions/${FILES[shell]}`));
}
