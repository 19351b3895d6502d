/**
 * Text that is going to be written together, kept as bytes. A string that was joined from others keeps them alive, and a
 * few characters cut out of an answer keep the whole answer: a block of such rows would hold hundreds of megabytes.
 */
export interface TextBlock {
  /** In bytes. */
  readonly size: number;
  add(text: string): void;
  /** What was added, as UTF-8; the block is empty afterwards. */
  take(): Uint8Array;
}

/** Bytes that are written together: each write is a trip to the kernel. */
export const BLOCK_BYTES = 64 * 1024;

/** Texts up to this size are copied out, and their block is used again: rows that come one by one would each need a new one. */
const SHORT_BYTES = BLOCK_BYTES / 8;

export function createTextBlock(): TextBlock {
  let bytes = Buffer.alloc(0);
  let size = 0;
  return {
    get size() {
      return size;
    },
    add(text) {
      // UTF-8 takes up to three bytes for a UTF-16 unit: only where these may not do is it worth counting them.
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
