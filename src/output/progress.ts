/**
 * The one line that shows how far a list is, for a person who waits. It overwrites itself and leaves the cursor alone, so
 * however the run ends (a second Ctrl-C, kill -9) there is nothing to restore.
 */
import type { Clock, Environment, OutputStream } from '../context.ts';
import { grouped, roughDuration } from './duration.ts';
import { visible } from './escape.ts';
import { columnsOf, displayWidth, truncate } from './text.ts';

export interface ProgressState {
  /** Rows that are through, and how many there are, if that is known. */
  readonly done: number;
  readonly total?: number | undefined;
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

export interface ProgressOptions {
  readonly stderr: OutputStream;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly env: Environment;
  /** How things stand; asked only when the line is drawn. */
  readonly read: () => ProgressState;
}

/** Ten times a second is as fast as anyone reads. */
const REDRAW_MS = 100;
/** A wait changes nothing but the time left of it. */
const TICK_MS = 1_000;
const ERASE_LINE = '\r\u001b[K';
const SILENT: Progress = { update() {}, clear() {}, done() {} };

/** A progress line on `stderr`; does nothing where that is no terminal, or one that cannot erase a line. */
export function createProgress({ stderr, clock, env, read }: ProgressOptions): Progress {
  if (!stderr.isTTY || env.TERM === 'dumb') return SILENT;
  const rateOf = createRateMeter();
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
    // The last column stays free: a full line makes some terminals go on to the next.
    const text = progressText(state, { perSecond: rateOf(state.done, now), width: columnsOf(stderr) - 1 });
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

/** The rate is that of so many milliseconds: long enough to be calm, short enough to show a change. */
const METER_MS = 10_000;

/** Rows a second over the last while; undefined until there is something to tell it from. */
function createRateMeter(): (done: number, now: number) => number | undefined {
  const samples: { readonly at: number; readonly done: number }[] = [];
  return (done, now) => {
    samples.push({ at: now, done });
    while (samples[1] && now - samples[1].at >= METER_MS) samples.shift();
    const first = samples[0];
    if (!first || now - first.at < TICK_MS) return undefined;
    return ((done - first.done) / (now - first.at)) * 1_000;
  };
}

interface Measured {
  readonly perSecond: number | undefined;
  readonly width: number;
}

/** As many parts as fit, the most telling first to stay. */
function progressText(state: ProgressState, { perSecond, width }: Measured): string {
  const { done, total, refusals, waiting } = state;
  const left = total !== undefined && perSecond ? ((total - done) / perSecond) * 1_000 : undefined;
  const parts = [
    { text: total === undefined ? `${grouped(done)} rows` : `${grouped(done)}/${grouped(total)}`, rank: 0 },
    { text: total ? `${Math.floor((100 * done) / total)}%` : '', rank: 5 },
    { text: perSecond === undefined ? '' : `${perSecond.toFixed(perSecond < 10 ? 1 : 0)}/s`, rank: 3 },
    { text: left === undefined ? '' : `${roughDuration(left)} left`, rank: 2 },
    { text: refusals > 0 ? `${grouped(refusals)} refused` : '', rank: 4 },
    { text: waiting ? visible(waiting) : '', rank: 1 },
  ].filter(({ text }) => text !== '');
  const chosen = new Set<string>();
  const lineOf = (also?: string) =>
    parts.flatMap(({ text }) => (chosen.has(text) || text === also ? [text] : [])).join('  ');
  for (const { text } of parts.toSorted((a, b) => a.rank - b.rank)) {
    if (displayWidth(lineOf(text)) <= width) chosen.add(text);
  }
  return lineOf() || truncate(parts[0]?.text ?? '', width);
}
