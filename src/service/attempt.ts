/**
 * Sends one request, measures and checks it. Failures are values, so that the retry loop reads like
 * its rules.
 */
import type { Clock } from '../context.ts';
import { RiskcliError } from '../errors.ts';
import { isSecretHeader, KEY_MARKER } from '../secrets/api-key.ts';
import { retryAfterOfBody } from './contract.ts';
import type { HttpRequest, HttpResponse, Transport } from './http/transport.ts';
import { type RateLimit, readRateLimit, readRetryAfterMs } from './pacing/rate-limit.ts';

export interface AttemptResult<T> {
  /** From connect to the last byte, in milliseconds. */
  readonly ms: number;
  /** When the attempt ended, in milliseconds since 1970. */
  readonly endedAt: number;
  /** HTTP status; undefined when no answer came. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly rateLimit: RateLimit;
  /** The wait that the server asked for, in milliseconds. */
  readonly retryAfterMs?: number;
  readonly result: T | RiskcliError;
}

/**
 * Sends `request` once.
 * @param key the one that is sent, which no error quotes
 * @param read reads the response, whatever its status; throws a RiskcliError for one that cannot be
 * used
 * @throws the signal's reason when it aborts, and internal errors
 */
export async function sendOnce<T>(
  request: HttpRequest,
  { transport, clock, key }: { readonly transport: Transport; readonly clock: Clock; readonly key?: string },
  read: (response: HttpResponse) => T,
): Promise<AttemptResult<T>> {
  const started = clock.monotonic();
  const timing = () => ({ ms: clock.monotonic() - started, endedAt: clock.now() });
  try {
    const response = await transport.send(request);
    const { ms, endedAt } = timing();
    const { status, headers, body } = response;
    const rateLimit = readRateLimit(headers, endedAt);
    const retryAfterMs = status === 200 ? undefined : readRetryAfterMs(headers, retryAfterOfBody(body), endedAt);
    const result = resultOf(() => read(response));
    if (result instanceof RiskcliError) result.requestId = requestIdOf(headers, key);
    return { ms, endedAt, headers, rateLimit, retryAfterMs, status, result };
  } catch (error) {
    if (request.signal?.aborted) throw request.signal.reason;
    return { ...timing(), rateLimit: {}, result: asRiskcliError(error) };
  }
}

/** Longer than any identifier. */
const MAX_REQUEST_ID_LENGTH = 128;

const REQUEST_ID = 'x-request-id';

/**
 * The request id of the service or a gateway, for questions to its operators; without any part of
 * `key`.
 */
export function requestIdOf(headers: Readonly<Record<string, string>> = {}, key?: string): string | undefined {
  const id = headers[REQUEST_ID]?.slice(0, MAX_REQUEST_ID_LENGTH);
  return id !== undefined && isSecretHeader(REQUEST_ID, id, key) ? KEY_MARKER : id;
}

function resultOf<T>(read: () => T): T | RiskcliError {
  try {
    return read();
  } catch (error) {
    return asRiskcliError(error);
  }
}

function asRiskcliError(error: unknown): RiskcliError {
  if (error instanceof RiskcliError) return error;
  throw error;
}
