/**
 * Collects text, as bytes, to be written together. A concatenated string would keep its parts in memory, and a part cut out of an
 * answer the whole answer: a block of such rows would hold hundreds of megabytes.
 */
export interface TextBlock {
  /** In bytes. */
  readonly size: number;
  add(text: string | Uint8Array): void;
  /** What was added, as UTF-8; the block is empty afterwards. */
  take(): Uint8Array;
}

/** Bytes that are written together, in one system call. */
export const BLOCK_BYTES = 64 * 1024;

export function createTextBlock(): TextBlock {
  let parts: Uint8Array[] = [];
  let size = 0;
  return {
    get size() {
      return size;
    },
    add(text) {
      const bytes = typeof text === 'string' ? Buffer.from(text) : text;
      parts.push(bytes);
      size += bytes.length;
    },
    take() {
      const taken = Buffer.concat(parts, size);
      parts = [];
      size = 0;
      return taken;
    },
  };
}
