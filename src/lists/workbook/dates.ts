/**
 * Dates of a workbook: numbers of days, which only the format of the cell tells from other numbers
 * (ECMA-376, 18.8.30 and 18.17.4).
 */
import { DAY_MS } from '../../text/when.ts';

/** The parts of a date that a number format shows. */
export type DateFormat = 'date' | 'time' | 'both';

/** Formats that need not be declared: dates and times of all languages. 46 is a duration. */
const BUILT_IN: readonly (readonly [from: number, to: number, DateFormat])[] = [
  [14, 17, 'date'],
  [18, 21, 'time'],
  [22, 22, 'both'],
  [27, 31, 'date'],
  [32, 33, 'time'],
  [34, 36, 'date'],
  [45, 45, 'time'],
  [47, 47, 'time'],
  [50, 58, 'date'],
];

export const builtInFormat = (id: number): DateFormat | undefined =>
  BUILT_IN.find(([from, to]) => id >= from && id <= to)?.[2];

export function declaredFormat(code: string): DateFormat | undefined {
  // Texts in quotes, escaped characters, fillers.
  const bare = code.replace(/"[^"]*"|\\.|[_*]./gs, '');
  const [first = ''] = bare.split(';');
  if (/\[(?:h+|m+|s+)\]/i.test(first)) return undefined;
  // Colours, conditions and languages.
  const letters = first.replace(/\[[^\]]*\]/g, '');
  if (/general/i.test(letters)) return undefined;
  const hasDay = /[dy]/i.test(letters);
  const hasTime = /[hs]/i.test(letters);
  if (hasTime) return hasDay ? 'both' : 'time';
  return hasDay || /m/i.test(letters) ? 'date' : undefined;
}

/**
 * The leap-day bug: Excel takes 1900 for a leap year, as Lotus 1-2-3 did. Its day 60 does not
 * exist, and earlier days count from one day later.
 */
const LEAP_DAY_BUG = 60;
const EPOCH_1900 = Date.UTC(1899, 11, 30);
const EPOCH_1904 = Date.UTC(1904, 0, 1);
const YEAR_10000 = Date.UTC(10_000, 0, 1);

/** `days` in ISO 8601, without a time zone since it has none; undefined when it is no date. */
export function isoDate(days: number, format: DateFormat, is1904: boolean): string | undefined {
  // Excel's own seconds are off by some microseconds.
  const time = Math.round(days * DAY_MS);
  const day = Math.floor(time / DAY_MS);
  const at = time + (is1904 ? EPOCH_1904 : EPOCH_1900 + (day < LEAP_DAY_BUG ? DAY_MS : 0));
  if (!(days >= 0 && at < YEAR_10000) || (day === LEAP_DAY_BUG && !is1904)) return undefined;
  const iso = new Date(at).toISOString().replace(/(?:\.000)?Z$/, '');
  const clock = iso.slice(iso.indexOf('T') + 1);
  if (day === 0 && (format === 'time' || !is1904)) return clock;
  return format === 'date' && time % DAY_MS === 0 ? iso.slice(0, iso.indexOf('T')) : iso;
}
