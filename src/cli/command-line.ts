/**
 * Reads argv. commander reads the options level by level, of the program, of a group and of a
 * command, each with our rows; so only the file of the command that was typed is loaded. The
 * messages are ours: those of commander repeat what was typed.
 */
import { CommanderError, Option, Command as Parser } from 'commander';
import { VERSION } from '../version.ts';
import {
  type Argument,
  type Command,
  type CommandEntry,
  GLOBAL_FLAGS,
  HELP_FLAG,
  loadCommand,
  VERSION_FLAG,
} from './command.ts';
import { type Flag, flagTerm, type ParsedArgs } from './flag.ts';
import { commandHelp, commandScreen, rootHelp, rootScreen } from './help.ts';
import { type Fault, mistake, noCommand, unknownCommand, unknownPage } from './mistakes.ts';
import { pageAbout } from './topics.ts';

/** A command line as far as it could be read. */
export interface CommandLine {
  /**
   * The command that was named; undefined when none was, or when something is printed instead of
   * running it.
   */
  readonly command?: Command | undefined;
  /** The words as typed, even if the command line is wrong: it may ask for JSON. */
  readonly typed: ParsedArgs;
  /** Words of a wrong command line that no option or command took. */
  readonly leftOver?: readonly string[];
  /** Help or version: data, for standard output. */
  readonly text?: string;
  /** Its fault: a UsageError, unless a file of riskcli's own cannot be loaded. */
  readonly error?: unknown;
}

export interface CommandTable {
  /** The width of help, in columns; 80 if left out. */
  readonly width?: number;
  readonly commands: readonly CommandEntry[];
}

/** The position in the tree of commands. */
interface CommandPlace {
  readonly table: CommandTable;
  /** The words that name the command, `['keys', 'set']`; none at the root. */
  readonly path: readonly string[];
  /** The root has none. */
  readonly command?: Command;
}

const NOTHING_TYPED: ParsedArgs = { args: [], words: () => undefined };

/** Reads `argv` (without node and script). Runs nothing and does not throw. */
export async function readCommandLine(argv: readonly string[], table: CommandTable): Promise<CommandLine> {
  try {
    const root: CommandPlace = { table, path: [] };
    if (argv.length === 0) return { typed: NOTHING_TYPED, text: helpOf(root, { isScreen: true }) };
    return await readAt(root, argv, NOTHING_TYPED);
  } catch (error) {
    return { typed: NOTHING_TYPED, leftOver: argv, error };
  }
}

/**
 * Reads `argv`, the words behind the name of the command at `place`; `before` was typed in front of
 * it.
 */
async function readAt(place: CommandPlace, argv: readonly string[], before: ParsedArgs): Promise<CommandLine> {
  const { command } = place;
  const below = subcommandsAt(place);
  const level = below ? readGroup(argv, command ? GLOBAL_FLAGS : ROOT_FLAGS) : readLeaf(argv, command ?? {});
  const { fault, args } = level;
  const typed: ParsedArgs = { args, words: (long) => together(before.words(long), level.words(long)) };
  const [name, ...more] = args;
  if (typed.words(VERSION_FLAG.long)) return { typed, text: `${VERSION}\n` };
  if (below && name !== undefined && !fault) return await readBelow(place, name, more, typed);
  const asksForAll = typed.words(HELP_FLAG.long) !== undefined;
  if (asksForAll || typed.words(SCREEN)) return { typed, text: helpOf(place, { isScreen: !asksForAll }) };
  if (fault) return { command, typed, leftOver: args, error: mistake(fault, place) };
  return below ? { typed, error: noCommand(command) } : { command, typed };
}

async function readBelow(
  place: CommandPlace,
  name: string,
  more: readonly string[],
  typed: ParsedArgs,
): Promise<CommandLine> {
  if (name === 'help') return await readHelp(place, more, typed);
  // People try this before --version.
  if (name === 'version' && !place.command) return { typed, text: `${VERSION}\n` };
  const found = await placeBelow(place, name);
  if (found) return await readAt(found, more, typed);
  return { typed, leftOver: more, ...unknown(name, place) };
}

/** `riskcli help WORDS`: a page, or the help of a command. */
async function readHelp(place: CommandPlace, argv: readonly string[], before: ParsedArgs): Promise<CommandLine> {
  const { args, words, fault } = readGroup(argv, GLOBAL_FLAGS, false);
  const typed: ParsedArgs = { args, words: (long) => together(before.words(long), words(long)) };
  if (fault) return { typed, leftOver: args, error: mistake(fault, place) };
  let found = place;
  // `riskcli help help` is `riskcli help`: help is in no table of commands.
  const names = args[0] === HELP_FLAG.long && !place.command ? args.slice(1) : args;
  for (const name of names) {
    const below = await placeBelow(found, name);
    if (!below)
      return { typed, ...(args.length === 1 && !place.command ? helpAbout(name, place) : unknown(name, found)) };
    found = below;
  }
  return { typed, text: helpOf(found, { isScreen: false }) };
}

/** The page on `word`, which is no command. */
function helpAbout(word: string, root: CommandPlace): Pick<CommandLine, 'text' | 'error'> {
  const text = pageAbout(word);
  return text ? { text } : { error: unknownPage(word, namesAt(root)) };
}

const unknown = (name: string, place: CommandPlace) => ({ error: unknownCommand(name, namesAt(place), place.path) });

const subcommandsAt = ({ command, table }: CommandPlace): readonly (Command | CommandEntry)[] | undefined =>
  command ? command.subcommands : table.commands;

const namesAt = (place: CommandPlace) => (subcommandsAt(place) ?? []).map(({ name }) => name);

async function placeBelow(place: CommandPlace, name: string): Promise<CommandPlace | undefined> {
  const { path, table, command } = place;
  const found = subcommandsAt(place)?.find((one) => one.name === name);
  if (!found) return undefined;
  const below = 'load' in found ? await loadCommand(found) : { ...found, page: command?.page };
  return { table, path: [...path, name], command: below };
}

function helpOf({ table, path, command }: CommandPlace, { isScreen }: { readonly isScreen: boolean }): string {
  const { commands, width = 80 } = table;
  if (command) return (isScreen ? commandScreen : commandHelp)(command, path, width);
  return (isScreen ? rootScreen : rootHelp)(commands, width);
}

const ROOT_FLAGS = [...GLOBAL_FLAGS, VERSION_FLAG];
/** `-h`, which is less than `--help`. */
const SCREEN = 'h';

interface ParsedLevel extends ParsedArgs {
  readonly fault?: Fault | undefined;
}

/**
 * The options before the name of a command. The name is the first of the `args`, and all that
 * follows belongs to the command.
 */
function readGroup(argv: readonly string[], flags: readonly Flag[], stopsAtName = true): ParsedLevel {
  const { parser, given } = parserOf(flags);
  parser.passThroughOptions(stopsAtName);
  return parseLevel(parser, argv, given);
}

function readLeaf(argv: readonly string[], { flags = [], args = [] }: Pick<Command, 'flags' | 'args'>): ParsedLevel {
  const { parser, given } = parserOf([...GLOBAL_FLAGS, ...flags]);
  const { own, rest } = splitRest(argv, flags);
  const read = parseLevel(parser, own, given);
  const level = { ...read, fault: read.fault ?? argumentFault(read.args, args) };
  return rest ? { ...level, words: (long) => (long === rest.long ? rest.words : level.words(long)) } : level;
}

/** Values are collected here, since commander keeps only the last value of an option. */
function parserOf(flags: readonly Flag[]) {
  const given = new Map<string, readonly string[]>();
  const parser = new Parser()
    .exitOverride()
    .configureOutput({ writeErr: () => {} })
    .helpOption(false);
  const options = flags.map((flag) => new Option(flagTerm(flag)));
  for (const option of [...options, new Option(`--${HELP_FLAG.long}`), new Option(`-${SCREEN}`)]) {
    const name = option.name();
    parser.addOption(option);
    parser.on(`option:${name}`, (value: string | null) => given.set(name, [...(given.get(name) ?? []), value ?? '']));
  }
  return { parser, given };
}

function parseLevel(
  parser: Parser,
  argv: readonly string[],
  given: ReadonlyMap<string, readonly string[]>,
): ParsedLevel {
  const words = (long: string) => given.get(long);
  try {
    const { operands, unknown } = parser.parseOptions([...argv]);
    const [word] = unknown;
    return {
      args: [...operands, ...unknown],
      words,
      fault: word === undefined ? undefined : { kind: 'unknown', word },
    };
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // Nothing else is an error here, and only the last word can lack its value.
    return { args: [], words, fault: { kind: 'no-value', option: namedLast(parser, argv) } };
  }
}

/**
 * The option that the last word names, alone (`--output`) or as the last of several letters
 * (`-qo`).
 */
function namedLast({ options }: Parser, argv: readonly string[]): string {
  const word = argv.at(-1) ?? '';
  const name = word.startsWith('--') ? word : `-${word.at(-1)}`;
  return options.find(({ long, short }) => name === long || name === short)?.flags.replace(/^-., /, '') ?? name;
}

function argumentFault(typed: readonly string[], args: readonly Argument[]): Fault | undefined {
  const missing = args.slice(typed.length).find(({ optional }) => !optional);
  if (missing) return { kind: 'missing', argument: missing };
  const isExcess = typed.length > args.length && !args.at(-1)?.variadic;
  return isExcess ? { kind: 'excess', given: typed.length, taken: args.length } : undefined;
}

/**
 * Splits off the words behind an option that takes the rest of the line (`--command PROGRAM
 * ARG...`). They belong to another program: commander, which takes options anywhere, must not see
 * them.
 */
function splitRest(argv: readonly string[], flags: readonly Flag[]) {
  const flag = flags.find(({ rest }) => rest);
  const end = argv.indexOf('--');
  const at = argv.findIndex((word) => word === `--${flag?.long}` || word.startsWith(`--${flag?.long}=`));
  if (!flag || at < 0 || (end >= 0 && end < at) || at === argv.length - 1) return { own: argv };
  const [, joined] = /=(.*)/s.exec(argv[at] ?? '') ?? [];
  const behind = argv.slice(at + 1);
  // `--command -- PROGRAM` works as with sudo and env.
  const words = joined !== undefined ? [joined, ...behind] : behind[0] === '--' ? behind.slice(1) : behind;
  return { own: argv.slice(0, at), rest: { long: flag.long, words } };
}

const together = (before: readonly string[] | undefined, after: readonly string[] | undefined) =>
  before && after ? [...before, ...after] : (before ?? after);
