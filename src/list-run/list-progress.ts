/**
 * The display of a list: the progress line on a terminal while it runs, and the summary at its
 * end.
 */

import type { Context } from '../context.ts';
import { createProgress, type ProgressState } from '../output/terminal/progress.ts';
import type { ListSummary } from '../output/terminal/summary.ts';
import type { Row } from '../row/row.ts';
import type { Attempt } from '../service/client.ts';
import type { Gate } from '../service/pacing/gate.ts';
import { counted } from '../text/words.ts';
import type { ListOutcome } from './outcome.ts';
import type { ListCounts } from './plan.ts';

export class ListProgress {
  private readonly startedAt: number;
  private readonly progress: ReturnType<typeof createProgress>;
  private readonly seen = { rows: 0, incomplete: 0 };
  private readonly sent = { requests: 0, refusals: 0 };
  /** Wallets that need not be asked again in this run. */
  private answers = 0;
  /** When the last row came: from then on a pager may hold the output. */
  private endedAt: number | undefined;
  private counts: ListCounts | undefined;
  private gate: Gate | undefined;
  private isStopping = false;

  constructor(private readonly context: Context) {
    this.startedAt = context.monotonic();
    this.progress = createProgress(context, () => this.state());
  }

  /** The list begins; what it holds is known when it could be counted. */
  begin(counts: ListCounts | undefined, gate: Gate): void {
    this.counts = counts;
    this.gate = gate;
  }

  /** No more requests are sent: only those under way are awaited. */
  stopping(): void {
    this.isStopping = true;
  }

  attempt({ status, waitMs }: Attempt): void {
    this.sent.requests += 1;
    if (status === 429) this.sent.refusals += 1;
    if (waitMs === undefined) this.answers += 1;
    this.update();
  }

  row({ status, warning }: Row): void {
    if (status !== 'pending') this.seen.rows += 1;
    if (warning !== undefined) this.seen.incomplete += 1;
  }

  /** Takes the progress line away, right before rows are written to the same terminal. */
  clear(): void {
    this.progress.clear();
  }

  update(): void {
    this.progress.update();
  }

  /** Takes the progress line away for good. */
  close(): void {
    this.endedAt ??= this.context.monotonic();
    this.progress.done();
  }

  summary({ counts }: ListOutcome): ListSummary {
    const elapsedMs = (this.endedAt ?? this.context.monotonic()) - this.startedAt;
    return { total: this.counts?.rows, ...this.sent, elapsedMs, ...this.seen, counts };
  }

  private state(): ProgressState {
    const { counts, answers } = this;
    const state = this.gate?.state();
    const known = { done: this.seen.rows, total: counts?.rows, answers, refusals: this.sent.refusals };
    // The rest of the list is left to the next run: only answers to requests already sent are
    // awaited.
    if (this.isStopping && state) return { ...known, waiting: `waiting for ${counted(state.inFlight, 'answer')}` };
    return { ...known, left: counts && counts.requests - answers, waiting: state?.waiting };
  }
}
