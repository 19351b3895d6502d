/**
 * Reads what answers say about the key's limit (docs/service.md, Rate limits), leniently: gateways
 * spell it in many ways, and a header that makes no sense counts as absent rather than stopping a
 * run.
 */

import { parseHeaderTime } from '../../text/when.ts';

/**
 * Credible limits, requests a second. Plans have 10 to 200; the largest is agreed individually
 * (docs/service.md, Plans), so there is room for a service in the same rack.
 */
const LIMIT = { least: 1, most: 100_000 };

/** Every plan allows bursts of this many times Limit in one second (docs/service.md, Plans). */
export const BURST = 2;

/** Quotas are for a month at most; a reset further away comes from a wrong clock. Milliseconds. */
export const MAX_RESET_MS = 32 * 24 * 3600 * 1000;

/** The longest window of a rate limiter, in seconds; longer ones are quotas. */
export const MAX_WINDOW_S = 10;

/**
 * A limit of 0.00001 a second would stall a list for days, one of 10^15 would not limit it at all.
 * Such values count as not reported, whether they are from an answer or from the state of an
 * earlier run.
 * @returns `limit`, in requests a second, if it is credible
 */
export function credibleLimit(limit: number | undefined): number | undefined {
  return limit !== undefined && limit >= LIMIT.least && limit <= LIMIT.most ? limit : undefined;
}

/** @returns `remaining` if it is credible for `limit`: at most the bursts of the longest window */
function credibleRemaining(remaining: number | undefined, limit = LIMIT.most): number | undefined {
  return remaining !== undefined && remaining <= MAX_WINDOW_S * BURST * limit ? remaining : undefined;
}

/** The limit as one answer reported it. */
export interface RateLimit {
  /** Requests a second for the key. */
  readonly limit?: number;
  readonly remaining?: number;
  /** Milliseconds from now to the reset, never negative. */
  readonly resetMs?: number;
}

/** The facts about the limiter in one answer, or in its absence. */
export interface Observation {
  /** HTTP status; undefined when no answer came. */
  readonly status?: number;
  readonly rateLimit: RateLimit;
  /** For a 429: how long to wait after it, milliseconds (`rateLimitWait`). */
  readonly waitMs?: number;
}

type Headers = Readonly<Record<string, string | undefined>>;

/** The shortest wait after a 429, whatever the server says, in milliseconds. */
const MIN_WAIT_MS = 1_000;

/**
 * A reset below EPOCH_SECONDS is a delay in seconds (as in the IETF draft). Up to EPOCH_MS it is a
 * Unix time in seconds; above, in milliseconds.
 */
const EPOCH_SECONDS = 1e9;
const EPOCH_MS = 1e12;

/**
 * Reads the three X-RateLimit headers; names in lower case.
 * @param now wall clock in milliseconds since 1970, used if the answer has no Date
 */
export function readRateLimit(headers: Headers, now: number): RateLimit {
  const limit = credibleLimit(leadingNumber(headers['x-ratelimit-limit']));
  return {
    limit,
    remaining: credibleRemaining(leadingNumber(headers['x-ratelimit-remaining']), limit),
    resetMs: readReset(headers, now),
  };
}

/**
 * The wait that an error names, in milliseconds: the longer of Retry-After (RFC 9110, section
 * 10.2.3; fractions too) and the body's `retry_after` (seconds). Past, negative or unreadable
 * counts as absent; at least a second.
 */
export function readRetryAfterMs(
  headers: Headers,
  retryAfterBody: number | undefined,
  now: number,
): number | undefined {
  const named = [retryAfterHeader(headers, now), secondsToMs(retryAfterBody)].filter((wait) => wait !== undefined);
  return named.length === 0 ? undefined : Math.max(MIN_WAIT_MS, ...named);
}

/**
 * Milliseconds to wait after a 429, for the wallet that was rate-limited and for a whole list that
 * is too fast: what the server named, else until the reset, else a second. If nothing remains and
 * the reset is further away than the user would wait, a quota is spent: then until the reset,
 * whatever shorter time was named.
 */
export function rateLimitWait(
  { retryAfterMs, rateLimit }: { retryAfterMs?: number; rateLimit: RateLimit },
  maxWaitMs: number,
): number {
  const { remaining, resetMs = 0 } = rateLimit;
  const isSpent = remaining === 0 && resetMs > maxWaitMs;
  return Math.max(MIN_WAIT_MS, retryAfterMs ?? resetMs, isSpent ? resetMs : 0);
}

/**
 * The server's time, so that a wrong clock on either side does not change a wait. Date has whole
 * seconds, rounded down, so a wait computed from it is up to a second too long and never too short.
 */
function serverTime(headers: Headers, now: number): number {
  return parseHeaderTime(headers.date) ?? now;
}

function readReset(headers: Headers, now: number): number | undefined {
  const reset = leadingNumber(headers['x-ratelimit-reset']);
  if (reset === undefined) return undefined;
  const serverNow = serverTime(headers, now);
  const delta = reset < EPOCH_SECONDS ? reset * 1000 : reset > EPOCH_MS ? reset - serverNow : reset * 1000 - serverNow;
  return delta >= 0 && delta <= MAX_RESET_MS ? delta : undefined;
}

function retryAfterHeader(headers: Headers, now: number): number | undefined {
  const text = headers['retry-after'];
  const delay = secondsToMs(leadingNumber(text));
  if (delay !== undefined) return delay;
  const date = parseHeaderTime(text);
  if (date === undefined) return undefined;
  const wait = date - serverTime(headers, now);
  return wait >= 0 ? wait : undefined;
}

function secondsToMs(value: number | undefined): number | undefined {
  return value !== undefined && Number.isFinite(value) && value >= 0 ? value * 1000 : undefined;
}

/**
 * A number, alone or before the `,` or `;` of the longer forms that some gateways send (`10,
 * 10;w=1`).
 */
function leadingNumber(text: string | undefined): number | undefined {
  const digits = text && /^\s*(\d{1,15}(?:\.\d{0,9})?)\s*(?:[,;]|$)/.exec(text)?.[1];
  return digits ? Number(digits) : undefined;
}
