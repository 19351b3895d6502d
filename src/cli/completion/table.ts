/**
 * The command table as completions need it. The build writes it as JSON, so that an answer loads no
 * command.
 */
import { type Argument, type Command, GLOBAL_FLAGS, HELP_FLAG, VERSION_FLAG } from '../command.ts';
import { FILE, type Flag } from '../flag.ts';
import { HELP_COMMAND } from '../help.ts';
import { TOPICS } from '../topics.ts';

/** The completions at one position. */
export interface Offer {
  readonly kind: 'values' | 'files' | 'programs' | 'environments';
  readonly values?: readonly Described[];
  /** Several values may stand in one word, with commas between them. */
  readonly commas?: true;
  /** A value may be continued, so no blank follows it. */
  readonly continues?: true;
}

type Described = readonly [value: string, description: string];

export interface OfferedFlag {
  /** `['--output', '-o']` */
  readonly spellings: readonly string[];
  readonly help: string;
  /** Absent for a switch. */
  readonly value?: Offer;
  readonly repeatable?: true;
  /** Every word after its value belongs to a program. */
  readonly rest?: true;
}

export interface OfferedCommand {
  readonly flags: readonly OfferedFlag[];
  readonly subcommands: readonly Described[];
  readonly args: readonly (Offer & { readonly variadic?: true })[];
}

/** Each command under its words, `keys set`; the root under an empty text. */
export type CompletionTable = Readonly<Record<string, OfferedCommand>>;

/** The global flags are added to each command, since they are accepted anywhere. */
export function completionTable(commands: readonly Command[]): CompletionTable {
  const all = [...commands, helpCommand(commands)];
  const below = (words: readonly string[], command: Command): [string, OfferedCommand][] => {
    const own = [...words, command.name];
    const { flags = [], subcommands = [], args = [] } = command;
    const offered = offeredCommand([...flags, HELP_FLAG, ...GLOBAL_FLAGS], { subcommands, args });
    return [[own.join(' '), offered], ...subcommands.flatMap((one) => below(own, one))];
  };
  const root = offeredCommand([VERSION_FLAG, HELP_FLAG, ...GLOBAL_FLAGS], { subcommands: all, args: [] });
  return Object.fromEntries([['', root], ...all.flatMap((command) => below([], command))]);
}

/** `help`, whose argument is the name of a command or a topic. */
function helpCommand(commands: readonly Command[]): Command {
  const choices = [...commands, ...TOPICS].map(({ name }) => name);
  return { ...HELP_COMMAND, args: [{ name: 'command', help: '', choices }] };
}

function offeredCommand(
  flags: readonly Flag[],
  { subcommands, args }: { readonly subcommands: readonly Command[]; readonly args: readonly Argument[] },
): OfferedCommand {
  return {
    flags: flags.map(offeredFlag),
    subcommands: subcommands.map(({ name, summary }) => [name, summary]),
    args: args.map((argument) => ({ ...offerOf(argument), ...(argument.variadic && { variadic: true }) })),
  };
}

function offeredFlag(flag: Flag): OfferedFlag {
  const { long, short, help, value, repeatable, rest } = flag;
  return {
    spellings: short ? [`--${long}`, `-${short}`] : [`--${long}`],
    help,
    ...(value && { value: offerOf(flag) }),
    ...(repeatable && { repeatable }),
    ...(rest && { rest }),
  };
}

function offerOf({ choices, completes, commas, rest }: Partial<Flag>): Offer {
  if (rest) return { kind: 'programs' };
  if (completes === FILE) return { kind: 'files' };
  if (completes === 'environment') return { kind: 'environments' };
  const values = (choices ?? completes ?? []).map((value): Described => [value, '']);
  return { kind: 'values', values, ...(commas && { commas }), ...(!choices && completes && { continues: true }) };
}
