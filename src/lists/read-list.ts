/**
 * Reads a wallet list: lines, CSV, a JSON array, JSON Lines or a workbook, recognised by its
 * beginning. It is read as fast as the records are taken, with one block of the file in memory; a
 * workbook is held packed.
 */

import { ListError, UsageError } from '../errors.ts';
import { inputText } from '../row/row.ts';
import { quoted } from '../secrets/redact.ts';
import { groupDigits } from '../text/words.ts';
import { readWallet } from '../wallet/address.ts';
import { foreignError, unpack } from './container.ts';
import { readCsv, unterminated } from './csv/csv.ts';
import { type CsvLayout, csvLayout, isDecided, plainRecord, tableReader } from './csv/layout.ts';
import { jsonLineElements, readJsonArray } from './json/json.ts';
import { openJson } from './json/json-list.ts';
import { isSkipped, type Line, readLines } from './lines.ts';
import type { ListRecord, ListRemark, ReadListOptions, WalletList } from './list.ts';
import { readAhead } from './read-ahead.ts';
import { createRemarks, type ListReading, type Remarks } from './remarks.ts';
import { type Batches, dropWhile, filter, map, type Rows, SAMPLE_LENGTH, sample } from './rows.ts';
import { atLine, ListSyntaxError } from './syntax-error.ts';
import { readListText } from './text.ts';

/**
 * Opens the wallet list in `source`. What may be a private key is redacted from all columns.
 * The source is closed when the records have been read or abandoned; so the caller has to begin to
 * read them.
 * @throws ListError when it is empty or its column of wallets is unclear; the records throw it
 * where they cannot be read. UsageError for a sheet of what is no workbook
 */
export async function openList(source: AsyncIterable<Uint8Array>, options: ReadListOptions): Promise<WalletList> {
  const iterator = source[Symbol.asyncIterator]();
  try {
    const remarks = createRemarks();
    const { bytes, isZip } = await unpack({ [Symbol.asyncIterator]: () => iterator });
    const open = isZip ? (await import('./workbook/open-workbook.ts')).openWorkbook : openText;
    const rows = await open(bytes, { ...options, remarks });
    const head = { delimiter: ',', bom: false, ...rows.head };
    const allRemarks = () => remarks.all(head);
    return { head, records: named({ ...rows, head }, options, allRemarks), remarks: allRemarks };
  } catch (error) {
    await iterator.return?.();
    throw namedError(options.name, error);
  }
}

async function openText(bytes: AsyncIterable<Uint8Array>, options: ListReading): Promise<Rows> {
  if (options.sheet !== undefined) {
    throw new UsageError(`--sheet names a sheet of a workbook, and ${options.name} is not one`, {
      hint: 'leave it out',
    });
  }
  const { bom, blocks } = await readListText(bytes);
  const { start, all } = await startOfText(blocks);
  const found = NOT_LISTS.find(([beginning]) => beginning.test(start));
  if (found) throw foreignError(found[1], found[2]);
  // A Markdown line may also begin with a bracket: [0x...], [ ], [1].
  const isArray = /^\[(?:["{[]|\]$|(?:null|true|false)[,\]]|-?\d[\d.e+-]*,)/i.test(start);
  const { head, batches } = isArray
    ? await openJson('json', readJsonArray(all), options)
    : await openLines(readLines(all), options);
  return { head: { ...head, bom }, batches };
}

const GIT_LFS = 'versionhttps://git-lfs';

/** Texts by their beginning without white space, what they are, and the remedy. */
const NOT_LISTS: readonly (readonly [beginning: RegExp, what: string, hint: string])[] = [
  [
    /^<(?:!doctype|html|head|body|table|meta|script)/i,
    'a web page',
    'it may ask for a sign-in: open it in a browser, and export the list as CSV',
  ],
  [/^<[?a-z]/i, 'XML', 'read what it says, and export the list as CSV'],
  [new RegExp(`^${GIT_LFS}`), 'a git-lfs pointer', 'fetch the list: git lfs pull'],
];

/** An array whose first element is longer begins with a bracket, a brace or a quote. */
const START_LENGTH = 24;

/** The first characters that are not white space, enough to know the kind, and the whole text. */
async function startOfText(blocks: AsyncIterable<string>) {
  let start = '';
  let length = 0;
  const { all } = await readAhead(blocks, (taken) => {
    const block = taken.at(-1) ?? '';
    start = (start + block.replace(/\s+/g, '').slice(0, START_LENGTH)).slice(0, START_LENGTH);
    length += block.length;
    const isKnown = start !== '' && !/^[[<]/.test(start) && !GIT_LFS.startsWith(start);
    return isKnown || start.length === START_LENGTH || length > SAMPLE_LENGTH;
  });
  return { start, all };
}

async function openLines(all: Batches<Line>, options: ListReading): Promise<Rows> {
  const { remarks } = options;
  // Comments at the beginning say nothing of the form of the list.
  const lines = dropWhile(all, (line) => isLeftOut(line, remarks));
  const { items, all: sampled } = await sample(lines, {
    lengthOf: ({ text }) => (isSkipped(text) ? undefined : text.length),
    decide: (taken) => clearForm(taken, options) !== undefined || (isDecided(taken, options) && 'for now'),
    pause: options.pause,
  });
  const form = clearForm(items, options);
  const layout = form === undefined ? csvLayout(items, options) : undefined;
  if (layout) return openCsv(sampled, layout, options);
  const rows = filter(sampled, (line) => !isLeftOut(line, remarks));
  if (form === 'jsonl') return openJson('jsonl', jsonLineElements(rows), options);
  return { head: { kind: 'lines' }, batches: map(rows, (line) => lineRecord(line, options)) };
}

/**
 * The form of a list that the first row alone shows: below an object, or what is exactly an
 * address, there is no table.
 */
function clearForm(lines: readonly Line[], options: ReadListOptions): 'jsonl' | 'lines' | undefined {
  const text = lines.find((line) => !isSkipped(line.text))?.text.trim() ?? '';
  if (text.startsWith('{')) return 'jsonl';
  return options.column === undefined && readWallet(text, options).ok ? 'lines' : undefined;
}

/** Whether `line` is blank or a comment, which is noted. */
function isLeftOut(line: Line, remarks: Remarks): boolean {
  const isOut = isSkipped(line.text);
  if (isOut) remarks.comment(line);
  return isOut;
}

function lineRecord({ line, text }: Line, options: ListReading): ListRecord {
  const trimmed = text.trim();
  if (trimmed.startsWith('"') && trimmed.indexOf('"', 1) < 0) throw atLine(unterminated(), line);
  return plainRecord(line, trimmed, options);
}

/** A ListSyntaxError as a ListError about the list `name`; any other error unchanged. */
function namedError(name: string, error: unknown): unknown {
  if (!(error instanceof ListSyntaxError)) return error;
  const { line, message, hint, isResumable } = error;
  return new ListError(`${line === undefined ? name : `${name}, line ${line}`}: ${message}`, { hint, isResumable });
}

/** The batches of `rows`, with errors that name the list. */
async function* named(
  rows: Rows,
  { name, needsWallet = false }: ReadListOptions,
  remarks: () => readonly ListRemark[],
): Batches<ListRecord> {
  let count = 0;
  let first: ListRecord | undefined;
  let hasWallet = false;
  try {
    for await (const batch of rows.batches) {
      count += batch.length;
      first ??= batch[0];
      hasWallet ||= batch.some(({ wallet }) => wallet.ok);
      yield batch;
    }
    if (!first) throw empty(remarks());
    if (needsWallet && !hasWallet) throw noWallet(rows, count, first);
  } catch (error) {
    throw namedError(name, error);
  }
}

/** The error for a list of which no row is a wallet. */
function noWallet({ head, elsewhere }: Rows, rows: number, { line, input, wallet }: ListRecord): ListSyntaxError {
  const { message, hint } = wallet.ok ? { message: '', hint: undefined } : wallet;
  const where = head.sheet === undefined ? 'the list' : `the sheet ${quoted(head.sheet)}`;
  const shown = `line ${line}: ${quoted(inputText(input))}: ${message}`;
  return new ListSyntaxError(`${where} has no wallet (rows ${groupDigits(rows)}; ${shown})`, {
    hint: elsewhere ?? hint ?? 'put one wallet address on each line, or name the column with --column',
  });
}

const ONE_A_LINE = 'put one wallet address on each line';

/** The error for a list without rows, by what was left out of it. */
function empty(remarks: readonly ListRemark[]): ListSyntaxError {
  const remark = remarks.find(({ audience }) => audience !== 'both');
  return remark
    ? new ListSyntaxError(`the list has no rows, but ${remark.what}`, { hint: remark.remedy ?? ONE_A_LINE })
    : new ListSyntaxError('the list is empty', { hint: ONE_A_LINE });
}

/** The rows of a CSV; `lines` may begin above the table. */
function openCsv(lines: Batches<Line>, layout: CsvLayout, options: ListReading): Rows {
  const { delimiter, from, isHeaded, columns, column, sample } = layout;
  const { remarks } = options;
  const { names, read } = tableReader(layout, options);
  const table = dropWhile(lines, (line) => {
    const isAbove = line.line < from;
    if (isAbove) isLeftOut(line, remarks);
    return isAbove;
  });
  const records = readCsv(table, { delimiter, onComment: remarks.comment });
  return {
    head: { kind: 'csv', columns, walletColumn: column, sample, delimiter },
    batches: map(isHeaded ? dropWhile(records, ({ line }) => line === from) : records, ({ line, cells: typed }) => {
      const { cells, wallet } = read(typed);
      return { line, input: cells.map((cell, i) => [names[i] ?? '', cell]), cells, wallet };
    }),
  };
}
