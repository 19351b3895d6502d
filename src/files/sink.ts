/**
 * Rows on their way out: a writer formats them, a sink takes them to their destination, and the
 * target (target.ts) is put in place when all of them are there.
 */
import type { Target } from './target.ts';

export type Chunk = string | Uint8Array;

/** Formats rows: what `head`, `row` for each row, and `foot` return makes a whole document. */
export interface RowWriter<R, End = RowsEnd> {
  head(): Chunk;
  /** Empty if the row is held back, to be laid out together with later ones. */
  row(row: R): Chunk | Promise<Chunk>;
  /** The rows that were held back; to be called when no row follows at once. */
  flush?(): Chunk;
  foot(end: End): Chunk | Promise<Chunk>;
}

/** A destination of rows: standard output, a file, a kept file. */
export interface Sink<R, End = RowsEnd> {
  /** An error that it throws stops the run. */
  row(row: R): Promise<void> | undefined;
  /** Writes what was held back; to be called when no row follows at once. */
  flush(): Promise<void> | undefined;
  /** Completes the output, and puts it in place if it has all rows. */
  end(end: End): Promise<void>;
  /** Gives up what is not in place. Harmless after `end` and when called twice; never throws. */
  close(): Promise<void>;
}

/** The reason why the rows stopped early; undefined if they did not. */
export interface Stopped {
  readonly stop?: unknown;
}

/** The end of the rows. */
export interface RowsEnd extends Stopped {
  /** All rows of the run, by status or by kind of change. */
  readonly counts: Readonly<Record<string, number>>;
}

/** Bytes that are written together, in one system call. */
const WRITE_BYTES = 64 * 1024;

/**
 * Chunks to be written together. A concatenated string would keep its parts in memory, and a part
 * cut out of an answer the whole answer: a block of such rows would hold hundreds of megabytes.
 */
class RowBlock {
  private parts: Uint8Array[] = [];
  /** In bytes. */
  size = 0;

  add(chunk: Chunk): void {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    this.parts.push(bytes);
    this.size += bytes.length;
  }

  /** Takes the text that was added; the block is empty afterwards. */
  take(): Uint8Array {
    const taken = Buffer.concat(this.parts, this.size);
    this.parts = [];
    this.size = 0;
    return taken;
  }
}

/**
 * Writes rows to `target`, in blocks. Nothing is written before the first row, so that a run that
 * stops early leaves stdout empty.
 * @param how.isTerminal whether each row is written at once, for a person
 * @throws what the target throws
 */
export function writeRows<R, End extends Stopped = RowsEnd>(
  target: Target,
  writer: RowWriter<R, End>,
  { isTerminal = false } = {},
): Sink<R, End> {
  let isBegun = false;
  const block = new RowBlock();
  const begin = () => {
    if (!isBegun) block.add(writer.head());
    isBegun = true;
  };
  const writeBlock = () => (block.size === 0 ? undefined : target.write(block.take()));
  const add = (chunk: Chunk) => {
    block.add(chunk);
    return isTerminal || block.size >= WRITE_BYTES ? writeBlock() : undefined;
  };
  return {
    row(row) {
      begin();
      const chunk = writer.row(row);
      return chunk instanceof Promise ? chunk.then(add) : add(chunk);
    },
    flush() {
      block.add(writer.flush?.() ?? '');
      return writeBlock();
    },
    async end(end) {
      if (end.stop === undefined) begin();
      if (isBegun) block.add(await writer.foot(end));
      await writeBlock();
      if (end.stop === undefined) await target.commit();
    },
    async close() {
      target.discard();
    },
  };
}
