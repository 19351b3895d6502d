/** What a person sees of a list: the progress line while it runs, the summary at its end. On a pipe, nothing. */
import type { ListOutcome } from '../batch/outcome.ts';
import type { ListCounts } from '../batch/plan.ts';
import type { Context } from '../context.ts';
import type { Row } from '../document/row.ts';
import { createProgress } from '../output/progress.ts';
import { renderSummary } from '../output/summary.ts';
import { columnsOf } from '../output/text.ts';
import type { Attempt } from '../service/client.ts';
import type { Gate } from '../service/gate.ts';

export interface Watch {
  /** The list begins; what it holds is known when it could be counted. */
  begin(counts: ListCounts | undefined, gate: Pick<Gate, 'state'>): void;
  attempt(attempt: Attempt): void;
  /** Right before a row is written. */
  row(row: Row): void;
  /** Something has changed. */
  changed(): void;
  /** Takes the progress line away for good. */
  close(): void;
  summarise(outcome: ListOutcome): void;
}

/** @param rowsAreSeen whether rows go to the same terminal as the progress line. */
export function createWatch(context: Context, { rowsAreSeen }: { readonly rowsAreSeen: boolean }): Watch {
  const { stderr, report, monotonic } = context;
  const isSeen = (stderr.isTTY ?? false) && !report.isQuiet;
  const startedAt = monotonic();
  const scores: number[] = [];
  let counted = { requests: 0, refusals: 0 };
  let rows = 0;
  let total: number | undefined;
  let gateState: () => { readonly waiting: string } | undefined = () => undefined;
  const read = () => ({ done: rows, total, refusals: counted.refusals, waiting: gateState()?.waiting });
  const progress = isSeen ? createProgress({ stderr, clock: context, env: context.env, read }) : undefined;
  if (progress) report.beforeEach(progress.clear);
  return {
    begin(counts, gate) {
      total = counts?.rows;
      gateState = () => gate.state();
    },
    attempt({ status }) {
      counted = { requests: counted.requests + 1, refusals: counted.refusals + (status === 429 ? 1 : 0) };
      progress?.update();
    },
    row({ score }) {
      rows += 1;
      if (rowsAreSeen) progress?.clear();
      const value = score && 'spelling' in score ? Number(score.spelling) : Number.NaN;
      if (isSeen && Number.isFinite(value)) scores.push(value);
    },
    changed: () => progress?.update(),
    close: () => progress?.done(),
    summarise({ counts }) {
      if (!isSeen) return;
      const elapsedMs = monotonic() - startedAt;
      stderr.write(renderSummary({ counts, ...counted, elapsedMs, scores }, { width: columnsOf(stderr) }), () => {});
    },
  };
}
