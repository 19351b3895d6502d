/** Kept reviews as files: opened only where they are regular files, and written so that only whole ones are in the folder. */
import { createHash } from 'node:crypto';
import { fstatSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { ListError } from '../errors.ts';
import { type AtomicHost, createAtomicFile } from '../files/atomic-file.ts';
import { asFileError, shownPath, systemReason } from '../files/file-error.ts';
import { isForeign, isWritableByOthers } from '../files/file-trust.ts';
import { openRegular } from '../files/open-regular.ts';
import { type RowWriter, type Sink, type Stopped, writeRows } from '../files/sink.ts';
import { type PlainFile, type PlainFileHost, plainFile } from '../lists/plain-file.ts';
import { type Row, writeRow } from '../row/row.ts';
import { timeIn } from '../text/when.ts';
import { freeName, type KeptFile } from './keep-folder.ts';
import { endLine, HEADER_KEY, headerLine, type ReviewEnd, type ReviewHeader } from './kept-review.ts';
import { createRowIndex, type RowIndex, rowKey } from './row-index.ts';

interface OpenedKept {
  readonly plain: PlainFile;
  /** Why its answers are not to be believed; undefined for a file that only this user and root can write. */
  readonly distrust: string | undefined;
}

/** @throws ListError when it is no regular file, or cannot be read */
export async function openKept({ path }: KeptFile, host: PlainFileHost, uid: number | undefined): Promise<OpenedKept> {
  const fd = openKeptFile(path);
  const stats = fstatSync(fd);
  const distrust = isForeign(stats, uid)
    ? 'it belongs to another user'
    : isWritableByOthers(stats, uid)
      ? 'other users can write to it'
      : undefined;
  return { plain: await plainFile(fd, { name: shownPath(path), unquotedName: path }, host), distrust };
}

function openKeptFile(path: string): number {
  try {
    return openRegular(path);
  } catch (cause) {
    throw new ListError(`${shownPath(path)} cannot be read: ${systemReason(cause)}`, { cause, hint: 'move it away' });
  }
}

/** Whether an open file begins as a kept review does. */
export function isKeptReview({ fd }: Pick<PlainFile, 'fd'>): boolean {
  const begin = `{"${HEADER_KEY}":`;
  const bytes = Buffer.alloc(begin.length);
  readSync(fd, bytes, 0, bytes.length, 0);
  return bytes.toString('latin1') === begin;
}

/** More than the last line of a review takes. */
const TAIL_BYTES = 8_192;

/** When the review in an open file ended, by its last line; undefined for one that is torn. */
export function endedAt({ fd }: Pick<PlainFile, 'fd'>): number | undefined {
  const { size } = fstatSync(fd);
  const bytes = Buffer.alloc(Math.min(TAIL_BYTES, size));
  readSync(fd, bytes, 0, bytes.length, size - bytes.length);
  const [, ended = ''] = /\n\{"riskcli_review_end":.*?"ended":"([^"]*)".*\n$/.exec(bytes.toString('latin1')) ?? [];
  const at = timeIn(ended);
  return Number.isNaN(at) ? undefined : at;
}

/** How a review ended, to be kept. */
export interface KeptEnd extends Omit<ReviewEnd, 'rows' | 'sha256'>, Stopped {}

/** A review that is being written; it takes its place in the folder when it is whole. */
export interface KeptSink extends Sink<Row, KeptEnd> {
  /** Where it is, or will be. */
  readonly file: KeptFile;
  /** The rows that were taken; to be read when they are flushed, and before the end. */
  readonly index: RowIndex;
}

/** Begins to write a review into `folder`, for the holder of its lock. @throws IoError */
export function createKeptSink(folder: string, header: ReviewHeader, host: AtomicHost): KeptSink {
  const name = freeName(folder, header.begun);
  const path = join(folder, name);
  const fault = (cause: unknown) =>
    asFileError(cause, `the review ${shownPath(path)} cannot be kept`, {
      hint: 'make room, then run the same command again',
      isResumable: true,
    });
  const file = createAtomicFile(path, { host, mode: 0o600, fault });
  const index = createRowIndex({ fd: file.fd, name: shownPath(path) });
  const digest = createHash('sha256');
  let [rows, end] = [0, 0];
  const line = (text: string) => {
    const whole = `${text}\n`;
    digest.update(whole);
    end += Buffer.byteLength(whole);
    return whole;
  };
  const writer: RowWriter<Row, KeptEnd> = {
    head: () => line(headerLine(header)),
    row(row) {
      rows += 1;
      index.add(rowKey(row), end);
      return line(writeRow(row));
    },
    foot: (how) => `${endLine({ ...how, rows, sha256: digest.digest('hex') })}\n`,
  };
  return { ...writeRows(file, writer), file: { name, path, begun: header.begun }, index };
}
