/** The command table as completions need it: every command by its path, with the flags and words it takes. */
import type { Argument, Command } from '../../cli/command.ts';
import type { Flag } from '../../cli/flag.ts';
import { topics } from '../topics/index.ts';

export interface CompletedCommand {
  /** Names from the root: `[]`, `['keys']`, `['keys', 'set']`. */
  readonly path: readonly string[];
  readonly summary: string;
  readonly flags: readonly Flag[];
  readonly subcommands: readonly Command[];
  readonly args: readonly Argument[];
}

const HELP: Flag = { long: 'help', short: 'h', help: 'print help' };
const VERSION: Flag = { long: 'version', short: 'V', help: 'print the version' };

/** Every command, the root first; global flags stand at each, since they are accepted anywhere. */
export function completedCommands(commands: readonly Command[], globals: readonly Flag[]): CompletedCommand[] {
  const all = [...commands, helpCommand(commands)];
  const root = { path: [], summary: '', flags: [VERSION, HELP, ...globals], subcommands: all, args: [] };
  const below = (path: readonly string[], command: Command): CompletedCommand[] => {
    const here = [...path, command.name];
    const subcommands = command.subcommands ?? [];
    const flags = [...(command.flags ?? []), HELP, ...globals];
    return [
      { path: here, summary: command.summary, flags, subcommands, args: command.args ?? [] },
      ...subcommands.flatMap((subcommand) => below(here, subcommand)),
    ];
  };
  return [root, ...all.flatMap((command) => below([], command))];
}

/** commander's own; it takes the names of commands and topics. */
function helpCommand(commands: readonly Command[]): Command {
  const choices = [...commands, ...topics].map(({ name }) => name);
  return {
    name: 'help',
    summary: 'Print help for a command or a topic',
    args: [{ name: 'command', help: '', choices }],
  };
}

/** `--output` and `-o`. */
export function spellings(flag: Flag): string[] {
  return flag.short ? [`--${flag.long}`, `-${flag.short}`] : [`--${flag.long}`];
}
