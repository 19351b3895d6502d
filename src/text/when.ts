/**
 * Moments in words, `on 1 December (UTC), in 9 days`, and the UTC months in which quotas are
 * counted. All times are milliseconds since 1970.
 */

const MONTHS = 'January February March April May June July August September October November December'.split(' ');

export const SECOND_MS = 1_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/** The number of the UTC day that `at` is in. */
export const utcDay = (at: number) => Math.floor(at / DAY_MS);

/** The UTC day of `at`, YYYY-MM-DD. */
export const isoDay = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** The largest unit of which there are at least two. */
const DURATION_UNITS = [
  ['years', 365 * DAY_MS],
  ['days', DAY_MS],
  ['hours', HOUR_MS],
  ['minutes', 60_000],
] as const;

/** `ms` from now on: `in 9 days`, `in 59 minutes`, `in 40 s`. */
function durationInWords(ms: number): string {
  const [unit, size] = DURATION_UNITS.find(([, size]) => ms >= 2 * size) ?? [];
  return unit && size ? `in ${Math.round(ms / size)} ${unit}` : `in ${Math.ceil(ms / SECOND_MS)} s`;
}

/** When `at` is, seen from `now`. Days and hours are those of UTC. */
export function whenWords(at: number, now: number): string {
  const date = new Date(at);
  const today = new Date(now);
  const clock = date.toISOString().slice(11, 16);
  const year = date.getUTCFullYear() === today.getUTCFullYear() ? '' : ` ${date.getUTCFullYear()}`;
  const day = `on ${date.getUTCDate()} ${monthName(at)}${year}`;
  const isToday = utcDay(at) === utcDay(now);
  const moment = isToday ? `at ${clock} UTC` : clock === '00:00' ? `${day} (UTC)` : `${day} at ${clock} UTC`;
  return `${moment}, ${durationInWords(at - now)}`;
}

/** `November`: the UTC month that `at` is in. */
export const monthName = (at: number): string => MONTHS[new Date(at).getUTCMonth()] ?? '';

/** `at` for people and programs, without milliseconds: `2026-12-01T00:00:00Z`. */
export const isoSeconds = (at: number): string => new Date(at).toISOString().replace(/\.\d+Z$/, 'Z');

/** `2030-01`. */
export const month = (now: number): string => new Date(now).toISOString().slice(0, 7);

/** When the month after the one that `now` is in begins. */
export function nextMonth(now: number): number {
  const date = new Date(now);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** When the UTC day `2026-12-31` begins; undefined for anything else, and for 30 February. */
export const parseDay = (text: string): number | undefined => (DAY.test(text) ? startOfDay(text) : undefined);

/** Date.parse takes 30 February for 2 March. */
function startOfDay(day: string): number | undefined {
  const at = Date.parse(day);
  return Number.isNaN(at) || !new Date(at).toISOString().startsWith(day) ? undefined : at;
}

/**
 * ISO 8601 and RFC 3339, section 5.6: the extended form and the basic one, `20261231T080000Z`,
 * seconds left out or not.
 */
const TIME =
  /^(\d{4})(-?)(\d{2})\2(\d{2})[Tt ]([01]\d|2[0-3])(:?)([0-5]\d)(?:\6([0-5]\d)(?:[.,](\d+))?)?(?:[Zz]|([+-])([01]\d|2[0-3])(?::?([0-5]\d))?)?$/;
/**
 * The moment that `text` names: a day, which is when it begins, or a time. All parts of the program
 * agree on what is a time, and on which one it is.
 */
export const parseMoment = (text: string): number | undefined => parseDay(text) ?? parseTime(text);

/** As parseMoment; NaN, with which no comparison holds, where there is none. */
export const timeIn = (text: string): number => parseMoment(text) ?? Number.NaN;

/** The time that `text` names, whatever its zone; without one it is UTC. Undefined for a day. */
export function parseTime(text: string): number | undefined {
  const [, year, , month, day, hour, , minute, second = '00', fraction = '', sign, offHours, offMinutes = '0'] =
    TIME.exec(text.trim()) ?? [];
  if (year === undefined) return undefined;
  const date = startOfDay(`${year}-${month}-${day}`);
  if (date === undefined) return undefined;
  const seconds = (Number(hour) * 60 + Number(minute)) * 60 + Number(second);
  // Whole milliseconds are exact: 0.069 * 1000 would not be.
  const ms = Number(`${fraction.slice(0, 3).padEnd(3, '0')}.${fraction.slice(3)}`);
  const offset = offHours === undefined ? 0 : (Number(offHours) * 60 + Number(offMinutes)) * (sign === '-' ? -60 : 60);
  return date + (seconds - offset) * SECOND_MS + ms;
}

/** The three forms of RFC 9110, section 5.6.7, in any zone; asctime does not say that it is UTC. */
const HTTP_DATE =
  /^(?:[A-Za-z]{3,9}, \d{1,2}[ -][A-Za-z]{3}[ -]\d{2,4} \d{2}:\d{2}:\d{2}(?: ?([A-Za-z]{1,5}|[+-]\d{2}:?\d{2}))?|[A-Za-z]{3} [A-Za-z]{3} [ \d]\d \d{2}:\d{2}:\d{2} \d{4})$/;

/** The time in a header, as HTTP writes it or in ISO 8601. */
export function parseHeaderTime(header = ''): number | undefined {
  const text = header.trim();
  const [found, zone] = HTTP_DATE.exec(text) ?? [];
  if (found === undefined) return parseTime(text);
  const at = Date.parse(zone === undefined ? `${text} GMT` : text);
  return Number.isNaN(at) ? undefined : at;
}

/** ISO 8601 in UTC; null when it is unknown. */
export const isoTime = (ms: number | undefined) => (ms === undefined ? null : new Date(ms).toISOString());
