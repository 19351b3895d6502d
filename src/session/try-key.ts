/** Tries whether the service accepts a key, by one request, which is counted. */
import { RefusedError } from '../errors.ts';
import type { RateLimit } from '../service/pacing/rate-limit.ts';
import { ABOUT_THE_WALLET } from '../service/status.ts';
import type { ResolvedRun } from '../settings/resolve.ts';
import { openSession } from './open-session.ts';

/** The zero address: it has no letters, so no checksum, and no owner. */
const ZERO_ADDRESS = `0x${'0'.repeat(40)}`;

/**
 * Costs one request. An answer about the wallet means that the key was accepted. `key` resolves to the key to try.
 * @throws KeyError when the service rejects the key; any other error of the request
 */
export async function tryKey({ settings, context }: ResolvedRun, key = settings.resolveKey) {
  let rate: RateLimit = {};
  const onAttempt = (attempt: { readonly rate: RateLimit }) => {
    rate = attempt.rate;
  };
  const session = await openSession({ settings, context }, { key, onAttempt });
  try {
    context.report.hint('asking for one profile: this costs one request');
    await session.client.profile(ZERO_ADDRESS, { signal: context.signal() }).catch((error: unknown) => {
      if (!(error instanceof RefusedError && ABOUT_THE_WALLET.has(error.httpStatus))) throw error;
    });
    return { ...session, rate };
  } finally {
    await session.close();
  }
}
