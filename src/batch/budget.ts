/** How many requests may still be sent, and whether any may be sent at all. The client asks before each one. */
import { LimitError } from '../errors.ts';

export interface BudgetOptions {
  /** --max-requests: profile requests of this run, retries included. */
  readonly maxRequests?: number;
  /** The setting monthly-requests, and what this machine has sent in the UTC month that `now` is in. */
  readonly monthly?: { readonly allowed: number; readonly sent: number };
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export interface Budget {
  /**
   * Counts one request, right before it is sent.
   * @throws LimitError when it would be one too many; what `close` was given.
   */
  spend(): void;
  /** From now on `spend` throws `reason`: a list that was stopped sends nothing more, not even a retry. */
  close(reason: unknown): void;
}

/** When the UTC month after the one that `now` is in begins; all in milliseconds since 1970. */
export function nextMonth(now: number): number {
  const date = new Date(now);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
}

/** A budget without limits when no options are set. */
export function createBudget({ maxRequests, monthly, now }: BudgetOptions): Budget {
  let spent = 0;
  let closed: { readonly reason: unknown } | undefined;
  function check(): void {
    if (closed) throw closed.reason;
    if (maxRequests !== undefined && spent >= maxRequests) throw runSpent(maxRequests);
    if (monthly && monthly.sent + spent >= monthly.allowed) throw monthSpent(monthly.allowed, now());
  }
  return {
    spend() {
      check();
      spent += 1;
    },
    close(reason) {
      closed ??= { reason };
    },
  };
}

function runSpent(maxRequests: number): LimitError {
  return new LimitError(`--max-requests ${maxRequests} is reached`, {
    code: 'max_requests',
    hint: 'raise it to ask for more',
  });
}

function monthSpent(allowed: number, now: number): LimitError {
  const resumeAt = nextMonth(now);
  return new LimitError(`the ${allowed} requests of this month are used up (setting monthly-requests)`, {
    code: 'monthly_requests',
    resumeAt,
    hint: `the same command goes on from ${new Date(resumeAt).toISOString()}; if your plan allows more, raise it with riskcli config set monthly-requests N`,
  });
}
