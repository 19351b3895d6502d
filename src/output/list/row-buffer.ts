/**
 * Rows that wait on disk until the last one is there: a csv with a column for every field needs to know all fields before
 * its first line.
 */
import type { Host } from '../../context.ts';
import { leaves } from '../../document/path.ts';
import { linesIn, openLineFile } from '../../files/lines/line-file.ts';
import { documentPathText } from '../../row/paths/row-path.ts';
import type { Row } from '../../row/row.ts';
import { ownCopy } from '../../text/own-copy.ts';
import { decodeRow, encodeRow } from './row-text.ts';

export interface RowBuffer {
  /** Paths of all scalars that the documents so far have, in the order of their first appearance. */
  readonly columns: readonly string[];
  /** @throws IoError when there is no room. */
  add(row: Row): void;
  /** The rows in the order in which they were added; may be left before its end. @throws IoError */
  rows(): AsyncIterable<Row>;
  close(): void;
}

/** @throws IoError when no temporary file can be made. */
export function openRowBuffer(host: Pick<Host, 'temporaryFolder'>): RowBuffer {
  const file = openLineFile(host);
  const columns = new Set<string>();
  return {
    get columns() {
      return [...columns];
    },
    add(row) {
      for (const { path } of row.document ? leaves(row.document) : []) {
        const text = documentPathText(path);
        if (!columns.has(text)) columns.add(ownCopy(text));
      }
      file.append(Buffer.from(`${encodeRow(row)}\n`));
    },
    async *rows() {
      for await (const bytes of file.read({ from: 0, to: file.size })) {
        for (const line of linesIn(bytes)) yield decodeRow(line);
      }
    },
    close: file.close,
  };
}
