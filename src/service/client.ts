/**
 * The service as two calls, health and profile. Every attempt passes the gate here, and retries are
 * decided only here: so none escapes the pacing, the budget or the user's time limit.
 */

import type { Clock } from '../context.ts';
import { RiskcliError } from '../errors.ts';
import { type AttemptResult, sendOnce } from './attempt.ts';
import { healthPath, type ParsedDocument, profilePath, readHealth, readProfile } from './contract.ts';
import type { RequestHeaders } from './headers.ts';
import type { HttpResponse, Transport } from './http/transport.ts';
import type { Gate, Permit } from './pacing/gate.ts';
import { type RateLimit, rateLimitWait } from './pacing/rate-limit.ts';
import { RetryPolicy, toFinalError } from './retry.ts';
import { healthError, profileError, readJson } from './status.ts';

export interface ClientOptions {
  /** It may have a path prefix. */
  readonly baseUrl: URL;
  /** The key that profile requests send, which no error quotes. */
  readonly key?: string;
  /** All headers of the requests for the service's health and for profiles. */
  readonly headers: { readonly health: RequestHeaders; readonly profile: RequestHeaders };
  /**
   * The time for one wallet: all attempts, from connect to the last byte, and the waits between
   * them; neither attempts that end in a 429 nor the waits after them.
   */
  readonly timeoutMs: number;
  /** How long rate limits may keep every request from being answered. */
  readonly maxWaitMs: number;
  readonly gate: Pick<Gate, 'enter'>;
  readonly clock: Clock;
  readonly transport: Transport;
  /** Whether many wallets are requested: waits are then spread, and retries are on a budget. */
  readonly isList: boolean;
  /** Called right before each profile request is sent; what it throws ends the call instead. */
  readonly beforeSend?: () => void;
  /** Called after each request, answered or not, for -v and for counting. */
  readonly onAttempt: (attempt: Attempt) => void;
}

export interface Attempt {
  readonly path: string;
  /** HTTP status; undefined when no answer came. */
  readonly status?: number;
  /** The code of the error that the attempt ended with. */
  readonly code?: string;
  readonly ms: number;
  /** The headers of the answer, names in lower case; undefined when none came. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly rateLimit: RateLimit;
  /** Milliseconds until the next attempt; undefined when there is none. */
  readonly waitMs?: number;
}

interface HealthCall {
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
}

interface ProfileCall {
  readonly signal?: AbortSignal;
  /**
   * Aborts when no more requests are to be sent: ends waits with its reason, but not a request in
   * flight.
   */
  readonly dispatch?: AbortSignal;
  /** A permit that the caller already has; it is always used up. */
  readonly permit?: Permit;
}

interface ProfileRequest {
  readonly wallet: string;
  readonly path: string;
  readonly call: ProfileCall;
  readonly timeoutMs: number;
}

export interface ProfileAnswer extends ParsedDocument {
  /** Milliseconds since 1970. */
  readonly answeredAt: number;
}

export interface HealthAnswer {
  /** As the service spelled it. */
  readonly timestamp: string;
  readonly latencyMs: number;
  /** The service's clock minus ours, corrected by half the latency. */
  readonly clockOffsetMs: number;
}

/** Opens no connection until the first call. */
export class Client {
  private readonly retryPolicy: RetryPolicy;

  constructor(private readonly options: ClientOptions) {
    this.retryPolicy = new RetryPolicy(options);
  }

  /**
   * GET /health, once and without the key. `timeoutMs` replaces the client's own.
   * @throws TemporaryError when the service is down, failing or not `ok`, UntrustedError, the
   * signal's reason
   */
  async health({ signal, timeoutMs = this.options.timeoutMs }: HealthCall = {}): Promise<HealthAnswer> {
    const { baseUrl, headers } = this.options;
    const path = healthPath(baseUrl);
    const read = (response: HttpResponse) => {
      const error = healthError(response, baseUrl);
      if (error) throw error;
      return readJson(response, baseUrl, () => readHealth(response));
    };
    const outcome = await sendOnce({ path, headers: headers.health, timeoutMs, signal }, this.options, read);
    this.report(path, outcome);
    if (outcome.result instanceof RiskcliError) {
      const timeoutHint = 'check the base URL and the network';
      throw toFinalError(outcome.result, { host: baseUrl.host, attempts: 1, timeoutMs, timeoutHint });
    }
    const { timestamp, time } = outcome.result;
    const clockOffsetMs = time - (outcome.endedAt - outcome.ms / 2);
    return { timestamp, latencyMs: outcome.ms, clockOffsetMs };
  }

  /**
   * The risk profile of `wallet`, requested until it comes or the retry policy ends it.
   * @throws RefusedError, KeyError, TemporaryError, UntrustedError, LimitError, the signal's reason
   */
  async profile(wallet: string, call: ProfileCall = {}): Promise<ProfileAnswer> {
    const { baseUrl, clock, gate, timeoutMs } = this.options;
    const path = profilePath(baseUrl, wallet);
    const dispatch = call.dispatch ?? call.signal;
    let permit = call.permit;
    let usedMs = 0;
    let faults = 0;
    for (let isRetry = false; ; isRetry = true) {
      permit ??= await gate.enter({ retry: isRetry, signal: dispatch });
      const outcome = await this.sendThrough(permit, { wallet, path, call, timeoutMs: timeoutMs - usedMs });
      permit = undefined;
      // Neither a 429 nor the wait after it counts against the wallet.
      const isFree = outcome.status === 429;
      if (!isFree) {
        usedMs += outcome.ms;
        // Counts a success, too, but then it is not read.
        faults++;
      }
      const { result } = outcome;
      if (!(result instanceof RiskcliError)) {
        this.report(path, outcome);
        return { ...result, answeredAt: outcome.endedAt };
      }
      const next = this.retryPolicy.next({ ...outcome, error: result, faults, leftMs: timeoutMs - usedMs });
      if (typeof next !== 'number') {
        this.report(path, outcome);
        const timeoutHint = 'check it with riskcli health, or raise --timeout';
        throw toFinalError(next, { host: baseUrl.host, attempts: faults, timeoutMs, timeoutHint });
      }
      this.report(path, outcome, next);
      if (!isFree) usedMs += next;
      await clock.sleep(next, dispatch);
    }
  }

  close(): Promise<void> {
    return this.options.transport.close();
  }

  /** Uses up `permit`: the gate is notified of every result. */
  private async sendThrough(permit: Permit, request: ProfileRequest): Promise<AttemptResult<ParsedDocument>> {
    const { baseUrl, key, headers, maxWaitMs, isList } = this.options;
    const { wallet, path, call, timeoutMs } = request;
    const { signal } = call;
    this.checkWanted(permit, call);
    const read = (response: HttpResponse) => {
      const error = profileError(response, { baseUrl, key, isList });
      if (error) throw error;
      return readJson(response, baseUrl, () => readProfile(response, wallet));
    };
    permit.sent();
    this.retryPolicy.sent();
    let outcome: AttemptResult<ParsedDocument> | undefined;
    try {
      outcome = await sendOnce({ path, headers: headers.profile, timeoutMs, signal }, this.options, read);
      return outcome;
    } finally {
      const { status, rateLimit = {} } = outcome ?? {};
      this.retryPolicy.answered(status);
      const waitMs = outcome && status === 429 ? rateLimitWait(outcome, maxWaitMs) : undefined;
      permit.answered({ status, rateLimit, waitMs });
    }
  }

  /**
   * Checks, right before a request is sent, that it is still wanted and within the user's budget.
   */
  private checkWanted(permit: Permit, call: ProfileCall): void {
    try {
      call.signal?.throwIfAborted();
      this.options.beforeSend?.();
    } catch (error) {
      permit.cancel();
      throw error;
    }
  }

  private report(
    path: string,
    { status, ms, headers, rateLimit, result }: AttemptResult<unknown>,
    waitMs?: number,
  ): void {
    const code = result instanceof RiskcliError ? result.code : undefined;
    this.options.onAttempt({ path, status, code, ms, headers, rateLimit, waitMs });
  }
}
