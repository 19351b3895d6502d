/** Reads a file of rows once through, so that its rows can be asked for by wallet. */

import { openTemporaryFile } from '../files/temporary-file.ts';
import type { PlainFile } from '../lists/source.ts';
import { writeRow } from '../row/row-node.ts';
import { openRun, type RunOptions } from './open-run.ts';
import { createRowIndex, rowKey } from './row-index.ts';
import type { FileRow } from './run.ts';

export type IndexedRun = Awaited<ReturnType<typeof indexRun>>;

interface IndexOptions extends RunOptions {
  /** Called with each row, in the order of the file, and its key. */
  readonly onRow?: (row: FileRow, key: string) => void;
  /** Which rows are indexed; else all. */
  readonly wants?: (row: FileRow, key: string) => boolean;
}

/**
 * The rows of an open file, which the caller closes after the result; `rows` is how many there are.
 * @throws ListError for what riskcli has not written, IoError when a temporary file has no room,
 * the signal's reason
 */
export async function indexRun(plain: PlainFile, options: IndexOptions) {
  const { host, onRow, wants = () => true } = options;
  const run = await openRun(plain, options);
  // Rows in another form, or in another encoding, are written as lines of JSON.
  const copy = run.isSeekable ? undefined : openTemporaryFile(host);
  const index = createRowIndex({ ...options, ...(copy ?? plain) });
  const close = () => copy?.close();
  let rows = 0;
  try {
    for await (const row of run.rows) {
      host.signal().throwIfAborted();
      rows += 1;
      const key = rowKey(row, run.review?.list.column);
      onRow?.(row, key);
      if (wants(row, key)) index.add(key, copy ? copy.append(Buffer.from(`${writeRow(row)}\n`)) : row.at);
    }
  } catch (error) {
    close();
    throw error;
  }
  return { ...run, rows, index, close };
}
