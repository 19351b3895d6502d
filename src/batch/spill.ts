/**
 * Rows that wait on disk until the last one is there: a csv with a column for every field needs to know all fields before
 * its first line.
 */
import { closeSync, createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { parseDocument } from '../document/parse.ts';
import { leaves } from '../document/path.ts';
import type { Row } from '../document/row.ts';
import { writeCompact } from '../document/write.ts';
import { writeWhole } from './store.ts';
import { openTemporaryFile } from './temporary-file.ts';

export interface Spill {
  /** Paths of all scalars that the documents so far have, in the order of their first appearance. */
  readonly columns: readonly string[];
  /** @throws IoError when there is no room. */
  add(row: Row): void;
  rows(): AsyncIterable<Row>;
  close(): void;
}

/** @throws IoError when no temporary file can be made. */
export function openSpill(): Spill {
  const file = openTemporaryFile('make room there or point TMPDIR elsewhere, then run the same command again');
  const columns = new Set<string>();
  let size = 0;
  return {
    get columns() {
      return [...columns];
    },
    add(row) {
      if (row.document) for (const { path } of leaves(row.document)) columns.add(path);
      const line = Buffer.from(`${encode(row)}\n`);
      writeWhole(file, line, size);
      size += line.length;
    },
    async *rows() {
      const input = createReadStream('', { fd: file.fd, autoClose: false, start: 0 });
      for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) yield decode(line);
    },
    close: () => closeSync(file.fd),
  };
}

function encode({ document, score, ...rest }: Row): string {
  return JSON.stringify({ ...rest, document: document && writeCompact(document), score: score && writeCompact(score) });
}

function decode(line: string): Row {
  const { document, score, ...rest } = JSON.parse(line);
  return {
    ...rest,
    ...(document && { document: parseDocument(document) }),
    ...(score && { score: parseDocument(score) }),
  };
}
