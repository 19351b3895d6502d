/**
 * Reads lines of a file by their offset, a block at a time as long as they are requested in order.
 */
import { type Readable, readFully } from './fully.ts';

/** Bytes read at once; doubled until a longer line fits. */
const READ_BYTES = 16 * 1024;

/**
 * Reads the line that begins at `offset`, without its newline, in a file of `size` bytes; the rest
 * of the file where there is no newline. The bytes are overwritten when the next line is read.
 * @throws IoError
 */
export function createLineReader(file: Readable): (offset: number, size: number) => Buffer {
  const room = Buffer.allocUnsafe(READ_BYTES);
  let block: Buffer = room.subarray(0, 0);
  let from = 0;
  const read = (offset: number, length: number) => {
    // Buffers of one length are used again; a longer one is dropped with the next line.
    const bytes = length <= READ_BYTES ? room.subarray(0, length) : Buffer.allocUnsafe(length);
    block = readFully(file, bytes, offset);
    from = offset;
  };
  const lineAt = (offset: number) => {
    const begin = offset - from;
    if (begin < 0 || begin >= block.length) return undefined;
    const end = block.indexOf(10, begin);
    return end < 0 ? undefined : block.subarray(begin, end);
  };
  return (offset, size) => {
    const held = lineAt(offset);
    if (held) return held;
    for (let length = READ_BYTES; ; length *= 2) {
      const isRest = offset + length >= size;
      read(offset, isRest ? Math.max(0, size - offset) : length);
      const line = lineAt(offset);
      if (line) return line;
      if (isRest) return block;
    }
  };
}
