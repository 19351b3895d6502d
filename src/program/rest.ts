/**
 * The words behind an option that takes all that follows (`--command PROGRAM ARG...`). They are those of another program:
 * commander, which takes options wherever they stand, must not see any but the first.
 */
import { type ParsedArgs, REST_FLAG } from '../cli/flag.ts';

const OPTION = `--${REST_FLAG}`;

export interface SplitLine {
  /** Up to the first word behind the option, which is its value. */
  readonly argv: readonly string[];
  readonly rest: readonly string[];
}

export function splitRest(argv: readonly string[]): SplitLine {
  const end = argv.indexOf('--');
  const before = end < 0 ? argv : argv.slice(0, end);
  const at = before.findIndex((word) => word === OPTION || word.startsWith(`${OPTION}=`));
  if (at < 0) return { argv, rest: [] };
  const isJoined = argv[at] !== OPTION;
  // As with sudo and env, for those who are used to it.
  const from = at + 1 + (!isJoined && argv[at + 1] === '--' ? 1 : 0);
  const [first, ...rest] = argv.slice(from);
  if (isJoined) return { argv: argv.slice(0, from), rest: argv.slice(from) };
  const value = first === undefined ? OPTION : `${OPTION}=${first}`;
  return { argv: [...argv.slice(0, at), value], rest };
}

/** `typed` with `rest` behind the value of that option. */
export function withRest(typed: ParsedArgs, rest: readonly string[]): ParsedArgs {
  const words = (long: string) => {
    const own = typed.words(long);
    return long === REST_FLAG ? [...(own ?? []), ...rest] : own;
  };
  return { ...typed, words };
}
