/** Writes rows to a target in blocks. */
import type { Target } from '../../files/target.ts';
import { BLOCK_BYTES, createTextBlock } from '../../files/text-block.ts';
import type { RowWriter } from './row-writer.ts';

export interface RowOutput<R> {
  /** @throws IoError, ReaderGoneError */
  row(row: R): Promise<void> | undefined;
  /** Writes buffered text. @throws IoError, ReaderGoneError */
  flush(): Promise<void> | undefined;
  /** Writes the end of the document. @throws IoError, ReaderGoneError */
  end(how: RowsEnd): Promise<void>;
  close(): void;
}

export interface CountedOutput<R> extends RowOutput<R> {
  /** Number of rows written to each of its files. */
  written(): number;
}

export interface RowsEnd {
  /** Whether the rows were stopped before the last one. */
  readonly isStopped: boolean;
  /** Whether files that would be replaced keep their old contents. */
  readonly leavesFiles?: boolean;
}

/**
 * Writes the same rows to all `outputs`. If one fails, such as a pipe whose reader has left, the call rejects and that output is
 * dropped; `end` still completes the others.
 */
export function together<R>(outputs: readonly RowOutput<R>[]): CountedOutput<R> {
  let count = 0;
  let left = outputs;
  const fail = (output: RowOutput<R>, error: unknown): never => {
    left = left.filter((other) => other !== output);
    throw error;
  };
  return {
    row(row) {
      count += 1;
      return inTurn(left, (output) => output.row(row), fail);
    },
    flush: () => inTurn(left, (output) => output.flush(), fail),
    async end(how) {
      const ends: PromiseSettledResult<void>[] = [];
      for (const output of left) ends.push(...(await Promise.allSettled([output.end(how)])));
      const failed = ends.find((end) => end.status === 'rejected');
      if (failed) throw failed.reason;
    },
    close() {
      for (const output of outputs) output.close();
    },
    written: () => count,
  };
}

/** Only awaits pending work: most rows are buffered at once, and awaiting each of a million rows would be slow. */
function inTurn<R>(
  outputs: readonly RowOutput<R>[],
  work: (output: RowOutput<R>) => Promise<void> | undefined,
  fail: (output: RowOutput<R>, error: unknown) => never,
): Promise<void> | undefined {
  let done = 0;
  for (const output of outputs) {
    done += 1;
    const working = work(output);
    if (!working) continue;
    return working.then(
      () => (done < outputs.length ? inTurn(outputs.slice(done), work, fail) : undefined),
      (error: unknown) => fail(output, error),
    );
  }
  return undefined;
}

/** @param isTerminal whether each row is written at once, for a person */
export function writeRows<R>(target: Target, writer: RowWriter<R>, isTerminal = false): RowOutput<R> {
  let head: string | undefined = writer.head();
  const withHead = (text: string) => {
    const whole = (head ?? '') + text;
    head = undefined;
    return whole;
  };
  const block = createTextBlock();
  const writeBlock = () => (block.size === 0 ? undefined : target.write(block.take()));
  return {
    row(row) {
      block.add(withHead(writer.row(row)));
      return isTerminal || block.size >= BLOCK_BYTES ? writeBlock() : undefined;
    },
    flush() {
      block.add(writer.flush?.() ?? '');
      return writeBlock();
    },
    // A run that stopped before its first row leaves stdout empty.
    async end({ isStopped }) {
      if (!isStopped || head === undefined) block.add(withHead(writer.foot()));
      await writeBlock();
    },
    close: () => {},
  };
}
