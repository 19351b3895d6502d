/** Durations and counts as a person reads them. */
import { once } from './once.ts';

const DURATION_LETTERS = [
  ['d', 86_400],
  ['h', 3_600],
  ['m', 60],
  ['s', 1],
] as const;

/** `ms` in its two largest units: `450ms`, `4s`, `3m 12s`, `2d 5h`; never `0ms`. */
export function roughDuration(ms: number): string {
  const total = Math.round(ms / 1_000);
  if (ms < 1_000 || total === 0) return `${Math.max(1, Math.round(ms))}ms`;
  const first = DURATION_LETTERS.findIndex(([, size]) => total >= size);
  const [unit, size] = DURATION_LETTERS[first] ?? DURATION_LETTERS[3];
  const [nextUnit, nextSize] = DURATION_LETTERS[first + 1] ?? [];
  const rest = nextSize ? Math.floor((total % size) / nextSize) : 0;
  return `${Math.floor(total / size)}${unit}${rest > 0 ? ` ${rest}${nextUnit}` : ''}`;
}

/** The time left until something awaited: at least a second. */
export const timeLeft = (ms: number): string => roughDuration(Math.max(1_000, ms));

/** Made when it is first needed: that takes 12 ms. */
const grouping = once(() => new Intl.NumberFormat('en-US'));

/** Longer numbers keep their spelling: Intl writes some as infinity. In digits. */
const MAX_GROUPED = 21;

/**
 * `1234567` as `1,234,567`, the same in every locale; for whole numbers, digit by digit where they
 * are text.
 */
export function groupDigits(count: number | string): string {
  const digits = String(count);
  return digits.length > MAX_GROUPED ? digits : grouping().format(digits as Intl.StringNumericLiteral);
}

/** `1 row`, `2 rows`. */
export function counted(count: number, singular: string): string {
  return `${groupDigits(count)} ${count === 1 ? singular : `${singular}s`}`;
}

/** `scored 3, invalid 1`: the counts that are not 0, and those that are always shown. */
export const countWords = (counts: readonly (readonly [name: string, count: number, isAlways?: boolean])[]): string =>
  counts
    .filter(([, count, isAlways]) => count > 0 || isAlways)
    .map(([name, count]) => `${name} ${groupDigits(count)}`)
    .join(', ');

/** `a`, `a or b`, `a, b or c`. */
export function anyOf(words: readonly string[]): string {
  const last = words.at(-1) ?? '';
  return words.length > 1 ? `${words.slice(0, -1).join(', ')} or ${last}` : last;
}
