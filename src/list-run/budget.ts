/** Limits the requests of a run. The client asks before each one. */
import { LimitError } from '../errors.ts';

export type Budget = ReturnType<typeof createBudget>;

/** @param maxRequests profile requests of this run, retries included; without it no limit */
export function createBudget(maxRequests = Number.POSITIVE_INFINITY) {
  let spent = 0;
  let closed: { readonly reason: unknown } | undefined;
  return {
    /**
     * Counts one request, right before it is sent.
     * @throws LimitError when it would be one too many; the reason given to `close`
     */
    spend(): void {
      if (closed) throw closed.reason;
      if (spent >= maxRequests) {
        const hint = 'raise it to send more';
        throw new LimitError(`stopped at --max-requests ${maxRequests}`, { code: 'max_requests', hint });
      }
      spent += 1;
    },
    /**
     * From now on `spend` throws `reason`: a list that was stopped sends no more requests, retries
     * included.
     */
    close(reason: unknown): void {
      closed ??= { reason };
    },
  };
}
