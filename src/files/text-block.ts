/**
 * Text that is collected to be written together, as bytes. A concatenated string keeps its parts in memory, and a substring of
 * an answer the whole answer: a block of such rows would hold hundreds of megabytes.
 */
export interface TextBlock {
  /** In bytes. */
  readonly size: number;
  add(text: string): void;
  /** What was added, as UTF-8; the block is empty afterwards. */
  take(): Uint8Array;
}

/** Bytes that are written together, in one system call. */
export const BLOCK_BYTES = 64 * 1024;

/** Up to this size `take` copies, and the block is reused: rows that come one by one would each need a new block. */
const SHORT_BYTES = BLOCK_BYTES / 8;

export function createTextBlock(): TextBlock {
  let bytes = Buffer.alloc(0);
  let size = 0;
  return {
    get size() {
      return size;
    },
    add(text) {
      // UTF-8 takes up to three bytes for a UTF-16 unit: the exact length is needed only if these may not fit.
      const needed = size + (size + 3 * text.length > bytes.length ? Buffer.byteLength(text) : 0);
      if (needed > bytes.length) {
        const larger = Buffer.allocUnsafeSlow(Math.max(BLOCK_BYTES, 2 * needed));
        bytes.copy(larger, 0, 0, size);
        bytes = larger;
      }
      size += bytes.write(text, size);
    },
    take() {
      const taken = bytes.subarray(0, size);
      size = 0;
      if (taken.length <= SHORT_BYTES) return Buffer.from(taken);
      bytes = Buffer.alloc(0);
      return taken;
    },
  };
}
