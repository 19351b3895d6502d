/**
 * The rows of a file by wallet: the file is read through once, the place of each row is kept in
 * memory, and a row is read back when it is asked for.
 */
import { fstatSync } from 'node:fs';
import { isScalar } from '../document/node.ts';
import { parseDocument } from '../document/parse.ts';
import { DocumentSyntaxError } from '../document/utf8.ts';
import { cellText, writeCompact } from '../document/write.ts';
import { IoError } from '../errors.ts';
import { asFileError } from '../files/file-error.ts';
import type { Readable } from '../files/fully.ts';
import { createLineReader } from '../files/line-reader.ts';
import { openTemporaryFile } from '../files/temporary-file.ts';
import type { PlainFile } from '../lists/source.ts';
import { cellIn } from '../row/label.ts';
import { inputNode, type Row, type RowInput } from '../row/row.ts';
import { writeRow } from '../row/row-node.ts';
import { ownCopy } from '../text/own-copy.ts';
import { jsonRow } from './json-rows.ts';
import { openRun, type RunOptions } from './open-run.ts';
import type { FileRow, RowReadOptions } from './run.ts';

export type IndexedRun = Awaited<ReturnType<typeof indexRun>>;

/**
 * Indexes the rows of an open file. The caller closes the result, then the file.
 * @param options.onRow called with each row, in the order of the file, and its key
 * @throws ListError for what riskcli has not written, IoError when a temporary file has no room,
 * the signal's reason
 */
export async function indexRun(
  plain: PlainFile,
  options: RunOptions & { readonly onRow?: (row: FileRow, key: string) => void },
) {
  const { host, onRow } = options;
  const run = await openRun(plain, options);
  // Rows in another form, or in another encoding, are written as lines of JSON.
  const copy = run.isSeekable ? undefined : openTemporaryFile(host);
  const index = createRowIndex({ ...options, ...(copy ?? plain) });
  const close = () => copy?.close();
  try {
    for await (const row of run.rows) {
      host.signal().throwIfAborted();
      const key = rowKey(row, run.review?.list.column);
      onRow?.(row, key);
      index.add(key, copy ? copy.append(Buffer.from(`${writeRow(row)}\n`)) : row.at);
    }
  } catch (error) {
    close();
    throw error;
  }
  return { ...run, index, close };
}

/**
 * The key of a row, which is the same in all files for one wallet: its address, or else the text
 * that the list has in place of one. A row without such text, or with a secret, has its whole input
 * as its key.
 * @param column the column of the list with the wallets
 */
export function rowKey(row: Pick<Row, 'wallet' | 'input' | 'error'>, column: string | undefined): string {
  const { wallet, input, error } = row;
  if (wallet !== undefined) return wallet.toLowerCase();
  const text = error?.code === 'empty' || error?.code === 'secret' ? undefined : walletText(input, column);
  return `${NO_WALLET}${text ?? writeCompact(inputNode(input))}`;
}

/** What a list has in its column of wallets; undefined if the row has no such cell. */
export function walletText(input: RowInput, column: string | undefined): string | undefined {
  const cell = column === undefined ? undefined : cellIn(input, column);
  return cell && isScalar(cell) ? cellText(cell).trim() || undefined : undefined;
}

const NO_WALLET = '!';
const isWalletKey = (key: string) => !key.startsWith(NO_WALLET);

type Places = number | readonly number[];
const allOf = (places: Places) => (typeof places === 'number' ? [places] : places);

/** Sets or clears the mark of a place. A marked place is below 0, so that 0 can be marked, too. */
const toggleMark = (place: number): number => -1 - place;

/** @param file lines of JSON; the first row is read when all of them are there */
function createRowIndex(file: Readable & RowReadOptions) {
  // Hardly any wallet has several rows. The first place of a marked wallet is below 0.
  const places = new Map<string, Places>();
  const lineAt = createLineReader(file);
  let size: number | undefined;
  function readRow(at: number): FileRow {
    try {
      size ??= fstatSync(file.fd).size;
      return jsonRow({ line: 0, node: parseDocument(lineAt(at, size).toString()), at }, file);
    } catch (error) {
      const hint = 'run the same command again';
      if (error instanceof DocumentSyntaxError)
        throw new IoError(`${file.name} was changed while it was read`, { hint });
      throw asFileError(error, `${file.name} cannot be read`, { hint });
    }
  }
  return {
    /** @param at where the line of the row begins, in bytes */
    add(key: string, at: number): void {
      const known = places.get(key);
      if (known === undefined) places.set(ownCopy(key), at);
      else places.set(key, [...allOf(known), at]);
    },
    /** How many keys there are: of wallets, and of other texts. */
    get size() {
      return places.size;
    },
    /** In the order of their first rows. */
    keys: () => places.keys(),
    /** The keys of wallets, without those of other texts. */
    *walletKeys() {
      for (const key of places.keys()) if (isWalletKey(key)) yield key;
    },
    has: (key: string) => places.has(key),
    /**
     * Marks a wallet. @returns whether it was not marked yet; undefined if it is not in the file
     */
    mark(key: string): boolean | undefined {
      const found = places.get(key);
      if (found === undefined) return undefined;
      const [first = 0, ...others] = allOf(found);
      if (first < 0) return false;
      places.set(key, others.length > 0 ? [toggleMark(first), ...others] : toggleMark(first));
      return true;
    },
    /** The wallets, and texts that are not wallets, without a mark. */
    *unmarkedKeys() {
      for (const [key, found] of places) if ((allOf(found)[0] ?? 0) >= 0) yield key;
    },
    /** The rows of a wallet in their order; none where it is not in the file. @throws IoError */
    rowsOf: (key: string): readonly FileRow[] =>
      allOf(places.get(key) ?? []).map((place) => readRow(place < 0 ? toggleMark(place) : place)),
  };
}
