/** Reads argv: command-line.ts reads plain command lines, which most are, and commander the others. */
import { type ParsedArgs, REST_FLAG } from '../cli/flag.ts';
import { type CommandLine, type CommandTable, NOTHING_TYPED, readPlainLine } from './command-line.ts';

/** Reads `argv` (without node and script). Runs nothing and does not throw. */
export async function readCommandLine(argv: readonly string[], table: CommandTable): Promise<CommandLine> {
  const { argv: own, rest } = splitRest(argv);
  const line = (await readPlainLine(own, table)) ?? (await readByCommander(own, table));
  return rest.length === 0 ? line : { ...line, typed: withRest(line.typed, rest) };
}

async function readByCommander(argv: readonly string[], table: CommandTable): Promise<CommandLine> {
  try {
    const { readAnyLine } = await import('./any-line.ts');
    return await readAnyLine(argv, table);
  } catch (error) {
    return { typed: NOTHING_TYPED, leftOver: [], error };
  }
}

const REST_OPTION = `--${REST_FLAG}`;

/**
 * Splits off the words after an option that takes the rest of the line (`--command PROGRAM ARG...`). They belong to another
 * program: commander, which takes options anywhere, must not see any but the first.
 */
function splitRest(argv: readonly string[]): { readonly argv: readonly string[]; readonly rest: readonly string[] } {
  const end = argv.indexOf('--');
  const before = end < 0 ? argv : argv.slice(0, end);
  const at = before.findIndex((word) => word === REST_OPTION || word.startsWith(`${REST_OPTION}=`));
  if (at < 0) return { argv, rest: [] };
  const isJoined = argv[at] !== REST_OPTION;
  // `--command -- PROGRAM` works as with sudo and env.
  const from = at + 1 + (!isJoined && argv[at + 1] === '--' ? 1 : 0);
  const [first, ...rest] = argv.slice(from);
  if (isJoined) return { argv: argv.slice(0, from), rest: argv.slice(from) };
  const value = first === undefined ? REST_OPTION : `${REST_OPTION}=${first}`;
  return { argv: [...argv.slice(0, at), value], rest };
}

/** `typed` with `rest` added to the value of that option. */
function withRest(typed: ParsedArgs, rest: readonly string[]): ParsedArgs {
  const words = (long: string) => {
    const own = typed.words(long);
    return long === REST_FLAG ? [...(own ?? []), ...rest] : own;
  };
  return { ...typed, words };
}
