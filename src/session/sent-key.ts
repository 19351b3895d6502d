/**
 * The key of a session that sends one, and what is learned of it. Whoever opens such a session passes this: a health check sends
 * no key, and would load a tenth of the session's code for nothing.
 */
import type { Context } from '../context.ts';
import type { Attempt } from '../service/client.ts';
import { openKeyState } from './key-state.ts';
import { monthSpentError } from './key-usage.ts';

export interface SentKey {
  /**
   * Resolves to the key. Called when everything else that a session needs has been checked: a vault may
   * ask its user, and a pipe can be read only once.
   */
  readonly resolve: () => Promise<string>;
  readonly openLearning: typeof openLearning;
}

export const sentKey = (resolve: () => Promise<string>): SentKey => ({ resolve, openLearning });

/** Remembers what this run learns of the key, for the next one and for `riskcli keys show`; not used for a sandbox. */
function openLearning(context: Context, identity: { readonly key: string; readonly origin: string }) {
  const state = openKeyState(context, identity);
  return {
    limit: () => state.learned()?.limit,
    /** @throws LimitError when the month's requests are used up */
    reserve(allowed: number | undefined) {
      if (!state.reserve(allowed) && allowed !== undefined) throw monthSpentError(allowed, context.now());
    },
    note({ rate: { limit, remaining, resetMs } }: Attempt) {
      const learnedAt = context.now();
      const resetAt = resetMs === undefined ? undefined : learnedAt + resetMs;
      if (limit !== undefined) state.learn({ limit, remaining, resetAt, learnedAt });
    },
    close: () => state.close(),
  };
}
