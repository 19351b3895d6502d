import { Writable } from 'node:stream';
import { afterEach, expect, it, vi } from 'vitest';
import { createProgress, type ProgressState } from '../../../../src/output/terminal/progress.ts';

interface Stage {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly env?: Record<string, string>;
}

function stage({ isTTY = true, columns = 80, env = {} }: Stage = {}) {
  const chunks: string[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      chunks.push(String(chunk));
      done();
    },
  });
  let now = 0;
  let state: ProgressState = { done: 0, total: 50_000, answers: 0, refusals: 0 };
  const context = {
    stderr: Object.assign(stream, { isTTY, columns }),
    monotonic: () => now,
    env,
    report: { isQuiet: false, onBeforeWrite() {} },
    beforeEnd() {},
  };
  const progress = createProgress(context, () => state);
  /** Advances the clock, sets the state and returns what was written. */
  const step = (ms: number, next: Partial<ProgressState> = {}) => {
    now += ms;
    state = { ...state, ...next };
    chunks.length = 0;
    progress.update();
    return chunks.join('');
  };
  return { progress, chunks, step };
}

const text = (written: string) => written.replace(/^\r/, '').replace(/\u001b\[K$/, '');

afterEach(() => {
  vi.useRealTimers();
});

it('shows progress, rate and time left', () => {
  const { step } = stage();
  expect(step(0)).toBe('\r0/50,000  0%\u001b[K');
  step(1_000, { done: 1, answers: 1 });
  expect(text(step(2_000, { done: 400, answers: 401, refusals: 3, left: 50_800 }))).toBe(
    '400/50,000  0%  about 4m 14s left  200/s  3 refused',
  );
  expect(
    text(step(8_000, { done: 2_000, answers: 2_001, left: 48_000, waiting: 'waiting 4s for the rate limit' })),
  ).toBe('2,000/50,000  waiting 4s for the rate limit  4%  about 4m left  200/s  3 r…');
});

it.each([
  [1, '1s left'],
  [46, '5s left'],
  [597, '1m left'],
  [36_000, '1h left'],
  [1_800_000, '2d 2h left'],
])('shows for %d wallets at 10/s that %s, in whole seconds above 0', (left, words) => {
  const { step } = stage();
  step(0, { answers: 1 });
  expect(text(step(10_000, { answers: 101, left }))).toBe(`0/50,000  0%  about ${words}  10/s`);
});

it('does not count rows from a journal in the rate', () => {
  const { step } = stage();
  step(100, { done: 49_000, answers: 1 });
  expect(text(step(2_000, { done: 49_020, answers: 21 }))).toBe('49,020/50,000  98%  10/s');
});

it('omits an unknown total', () => {
  const { step } = stage();
  expect(text(step(0, { total: undefined, done: 12_345 }))).toBe('12,345 rows');
});

it('shows the rate of the last seconds', () => {
  const { step } = stage();
  step(0, { answers: 1 });
  for (let second = 1; second <= 10; second++) step(1_000, { answers: 1 + 100 * second });
  expect(text(step(1_000, { answers: 1_001 }))).toContain('90/s');
  for (let second = 1; second <= 10; second++) step(1_000);
  expect(text(step(1_000, { answers: 1_002 }))).toContain('0.1/s');
});

it('redraws the progress line at most ten times a second, and only if it has changed', () => {
  const { step } = stage();
  step(0);
  expect(step(99, { done: 1 })).toBe('');
  expect(step(1, { done: 2 })).toContain('2/50,000');
  expect(step(200)).toBe('');
});

it('updates the progress line while it waits', () => {
  vi.useFakeTimers();
  const { chunks, step, progress } = stage();
  step(0);
  step(50, { waiting: 'waiting 9s' });
  step(50);
  expect(chunks.join('')).toContain('waiting 9s');
  chunks.length = 0;
  vi.advanceTimersByTime(5_000);
  progress.done();
  expect(chunks).toEqual(['\r\u001b[K']);
  vi.advanceTimersByTime(5_000);
  expect(chunks).toHaveLength(1);
});

it('erases the progress line for other lines and redraws it', () => {
  const { step, progress, chunks } = stage();
  step(0);
  progress.clear();
  progress.clear();
  expect(chunks).toEqual(['\r0/50,000  0%\u001b[K', '\r\u001b[K']);
  expect(step(100)).toBe('\r0/50,000  0%\u001b[K');
});

it.each([
  [0, 75],
  [20, 15],
  [40, 35],
  [200, 195],
])('leaves room after the progress line for two ^C on a terminal of %d columns', (columns, room) => {
  const { step } = stage({ columns });
  step(0, { answers: 1 });
  const more = { done: 400, answers: 401, left: 49_600, refusals: 3, waiting: 'waiting 4s for the rate limit' };
  const line = text(step(2_000, more));
  expect(line.length).toBeLessThanOrEqual(room);
  expect(line).toContain('400/50,000');
});

it.each([{ isTTY: false }, { env: { TERM: 'dumb' } }])('draws no progress line for %o', (options) => {
  const { step, progress, chunks } = stage(options);
  expect(step(0)).toBe('');
  progress.clear();
  progress.done();
  expect(chunks).toEqual([]);
});
