/** The one reader of argv: what commander makes of a command line, and what it says against one as our own errors. */
import type { Command } from '../cli/command.ts';
import { type ParsedArgs, REST_FLAG } from '../cli/flag.ts';
import {
  CommanderError,
  type CommandTable,
  createParser,
  namesOf,
  type ParserState,
  typedBy,
} from './commander-tree.ts';

/** A command line as far as it could be read. */
export interface CommandLine {
  /** The command that was named; undefined when none was, or when something is printed instead of running it. */
  readonly command?: Command | undefined;
  /** What was typed, also when the command line is wrong: it says how it wants to be answered. */
  readonly typed: ParsedArgs;
  /** Words of a wrong command line that no option or command took. */
  readonly leftOver: readonly string[];
  /** Help or version: data, for standard output. */
  readonly text?: string;
  /** What is wrong with it: a UsageError, unless a file of riskcli's own cannot be loaded. */
  readonly error?: unknown;
}

/** Reads `argv` (without node and script); runs nothing, and throws nothing. */
export async function readCommandLine(argv: readonly string[], table: CommandTable): Promise<CommandLine> {
  const { argv: own, rest } = splitRest(argv);
  const line = await readOwnWords(own, table);
  return rest.length === 0 ? line : { ...line, typed: withRest(line.typed, rest) };
}

async function readOwnWords(argv: readonly string[], table: CommandTable): Promise<CommandLine> {
  return (await readPlainWords(argv, table)) ?? readAnyWords(argv, table);
}

/**
 * Most lines name a command first and are right: commander is then told of that command and of the flags in the line only,
 * which takes a fifth of the time. Undefined when there is anything to say of the line, which is then read with all of them.
 */
async function readPlainWords(argv: readonly string[], table: CommandTable): Promise<CommandLine | undefined> {
  const named = table.commands.filter(({ name }) => name === argv[0]);
  if (named.length === 0) return undefined;
  const reading = createParser({ ...table, commands: named }, false, argv);
  try {
    await reading.program.parseAsync(argv, { from: 'user' });
  } catch {
    return undefined;
  }
  const { helpFor, command, current, text } = reading;
  return helpFor || text !== '' ? undefined : { command, typed: typedBy(current), leftOver: [], text };
}

async function readAnyWords(argv: readonly string[], table: CommandTable): Promise<CommandLine> {
  const reading = createParser(table, argv.length === 0 || asksForScreen(argv));
  try {
    await reading.program.parseAsync(argv.length === 0 ? ['-h'] : argv, { from: 'user' });
  } catch (error) {
    return failedLine(error, argv, table, reading);
  }
  const { helpFor, command, current, text } = reading;
  if (helpFor) return readCommandLine([...helpFor, '--help'], table);
  return { command, typed: typedBy(current), leftOver: [], text };
}

const REST_OPTION = `--${REST_FLAG}`;

/**
 * Cuts off the words behind an option that takes all that follows (`--command PROGRAM ARG...`). They are those of another
 * program: commander, which takes options wherever they stand, must not see any but the first.
 */
function splitRest(argv: readonly string[]): { readonly argv: readonly string[]; readonly rest: readonly string[] } {
  const end = argv.indexOf('--');
  const before = end < 0 ? argv : argv.slice(0, end);
  const at = before.findIndex((word) => word === REST_OPTION || word.startsWith(`${REST_OPTION}=`));
  if (at < 0) return { argv, rest: [] };
  const isJoined = argv[at] !== REST_OPTION;
  // As with sudo and env, for those who are used to it.
  const from = at + 1 + (!isJoined && argv[at + 1] === '--' ? 1 : 0);
  const [first, ...rest] = argv.slice(from);
  if (isJoined) return { argv: argv.slice(0, from), rest: argv.slice(from) };
  const value = first === undefined ? REST_OPTION : `${REST_OPTION}=${first}`;
  return { argv: [...argv.slice(0, at), value], rest };
}

/** `typed` with `rest` behind the value of that option. */
function withRest(typed: ParsedArgs, rest: readonly string[]): ParsedArgs {
  const words = (long: string) => {
    const own = typed.words(long);
    return long === REST_FLAG ? [...(own ?? []), ...rest] : own;
  };
  return { ...typed, words };
}

/** Whether -h was typed, alone or among other short flags, and --help was not. */
const asksForScreen = (argv: readonly string[]) =>
  argv.some((word) => /^-[a-z]*h/i.test(word)) && !argv.includes('--help');

const withoutOptions = (words: readonly string[]) => words.filter((word) => !word.startsWith('-'));

async function failedLine(
  error: unknown,
  argv: readonly string[],
  table: CommandTable,
  reading: ParserState,
): Promise<CommandLine> {
  const { current, command, text } = reading;
  const line = { command, typed: typedBy(current), leftOver: [] };
  if (!(error instanceof CommanderError)) return { ...line, error };
  if (error.exitCode === 0) {
    const [stray] = current.args;
    const isUnknown = current.commands.length > 0 && stray !== undefined && !stray.startsWith('-');
    // With --help behind it commander is content with a command that there is not.
    if (isUnknown) return readCommandLine([...namesOf(current), ...withoutOptions(current.args)], table);
    return { typed: line.typed, leftOver: [], text };
  }
  const { misplacedOption, usageError } = await import('./usage-error.ts');
  const names = table.commands.map(({ name }) => name);
  const failed = {
    ...line,
    leftOver: current.args,
    error:
      (await misplacedOption(error, argv, command, table.commands)) ??
      usageError(error, namesOf(current), command, names),
  };
  if (error.code !== 'commander.optionMissingArgument') return failed;
  // The last word lacks its value, and reading stopped there, at the root perhaps: what stands before it counts.
  const before = await readCommandLine(argv.slice(0, -1), table);
  const isAlone = before.typed.args.length === 0 && !argv.slice(0, -1).some((word) => word.startsWith('-'));
  const paths = isAlone && argv.at(-1) === '--fields' ? pathsOf(before.command) : undefined;
  if (paths) return { typed: before.typed, leftOver: [], text: `${paths.join('\n')}\n` };
  return { ...before, text: '', error: failed.error };
}

/**
 * The paths that --fields of `command` is sure to find: what it answers where it stands alone. Behind a list it may be a
 * script whose variable is empty, and that must not look like a run that went well.
 */
function pathsOf(command: Command | undefined): readonly string[] | undefined {
  const completes = command?.flags?.find(({ long }) => long === 'fields')?.completes;
  return typeof completes === 'string' ? undefined : completes;
}
