/** Writes a kept review, so that only whole ones are in the folder. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { type AtomicHost, createAtomicFile } from '../files/atomic-file.ts';
import { asFileError, shownPath } from '../files/file-error.ts';
import { type RowWriter, type Sink, type Stopped, writeRows } from '../files/sink.ts';
import type { Row } from '../row/row.ts';
import { writeRow } from '../row/row-node.ts';
import { freeName, type KeptFile } from './review-folder.ts';
import {
  endLine,
  headerLine,
  type RemovedWallet,
  type ReviewEnd,
  type ReviewHeader,
  removedLine,
} from './review-lines.ts';

/** The end of a review as the caller knows it; the sink adds what it has counted and hashed. */
export type KeptEnd = Omit<ReviewEnd, 'rows' | 'removed' | 'sha256'> & Stopped;

/**
 * A review that is being written; it takes its place in the folder when it is whole. The wallets
 * that left the list follow its rows.
 */
export interface KeptSink extends Sink<Row | RemovedWallet, KeptEnd> {
  /** The file that it becomes. */
  readonly file: KeptFile;
}

/** Starts to write a review into `folder`, for the holder of its lock. @throws IoError */
export function createKeptSink(folder: string, header: ReviewHeader, host: AtomicHost): KeptSink {
  const { started } = header;
  const name = freeName(folder, started);
  const path = join(folder, name);
  const fault = (cause: unknown) =>
    asFileError(cause, `the review ${shownPath(path)} cannot be kept`, {
      hint: 'make room, then run the same command again',
      isResumable: true,
    });
  const digest = createHash('sha256');
  let [rows, removed] = [0, 0];
  const hashedLine = (text: string) => {
    const whole = `${text}\n`;
    digest.update(whole);
    return whole;
  };
  const writer: RowWriter<Row | RemovedWallet, KeptEnd> = {
    head: () => hashedLine(headerLine(header)),
    row(row) {
      if ('status' in row) rows += 1;
      else removed += 1;
      return hashedLine('status' in row ? writeRow(row) : removedLine(row));
    },
    foot: ({ ended, distinct, counts, exitCode }) =>
      `${endLine({ ended, rows, distinct, removed, counts, exitCode, sha256: digest.digest('hex') })}\n`,
  };
  const file = createAtomicFile(path, { host, mode: 0o600, fault });
  return { ...writeRows(file, writer), file: { name, path, started } };
}
