/**
 * `riskcli completion SHELL`: prints the script of completions/. It asks `riskcli __complete`
 * (src/complete.ts), so what is offered follows from the table of commands.
 */
import { command } from '../cli/command.ts';
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
choices, paths of fields, files, and the environments of this machine. It runs
riskcli each time you press Tab; nothing is sent, and no secret is shown.`,
  args: [{ name: 'shell', help: SHELLS.join(', '), choices: SHELLS }],
  examples: {
    'source <(riskcli completion bash)': 'bash: this session, or in ~/.bashrc every session',
    'source <(riskcli completion zsh)': 'zsh: this session, or in ~/.zshrc every session',
    'riskcli completion fish | source': 'fish: this session, or in config.fish every session',
    'riskcli completion powershell | Out-String | Invoke-Expression':
      'PowerShell: this session, or in $PROFILE every session',
  },
  async run({ args: [asked = ''] }, context) {
    const shell = checkChoice('<shell>', asked, SHELLS);
    await writeAll(context.stdout, readPackageFile(`completions/${FILES[shell]}`));
    return undefined;
  },
});
