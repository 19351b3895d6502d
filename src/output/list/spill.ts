/**
 * Rows that wait on disk until the last one is there: a csv with a column for every field needs to know all fields before
 * its first line.
 */
import { read } from 'node:fs';
import { promisify } from 'node:util';
import { writeWhole } from '../../answers/store.ts';
import type { Host } from '../../context.ts';
import { parseDocument } from '../../document/parse.ts';
import { leaves } from '../../document/path.ts';
import { writeCompact } from '../../document/write.ts';
import { IoError } from '../../errors.ts';
import { closeQuietly } from '../../files/close-file.ts';
import { fileError } from '../../files/file-error.ts';
import { openTemporaryFile, type TemporaryFile } from '../../files/temporary-file.ts';
import type { Row } from '../../row/row.ts';

export interface Spill {
  /** Paths of all scalars that the documents so far have, in the order of their first appearance. */
  readonly columns: readonly string[];
  /** @throws IoError when there is no room. */
  add(row: Row): void;
  /** The rows in the order in which they were added; may be left before its end. @throws IoError */
  rows(): AsyncIterable<Row>;
  close(): void;
}

/** @throws IoError when no temporary file can be made. */
export function openSpill(host: Pick<Host, 'temporaryFolder'>): Spill {
  const hint = 'make room there or point TMPDIR elsewhere, then run the same command again';
  const file = openTemporaryFile(host, hint);
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
      for await (const line of linesOf(file, size)) yield decode(line);
    },
    close: () => closeQuietly(file.fd),
  };
}

/** Bytes read at once: enough to make a million rows cheap, little enough to notice a signal in between. */
const CHUNK = 256 * 1024;
const NEWLINE = 0x0a;
const readChunk = promisify(read);

/**
 * The lines in the first `size` bytes of `file`. node:readline is of no use here: it goes on reading after its consumer
 * has left, when the descriptor may be closed, and takes U+2028 in a cell for the end of a line.
 */
async function* linesOf(file: TemporaryFile, size: number): AsyncGenerator<string> {
  let begun: Buffer[] = [];
  for (let offset = 0; offset < size; ) {
    const { bytesRead, buffer } = await readChunk(file.fd, Buffer.allocUnsafe(CHUNK), 0, CHUNK, offset).catch(
      (cause: unknown) => {
        throw fileError(`${file.name} cannot be read`, { cause, hint: RUN_AGAIN });
      },
    );
    if (bytesRead === 0) throw new IoError(`${file.name} is shorter than it was`, { hint: RUN_AGAIN });
    offset += bytesRead;
    const chunk = buffer.subarray(0, bytesRead);
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      yield Buffer.concat([...begun, chunk.subarray(start, end)]).toString();
      begun = [];
      start = end + 1;
    }
    begun.push(chunk.subarray(start));
  }
}

const RUN_AGAIN = 'run the same command again';

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
