import { Writable } from 'node:stream';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createProgress, type ProgressState } from '../../../src/output/progress.ts';

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
  let state: ProgressState = { done: 0, total: 50_000, refusals: 0 };
  const progress = createProgress({
    stderr: Object.assign(stream, { isTTY, columns }),
    clock: { monotonic: () => now },
    env,
    read: () => state,
  });
  /** Moves time on, sets the state and says what was written. */
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

describe('the progress line', () => {
  it('shows how far the list is, how fast, and for how long yet', () => {
    const { step } = stage();
    expect(step(0)).toBe('\r0/50,000  0%\u001b[K');
    expect(text(step(2_000, { done: 400, refusals: 3 }))).toBe('400/50,000  0%  200/s  4m 8s left  3 refused');
    expect(text(step(8_000, { done: 2_000, waiting: 'waiting 4s for the rate limit' }))).toBe(
      '2,000/50,000  4%  200/s  4m left  3 refused  waiting 4s for the rate limit',
    );
  });

  it('does without a total where nobody knows it', () => {
    const { step } = stage();
    expect(text(step(0, { total: undefined, done: 12_345 }))).toBe('12,345 rows');
  });

  it('keeps to the rate of the last seconds', () => {
    const { step } = stage();
    step(0);
    for (let second = 1; second <= 10; second++) step(1_000, { done: 100 * second });
    expect(text(step(1_000, { done: 1_000 }))).toContain('90/s');
    for (let second = 1; second <= 10; second++) step(1_000);
    expect(text(step(1_000, { done: 1_001 }))).toContain('0.1/s');
  });

  it('is drawn at most ten times a second, and only when it has changed', () => {
    const { step } = stage();
    step(0);
    expect(step(99, { done: 1 })).toBe('');
    expect(step(1, { done: 2 })).toContain('2/50,000');
    expect(step(200)).toBe('');
  });

  it('goes on while nothing happens but waiting', () => {
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

  it('makes room for other lines and comes back', () => {
    const { step, progress, chunks } = stage();
    step(0);
    progress.clear();
    progress.clear();
    expect(chunks).toEqual(['\r0/50,000  0%\u001b[K', '\r\u001b[K']);
    expect(step(100)).toBe('\r0/50,000  0%\u001b[K');
  });

  it.each([
    [0, 79],
    [20, 19],
    [40, 39],
    [200, 199],
  ])('fits a terminal of %d columns', (columns, room) => {
    const { step } = stage({ columns });
    step(0);
    const line = text(step(2_000, { done: 400, refusals: 3, waiting: 'waiting 4s for the rate limit' }));
    expect(line.length).toBeLessThanOrEqual(room);
    expect(line).toContain('400/50,000');
    if (columns === 20) expect(line).toBe('400/50,000  200/s');
    if (columns === 40) expect(line).toBe('400/50,000  0%  200/s  4m 8s left');
  });

  it.each([{ isTTY: false }, { env: { TERM: 'dumb' } }])('is not there at all for %o', (options) => {
    const { step, progress, chunks } = stage(options);
    expect(step(0)).toBe('');
    progress.clear();
    progress.done();
    expect(chunks).toEqual([]);
  });
});
