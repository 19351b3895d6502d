/** Remembers what a run learns of its key, for the next one and for `riskcli keys show`. */
import type { Context } from '../context.ts';
import type { Attempt } from '../service/client.ts';
import { openKeyState } from './key-state.ts';
import { monthSpentError } from './key-usage.ts';

export type Learning = ReturnType<typeof openLearning>;

/** Not for the key of a sandbox. */
export function openLearning(context: Context, identity: { readonly key: string; readonly origin: string }) {
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
