/** Kept reviews as open files: only regular files are opened, and only what other users cannot have written is believed. */
import { fstatSync, readSync, type Stats } from 'node:fs';
import type { Context } from '../context.ts';
import { parseDocument } from '../document/parse.ts';
import { DocumentSyntaxError } from '../document/utf8.ts';
import { ListError } from '../errors.ts';
import { closeQuietly } from '../files/close-file.ts';
import { shownPath, systemReason } from '../files/file-error.ts';
import { isForeign, isWritableByOthers } from '../files/file-trust.ts';
import { openRegular } from '../files/open-regular.ts';
import { type PlainFile, plainFile } from '../lists/plain-file.ts';
import { isOurLine } from './json-rows.ts';
import type { KeptFile } from './review-folder.ts';
import { END_KEY, HEADER_KEY, type ReviewEnd, readEnd } from './review-lines.ts';

export interface TrustOptions {
  readonly context: Context;
  /** Whether files that other users own or can write are read, too, with a note. */
  readonly trustsAll?: boolean;
}

/** The caller closes it. @throws ListError when it is no regular file, cannot be read, or is not to be believed */
export async function openKept({ path }: KeptFile, { context, trustsAll }: TrustOptions): Promise<PlainFile> {
  const name = shownPath(path);
  const fd = reading(name, () => openRegular(path));
  let distrust: string | undefined;
  try {
    const stats = reading(name, () => fstatSync(fd));
    distrust = distrustOf(stats, context.uid);
    if (distrust !== undefined && !trustsAll) throw new ListError(distrust);
  } catch (error) {
    closeQuietly(fd);
    throw error;
  }
  if (distrust !== undefined) context.report.info(`the kept review ${name}: ${distrust}`);
  return plainFile(fd, { name, unquotedName: path }, context);
}

/** Why its answers are not to be believed; undefined for a file that only this user and root can write. */
function distrustOf(stats: Stats, uid: number | undefined): string | undefined {
  if (isForeign(stats, uid)) return 'it belongs to another user';
  return isWritableByOthers(stats, uid) ? 'other users can write to it' : undefined;
}

/** What `read` gives. @throws ListError in place of the system's error */
function reading<T>(name: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    throw new ListError(`${name} cannot be read: ${systemReason(cause)}`, { cause, hint: 'move it away' });
  }
}

/** Says that a kept review cannot be used. */
export const reportPassedOver = ({ path }: KeptFile, why: string, { report }: Context): void =>
  report.warn(`the kept review ${shownPath(path)} is passed over: ${why}`);

/** Whether an open file begins as a kept review does. @throws ListError when it cannot be read */
export function isKeptReview({ fd, name }: Pick<PlainFile, 'fd' | 'name'>): boolean {
  const begin = `{"${HEADER_KEY}":`;
  const bytes = Buffer.alloc(begin.length);
  reading(name, () => readSync(fd, bytes, 0, bytes.length, 0));
  return bytes.toString('latin1') === begin;
}

/** More than the last line of a review takes. */
const TAIL_BYTES = 8_192;

/** The last line of an open kept review; undefined for one that is torn. @throws ListError when it cannot be read */
export function readLastLine({ fd, name }: Pick<PlainFile, 'fd' | 'name'>): ReviewEnd | undefined {
  const bytes = reading(name, () => {
    const { size } = fstatSync(fd);
    const tail = Buffer.alloc(Math.min(TAIL_BYTES, size));
    readSync(fd, tail, 0, tail.length, size - tail.length);
    return tail;
  });
  const lines = bytes.toString().split('\n');
  const [last = '', rest] = lines.slice(-2);
  if (rest !== '') return undefined;
  try {
    const node = parseDocument(last);
    return isOurLine(node, END_KEY) ? readEnd(node) : undefined;
  } catch (error) {
    if (error instanceof DocumentSyntaxError) return undefined;
    throw error;
  }
}
