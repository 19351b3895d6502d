/**
 * Decides what can be believed of a key's limit, whether an answer reports it or the file in which an earlier run kept it. A
 * limit of 0.00001 a second would stall a list for days, one of 10^15 would let it run free. What cannot be believed counts
 * as not reported, and the list begins as with a key of which nothing is known.
 */

/**
 * Requests a second. Plans begin at 10 and go to 200; the largest is agreed upon (contract, section 8), so there is room for
 * a service in the next rack. No service lets one key have more.
 */
const LIMIT = { least: 1, most: 100_000 };

/** Requests that may leave in a second at most, times Limit: every plan's burst (contract, section 8). */
export const BURST = 2;

/** Quotas run for a month at most; a reset further away comes from a clock that is wrong. Milliseconds. */
export const MAX_RESET_MS = 32 * 24 * 3600 * 1000;

/** Seconds that one count of a limiter covers at most; what is counted over longer is a quota. */
export const MAX_WINDOW_S = 10;

/** Returns `limit`, in requests a second, if it can be true. */
export function believableLimit(limit: number | undefined): number | undefined {
  return limit !== undefined && limit >= LIMIT.least && limit <= LIMIT.most ? limit : undefined;
}

/** Returns `remaining` if it can be true of `limit`: it is no more than the bursts of the longest window. */
export function believableRemaining(remaining: number | undefined, limit = LIMIT.most): number | undefined {
  return remaining !== undefined && remaining <= MAX_WINDOW_S * BURST * limit ? remaining : undefined;
}
