/**
 * A flag is a row: its name, its help, and how its text is parsed. Each row is read once, before
 * its command does anything, and the command receives the values as one object whose type follows
 * from the rows. Nothing else sees the text.
 */
import { UsageError } from '../errors.ts';
import { quotedWord } from '../secrets/redact.ts';
import { checkChoice, parseDuration } from '../settings/typed-values.ts';

type FlagGroup = 'Input' | 'Output' | 'Gates' | 'Pace and cost' | 'Connection' | 'Options of every command';

export interface Flag {
  /** Without dashes; `no-header` for a switch that turns something off. */
  readonly long: string;
  readonly short?: string;
  /** The placeholder of the value in help, `FILE`; a flag without one is a switch. */
  readonly value?: string;
  readonly choices?: readonly string[];
  /**
   * May be given several times. Otherwise a second file is refused (`once`), and of other values
   * the last one wins.
   */
  readonly repeatable?: true;
  /**
   * The hint when it is given twice: the first of two files or columns must not be ignored in
   * silence.
   */
  readonly once?: string;
  /** Its value is a program, and every word after that belongs to the program. */
  readonly rest?: true;
  readonly help: string;
  /** The heading under which help lists it; `Options` when there is none. */
  readonly group?: FlagGroup;
  /** The completions of the value, unless there are choices. */
  readonly completes?: Completes;
  /** Its value is a list with commas; a shell completes each item. */
  readonly commas?: true;
  /** The only form of the command in which it has a meaning. */
  readonly only?: Form;
  /** Flags by their long names: it is refused beside each of them. */
  readonly conflicts?: readonly string[];
  /** It is refused without one of these. */
  readonly needs?: readonly string[];
}

/**
 * One wallet, a list of any kind, and a list that is read from a file or standard input, which is a
 * list as well.
 */
export type Form = 'one' | 'list' | 'file';

/** File names, the environments of this machine, or texts that a value may begin with. */
export type Completes = typeof FILE | 'environment' | readonly string[];
/** For a value that is a file name. */
export const FILE = 'file';

/** `-o, --output <FILE>`, as help names it. */
export function flagTerm({ long, short, value }: Flag): string {
  const name = value ? `--${long} <${value}>` : `--${long}`;
  return short ? `-${short}, ${name}` : name;
}

/** The text of the user, before it is parsed. Only cli/ sees it. */
export interface ParsedArgs {
  readonly args: readonly string[];
  /**
   * The values of a flag by its long name, in order, empty ones of a switch; undefined when it was
   * not typed.
   */
  words(long: string): readonly string[] | undefined;
}

/**
 * A flag's row in a table. The member's name is its name, `maxAge` for `--max-age`, unless `long`
 * gives another.
 */
export interface FlagRow<T = unknown> extends Omit<Flag, 'long'> {
  readonly long?: string;
  /**
   * Parses `words`, the values that were typed, in order: empty ones of a switch, undefined when
   * the flag was not typed. `name` is its spelling, `--max-age`, for messages. @throws UsageError
   */
  readonly read: (words: readonly string[] | undefined, name: string) => T;
}

export type FlagRows = Readonly<Record<string, FlagRow>>;

/** The values of a command's flags. */
export type FlagValues<Rows extends FlagRows> = {
  readonly [Name in keyof Rows]: ReturnType<Rows[Name]['read']>;
};

type About = Omit<Flag, 'long' | 'repeatable' | 'value'> & Pick<FlagRow, 'long'>;
/** `value` is the placeholder in the help. */
type AboutValue = About & { readonly value: string };

/** A switch: whether it was typed. */
export function onOff(about: About): FlagRow<boolean> {
  return { ...about, read: (words) => words !== undefined };
}

/** A switch that turns something off: true unless `--no-NAME` was typed. */
export function off(about: About & { readonly long: `no-${string}` }): FlagRow<boolean> {
  return { ...about, read: (words) => words === undefined };
}

/** How often a switch was typed. */
export function count(about: About): FlagRow<number> {
  return { ...about, repeatable: true, read: (words) => words?.length ?? 0 };
}

/** A flag with one value, read by `parse`; undefined when it was not typed. */
export function value<T>(parse: (text: string, name: string) => T, about: AboutValue): FlagRow<T | undefined> {
  return { ...about, read: (words, name) => (words === undefined ? undefined : parse(words.at(-1) ?? '', name)) };
}

/** A flag that may be typed several times: its values in order, each read by `parse`. */
export function values<T>(parse: (text: string, name: string) => T, about: AboutValue): FlagRow<readonly T[]> {
  return { ...about, repeatable: true, read: (words = [], name) => words.map((word) => parse(word, name)) };
}

/**
 * The same, with one call of `parse` for all values; it gets an empty array when there are none.
 */
export function all<T>(parse: (texts: readonly string[], name: string) => T, about: AboutValue): FlagRow<T> {
  return { ...about, repeatable: true, read: (words = [], name) => parse(words, name) };
}

const asTyped = (typed: string) => typed;

export const text = (about: AboutValue) => value(asTyped, about);
export const texts = (about: AboutValue) => values(asTyped, about);

/**
 * One of `choices`. Not checked by commander, which would stop at the first mistake and miss a
 * --json after it.
 */
export function choice<C extends string>(choices: readonly C[], about: AboutValue): FlagRow<C | undefined> {
  return value((typed, name) => checkChoice(name, typed, choices), { choices, ...about });
}

/** Milliseconds. */
export const duration = (about: AboutValue) => value(parseDuration, about);

/** A whole number from `min` to `max`. */
export function wholeNumber({ min, max, ...about }: AboutValue & { readonly min: number; readonly max: number }) {
  return value((typed, name) => {
    const number = /^\d+$/.test(typed) ? Number(typed) : Number.NaN;
    if (number >= min && number <= max) return number;
    const hint = `give a whole number from ${min} to ${max}`;
    throw new UsageError(`${name} cannot be ${quotedWord(typed)}`, { hint });
  }, about);
}

/** A number above 0, whole unless `fractions` are taken. */
export function positive({ fractions = false, ...about }: AboutValue & { readonly fractions?: boolean }) {
  const pattern = fractions ? /^\d+(\.\d+)?$/ : /^\d+$/;
  return value((typed, name) => {
    const number = Number(typed);
    if (pattern.test(typed) && number > 0 && Number.isFinite(number)) return number;
    throw new UsageError(`${name} cannot be ${quotedWord(typed)}`, {
      hint: `give a ${fractions ? '' : 'whole '}number above 0`,
    });
  }, about);
}

/** Gives `rows` one heading in the help. */
export const inGroup = <Rows extends FlagRows>(group: NonNullable<Flag['group']>, rows: Rows) =>
  withRules(rows, { group });

/** Gives each of `rows` the same members. */
export function withRules<Rows extends FlagRows>(rows: Rows, rules: Partial<About>): Rows {
  return Object.fromEntries(Object.entries(rows).map(([name, row]) => [name, { ...rules, ...row }])) as Rows;
}

const kebabCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** The rows as help and completions list them. */
export function flagsOf(rows: FlagRows): readonly Flag[] {
  return Object.entries(rows).map(([name, row]) => ({ ...row, long: longName(name, row) }));
}

const longName = (name: string, { long }: Pick<FlagRow, 'long'>) => long ?? kebabCase(name);

/**
 * @param form the form of the command that was typed, if it has several
 * @throws UsageError for the first flag that does not go with the others, or value that its row
 * does not take
 */
export function readFlags<Rows extends FlagRows>(rows: Rows, typed: ParsedArgs, form?: Form): FlagValues<Rows> {
  for (const flag of flagsOf(rows)) checkTogether(flag, typed, form);
  const values: Record<string, unknown> = {};
  for (const [name, row] of Object.entries(rows)) {
    const long = longName(name, row);
    values[name] = row.read(typed.words(long), `--${long}`);
  }
  return values as FlagValues<Rows>;
}

/** A flag that the form cannot honour is refused, not ignored. @throws UsageError */
function checkTogether(flag: Flag, typed: ParsedArgs, form: Form | undefined): void {
  const { long, only, conflicts, needs } = flag;
  const words = typed.words(long);
  if (words === undefined) return;
  const name = `--${long}`;
  const once = onceHint(flag);
  const isTyped = (other: string) => typed.words(other) !== undefined;
  if (once && words.length > 1) throw new UsageError(`${name} was given twice`, { hint: once });
  const other = conflicts?.find(isTyped);
  if (other) throw new UsageError(`${name} cannot be used with --${other}`, { hint: 'leave one of them out' });
  if (needs && !needs.some(isTyped)) {
    const ways = needs.map((one) => `--${one}`).join(' or ');
    throw new UsageError(`${name} only works with ${ways}`, { hint: `add ${ways}, or leave it out` });
  }
  if (only === 'file' && form && form !== 'file') {
    const hint = 'read the list with -f FILE, or with - from standard input';
    throw new UsageError(`${name} only works with a list that is read`, { hint });
  }
  if (only === 'list' && form === 'one') {
    const hint = 'give the wallet as a list: echo 0x... | riskcli profile -';
    throw new UsageError(`${name} only works with a list`, { hint });
  }
}

/**
 * The hint for a flag that must not be given twice; undefined when the last value wins or all
 * values count.
 */
function onceHint({ once, completes, repeatable }: Flag): string | undefined {
  return completes === FILE && !repeatable ? (once ?? 'name one file') : once;
}

/**
 * The words of a command line after the command's name: the arguments, then the options in the
 * order of `flags`.
 */
export function typedWords(flags: readonly Flag[], { args, words }: ParsedArgs): readonly string[] {
  const options = flags.flatMap(({ long, value }) => {
    const given = words(long);
    if (given === undefined) return [];
    return value === undefined ? [`--${long}`] : given.flatMap((one) => [`--${long}`, one]);
  });
  return [...args, ...options];
}
