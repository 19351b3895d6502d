/**
 * A kept review as an open file: only regular files are opened, only files that other users cannot
 * have written are trusted, and whether it is as it was saved is checked before a row is used.
 */
import { createHash } from 'node:crypto';
import { fstatSync, readSync, type Stats } from 'node:fs';
import type { Context } from '../context.ts';
import { DocumentSyntaxError } from '../document/utf8.ts';
import { ListError } from '../errors.ts';
import { closeQuietly } from '../files/close-file.ts';
import { shownPath, systemReason } from '../files/file-error.ts';
import { isForeign, isWritableByOthers } from '../files/file-trust.ts';
import { openRegular } from '../files/open-regular.ts';
import { plainFile } from '../lists/plain-file.ts';
import type { PlainFile } from '../lists/source.ts';
import { counted } from '../text/words.ts';
import { isMarkerLine, REVIEW_END_KEY, tryParse } from './marker-lines.ts';
import type { KeptFile } from './review-folder.ts';
import type { ReviewEnd } from './review-lines.ts';

export interface TrustOptions {
  readonly context: Context;
  /** Whether files that other users own or can write are read, too, with a note. */
  readonly trustsAll?: boolean;
}

/**
 * Opens a kept review, which the caller closes.
 * @throws ListError if it is not a regular file, cannot be read, or is not to be trusted
 */
export async function openKept({ path }: KeptFile, { context, trustsAll }: TrustOptions): Promise<PlainFile> {
  const name = shownPath(path);
  const fd = readOrListError(name, () => openRegular(path));
  try {
    const stats = readOrListError(name, () => fstatSync(fd));
    const distrust = distrustOf(stats, context.uid);
    if (distrust !== undefined && !trustsAll) throw new ListError(distrust);
    if (distrust !== undefined) context.report.info(`the kept review ${name}: ${distrust}`);
  } catch (error) {
    closeQuietly(fd);
    throw error;
  }
  return plainFile(fd, { name, unquotedName: path }, context);
}

/** Why it is not trusted; undefined for a file that only this user and root can write. */
function distrustOf(stats: Stats, uid: number | undefined): string | undefined {
  if (isForeign(stats, uid)) return 'it belongs to another user';
  return isWritableByOthers(stats, uid) ? 'other users can write to it' : undefined;
}

/** Returns the result of `read`. @throws ListError in place of the system's error */
function readOrListError<T>(name: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    throw new ListError(`${name} cannot be read: ${systemReason(cause)}`, { cause, hint: 'move it away' });
  }
}

/** The end of a kept review, and the changes of its file since. */
export interface Inspection {
  /** The last line; undefined if the file is torn. */
  readonly end: ReviewEnd | undefined;
  /** `3 rows were removed; the others are not verified`; undefined for a file as it was saved. */
  readonly change: string | undefined;
}

/**
 * Compares an open kept review with the hash in its last line.
 * @throws ListError if it cannot be read
 */
export async function inspectKept(plain: PlainFile): Promise<Inspection> {
  const { at, text, isLast } = lastLine(plain);
  const last = tryParse(text);
  if (last instanceof DocumentSyntaxError || !isMarkerLine(last, REVIEW_END_KEY))
    return { end: undefined, change: undefined };
  const { readEnd } = await import('./review-lines.ts');
  const end = readEnd(text, plain.name);
  const digest = createHash('sha256');
  let [read, lines] = [0, 0];
  for await (const bytes of plain.read()) {
    const part = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, Math.max(0, at - read)));
    digest.update(part);
    for (let i = part.indexOf(LF); i >= 0; i = part.indexOf(LF, i + 1)) lines += 1;
    read += bytes.length;
  }
  if (digest.digest('hex') === end.sha256 && isLast) return { end, change: undefined };
  // The first line is the header.
  const gone = end.rows + end.removed - (lines - 1);
  if (gone <= 0) return { end, change: 'modified after it was saved' };
  const removed = `${counted(gone, 'row')} ${gone === 1 ? 'was' : 'were'} removed`;
  return { end, change: `${removed}; the others are not verified` };
}

const LF = 0x0a;

/** More bytes than the last line of a review takes. */
const TAIL_BYTES = 8_192;

interface LastLine {
  /** Where it starts in the file, in bytes. */
  readonly at: number;
  readonly text: string;
  /** Whether nothing follows, not even an empty line. */
  readonly isLast: boolean;
}

/** The last line that is not empty. @throws ListError */
function lastLine({ fd, name }: PlainFile): LastLine {
  return readOrListError(name, () => {
    const { size } = fstatSync(fd);
    const tail = Buffer.alloc(Math.min(TAIL_BYTES, size));
    readSync(fd, tail, 0, tail.length, size - tail.length);
    const text = tail.toString('latin1').trimEnd();
    const start = text.lastIndexOf('\n') + 1;
    return {
      at: size - tail.length + start,
      text: tail.subarray(start, text.length).toString(),
      isLast: tail.length - text.length <= 1,
    };
  });
}
