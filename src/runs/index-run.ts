/** Reads a file of rows once through, so that its rows can be asked for by wallet. */
import { openTemporaryFile } from '../files/temporary-file.ts';
import { openPlainFile, type PlainFile } from '../lists/plain-file.ts';
import { writeRow } from '../row/row.ts';
import { openRunOf, type RunOptions, unreadable } from './open-run.ts';
import { createRowIndex, type RowIndex, rowKey } from './row-index.ts';
import type { FileRow, Run } from './run.ts';

export interface IndexedRun extends Omit<Run, 'rows'> {
  readonly index: RowIndex;
  /** How many rows there are. */
  readonly rows: number;
}

interface IndexOptions extends RunOptions {
  /** Called with each row, in the order of the file. */
  readonly onRow?: (row: FileRow) => void;
}

/**
 * The rows of `file`, a path or `-` for standard input. The caller closes it.
 * @throws ListError for what riskcli has not written, IoError when a temporary file has no room, the signal's reason
 */
export async function indexRun(file: string, options: IndexOptions): Promise<IndexedRun> {
  const plain = await openPlainFile(file, options.host).catch((error: unknown) => {
    throw unreadable(error);
  });
  return indexRunOf(plain, options);
}

/** The same for an open file; it is closed with the result, or when it cannot be read. */
export async function indexRunOf(plain: PlainFile, options: IndexOptions): Promise<IndexedRun> {
  const { host, scorePath, onRow } = options;
  const run = await openRunOf(plain, options);
  let indexed: ReturnType<typeof inPlace> | undefined;
  let rows = 0;
  const close = () => {
    indexed?.close();
    run.close();
  };
  try {
    for await (const row of run.rows) {
      host.signal().throwIfAborted();
      rows += 1;
      indexed ??= row.at === undefined ? inCopy(host) : inPlace({ ...plain, scorePath });
      indexed.add(row);
      onRow?.(row);
    }
  } catch (error) {
    close();
    throw error;
  }
  const { name, unquotedName, review, end } = run;
  const { index } = indexed ?? inPlace(plain);
  return { name, unquotedName, review, end, index, rows, close };
}

/** Lines of JSON are read back where they are. */
function inPlace(plain: Parameters<typeof createRowIndex>[0]) {
  const index = createRowIndex(plain);
  return {
    index,
    add(row: FileRow) {
      if (row.at === undefined) throw new TypeError('all rows of a file have an offset, or none');
      index.add(rowKey(row), row.at);
    },
    close() {},
  };
}

/** Of rows in another form, or in another encoding, lines of JSON are made. */
function inCopy(host: RunOptions['host']) {
  const copy = openTemporaryFile(host);
  const index = createRowIndex(copy);
  return {
    index,
    add(row: FileRow) {
      index.add(rowKey(row), copy.append(Buffer.from(`${writeRow(row)}\n`)));
    },
    close: copy.close,
  };
}
