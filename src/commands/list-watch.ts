/** What is counted while a list runs, for its progress line and its summary. */
import type { ListOutcome } from '../batch/outcome.ts';
import type { ListCounts } from '../batch/plan.ts';
import type { ListProgress } from '../batch/run.ts';
import type { Context } from '../context.ts';
import type { Row } from '../document/row.ts';
import type { Attempt } from '../service/client.ts';
import type { Gate } from '../service/gate.ts';

export interface Watch {
  readonly requests: number;
  /** Answers with status 429. */
  readonly refusals: number;
  /** The list has been counted, or cannot be. */
  begin(counts: ListCounts | undefined): void;
  attempt(attempt: Attempt): void;
  progress(progress: ListProgress, gate: Pick<Gate, 'state'>): void;
  row(row: Row): void;
  /** Takes the progress line away. */
  close(): void;
  /** Says how it went, where a person reads. */
  summarise(outcome: ListOutcome): void;
}

export function createWatch(_context: Context): Watch {
  let requests = 0;
  let refusals = 0;
  return {
    get requests() {
      return requests;
    },
    get refusals() {
      return refusals;
    },
    begin() {},
    attempt({ status }) {
      requests += 1;
      if (status === 429) refusals += 1;
    },
    progress() {},
    row() {},
    close() {},
    summarise() {},
  };
}
