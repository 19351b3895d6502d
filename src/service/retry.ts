/**
 * Decides whether to retry, and when. Time and chance are arguments, so that every rule can be
 * tested by a table. A fault, ours or theirs, gets a few attempts with jitter; a 429 gets the wait
 * that the server named, repeatedly, until the waits without an answer are longer than the user
 * allows.
 */

import type { Clock } from '../context.ts';
import { LimitError, type RiskcliError, TemporaryError } from '../errors.ts';
import { isoSeconds, whenWords } from '../text/when.ts';
import type { AttemptResult } from './attempt.ts';
import { MAX_RESET_MS, rateLimitWait } from './pacing/rate-limit.ts';

/** One request and three retries: a fault that lasts four attempts seldom ends at the fifth. */
const MAX_ATTEMPTS = 4;
const BACKOFF_BASE_MS = 500;
const BACKOFF_CAP_MS = 30_000;
/**
 * In a list a wait after a 429 is up to a fifth longer, so that requests that were rate-limited
 * together are not repeated together.
 */
const SPREAD = 0.2;
/**
 * A list may repeat a tenth of its requests, plus this reserve: an outage must not multiply them.
 */
const RETRY_RATIO = 0.1;
const RETRY_RESERVE = 50;
/** With less time left, the answer of an attempt would come too late. */
const MIN_ATTEMPT_MS = 100;
/** The last moment that a Date can hold (ECMA-262, 21.4.1.1). */
const MAX_DATE_MS = 8.64e15;

/**
 * Full jitter (Brooker, "Exponential Backoff And Jitter").
 * @param chance uniform in [0, 1)
 * @returns milliseconds to wait after `faults` failures
 */
export function backoff(faults: number, chance: number): number {
  return chance * Math.min(BACKOFF_CAP_MS, BACKOFF_BASE_MS * 2 ** (faults - 1));
}

/** An attempt without a result, and what is left for its wallet. */
interface FailedAttempt extends Omit<AttemptResult<unknown>, 'result'> {
  readonly error: RiskcliError;
  /** How often this wallet failed other than by a 429, this time included. */
  readonly faults: number;
  /** The time left for this wallet, milliseconds. */
  readonly leftMs: number;
}

export interface RetryOptions {
  readonly clock: Clock;
  /** How long rate limits may keep every request from being answered. */
  readonly maxWaitMs: number;
  readonly isList: boolean;
}

/**
 * The retry policy of a client, shared by all its requests, since rate limits and outages affect
 * all.
 */
export class RetryPolicy {
  /** Since when every answer was a 429, on the monotonic clock. */
  private rateLimitedSince: number | undefined;
  private retriesLeft: number;

  constructor(private readonly options: RetryOptions) {
    this.retriesLeft = options.isList ? RETRY_RESERVE : Number.POSITIVE_INFINITY;
  }

  /** Notes that a request was sent. */
  sent(): void {
    if (this.options.isList) this.retriesLeft = Math.min(RETRY_RESERVE, this.retriesLeft + RETRY_RATIO);
  }

  /** Notes the status of an answer, undefined when none came. */
  answered(status: number | undefined): void {
    if (status === 429) {
      this.rateLimitedSince ??= this.options.clock.monotonic();
    } else if (status !== undefined) {
      this.rateLimitedSince = undefined;
    }
  }

  /** Milliseconds until the next attempt, or the error to end with. */
  next(failed: FailedAttempt): number | RiskcliError {
    return failed.status === 429 ? this.afterRateLimit(failed) : this.afterFault(failed);
  }

  private afterRateLimit(failed: FailedAttempt): number | RiskcliError {
    const { clock, maxWaitMs, isList } = this.options;
    const waitMs = rateLimitWait(failed, maxWaitMs);
    const now = clock.monotonic();
    const waitedMs = now - (this.rateLimitedSince ?? now);
    if (waitedMs + waitMs > maxWaitMs) {
      const { requestId } = failed.error;
      return limitError({ waitedMs, waitMs, maxWaitMs, now: clock.now(), requestId });
    }
    return isList ? waitMs * (1 + SPREAD * clock.random()) : waitMs;
  }

  private afterFault({ error, faults, leftMs, retryAfterMs = 0 }: FailedAttempt): number | RiskcliError {
    const isFinal = !(error instanceof TemporaryError) || error.code === 'timeout';
    if (isFinal || faults >= MAX_ATTEMPTS) return error;
    const waitMs = Math.max(retryAfterMs, backoff(faults, this.options.clock.random()));
    if (waitMs + MIN_ATTEMPT_MS > leftMs || this.retriesLeft < 1) return error;
    this.retriesLeft--;
    return waitMs;
  }
}

/** A wait of this length or more comes from a quota, not from a rate limit. */
const QUOTA_MS = 24 * 3_600_000;

interface LongWait {
  /** How long no request has been answered. */
  readonly waitedMs: number;
  /** How long the next attempt would have to wait. */
  readonly waitMs: number;
  readonly maxWaitMs: number;
  readonly now: number;
  readonly requestId: string | undefined;
}

function limitError(wait: LongWait): LimitError {
  const { waitMs, now, requestId } = wait;
  const end = Math.ceil((now + waitMs) / 1000) * 1000;
  const resumeAt = end <= MAX_DATE_MS ? end : undefined;
  const message = limitMessage(wait, resumeAt === undefined ? 'in more than 250,000 years' : whenWords(resumeAt, now));
  const rerun = `run the same command again ${resumeAt === undefined ? 'later' : `after ${isoSeconds(resumeAt)}`}`;
  const hint = waitMs < QUOTA_MS ? `${rerun}, or allow a longer wait with --max-wait` : rerun;
  return new LimitError(message, { code: 'rate_limit', httpStatus: 429, resumeAt, hint, isResumable: true, requestId });
}

/** @param opens when the service accepts requests again, in words */
function limitMessage({ waitedMs, waitMs, maxWaitMs }: LongWait, opens: string): string {
  const allowed = shortDuration(maxWaitMs);
  if (waitMs <= maxWaitMs) {
    return `the rate limit let nothing through for ${shortDuration(waitedMs)}, and --max-wait is ${allowed}`;
  }
  const isQuota = waitMs >= QUOTA_MS && waitMs <= MAX_RESET_MS;
  if (isQuota) return `the key's quota is used up and resets ${opens}`;
  return `the service asks for a wait longer than --max-wait (${allowed}) and accepts requests again ${opens}`;
}

/**
 * The error with which a call ends: a temporary one says how often and how long it was tried.
 * @param host host and port of the service
 */
export function toFinalError(
  error: RiskcliError,
  {
    host,
    attempts,
    timeoutMs,
    timeoutHint,
  }: { host: string; attempts: number; timeoutMs: number; timeoutHint: string },
): RiskcliError {
  if (!(error instanceof TemporaryError)) return error;
  const { code, httpStatus, cause, isOfThisMachine, isResumable, requestId } = error;
  const times = attempts > 1 ? ` after ${attempts} attempts` : '';
  if (code !== 'timeout') {
    const details = { code, httpStatus, cause, isOfThisMachine, isResumable, requestId, hint: error.hint };
    return new TemporaryError(error.message + times, details);
  }
  return new TemporaryError(
    `${host} did not answer within ${shortDuration(timeoutMs)}${attempts > 1 ? `, in ${attempts} attempts` : ''}`,
    { code, cause, hint: timeoutHint },
  );
}

/** `30s`, or `500ms` below a second. */
function shortDuration(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)}ms` : `${Math.round(ms / 1000)}s`;
}
