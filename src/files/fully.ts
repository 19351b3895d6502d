/** Reads and writes all of some bytes: one call of the system may do a part of them. */
import { readSync, writeSync } from 'node:fs';
import { fileError } from './file-error.ts';

/** An open file and its name in messages. */
export interface Readable {
  readonly fd: number;
  readonly name: string;
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

/**
 * Writes all of `content`: at `offset`, in bytes, or at the current position. @throws the system's
 * error
 */
export function writeFully(fd: number, content: string | Uint8Array, offset?: number): void {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  for (let written = 0; written < bytes.length; ) {
    written += writeSync(fd, bytes, written, undefined, offset === undefined ? null : offset + written);
  }
}
