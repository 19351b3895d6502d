/** Whether the service takes a key: asked by one request, which counts. */
import { RefusedError } from '../errors.ts';
import type { RateLimit } from '../service/pacing/rate-limit.ts';
import type { ResolvedRun } from '../settings/resolve.ts';

/** The zero address: it has no letters, so no checksum, and no owner. */
const ZERO_ADDRESS = `0x${'0'.repeat(40)}`;

/** Statuses that are about the wallet that was asked for: the key was accepted before it was looked at. */
const ABOUT_THE_WALLET: readonly (number | undefined)[] = [400, 404, 410, 422];

/**
 * Costs one request. `key` brings another key than the one in use.
 * @throws KeyError when the service rejects the key; whatever else keeps it from answering.
 */
export async function tryKey({ settings, context }: ResolvedRun, key = settings.resolveKey) {
  let rate: RateLimit = {};
  const onAttempt = (attempt: { readonly rate: RateLimit }) => {
    rate = attempt.rate;
  };
  const { openSession } = await import('./open-session.ts');
  const session = await openSession({ settings, context }, { key, onAttempt });
  try {
    context.report.hint('asking for one profile: this costs one request');
    await session.client.profile(ZERO_ADDRESS, { signal: context.signal() }).catch((error: unknown) => {
      if (!(error instanceof RefusedError && ABOUT_THE_WALLET.includes(error.httpStatus))) throw error;
    });
    return { ...session, rate };
  } finally {
    await session.close();
  }
}
