/** The rows of an open file by wallet: memory has where each one begins, and a row is read back when it is asked for. */

import { fstatSync } from 'node:fs';
import { parseDocument } from '../document/parse.ts';
import { DocumentSyntaxError } from '../document/utf8.ts';
import { writeCompact } from '../document/write.ts';
import { IoError } from '../errors.ts';
import { asFileError, systemCode } from '../files/file-error.ts';
import type { Readable } from '../files/fully.ts';
import { createLineReader } from '../journal/line-reader.ts';
import { inputNode, type Row } from '../row/row.ts';
import { ownCopy } from '../text/own-copy.ts';
import { jsonRow } from './json-rows.ts';
import type { FileRow, RowReading } from './run.ts';

export interface RowIndex {
  /** How many wallets there are, with what is no wallet. */
  readonly size: number;
  /** In the order of their first rows. */
  keys(): Iterable<string>;
  /** Without those of what is no wallet. */
  walletKeys(): Iterable<string>;
  has(key: string): boolean;
  /** The rows of a wallet in their order; none where it is not in the file. @throws IoError */
  rowsOf(key: string): readonly FileRow[];
}

/** An open file, and how its rows are read. */
type IndexedFile = Readable & RowReading;

/** By what the rows of one wallet are known in several files: its address, or else what the list says in place of one. */
export function rowKey({ wallet, input }: Pick<Row, 'wallet' | 'input'>): string {
  return wallet?.toLowerCase() ?? `${NO_WALLET}${writeCompact(inputNode(input))}`;
}

const NO_WALLET = '!';
export const isWalletKey = (key: string) => !key.startsWith(NO_WALLET);

/** @param file lines of JSON; the first row is read when all of them are there */
export function createRowIndex(file: IndexedFile): RowIndex & { add(key: string, at: number): void } {
  // Hardly any wallet has several rows.
  const places = new Map<string, number | readonly number[]>();
  const readRow = rowReader(file);
  return {
    add(key, at) {
      const known = places.get(key);
      if (known === undefined) places.set(ownCopy(key), at);
      else places.set(key, typeof known === 'number' ? [known, at] : [...known, at]);
    },
    get size() {
      return places.size;
    },
    keys: () => places.keys(),
    *walletKeys() {
      for (const key of places.keys()) if (isWalletKey(key)) yield key;
    },
    has: (key) => places.has(key),
    rowsOf(key) {
      const found = places.get(key);
      if (found === undefined) return [];
      return typeof found === 'number' ? [readRow(found)] : found.map(readRow);
    },
  };
}

/** Reads the row whose line begins at an offset, in bytes. */
export function rowReader(file: IndexedFile): (at: number) => FileRow {
  const lineAt = createLineReader(file);
  let size: number | undefined;
  return (at) => {
    try {
      size ??= fstatSync(file.fd).size;
      const line = lineAt(at, size).toString();
      return jsonRow({ line: 0, node: parseDocument(line), at }, file);
    } catch (error) {
      if (systemCode(error))
        throw asFileError(error, `${file.name} cannot be read`, { hint: 'run the same command again' });
      if (!(error instanceof DocumentSyntaxError)) throw error;
      throw new IoError(`${file.name} was changed while it was read`, { hint: 'run the same command again' });
    }
  };
}
