/** What a person sees of a list: the progress line while it runs, the summary at its end. On a pipe, nothing, unless --progress asks. */
import type { ListOutcome } from '../../../batch/outcome.ts';
import type { ListCounts } from '../../../batch/plan.ts';
import { createTimeLeft } from '../../../batch/time-left.ts';
import type { Context } from '../../../context.ts';
import {
  createProgress,
  createProgressLog,
  type Progress,
  type ProgressState,
} from '../../../output/terminal/progress.ts';
import { renderSummary, summaryLines } from '../../../output/terminal/summary.ts';
import type { Row } from '../../../row/row.ts';
import type { Attempt } from '../../../service/client.ts';
import type { Gate } from '../../../service/pacing/gate.ts';
import { columnsOf } from '../../../text/width.ts';
import { counted } from '../../../text/words.ts';

export interface Watch {
  /** The list begins; what it holds is known when it could be counted. */
  begin(counts: ListCounts | undefined, gate: Pick<Gate, 'state'>): void;
  /** Nothing more is asked: only what is under way is awaited. */
  stopping(): void;
  attempt(attempt: Attempt): void;
  /** What the requests have come to so far. */
  readonly requestCounts: { readonly requests: number; readonly refusals: number };
  /** A row is through. */
  row(row: Row): void;
  /** Takes the progress line away, right before rows are written to the same terminal. */
  clear(): void;
  /** Something has changed. */
  changed(): void;
  /** Takes the progress line away for good. */
  close(): void;
  summarise(outcome: ListOutcome): void;
}

export interface WatchOptions {
  /** --progress: how often a line says how far the list is where stderr is no terminal, milliseconds. */
  readonly progressMs?: number | undefined;
  /** --rate. */
  readonly maxRate?: number | undefined;
  /** --concurrency. */
  readonly concurrency?: number | undefined;
}

export function createWatch(context: Context, options: WatchOptions): Watch {
  const { stderr, report, monotonic } = context;
  const isSeen = (stderr.isTTY ?? false) && !report.isQuiet;
  const startedAt = monotonic();
  const seen = { rows: 0, incomplete: 0, scores: [] as number[] };
  /** `answers`: wallets that need not be asked again in this run. */
  const asked = { requests: 0, refusals: 0, answers: 0 };
  /** When the last row was there: from then on the output may wait for who reads it page by page. */
  let endedAt: number | undefined;
  let counts: ListCounts | undefined;
  let gate: Pick<Gate, 'state'> | undefined;
  const timeLeft = createTimeLeft();
  let isStopping = false;
  const read = (): ProgressState => {
    const state = gate?.state();
    const { answers, refusals } = asked;
    const known = { done: seen.rows, total: counts?.rows, answers, refusals };
    // What is left of the list is left to the next run: only what was sent is awaited.
    if (isStopping && state) return { ...known, waiting: `waiting for ${counted(state.inFlight, 'answer')}` };
    const { maxRate, concurrency } = options;
    const listState = state && counts && { ...state, answers, toAsk: counts.requests, maxRate, concurrency };
    return { ...known, leftMs: listState && timeLeft.at(monotonic(), listState), waiting: state?.waiting };
  };
  const progress = startProgress(context, read, options.progressMs);
  return {
    begin(ofList, opened) {
      counts = ofList;
      gate = opened;
    },
    stopping() {
      isStopping = true;
    },
    attempt(attempt) {
      asked.requests += 1;
      if (attempt.status === 429) asked.refusals += 1;
      if (attempt.waitMs === undefined) asked.answers += 1;
      if (progress && attempt.status !== 429) timeLeft.answered(attempt.ms, monotonic());
      progress?.update();
    },
    get requestCounts() {
      const { requests, refusals } = asked;
      return { requests, refusals };
    },
    row({ status, score, warning }) {
      if (status !== 'pending') seen.rows += 1;
      if (warning !== undefined) seen.incomplete += 1;
      const value = score && 'spelling' in score ? Number(score.spelling) : Number.NaN;
      if (isSeen && Number.isFinite(value)) seen.scores.push(value);
    },
    clear: () => progress?.clear(),
    changed: () => progress?.update(),
    close() {
      endedAt ??= monotonic();
      progress?.done();
    },
    summarise(outcome) {
      if (!isSeen) return;
      const { requests, refusals } = asked;
      const elapsedMs = (endedAt ?? monotonic()) - startedAt;
      const known = { total: counts?.rows, requests, refusals, elapsedMs, ...seen };
      const summary = { ...known, counts: outcome.counts };
      if (report.isJson) report.info(summaryLines(summary).join('; '));
      else stderr.write(renderSummary(summary, { width: columnsOf(stderr) }), () => {});
    },
  };
}

function startProgress(context: Context, read: () => ProgressState, everyMs: number | undefined): Progress | undefined {
  const { stderr, report, env } = context;
  if (report.isQuiet) return undefined;
  if (!stderr.isTTY)
    return everyMs === undefined ? undefined : createProgressLog({ clock: context, read, everyMs, print: report.info });
  const progress = createProgress({ stderr, clock: context, env, read });
  report.onBeforeWrite(progress.clear);
  context.beforeEnd(progress.done);
  return progress;
}
