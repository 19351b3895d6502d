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
  /** Number of rows written. */
  written(): number;
}

export interface RowsEnd {
  /** Whether the rows were stopped before the last one. */
  readonly isStopped: boolean;
}

/** @param isTerminal whether each row is written at once, for a person */
export function writeRows<R>(target: Target, writer: RowWriter<R>, isTerminal = false): RowOutput<R> {
  let head: string | undefined = writer.head();
  let count = 0;
  const withHead = (text: string) => {
    const whole = (head ?? '') + text;
    head = undefined;
    return whole;
  };
  const block = createTextBlock();
  const writeBlock = () => (block.size === 0 ? undefined : target.write(block.take()));
  return {
    row(row) {
      count += 1;
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
    written: () => count,
  };
}
