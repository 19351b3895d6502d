/** Appending to a file of records, so that it never ends with half of one. */
import { fstatSync, ftruncateSync } from 'node:fs';
import { writeFully } from './atomic-file.ts';
import { fileError } from './file-error.ts';

export interface Appendable {
  /** Open for appending. */
  readonly fd: number;
  /** What the file is called in messages. */
  readonly name: string;
  /** What helps when it cannot be written. */
  readonly hint: string;
}

/** Appends `bytes` behind `end`, or leaves the file as it was: half a record on a full disk must not be in the way of the next. */
export function writeWhole(file: Appendable, bytes: Uint8Array, end: number): void {
  try {
    writeFully(file.fd, bytes);
  } catch (error) {
    try {
      // Only our own bytes: not what something else has appended.
      if (fstatSync(file.fd).size < end + bytes.length) ftruncateSync(file.fd, end);
    } catch {
      // What is left of the record is dropped as torn when the file is opened again.
    }
    throw fileError(`${file.name} cannot be written`, { cause: error, hint: file.hint });
  }
}
