/**
 * One block of memory outside the JavaScript heap, used again and again: thousands of strings would be moved about by each
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
  /** Takes `text`, and says where it is. */
  add(text: string): ByteRange;
  /** Moves what is at `places` to the front, and says so in them; the rest is gone. */
  keep(places: readonly ByteRange[]): void;
  bytes(place: Readonly<ByteRange>): Buffer;
}

/** An empty one, of `room` bytes at first. */
export function createByteBlock(room: number): ByteBlock {
  let buffer = Buffer.allocUnsafe(room);
  let size = 0;
  return {
    get size() {
      return size;
    },
    add(text) {
      const length = Buffer.byteLength(text);
      if (size + length > buffer.length) buffer = Buffer.concat([buffer.subarray(0, size)], size + length);
      const from = size;
      size += buffer.write(text, from);
      return { from, to: size };
    },
    keep(places) {
      size = 0;
      for (const place of [...places].sort((a, b) => a.from - b.from)) {
        buffer.copyWithin(size, place.from, place.to);
        place.to = size + place.to - place.from;
        place.from = size;
        size = place.to;
      }
    },
    bytes: ({ from, to }) => buffer.subarray(from, to),
  };
}
