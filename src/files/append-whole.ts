/** Appending to a file of records, so that it never ends with half of one. */
import { constants, fstatSync, ftruncateSync, openSync } from 'node:fs';
import { writeFully } from './atomic-file.ts';
import { closeQuietly } from './close-file.ts';
import { fileError } from './file-error.ts';
import { identityOf, isSameFile } from './identity.ts';

export interface Appendable {
  /**
   * Open for appending: should two runs ever take each other's lock for an old one, as after a long halt, each adds records
   * that the other one has not written over.
   */
  readonly fd: number;
  readonly path: string;
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
      if (fstatSync(file.fd).size < end + bytes.length) cutOff(file, end);
    } catch {
      // What is left of the record is dropped as torn when the file is opened again.
    }
    throw fileError(`${file.name} cannot be written`, { cause: error, hint: file.hint });
  }
}

/**
 * Cuts the file off at `end`, unless another one has taken its name. Windows lets whoever has opened a file for appending do
 * nothing else to it, so it is opened once more.
 */
export function cutOff({ fd, path }: Pick<Appendable, 'fd' | 'path'>, end: number): void {
  const cutting = openSync(path, constants.O_RDWR | constants.O_NOFOLLOW);
  try {
    if (isSameFile(identityOf(cutting), identityOf(fd))) ftruncateSync(cutting, end);
  } finally {
    closeQuietly(cutting);
  }
}
