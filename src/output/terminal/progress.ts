/**
 * How far a list is, for whoever waits: on a terminal one line, in a log a line now and then. The one line overwrites itself and leaves the cursor alone, so
 * however the run ends (a second Ctrl-C, kill -9) there is nothing to restore.
 */

import type { Clock, Context, Environment, OutputStream } from '../../context.ts';
import { MAX_TIMER_MS } from '../../host/clock.ts';
import { visible } from '../../text/escape.ts';
import { columnsOf, displayWidth, truncate } from '../../text/width.ts';
import { counted, grouped, wholeSeconds } from '../../text/words.ts';

export interface ProgressState {
  /** Rows that are through, and how many there are, if that is known. */
  readonly done: number;
  readonly total?: number | undefined;
  /** Wallets that the service has settled in this run. */
  readonly answers: number;
  /** How long the list takes yet, milliseconds, if that can be told. */
  readonly leftMs?: number | undefined;
  /** Requests that the rate limit refused. */
  readonly refusals: number;
  /** What the next request waits for, in words; nothing while there is no such wait. */
  readonly waiting?: string | undefined;
}

export interface Progress {
  /** Draws the line anew, unless that was done a moment ago. Call it as often as something changes. */
  update(): void;
  /** Takes the line away, so that something else can be printed; the next update brings it back. */
  clear(): void;
  /** Takes the line away for good. */
  done(): void;
}

interface ProgressReading {
  readonly clock: Pick<Clock, 'monotonic'>;
  /** How things stand; asked only when that is shown. */
  readonly read: () => ProgressState;
}

export interface ProgressOptions extends ProgressReading {
  readonly stderr: OutputStream;
  readonly env: Environment;
}

/** Ten times a second is as fast as anyone reads. */
const REDRAW_MS = 100;
/** While nothing happens, the line is made anew so often: a wait changes the time left of it, and that has to know what is under way. */
const TICK_MS = 250;
/** A terminal shows `^C` behind the line each time it is typed, and a full line makes some go on to the next, where none erases it. */
const FREE_COLUMNS = 5;
const ERASE_LINE = '\r\u001b[K';
const SILENT: Progress = { update() {}, clear() {}, done() {} };

/** A progress line on `stderr`; does nothing where that is no terminal, or one that cannot erase a line. */
export function createProgress({ stderr, clock, env, read }: ProgressOptions): Progress {
  if (!stderr.isTTY || env.TERM === 'dumb') return SILENT;
  const measure = createMeter();
  let drawn = '';
  let drawnAt = Number.NEGATIVE_INFINITY;
  const write = (text: string) => stderr.write(text, () => {});
  const clear = () => {
    if (drawn !== '') write(ERASE_LINE);
    drawn = '';
  };
  const update = () => {
    const now = clock.monotonic();
    if (now - drawnAt < REDRAW_MS) return;
    drawnAt = now;
    const state = read();
    const text = fitted(partsOf(state, measure(state.answers, now)), columnsOf(stderr) - FREE_COLUMNS);
    if (text === drawn) return;
    write(`\r${text}\u001b[K`);
    drawn = text;
  };
  const ticker = setInterval(update, TICK_MS).unref();
  return {
    update,
    clear,
    done() {
      clearInterval(ticker);
      clear();
    },
  };
}

export interface ProgressLogOptions extends ProgressReading {
  readonly everyMs: number;
  readonly print: (line: string) => void;
}

/** A line now and then, for a log: what the progress line would show. */
export function createProgressLog({ clock, read, everyMs, print }: ProgressLogOptions): Progress {
  const measure = createMeter();
  let measuredAt = Number.NEGATIVE_INFINITY;
  const update = () => {
    const now = clock.monotonic();
    if (now - measuredAt < REDRAW_MS) return;
    measuredAt = now;
    measure(read().answers, now);
  };
  const printLine = () => {
    const state = read();
    const parts = partsOf(state, measure(state.answers, clock.monotonic()));
    print(parts.map(({ text }) => text).join(', '));
  };
  const ticker = setInterval(printLine, Math.min(everyMs, MAX_TIMER_MS)).unref();
  return { update, clear() {}, done: () => clearInterval(ticker) };
}

/** The rate is that of so many milliseconds: long enough to be calm, short enough to show a change. */
const METER_MS = 10_000;
const MIN_METER_MS = 1_000;

/**
 * Answers a second over the last while. It counts from the first answer on: what is in flight before it would make every
 * list seem slow, and rows that a journal answers come at no rate that lasts. Undefined until there is something to tell it from.
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

/** What there is to say, in the order in which it is read. The lower its rank, the longer it stays where there is little room. */
function partsOf(state: ProgressState, perSecond: number | undefined) {
  const { done, total, leftMs, refusals, waiting } = state;
  return [
    { text: total === undefined ? counted(done, 'row') : `${grouped(done)}/${grouped(total)}`, rank: 0 },
    { text: total ? `${Math.floor((100 * done) / total)}%` : '', rank: 5 },
    { text: perSecond === undefined ? '' : `${perSecond.toFixed(perSecond < 10 ? 1 : 0)}/s`, rank: 3 },
    { text: leftMs === undefined ? '' : `${wholeSeconds(leftMs)} left`, rank: 2 },
    { text: refusals > 0 ? `${grouped(refusals)} refused` : '', rank: 4 },
    { text: waiting ? visible(waiting) : '', rank: 1 },
  ].filter(({ text }) => text !== '');
}

/** As many parts as fit in `width` columns, the most telling first to stay. */
function fitted(parts: ReturnType<typeof partsOf>, width: number): string {
  const chosen = new Set<string>();
  const lineOf = (also?: string) =>
    parts.flatMap(({ text }) => (chosen.has(text) || text === also ? [text] : [])).join('  ');
  for (const { text } of parts.toSorted((a, b) => a.rank - b.rank)) {
    if (displayWidth(lineOf(text)) <= width) chosen.add(text);
  }
  return lineOf() || truncate(parts[0]?.text ?? '', width);
}

/** How many rows of an earlier run were read so far, on the progress line: a million take a while. */
export function showReading({ stderr, env, monotonic, report, beforeEnd }: Context) {
  if (report.isQuiet) return { row() {}, done() {} };
  let rows = 0;
  const read = () => ({ done: rows, answers: rows, refusals: 0 });
  const progress = createProgress({ stderr, env, clock: { monotonic }, read });
  report.onBeforeWrite(progress.clear);
  beforeEnd(progress.done);
  return {
    row() {
      rows += 1;
      progress.update();
    },
    done: progress.done,
  };
}
