/** What -v shows: a line for each request, and one when the rate limit holds all of them back. */
import type { Context } from '../context.ts';
import { isSecretHeader, KEY_WITHHELD } from '../secrets/api-key.ts';
import { visibleName } from '../secrets/withhold.ts';
import { requestIdOf } from '../service/attempt.ts';
import type { Attempt } from '../service/client.ts';
import type { Gate } from '../service/pacing/gate.ts';

/**
 * `gate` is that of a list: how fast it goes and what it waits for is told as well. `key` is the one that was sent.
 * @returns what is to be called after each request, when the gate has heard of it.
 */
export function createTrace(
  { report, monotonic }: Pick<Context, 'report' | 'monotonic'>,
  { gate, key }: { readonly gate?: Pick<Gate, 'state'> | undefined; readonly key?: string | undefined },
): (attempt: Attempt) => void {
  let heldUntil = Number.NEGATIVE_INFINITY;
  return (attempt) => {
    const { heldMs, pace, waiting } = gate?.state() ?? {};
    const words = attemptWords(attempt);
    report.verbose(pace === undefined ? words : `${words}, pace ${pace}, ${waiting}`);
    if (report.showsHeaders) for (const line of headerLines(attempt, key)) report.verbose(line);
    const now = monotonic();
    if (heldMs === undefined || now < heldUntil) return;
    heldUntil = now + heldMs;
    report.verbose(`rate limited: all requests wait for ${seconds(heldMs)}, then continue at ${pace}`);
  };
}

/** `GET /v1/risk-profile/0x... 200 in 812 ms, limit 10/s, 9 left`. */
function attemptWords({ method, path, status, code, ms, headers, rate, waitMs }: Attempt): string {
  const words = [`${method} ${path} ${status ?? code ?? 'no answer'} in ${Math.round(ms)} ms`];
  if (rate.limit !== undefined) words.push(`limit ${rate.limit}/s`);
  if (rate.remaining !== undefined) words.push(`${rate.remaining} left`);
  if (waitMs !== undefined) words.push(`retrying in ${seconds(waitMs)}`);
  const requestId = requestIdOf(headers);
  if (requestId !== undefined) words.push(`request ${visibleName(requestId)}`);
  return words.join(', ');
}

/** Longer lines are hard to read. */
const MAX_HEADERS_SHOWN = 500;

/** `< content-type: application/json`, as curl -v writes them. */
function headerLines({ headers = {} }: Attempt, key: string | undefined): readonly string[] {
  return Object.entries(headers).map(([name, value]) => {
    const shown = value.length > MAX_HEADERS_SHOWN ? `${value.slice(0, MAX_HEADERS_SHOWN)}...` : value;
    return `< ${visibleName(name)}: ${isSecretHeader(name, value, key) ? KEY_WITHHELD : visibleName(shown)}`;
  });
}

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
