/**
 * One block of memory outside the JavaScript heap, which is reused: thousands of strings would be moved by each garbage
 * collection, and thousands of small buffers would wait for one.
 */

/** Where a text is in the block, in bytes. */
export interface ByteRange {
  from: number;
  to: number;
}

export interface ByteBlock {
  /** Bytes in use. */
  readonly size: number;
  /** Adds `text`. @returns where it is */
  add(text: string): ByteRange;
  /** Keeps only what is at `ranges`, moves it to the front, and updates them. */
  keep(ranges: readonly ByteRange[]): void;
  bytes(range: Readonly<ByteRange>): Buffer;
}

/** Enough for most lists that are sorted. */
const FIRST_BYTES = 64 * 1024;

/** An empty block, which grows to `room` bytes as soon as it needs a quarter of them. */
export function createByteBlock(room: number): ByteBlock {
  let buffer = Buffer.allocUnsafe(Math.min(room, FIRST_BYTES));
  let size = 0;
  function grow(minBytes: number): void {
    const doubled = 2 * buffer.length;
    buffer = Buffer.concat([buffer.subarray(0, size)], Math.max(minBytes, doubled < room / 2 ? doubled : room));
  }
  return {
    get size() {
      return size;
    },
    add(text) {
      const length = Buffer.byteLength(text);
      if (size + length > buffer.length) grow(size + length);
      const from = size;
      size += buffer.write(text, from);
      return { from, to: size };
    },
    keep(ranges) {
      size = 0;
      for (const range of [...ranges].sort((a, b) => a.from - b.from)) {
        buffer.copyWithin(size, range.from, range.to);
        range.to = size + range.to - range.from;
        range.from = size;
        size = range.to;
      }
    },
    bytes: ({ from, to }) => buffer.subarray(from, to),
  };
}
