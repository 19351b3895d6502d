/**
 * Kept reviews as open files: only regular files are opened, and only what other users cannot have
 * written is believed.
 */
import { fstatSync, readSync, type Stats } from 'node:fs';
import type { Context } from '../context.ts';
import { DocumentSyntaxError } from '../document/utf8.ts';
import { ListError } from '../errors.ts';
import { closeQuietly } from '../files/close-file.ts';
import { shownPath, systemReason } from '../files/file-error.ts';
import { isForeign, isWritableByOthers } from '../files/file-trust.ts';
import { openRegular } from '../files/open-regular.ts';
import { type PlainFile, plainFile } from '../lists/plain-file.ts';
import { parsedLine } from './json-lines.ts';
import { END_KEY, isOurLine } from './our-line.ts';
import type { KeptFile } from './review-folder.ts';
import type { ReviewEnd } from './review-lines.ts';

export interface TrustOptions {
  readonly context: Context;
  /** Whether files that other users own or can write are read, too, with a note. */
  readonly trustsAll?: boolean;
}

/**
 * The caller closes it. @throws ListError when it is no regular file, cannot be read, or is not to
 * be believed
 */
export async function openKept({ path }: KeptFile, { context, trustsAll }: TrustOptions): Promise<PlainFile> {
  const name = shownPath(path);
  const fd = reading(name, () => openRegular(path));
  try {
    const stats = reading(name, () => fstatSync(fd));
    const distrust = distrustOf(stats, context.uid);
    if (distrust !== undefined && !trustsAll) throw new ListError(distrust);
    if (distrust !== undefined) context.report.info(`the kept review ${name}: ${distrust}`);
  } catch (error) {
    closeQuietly(fd);
    throw error;
  }
  return plainFile(fd, { name, unquotedName: path }, context);
}

/**
 * Why its answers are not to be believed; undefined for a file that only this user and root can
 * write.
 */
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

/** More than the last line of a review takes. */
const TAIL_BYTES = 8_192;

/**
 * The last line of an open kept review; undefined for one that is torn. @throws ListError when it
 * cannot be read
 */
export async function readLastLine({ fd, name }: Pick<PlainFile, 'fd' | 'name'>): Promise<ReviewEnd | undefined> {
  const tail = reading(name, () => {
    const { size } = fstatSync(fd);
    const bytes = Buffer.alloc(Math.min(TAIL_BYTES, size));
    readSync(fd, bytes, 0, bytes.length, size - bytes.length);
    return bytes.toString();
  });
  const last = tail.trimEnd().split('\n').at(-1) ?? '';
  const node = parsedLine(last);
  if (node instanceof DocumentSyntaxError || !isOurLine(node, END_KEY)) return undefined;
  const { readEnd } = await import('./review-lines.ts');
  return readEnd(last, name);
}
