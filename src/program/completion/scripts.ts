/** The completion scripts by file name. */
import type { Command } from '../../cli/command.ts';
import type { Flag } from '../../cli/flag.ts';
import { bashScript } from './bash.ts';
import { fishScript } from './fish.ts';
import { powershellScript } from './powershell.ts';
import { completedCommands } from './words.ts';
import { zshScript } from './zsh.ts';

export function completionScripts(
  commands: readonly Command[],
  globals: readonly Flag[],
): Readonly<Record<string, string>> {
  const completed = completedCommands(commands, globals);
  return {
    'riskcli.bash': bashScript(completed),
    _riskcli: zshScript(completed),
    'riskcli.fish': fishScript(completed),
    'riskcli.ps1': powershellScript(completed),
  };
}
