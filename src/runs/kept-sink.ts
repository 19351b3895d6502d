/** Writes a kept review, so that only whole ones are in the folder. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { type AtomicHost, createAtomicFile } from '../files/atomic-file.ts';
import { asFileError, shownPath } from '../files/file-error.ts';
import { type RowWriter, type Sink, type Stopped, writeRows } from '../files/sink.ts';
import { type Row, writeRow } from '../row/row.ts';
import { freeName, type KeptFile } from './review-folder.ts';
import { endLine, headerLine, type ReviewEnd, type ReviewHeader } from './review-lines.ts';
import { createRowIndex, type RowIndex, rowKey } from './row-index.ts';

/** How a review ended, to be kept. */
export interface KeptEnd extends Omit<ReviewEnd, 'rows' | 'sha256'>, Stopped {}

/** A review that is being written; it takes its place in the folder when it is whole. */
export interface KeptSink extends Sink<Row, KeptEnd> {
  readonly header: ReviewHeader;
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
  return { ...writeRows(file, writer), header, file: { name, path, begun: header.begun }, index };
}
