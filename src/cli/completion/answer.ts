/**
 * The answer of `riskcli __complete WORDS...` to a shell that completes the last of WORDS. The
 * first line says what to offer, `values`, `files` or `programs`, and whether a blank follows the
 * word chosen: `blank` or `no-blank`. Then, for values, a line each: the whole word, a tab, a
 * description.
 */
import type { CompletionTable, Offer, OfferedCommand, OfferedFlag } from './table.ts';

interface Position {
  readonly command: OfferedCommand;
  /** The flag whose value the last word is, and what is before that value in the same word. */
  readonly flag?: OfferedFlag | undefined;
  readonly prefix: string;
  /** How many arguments are before the last word. */
  readonly argument: number;
  /** The flags that were typed before it. */
  readonly typed: ReadonlySet<OfferedFlag>;
  /** Whether `--` was typed, after which no flag can follow. */
  readonly isAfterDashes: boolean;
}

type OfferedValues = readonly (readonly [value: string, description: string])[];

/**
 * @param words what was typed after `riskcli`; the last one, perhaps empty, is completed
 * @param environments called only when they are offered, since it reads files
 */
export async function answer(
  words: readonly string[],
  { table, environments }: { readonly table: CompletionTable; readonly environments: () => Promise<readonly string[]> },
): Promise<string> {
  // Old PowerShells drop an empty word, so theirs is two quotes.
  const current = words.at(-1)?.replace(/^""$/, '') ?? '';
  const rest = wordsOfProgram(words.slice(0, -1), table);
  if (rest !== undefined) return offerLines({ kind: rest === 0 ? 'programs' : 'files' }, []);
  const position = locate(words.slice(0, -1), { current, table });
  const offer = offerAt(position, current);
  if (offer.kind === 'files' || offer.kind === 'programs') return offerLines(offer, []);
  const names = offer.kind === 'environments' ? await environments() : [];
  const values = offer.values ?? names.map((name) => [name, ''] as const);
  return offerLines({ ...offer, kind: 'values' }, withPrefix(values, { offer, position, current }));
}

/**
 * How many words follow a flag whose value is a program with its arguments; undefined without such
 * a flag.
 */
function wordsOfProgram(before: readonly string[], table: CompletionTable): number | undefined {
  const names = Object.values(table).flatMap(({ flags }) =>
    flags.filter(({ rest }) => rest).map((flag) => flag.spellings),
  );
  const at = before.findIndex((word) => names.some((spellings) => spellings.includes(word)));
  return at < 0 ? undefined : before.slice(at + 1).filter((word) => word !== '--').length;
}

function locate(
  before: readonly string[],
  { current, table }: { readonly current: string; readonly table: CompletionTable },
): Position {
  let path = '';
  let argument = 0;
  let flag: OfferedFlag | undefined;
  const typed = new Set<OfferedFlag>();
  for (const [i, word] of before.entries()) {
    const command = commandAt(path, table);
    if (flag) flag = undefined;
    else if (word === '--') {
      const later = before.length - i - 1;
      return { command, prefix: '', argument: argument + later, typed, isAfterDashes: true };
    } else if (word.startsWith('-') && word !== '-') {
      const found = flagNamed(word.split('=', 1)[0] ?? '', command);
      if (found) typed.add(found);
      if (found?.value && !word.includes('=')) flag = found;
    } else if (command.subcommands.some(([name]) => name === word)) path = path ? `${path} ${word}` : word;
    else argument += 1;
  }
  const command = commandAt(path, table);
  const [, name = '', joined = ''] = /^(--[a-z-]+)(=)/.exec(current) ?? [];
  const inWord = flag ? undefined : flagNamed(name, command);
  return {
    command,
    flag: flag ?? (inWord?.value && inWord),
    prefix: inWord?.value ? name + joined : '',
    argument,
    typed,
    isAfterDashes: false,
  };
}

const NO_OFFER: OfferedCommand = { flags: [], subcommands: [], args: [] };
const commandAt = (path: string, table: CompletionTable) => table[path] ?? NO_OFFER;

const flagNamed = (spelling: string, { flags }: OfferedCommand) =>
  flags.find(({ spellings }) => spellings.includes(spelling));

function offerAt({ command, flag, argument, typed, isAfterDashes }: Position, current: string): Offer {
  if (flag?.value) return flag.value;
  if (current.startsWith('-') && !isAfterDashes) {
    const open = command.flags.filter((one) => one.repeatable || !typed.has(one));
    return {
      kind: 'values',
      values: open.flatMap(({ spellings, help }) => spellings.map((name) => [name, help] as const)),
    };
  }
  if (command.subcommands.length > 0) return { kind: 'values', values: argument === 0 ? command.subcommands : [] };
  return command.args[argument] ?? command.args.findLast(({ variadic }) => variadic) ?? { kind: 'values' };
}

/** Whole words: what is before the value in the same word is repeated. */
function withPrefix(
  values: OfferedValues,
  { offer, position, current }: { readonly offer: Offer; readonly position: Position; readonly current: string },
): OfferedValues {
  // The last item of a list with commas is completed, also after the + of --fields.
  const earlier = offer.commas ? (/^.*[,+]/.exec(current.slice(position.prefix.length))?.[0] ?? '') : '';
  const before = position.prefix + earlier;
  return values
    .map(([value, description]) => [before + value, description] as const)
    .filter(([value]) => value.startsWith(current));
}

function offerLines({ kind, continues }: Offer, values: OfferedValues): string {
  const first = `${kind} ${continues ? 'no-blank' : 'blank'}`;
  return [first, ...values.map(([value, description]) => `${value}\t${description}`)]
    .map((line) => `${line}\n`)
    .join('');
}
