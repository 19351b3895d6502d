/** Reads records of a file one by one, a block at a time as long as they are requested in order. */
import { readSync } from 'node:fs';
import { fileError } from '../file-error.ts';

/** In bytes. */
export interface RecordLocation {
  readonly offset: number;
  readonly length: number;
}

/** Bytes that are read at once. */
export const BLOCK_BYTES = 256 * 1024;

/** An open file and its name in messages. */
interface Readable {
  readonly fd: number;
  readonly name: string;
}

/**
 * Reads the bytes of a record, which are overwritten when the next one is read. `size` is the file's, in bytes.
 * @throws IoError
 */
export type ReadRecord = (location: RecordLocation, size: number) => Buffer;

/** There may be a newline between two records. */
const MAX_GAP_BYTES = 1;

/** Reads ahead as long as records are requested in order; otherwise reads only the record. */
export function createBlockReader(file: Readable): ReadRecord {
  let ahead: Buffer | undefined;
  /** The part of the file that `ahead` holds, and the end of the last record requested. */
  let [from, to, last] = [0, 0, 0];
  return ({ offset, length }, size) => {
    const end = offset + length;
    const isNext = offset >= last && offset - last <= MAX_GAP_BYTES;
    last = end;
    if (ahead && offset >= from && end <= to) return ahead.subarray(offset - from, end - from);
    if (!isNext || length > BLOCK_BYTES) return readFully(file, Buffer.allocUnsafe(length), offset);
    [from, to] = [offset, offset];
    ahead ??= Buffer.allocUnsafe(BLOCK_BYTES);
    readFully(file, ahead.subarray(0, Math.min(BLOCK_BYTES, size - offset)), offset);
    to = Math.min(offset + BLOCK_BYTES, size);
    return ahead.subarray(0, length);
  };
}

/** Fills `bytes` from the file at `offset`. @throws IoError */
export function readFully({ fd, name }: Readable, bytes: Buffer, offset: number): Buffer {
  try {
    for (let read = 0; read < bytes.length; ) {
      const got = readSync(fd, bytes, read, bytes.length - read, offset + read);
      if (got === 0) throw new Error('it is shorter than it was');
      read += got;
    }
    return bytes;
  } catch (cause) {
    throw fileError(`${name} cannot be read`, { cause, hint: 'run the same command again', isResumable: true });
  }
}
