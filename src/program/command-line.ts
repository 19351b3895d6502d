/**
 * Reads plain command lines, which most are: a command, its arguments, and options that are written separately. Any other line
 * is left to commander, which also says what is wrong: to load it and give it the table takes a tenth of the time of a run with
 * one wallet.
 */
import type { Command, CommandEntry } from '../cli/command.ts';
import type { Flag, ParsedArgs } from '../cli/flag.ts';
import { GLOBAL_FLAGS } from '../cli/global-flags.ts';
import { loadCommand } from '../commands/index.ts';
import { checkTyped } from './check-typed.ts';

/** A command line as far as it could be read. */
export interface CommandLine {
  /** The command that was named; undefined when none was, or when something is printed instead of running it. */
  readonly command?: Command | undefined;
  /** What was typed, also when the command line is wrong: it may ask for JSON. */
  readonly typed: ParsedArgs;
  /** Words of a wrong command line that no option or command took. */
  readonly leftOver: readonly string[];
  /** Help or version: data, for standard output. */
  readonly text?: string;
  /** What is wrong with it: a UsageError, unless a file of riskcli's own cannot be loaded. */
  readonly error?: unknown;
}

export interface CommandTable {
  readonly version: string;
  /** How wide help may be, columns; 80 when left out. */
  readonly width?: number;
  readonly commands: readonly CommandEntry[];
}

export const NOTHING_TYPED: ParsedArgs = { args: [], words: () => undefined };

/** The line of `argv`; undefined if it is not plain, or is wrong. */
export async function readPlainLine(argv: readonly string[], table: CommandTable): Promise<CommandLine | undefined> {
  const [name, ...words] = argv;
  try {
    if (words.length === 0 && name === '--version') return textLine(`${table.version}\n`);
    if (words.length === 0 && name === '--help') return textLine(await rootHelpOf(table));
    const entry = table.commands.find((one) => one.name === name);
    return entry && (await readWordsOf(await loadCommand(entry), words));
  } catch {
    return undefined;
  }
}

const textLine = (text: string): CommandLine => ({ typed: NOTHING_TYPED, leftOver: [], text });

async function rootHelpOf({ commands, width = 80 }: CommandTable): Promise<string> {
  const { rootHelp } = await import('./help.ts');
  return rootHelp(commands, width);
}

/** Reads `words`, those after the name of `spec`, a command or a group of commands. */
async function readWordsOf(spec: Command, words: readonly string[]): Promise<CommandLine | undefined> {
  const below = spec.subcommands?.find(({ name }) => name === words[0]);
  if (spec.subcommands && !below) return undefined;
  const command = below ?? spec;
  const typed = typedIn(below ? words.slice(1) : words, [...GLOBAL_FLAGS, ...(command.flags ?? [])]);
  if (typed) checkTyped(command, below ? [spec.name, below.name] : [spec.name], typed);
  return typed && { command, typed, leftOver: [] };
}

/** Reads `words` if each that begins with a dash is one of `flags`, alone or as `--long=VALUE`, and no value begins with one. */
function typedIn(words: readonly string[], flags: readonly Flag[]): ParsedArgs | undefined {
  const args: string[] = [];
  const given = new Map<string, readonly string[]>();
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    if (!isOption(word)) {
      args.push(word);
      continue;
    }
    const [, name = word, joined] = /^(--[^=]+)=(.*)$/s.exec(word) ?? [];
    const flag = flags.find(({ long, short }) => name === `--${long}` || name === `-${short}`);
    if (!flag) return undefined;
    if (flag.value === undefined) {
      if (joined !== undefined || !give(flag, undefined, given)) return undefined;
    } else {
      const next = joined ?? words[++at];
      if (next === undefined || (joined === undefined && isOption(next)) || !give(flag, next, given)) return undefined;
    }
  }
  return { args, words: (long) => given.get(long) };
}

/** A dash alone is a file. */
const isOption = (word: string) => word.startsWith('-') && word !== '-';

/** Adds `value` (undefined for a switch) to `given`. False for a second value of a flag that takes one only. */
function give({ long, repeatable, once }: Flag, value: string | undefined, given: Map<string, readonly string[]>) {
  const before = given.get(long) ?? [];
  if (once !== undefined && given.has(long)) return false;
  if (repeatable) given.set(long, [...before, value ?? long]);
  else given.set(long, value === undefined ? [] : [value]);
  return true;
}
