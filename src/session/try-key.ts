/** Tries whether the service accepts a key, by one request, which is counted. */
import { RefusedError } from '../errors.ts';
import type { Attempt } from '../service/client.ts';
import type { RateLimit } from '../service/pacing/rate-limit.ts';
import { WALLET_STATUSES } from '../service/status.ts';
import type { ResolvedRun } from '../settings/resolve.ts';
import { openSession } from './open-session.ts';

/** The zero address: it has no letters, so no checksum, and no owner. */
const ZERO_ADDRESS = `0x${'0'.repeat(40)}`;

/**
 * Costs one request. An answer about the wallet means that the key was accepted.
 * @param newKey resolves to the key to try; that of the settings if undefined
 * @returns where it was tried, and the rate limit that the answer reported
 * @throws KeyError when the service rejects the key; any other error of the request
 */
export async function tryKey(run: ResolvedRun, newKey?: () => Promise<string>) {
  const { context } = run;
  let rateLimit: RateLimit = {};
  const onAttempt = (attempt: Attempt) => {
    rateLimit = attempt.rateLimit;
  };
  const session = await openSession(run, { sendsKey: true, newKey, onAttempt });
  try {
    context.report.hint('asking for one profile: this costs one request');
    await session.client.profile(ZERO_ADDRESS, { signal: context.signal() }).catch((error: unknown) => {
      if (!(error instanceof RefusedError && WALLET_STATUSES.has(error.httpStatus))) throw error;
    });
    return { baseUrl: session.baseUrl, rateLimit };
  } finally {
    await session.close();
  }
}
