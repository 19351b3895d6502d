/** Parsers of settings, from any source. */

import { parsePath } from '../document/parse-path.ts';
import type { Path } from '../document/path.ts';
import { UsageError } from '../errors.ts';
import { quotedWord } from '../secrets/withhold.ts';
import { AUTHS, type Auth } from '../service/auth.ts';
import { baseUrlText, parseBaseUrl } from './base-url.ts';
import type { SettingName } from './table.ts';
import { checkChoice, parseDuration } from './typed-values.ts';

/** A day: timers are limited to 2^31 - 1 ms, 24 days. */
const MAX_TIMEOUT_MS = 24 * 3_600_000;

/**
 * A parser for each row of the table. It takes the text and its source, which begins the message of the UsageError that it throws.
 * Durations become milliseconds.
 */
export const PARSERS = {
  'base-url': parseBaseUrl,
  auth: parseAuth,
  timeout: parseTimeout,
  'max-wait': parseDuration,
  'monthly-requests': parseCount,
  score: parseScore,
} as const satisfies Record<SettingName, (text: string, what: string) => unknown>;

/** What a setting is once it is read. */
export type SettingValue<N extends SettingName> = ReturnType<(typeof PARSERS)[N]>;

/** `text` as it is stored, checked. @throws UsageError when it is not a valid value of the setting `name` */
export function storableText(name: SettingName, text: string): string {
  const value = PARSERS[name](text, name);
  return value instanceof URL ? baseUrlText(value) : text.trim();
}

function parseAuth(text: string, what: string): Auth {
  return checkChoice(what, text.trim().toLowerCase(), AUTHS);
}

function parseScore(text: string, what: string): Path {
  try {
    return parsePath(text.trim());
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw new UsageError(`${what}: ${error.message}`, { code: error.code, hint: error.hint });
  }
}

function parseTimeout(text: string, what: string): number {
  const ms = parseDuration(text, what);
  if (ms > 0 && ms <= MAX_TIMEOUT_MS) return ms;
  throw new UsageError(`${what} is not between 1ms and 24h: ${quotedWord(text)}`, { hint: 'write it like 30s' });
}

function parseCount(text: string, what: string): number {
  const count = /^\d+$/.test(text.trim()) ? Number(text) : 0;
  if (count > 0 && Number.isSafeInteger(count)) return count;
  throw new UsageError(`${what} is not a number of requests: ${quotedWord(text)}`, { hint: 'write it like 10000' });
}
