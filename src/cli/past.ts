/** Moments in the past as people type them: a day, a time, or how long ago. */
import { UsageError } from '../errors.ts';
import { quotedWord } from '../secrets/redact.ts';
import { readDuration } from '../settings/typed-values.ts';
import { DAY_MS, parseDay, parseMoment } from '../text/when.ts';

/**
 * `2026-11-15` and `7d` are the end of that day, UTC; `2026-11-15T12:00:00Z` and `20h` are what
 * they say.
 * @throws UsageError for anything else
 */
export function parsePast(typed: string, what: string) {
  const text = typed.trim();
  const from = momentIn(text);
  if (from === undefined) {
    throw new UsageError(`${what} is not a date or time: ${quotedWord(typed)}`, {
      hint: 'write a day like 2026-11-15, a time like 2026-11-15T12:00:00Z, or how long ago it is, like 7d or 20h',
    });
  }
  return {
    /** As it was typed. */
    text,
    /** Milliseconds since 1970, seen from `now`. @throws UsageError when it is in the future */
    at(now: number): number {
      const at = from(now);
      // In the user's time zone the day may have begun.
      if (at <= now + 2 * DAY_MS) return at;
      throw new UsageError(`${what} is in the future: ${quotedWord(typed)}`, { hint: 'name a time in the past' });
    },
  };
}

function momentIn(text: string): ((now: number) => number) | undefined {
  const moment = parseMoment(text);
  if (moment !== undefined) return () => (parseDay(text) === undefined ? moment : endOfUtcDay(moment));
  const ago = readDuration(text);
  if (ago === undefined) return undefined;
  return (now) => (/^\d+\s?d$/.test(text) ? endOfUtcDay(now - ago) : now - ago);
}

const endOfUtcDay = (at: number) => (Math.floor(at / DAY_MS) + 1) * DAY_MS - 1;
