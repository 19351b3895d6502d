/**
 * The progress of a list: one line on a terminal. It overwrites itself and does not hide the
 * cursor, so nothing needs to be restored however the run ends (a second Ctrl-C, kill -9).
 */

import type { Context, Reporter } from '../../context.ts';
import { terminalColumns } from '../../text/columns.ts';
import { visible } from '../../text/escape.ts';
import { truncate } from '../../text/width.ts';
import { counted, groupDigits, timeLeft } from '../../text/words.ts';

export interface ProgressState {
  /** Rows done, and rows in total if known. */
  readonly done: number;
  readonly total?: number | undefined;
  /** Wallets answered by the service in this run. */
  readonly answers: number;
  /** Wallets that the service has still to answer, if known. */
  readonly left?: number | undefined;
  /** Requests refused by the rate limit. */
  readonly refusals: number;
  /** The reason why the next request waits, in words; undefined if it does not. */
  readonly waiting?: string | undefined;
}

interface ProgressContext extends Pick<Context, 'stderr' | 'env' | 'monotonic' | 'beforeEnd'> {
  readonly report: Pick<Reporter, 'isQuiet' | 'onBeforeWrite'>;
}

/** Minimum time between two updates of the line. */
const REDRAW_MS = 100;
/** Interval of updates while nothing happens: the time left still changes. */
const TICK_MS = 250;
/**
 * Columns left free at the end: terminals echo `^C` there, and a full line would wrap to a second
 * one that is never erased.
 */
const FREE_COLUMNS = 5;
const ERASE_LINE = '\r\u001b[K';

/**
 * A progress line on `stderr`, which messages clear; does nothing with -q, or unless that is a
 * terminal that can erase a line.
 * @param read returns the current state; only called when it is shown
 */
export function createProgress(context: ProgressContext, read: () => ProgressState) {
  const { stderr, env, monotonic, report, beforeEnd } = context;
  if (report.isQuiet || !stderr.isTTY || env.TERM === 'dumb') return { update() {}, clear() {}, done() {} };
  const measure = createMeter();
  let drawn = '';
  let drawnAt = Number.NEGATIVE_INFINITY;
  const write = (text: string) => stderr.write(text, () => {});
  const clear = () => {
    if (drawn !== '') write(ERASE_LINE);
    drawn = '';
  };
  const update = () => {
    const now = monotonic();
    if (now - drawnAt < REDRAW_MS) return;
    drawnAt = now;
    const state = read();
    const text = truncate(progressLine(state, measure(state.answers, now)), terminalColumns(stderr) - FREE_COLUMNS);
    if (text === drawn) return;
    write(`\r${text}\u001b[K`);
    drawn = text;
  };
  const ticker = setInterval(update, TICK_MS).unref();
  /** Erases the line and stops updating it. */
  const done = () => {
    clearInterval(ticker);
    clear();
  };
  report.onBeforeWrite(clear);
  beforeEnd(done);
  return {
    /** Redraws the line, at most every REDRAW_MS. Call it whenever something changes. */
    update,
    /** Erases the line so that something else can be printed; the next update redraws it. */
    clear,
    done,
  };
}

/** The rate is averaged over this long. */
const METER_MS = 10_000;
const MIN_METER_MS = 1_000;

/**
 * Answers per second over the last METER_MS. Measured from the first answer: the time before it
 * would make every list seem slow, and rows answered from a journal are not counted. Undefined
 * during the first MIN_METER_MS.
 */
function createMeter(): (answers: number, now: number) => number | undefined {
  const samples: { readonly at: number; readonly answers: number }[] = [];
  return (answers, now) => {
    if (answers > 0) samples.push({ at: now, answers });
    while (samples[1] && now - samples[1].at >= METER_MS) samples.shift();
    const first = samples[0];
    const passed = first ? now - first.at : 0;
    return !first || passed < MIN_METER_MS ? undefined : ((answers - first.answers) / passed) * 1_000;
  };
}

/** The most important parts first: a narrow terminal cuts the line at its end. */
function progressLine({ done, total, left, refusals, waiting }: ProgressState, perSecond: number | undefined): string {
  const seconds = left && perSecond ? left / perSecond : undefined;
  const parts = [
    total === undefined ? counted(done, 'row') : `${groupDigits(done)}/${groupDigits(total)}`,
    waiting ? visible(waiting) : '',
    total ? `${Math.floor((100 * done) / total)}%` : '',
    seconds === undefined ? '' : `about ${timeLeft(seconds * 1_000)} left`,
    perSecond === undefined ? '' : `${perSecond.toFixed(perSecond < 10 ? 1 : 0)}/s`,
    refusals > 0 ? `${groupDigits(refusals)} refused` : '',
  ];
  return parts.filter((text) => text !== '').join('  ');
}

/**
 * Shows how many rows of an earlier run have been read, on the progress line: a million rows take a
 * while.
 */
export function showReading(context: Context) {
  let rows = 0;
  const progress = createProgress(context, () => ({ done: rows, answers: rows, refusals: 0 }));
  return {
    row() {
      rows += 1;
      progress.update();
    },
    done: progress.done,
  };
}
