/** Durations, counts and lines of words as a person reads them. */
import { displayWidth } from './width.ts';

const UNITS = [
  ['d', 86_400],
  ['h', 3_600],
  ['m', 60],
  ['s', 1],
] as const;

/** `ms` in its two largest units: `450ms`, `4.2s`, `3m 12s`, `2d 5h`; never `0ms`. */
export function roughDuration(ms: number): string {
  if (ms < 1_000) return `${Math.max(1, Math.round(ms))}ms`;
  if (ms < 9_950) return `${(ms / 1_000).toFixed(1)}s`;
  const total = Math.round(ms / 1_000);
  const first = UNITS.findIndex(([, size]) => total >= size);
  const [unit, size] = UNITS[first] ?? UNITS[3];
  const [nextUnit, nextSize] = UNITS[first + 1] ?? [];
  const rest = nextSize ? Math.floor((total % size) / nextSize) : 0;
  return `${Math.floor(total / size)}${unit}${rest > 0 ? ` ${rest}${nextUnit}` : ''}`;
}

/** `ms` in whole seconds, at least one: an estimate is no more exact, and while something is awaited some time is left. */
export function wholeSeconds(ms: number): string {
  const seconds = Math.max(1, Math.round(ms / 1_000));
  return seconds < 60 ? `${seconds}s` : roughDuration(seconds * 1_000);
}

/** `1234567` as `1,234,567`, the same in every locale; for whole numbers. */
export function grouped(count: number | string): string {
  const digits = String(count);
  const first = digits.length % 3 || 3;
  let text = digits.slice(0, first);
  for (let at = first; at < digits.length; at += 3) text += `,${digits.slice(at, at + 3)}`;
  return text;
}

/** `1 row`, `2 rows`. */
export function counted(count: number, singular: string, plural = `${singular}s`): string {
  return `${grouped(count)} ${count === 1 ? singular : plural}`;
}

const PLURALS: Readonly<Record<string, string>> = { is: 'are', was: 'were', has: 'have' };

/** `verb`, given in the singular, for `count` things: `1 row is`, `2 rows are`; `1 row lacks`, `2 rows lack`. */
export const verbFor = (count: number, verb: string): string =>
  count === 1 ? verb : (PLURALS[verb] ?? verb.replace(/s$/, ''));

/** `1 row is not a wallet`, `2 rows are not wallets`. */
export const areNotWallets = (count: number): string => (count === 1 ? 'is not a wallet' : 'are not wallets');

/** The words of `text` on lines of at most `width` columns; a last line of one short word is avoided. */
export function wrapped(text: string, width: number): readonly string[] {
  return withoutOrphan(onLines(text.split(' '), width), width);
}

/** `words` with blanks between them, on lines of at most `width` columns. */
function onLines(words: readonly string[], width: number): readonly string[] {
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    if (last !== undefined && displayWidth(last) + 1 + displayWidth(word) <= width)
      lines.splice(-1, 1, `${last} ${word}`);
    else lines.push(word);
  }
  return lines;
}

const ORPHAN_LENGTH = 10;

/** `lines`, with one more word moved to a last line that is a single short word. */
export function withoutOrphan(lines: readonly string[], width: number): readonly string[] {
  const last = lines.at(-1) ?? '';
  const above = lines.at(-2) ?? '';
  const space = above.lastIndexOf(' ');
  if (lines.length < 2 || last.length > ORPHAN_LENGTH || last.includes(' ') || space < width / 2) return lines;
  return [...lines.slice(0, -2), above.slice(0, space), `${above.slice(space + 1)} ${last}`];
}

/** `items` with commas between them, on lines of at most `width` columns; an item is never cut. */
export function joinWrapped(items: readonly string[], width: number): readonly string[] {
  return onLines(
    items.map((item, i) => (i < items.length - 1 ? `${item},` : item)),
    width,
  );
}
