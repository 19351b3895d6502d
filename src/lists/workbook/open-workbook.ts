/**
 * A workbook as a wallet list: one of its sheets, whose rows are read like the rows of a CSV file.
 */
import type { Node } from '../../document/node.ts';
import { redactPrivateKeys } from '../../secrets/private-key.ts';
import { quoted } from '../../secrets/redact.ts';
import { meantNames } from '../../text/same-name.ts';
import { findWallet } from '../../wallet/address.ts';
import { sheetLayout, tableReader } from '../csv/layout.ts';
import type { ListRecord } from '../list.ts';
import type { ListReading } from '../remarks.ts';
import { type Batches, dropWhile, map, type Rows, sample } from '../rows.ts';
import { ListSyntaxError } from '../syntax-error.ts';
import { type Archive, openArchive, tooLarge } from './archive.ts';
import { readSharedStrings } from './shared-strings.ts';
import { readSheet, type SheetRow } from './sheet.ts';
import { readDateStyles, readWorkbook, type Sheet } from './workbook.ts';

/**
 * The rows of the sheet that is asked for, or of the first that is not hidden.
 * @throws ListSyntaxError when there is none, or it is unclear which column has the wallets
 */
export async function openWorkbook(bytes: AsyncIterable<Uint8Array>, options: ListReading): Promise<Rows> {
  const archive = await openArchive(bytes);
  const workbook = await readWorkbook(archive);
  const sheet = chooseSheet(workbook.sheets, options.sheet);
  // A stream is asked for as it is read: its rows have to be right before the first of them is.
  for await (const _ of archive.read(sheet.part, MAX_SHEET_BYTES));
  const strings = await readSharedStrings(workbook.stringsPart, archive);
  const dateStyles = await readDateStyles(workbook.stylesPart, archive);
  const reading = { ...workbook, strings, dateStyles, name: sheet.name, count: cellCounter(archive) };
  const rows = readSheet(archive.read(sheet.part, MAX_SHEET_BYTES), reading);
  const { items, all, failure } = await sample(rows, { lengthOf, decide: () => false });
  if (failure) throw failure.error;
  try {
    return sheetRows(items, all, { options, count: cellCounter(archive) });
  } catch (error) {
    throw withOthers(error, sheet, workbook.sheets);
  }
}

/** A million rows of sixteen columns have 1 GB of XML. */
const MAX_SHEET_BYTES = 2 * 1024 * 1024 * 1024;
const lengthOf = ({ cells }: SheetRow) => cells.reduce((sum, { text }) => sum + text.length + 1, 0);

/** A million rows have 20 or more, empty ones among them. */
const MAX_CELLS = 25_000_000;
/** A few bytes can ask for 16,384 cells, or name a long text again and again. */
const MIN_ALLOWANCE = 1_000_000;
const PER_BYTE = 100;
const CHARACTERS_PER_CELL = 64;

/**
 * Counts cells, and long texts as several. @throws ListSyntaxError when there are too many to read,
 * or more than such a small file can mean
 */
function cellCounter({ size }: Archive): (cells: number, characters: number) => void {
  let cells = 0;
  let cost = 0;
  return (more, characters) => {
    cells += more;
    cost += more + characters / CHARACTERS_PER_CELL;
    if (cells > MAX_CELLS || cost > MIN_ALLOWANCE + PER_BYTE * size) throw tooLarge();
  };
}

function chooseSheet(sheets: readonly Sheet[], wanted: string | undefined): Sheet {
  const names = sheets.map(({ name }) => name);
  const found =
    wanted === undefined ? sheets.find(({ isHidden }) => !isHidden) : sheets[meantNames(names, wanted)[0] ?? -1];
  if (found) return found;
  const problem = wanted === undefined ? 'all of its sheets are hidden' : `it has no sheet ${quoted(wanted)}`;
  throw new ListSyntaxError(problem, { hint: `name one with --sheet: ${sheetNames(sheets)}` });
}

const sheetNames = (sheets: readonly Sheet[]) => sheets.map(({ name }) => quoted(name)).join(', ');

/** The error about a sheet; it names the other sheets, one of which may be meant. */
function withOthers(error: unknown, { name }: Sheet, sheets: readonly Sheet[]): unknown {
  const others = sheets.filter((other) => other.name !== name);
  if (!(error instanceof ListSyntaxError) || others.length === 0) return error;
  const hint = `${error.hint}, or another sheet with --sheet: ${sheetNames(others)}`;
  return new ListSyntaxError(`the sheet ${quoted(name)}: ${error.message}`, { hint });
}

interface SheetUse {
  readonly options: ListReading;
  /** Counts the cells of a row once more, since it may be filled up to the width of the table. */
  readonly count: ReturnType<typeof cellCounter>;
}

function sheetRows(first: readonly SheetRow[], all: Batches<SheetRow>, { options, count }: SheetUse): Rows {
  if (first.length === 0) throw new ListSyntaxError('it is empty', { hint: 'put one wallet address in each row' });
  const layout = sheetLayout(
    first.map(({ line, cells }) => ({ line, cells: cells.map(({ text }) => text) })),
    options,
  );
  if (!layout) return { head: { kind: 'lines' }, batches: map(all, (row) => sheetRecord(row, options)) };
  const { from, isHeaded, columns, column, sample: shown } = layout;
  const isAbove = ({ line }: SheetRow) => line < from || (isHeaded && line === from);
  const table = tableReader(layout, options);
  return {
    head: { kind: 'workbook', columns, walletColumn: column, sample: shown },
    batches: map(inBatches(dropWhile(all, isAbove), columns.length), (row) => {
      count(columns.length, 0);
      return rowRecord(row, table);
    }),
  };
}

/** Cells of a table that are held at a time. */
const BATCH_CELLS = 64 * 1024;

/** Rows of many columns in smaller batches: a block of XML may hold 400 rows of 16,384 cells. */
async function* inBatches(rows: Batches<SheetRow>, width: number): Batches<SheetRow> {
  const size = Math.max(1, Math.floor(BATCH_CELLS / width));
  for await (const batch of rows) {
    for (let at = 0; at < batch.length; at += size) yield batch.slice(at, at + size);
  }
}

/** A sheet of one column without a name. */
function sheetRecord({ line, cells }: SheetRow, options: ListReading): ListRecord {
  const text = cells[0]?.text.trim() ?? '';
  const input = redactPrivateKeys(text);
  if (input !== text) options.remarks.redacted();
  return { line, input, wallet: findWallet(text, options) };
}

/** As an element of JSON, so that its numbers stay numbers. */
function rowRecord({ line, cells: typed }: SheetRow, { names, read }: ReturnType<typeof tableReader>): ListRecord {
  const { cells, wallet } = read(typed.map(({ text }) => text));
  const members = cells.map((text, i): readonly [string, Node] => {
    const isNumber = typed[i]?.isNumber === true && typed[i].text === text;
    return [names[i] ?? '', isNumber ? { kind: 'number', spelling: text } : { kind: 'string', value: text }];
  });
  return { line, input: { kind: 'object', members }, cells, wallet };
}
