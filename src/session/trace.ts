/** The lines of -v: one for each request, and one when the rate limit holds back all of them. */
import type { Context } from '../context.ts';
import { isSecretHeader, KEY_MARKER, redactPartsOf } from '../secrets/api-key.ts';
import { visibleName } from '../secrets/redact.ts';
import { requestIdOf } from '../service/attempt.ts';
import type { Attempt } from '../service/client.ts';
import type { Gate } from '../service/pacing/gate.ts';

/**
 * @param gate that of a list, whose pace and waits are also shown
 * @param key the one that is sent, no part of which is shown
 * @returns a function to be called after each request, when the gate was notified
 */
export function createTrace(
  { report, monotonic }: Context,
  { gate, key }: { readonly gate: Gate | undefined; readonly key?: string | undefined },
): (attempt: Attempt) => void {
  let heldUntil = Number.NEGATIVE_INFINITY;
  return (attempt) => {
    const { heldMs, paceWords, waiting } = gate?.state() ?? {};
    const words = attemptWords(attempt, key);
    report.verbose(paceWords === undefined ? words : `${words}, pace ${paceWords}, ${waiting}`);
    if (report.showsHeaders) for (const line of headerLines(attempt, key)) report.verbose(line);
    const now = monotonic();
    if (heldMs === undefined || now < heldUntil) return;
    heldUntil = now + heldMs;
    report.verbose(`rate limited: all requests wait for ${Math.round(heldMs)} ms, then continue at ${paceWords}`);
  };
}

/** `GET /v1/risk-profile/0x... 200 in 812 ms, limit 10/s, left 9`. */
function attemptWords(
  { path, status, code, ms, headers, rateLimit, waitMs }: Attempt,
  key: string | undefined,
): string {
  const words = [`GET ${path} ${status ?? code ?? 'no answer'} in ${Math.round(ms)} ms`];
  if (rateLimit.limit !== undefined) words.push(`limit ${rateLimit.limit}/s`);
  if (rateLimit.remaining !== undefined) words.push(`left ${rateLimit.remaining}`);
  if (waitMs !== undefined) words.push(`retrying in ${Math.round(waitMs)} ms`);
  const requestId = requestIdOf(headers, key);
  if (requestId !== undefined) words.push(`request ${visibleName(requestId)}`);
  return words.join(', ');
}

/** Characters of a header's value that are shown. */
const MAX_HEADER_LENGTH = 500;

/** `< content-type: application/json`, as curl -v writes them. */
function headerLines({ headers = {} }: Attempt, key: string | undefined): readonly string[] {
  return Object.entries(headers).map(([name, value]) => {
    const shown = value.length > MAX_HEADER_LENGTH ? `${value.slice(0, MAX_HEADER_LENGTH)}...` : value;
    return (
      `< ${visibleName(redactPartsOf(name, key))}: ` +
      `${isSecretHeader(name, value, key) ? KEY_MARKER : visibleName(shown)}`
    );
  });
}
