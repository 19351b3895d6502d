/** The completion scripts by file name. The build writes them; the command prints them; a test holds the two together. */
import { GLOBAL_FLAGS } from '../../cli/flags.ts';
import { commands, loadCommand } from '../../commands/index.ts';
import { bashScript } from './bash.ts';
import { fishScript } from './fish.ts';
import { completedCommands } from './words.ts';
import { zshScript } from './zsh.ts';

export async function completionScripts(): Promise<Readonly<Record<string, string>>> {
  const completed = completedCommands(await Promise.all(commands.map(loadCommand)), GLOBAL_FLAGS);
  return {
    'riskcli.bash': bashScript(completed),
    _riskcli: zshScript(completed),
    'riskcli.fish': fishScript(completed),
  };
}
