/** Rows for several outputs: what becomes of the others when one fails. */
import { describe, expect, it } from 'vitest';
import { ReaderGoneError } from '../../../../src/errors.ts';
import { type RowOutput, together } from '../../../../src/output/rows/row-output.ts';

/** Writes rows as an array; from the row `gone` on nobody reads. */
function stream(gone = Number.POSITIVE_INFINITY) {
  const written: string[] = [];
  const write = (text: string) => {
    written.push(text);
    return Promise.resolve();
  };
  const output: RowOutput<number> = {
    row: (row) => (row >= gone ? Promise.reject(new ReaderGoneError()) : write(String(row))),
    flush: () => undefined,
    end: () => write(']'),
    close: () => {},
  };
  return { output, written };
}

describe('rows for several outputs', () => {
  it.each([0, 1])('stop when the reader of one leaves, and the others are made whole: number %i', async (leaving) => {
    const streams = [0, 1].map((i) => stream(i === leaving ? 2 : undefined));
    const all = together(streams.map(({ output }) => output));
    await all.row(1);
    await expect(all.row(2)).rejects.toThrow(ReaderGoneError);
    await all.end({ isStopped: true });
    expect(streams[leaving]?.written).toEqual(['1']);
    expect(streams[1 - leaving]?.written.at(-1)).toBe(']');
    expect(all.written()).toBe(2);
  });

  it('are all completed, even if one fails', async () => {
    const [first, second] = [stream(), stream()];
    const broken = { ...first.output, end: () => Promise.reject(new ReaderGoneError()) };
    await expect(together([broken, second.output]).end({ isStopped: false })).rejects.toThrow(ReaderGoneError);
    expect(second.written).toEqual([']']);
  });
});
