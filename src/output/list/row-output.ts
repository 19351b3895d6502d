/** Rows to a target, as text: those that are ready together are written together. */
import type { Target } from '../../files/target.ts';
import { BLOCK_BYTES, createTextBlock } from '../../files/text-block.ts';
import type { RowOutput, RowWriter } from './writer.ts';

/** @param isTerminal whether a person waits for each row */
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
