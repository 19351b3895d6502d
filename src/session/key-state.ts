/**
 * The facts of a key that riskcli remembers between runs: its limit as last seen, and how many
 * requests this machine has sent in the UTC month (request-count.ts). The files may be deleted at
 * any time, and are silently skipped where they cannot be written.
 */
import { createHash } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Context } from '../context.ts';
import { LimitError } from '../errors.ts';
import { ignoreErrors } from '../files/close-file.ts';
import { credibleLimit, type RateLimit } from '../service/pacing/rate-limit.ts';
import { makeOwnFolder, requireStateFolder } from '../settings/folders.ts';
import type { KeyDescription } from '../settings/key/lookup.ts';
import type { ResolvedRun } from '../settings/resolve.ts';
import { jsonMembers } from '../text/json.ts';
import { isoSeconds, monthName, nextMonth } from '../text/when.ts';
import { RequestCount } from './request-count.ts';

/** The limit as an answer reported it; times in milliseconds since 1970. */
interface LearnedLimit {
  /** Requests a second. */
  readonly limit: number;
  readonly remaining?: number | undefined;
  readonly resetAt?: number | undefined;
  readonly learnedAt: number;
}

/** Writes nothing until something is learned or counted. */
export class KeyState {
  /** Undefined if there is no state folder that can be trusted. */
  private readonly limitFile: string | undefined;
  private readonly count: RequestCount;
  private newest: LearnedLimit | undefined;
  private written: LearnedLimit | undefined;

  /** @param origin the service's (RFC 6454) */
  constructor(
    private readonly context: Context,
    key: string,
    origin: string,
  ) {
    const keyName = keyNameFor(key, origin);
    const folder = usableStateFolder(context);
    this.limitFile = folder && join(folder, `limit-${keyName}.json`);
    this.count = new RequestCount(keyName, folder, context);
  }

  /** The limit as last reported, in this run or an earlier one; undefined when it never was. */
  lastLimit(): LearnedLimit | undefined {
    return this.newest ?? (this.limitFile === undefined ? undefined : readLimit(this.limitFile));
  }

  /**
   * Requests sent with this key from this machine in the current UTC month, those of this run
   * included.
   */
  sentThisMonth(): number {
    return this.count.read();
  }

  /**
   * Counts a request that is about to be sent.
   * @throws LimitError when `allowed` were already sent this month, IoError when there is such a
   * limit and the request cannot be counted
   */
  reserve(allowed?: number): void {
    if (!this.count.reserve(allowed) && allowed !== undefined) throw monthSpentError(allowed, this.context.now());
  }

  /** Remembers the newest limit. The first one is written at once, the last one by `close`. */
  rememberLimit({ limit, remaining, resetMs }: RateLimit): void {
    if (limit === undefined) return;
    const learnedAt = this.context.now();
    this.newest = { limit, remaining, resetAt: resetMs === undefined ? undefined : learnedAt + resetMs, learnedAt };
    if (!this.written) this.write();
  }

  close(): void {
    this.count.close();
    this.write();
  }

  /** The last run wins. A run that reads a half-written file begins without a limit. */
  private write(): void {
    const { newest, context, limitFile } = this;
    if (!newest || newest === this.written || limitFile === undefined) return;
    this.written = newest;
    ignoreErrors(() => {
      makeOwnFolder(dirname(limitFile), context);
      writeFileSync(limitFile, `${JSON.stringify(newest)}\n`, { mode: 0o600 });
    });
  }
}

/**
 * A name that is unique to this key and reveals nothing about it: 128 bits of SHA-3, which needs no
 * HMAC.
 */
function keyNameFor(key: string, origin: string): string {
  return createHash('sha3-256').update(`riskcli ${origin} ${key}`).digest('hex').slice(0, 32);
}

/** The state folder; undefined if there is none that can be trusted. */
function usableStateFolder(context: Context): string | undefined {
  let folder: string | undefined;
  ignoreErrors(() => {
    folder = requireStateFolder(context);
  });
  return folder;
}

/** More than is ever written. */
const MAX_STATE_BYTES = 4096;

function readLimit(path: string): LearnedLimit | undefined {
  try {
    if (statSync(path).size > MAX_STATE_BYTES) return undefined;
    const { limit, remaining, resetAt, learnedAt } = jsonMembers(readFileSync(path, 'utf8'));
    if (!isAmount(limit) || credibleLimit(limit) === undefined || !isAmount(learnedAt)) return undefined;
    return {
      limit,
      learnedAt,
      ...(isAmount(remaining) && { remaining }),
      ...(isAmount(resetAt) && { resetAt }),
    };
  } catch {
    return undefined;
  }
}

/** Whether `value` can be a number of requests or a time. */
function isAmount(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= 8.64e15;
}

/**
 * The state of a run's key; undefined if the key or the base URL is not known yet. It need not be
 * closed if it is only read.
 */
export function keyStateOf({ settings, context }: ResolvedRun, { value: key }: KeyDescription): KeyState | undefined {
  const url = settings.text('base-url') && settings.baseUrl().value;
  return key && url ? new KeyState(context, key, url.origin) : undefined;
}

/** The limit of `key` as last seen, requests a second. */
export const rememberedLimit = (run: ResolvedRun, key: KeyDescription): number | undefined =>
  keyStateOf(run, key)?.lastLimit()?.limit;

/** The setting monthly-requests, and how much of it was used. */
export interface MonthlyUse {
  readonly allowed: number;
  readonly sent: number;
}

/**
 * The setting monthly-requests, and how many requests this machine has sent with `key` in the
 * current UTC month; undefined without the setting, and before the command that prints the key was
 * run, since the count depends on the key.
 */
export function monthlyUse(run: ResolvedRun, key: KeyDescription): MonthlyUse | undefined {
  const allowed = run.settings.get('monthly-requests').value;
  const isUnknown = key.source !== undefined && key.value === undefined;
  return allowed === undefined || isUnknown ? undefined : { allowed, sent: keyStateOf(run, key)?.sentThisMonth() ?? 0 };
}

/**
 * The error of a run that the setting monthly-requests stops until the next UTC month; `now` is
 * milliseconds since 1970.
 */
function monthSpentError(allowed: number, now: number): LimitError {
  const resumeAt = nextMonth(now);
  const message = `the ${allowed} requests allowed for ${monthName(now)} are used up (setting monthly-requests)`;
  return new LimitError(message, {
    code: 'monthly_requests',
    resumeAt,
    hint: `run the same command again after ${isoSeconds(resumeAt)}`,
    isResumable: true,
  });
}
