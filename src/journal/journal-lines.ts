/** Reading a journal line by line, in a buffer that holds a chunk or the longest line: a million answers are gigabytes. */
import { read } from 'node:fs';
import { promisify } from 'node:util';

/** Where a line is in the file, in bytes, without its newline. */
export interface LineLocation {
  readonly offset: number;
  readonly length: number;
  /** The number of the line, from 1. */
  readonly line: number;
}

export interface LineReader {
  /** When it aborts, the reading of a long journal is given up. */
  readonly signal?: AbortSignal | undefined;
  /** Takes each whole line; undefined stands for one that is longer than any record. */
  readonly onLine: (bytes: Buffer | undefined, place: LineLocation) => void;
}

/** Bytes read at once: enough to make a million lines cheap, little enough to notice a signal in between. */
const CHUNK = 1024 * 1024;
/** No record is longer: the body of an answer has at most half of it. */
const LINE_MAX = 32 * 1024 * 1024;

const readAsync = promisify(read);

/**
 * Reads the file that is open as `fd` from its beginning.
 * @returns bytes up to the end of the last whole line; what follows is torn.
 * @throws what the system has against it; the signal's reason.
 */
export async function eachLine(fd: number, { signal, onLine }: LineReader): Promise<number> {
  let buffer: Buffer = Buffer.allocUnsafe(CHUNK);
  /** Where the line at hand begins, and how many of its bytes were let go because it is too long. */
  let [offset, dropped] = [0, 0];
  let filled = 0;
  let line = 0;
  for (;;) {
    signal?.throwIfAborted();
    if (filled === buffer.length && buffer.length < LINE_MAX) buffer = enlarge(buffer);
    else if (filled === buffer.length) [dropped, filled] = [dropped + filled, 0];
    const { bytesRead } = await readAsync(fd, buffer, filled, buffer.length - filled, offset + dropped + filled);
    if (bytesRead === 0) return offset;
    filled += bytesRead;
    const text = buffer.subarray(0, filled);
    let start = 0;
    for (let end = text.indexOf(10); end >= 0; end = text.indexOf(10, start)) {
      line += 1;
      const length = dropped + end - start;
      onLine(dropped > 0 ? undefined : text.subarray(start, end), { offset, length, line });
      offset += length + 1;
      [dropped, start] = [0, end + 1];
    }
    buffer.copyWithin(0, start, filled);
    filled -= start;
  }
}

function enlarge(buffer: Buffer): Buffer {
  const larger = Buffer.allocUnsafe(buffer.length * 2);
  buffer.copy(larger);
  return larger;
}
