/** Reads a file of rows once through, so that its rows can be asked for by wallet. */
import { openTemporaryFile } from '../files/temporary-file.ts';
import type { PlainFile } from '../lists/plain-file.ts';
import { writeRow } from '../row/row.ts';
import { openRun, type RunOptions } from './open-run.ts';
import { createRowIndex, type RowIndex, rowKey } from './row-index.ts';
import type { FileRow, Run } from './run.ts';

export interface IndexedRun extends Omit<Run, 'rows'> {
  readonly index: RowIndex;
  /** How many rows there are. */
  readonly rows: number;
  close(): void;
}

interface IndexOptions extends RunOptions {
  /** Called with each row, in the order of the file, and its key. */
  readonly onRow?: (row: FileRow, key: string) => void;
  /** Which rows are indexed; else all. */
  readonly wants?: (row: FileRow, key: string) => boolean;
}

/**
 * The rows of an open file, which the caller closes after the result.
 * @throws ListError for what riskcli has not written, IoError when a temporary file has no room, the signal's reason
 */
export async function indexRun(plain: PlainFile, options: IndexOptions): Promise<IndexedRun> {
  const { host, onRow, wants = () => true } = options;
  const run = await openRun(plain, options);
  // Of rows in another form, or in another encoding, lines of JSON are made.
  const copy = run.hasPlaces ? undefined : openTemporaryFile(host);
  const index = createRowIndex({ ...options, ...(copy ?? plain) });
  const close = () => copy?.close();
  let rows = 0;
  try {
    for await (const row of run.rows) {
      host.signal().throwIfAborted();
      rows += 1;
      const key = rowKey(row);
      onRow?.(row, key);
      if (wants(row, key)) index.add(key, copy ? copy.append(Buffer.from(`${writeRow(row)}\n`)) : row.at);
    }
  } catch (error) {
    close();
    throw error;
  }
  const { name, unquotedName, hasPlaces, review, end } = run;
  return { name, unquotedName, hasPlaces, review, end, index, rows, close };
}
