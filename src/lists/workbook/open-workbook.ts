/**
 * A workbook as a wallet list: one of its sheets, whose rows are read like the rows of a CSV file.
 */
import type { Node } from '../../document/node.ts';
import { quoted } from '../../secrets/redact.ts';
import { matchNames } from '../../text/same-name.ts';
import { addressesIn } from '../../wallet/address.ts';
import { plainRecord, sheetLayout, tableReader } from '../csv/layout.ts';
import type { ListRecord } from '../list.ts';
import { type ListReading, nameList } from '../remarks.ts';
import { type Batches, dropWhile, map, type Rows, sample } from '../rows.ts';
import { ListSyntaxError } from '../syntax-error.ts';
import { type Archive, openArchive, tooLarge } from './archive.ts';
import { NOT_COMPUTED } from './cell.ts';
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
  const rowsOf = ({ name, part }: Sheet, maxBytes: number) =>
    readSheet(beginning(archive.read(part, MAX_SHEET_BYTES), maxBytes), {
      ...workbook,
      strings,
      dateStyles,
      name,
      count: cellCounter(archive),
    });
  const { items, all, failure } = await sample(rowsOf(sheet, MAX_SHEET_BYTES), { lengthOf, decide: () => false });
  if (failure) throw failure.error;
  const others: string[] = [];
  for (const other of workbook.sheets.slice(0, MAX_SEARCHED_SHEETS)) {
    if (other !== sheet && (await hasAddress(() => rowsOf(other, MAX_SEARCHED_BYTES)))) others.push(other.name);
  }
  options.remarks.sheet(sheet.name, others);
  const elsewhere = others.length > 0 ? `name another sheet with --sheet: ${nameList(others)}` : undefined;
  try {
    const rows = sheetRows(items, all, options, cellCounter(archive));
    return { ...rows, head: { ...rows.head, sheet: sheet.name }, elsewhere };
  } catch (error) {
    if (!(error instanceof ListSyntaxError) || workbook.sheets.length === 1) throw error;
    throw new ListSyntaxError(`the sheet ${quoted(sheet.name)}: ${error.message}`, { hint: elsewhere ?? error.hint });
  }
}

/** Other sheets are searched for addresses only at their beginning. */
const MAX_SEARCHED_SHEETS = 50;
const MAX_SEARCHED_BYTES = 128 * 1024;

async function* beginning(bytes: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const block of bytes) {
    yield block;
    size += block.length;
    if (size >= maxBytes) return;
  }
}

/** Whether a sheet has an address; one that cannot be read has none. */
async function hasAddress(rows: () => Batches<SheetRow>): Promise<boolean> {
  try {
    for await (const batch of rows()) {
      if (batch.some(({ cells }) => cells.some(({ text }) => addressesIn(text).length > 0))) return true;
    }
    return false;
  } catch (error) {
    if (error instanceof ListSyntaxError) return false;
    throw error;
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
    wanted === undefined ? sheets.find(({ isHidden }) => !isHidden) : sheets[matchNames(names, wanted)[0] ?? -1];
  if (found) return found;
  const problem = wanted === undefined ? 'all of its sheets are hidden' : `it has no sheet ${quoted(wanted)}`;
  throw new ListSyntaxError(problem, { hint: `name one with --sheet: ${nameList(names)}` });
}

/** @param count counts the cells of a row once more: it may be filled up to the table's width */
function sheetRows(
  first: readonly SheetRow[],
  all: Batches<SheetRow>,
  options: ListReading,
  count: ReturnType<typeof cellCounter>,
): Rows {
  if (first.length === 0) throw new ListSyntaxError('it is empty', { hint: 'put one wallet address in each row' });
  const layout = sheetLayout(
    first.map(({ line, cells }) => ({ line, cells: cells.map(({ text }) => text) })),
    options,
  );
  const noteFormulas = ({ cells }: SheetRow, names: readonly string[] = []) => {
    for (const [i, cell] of cells.entries()) if (cell === NOT_COMPUTED) options.remarks.notComputed(names[i]);
  };
  if (!layout) {
    const record = (row: SheetRow) => {
      noteFormulas(row);
      return plainRecord(row.line, row.cells[0]?.text.trim() ?? '', options);
    };
    return { head: { kind: 'lines' }, batches: map(all, record) };
  }
  const { from, isHeaded, columns, column, sample: shown } = layout;
  const isAbove = ({ line }: SheetRow) => line < from || (isHeaded && line === from);
  const table = tableReader(layout, options);
  return {
    head: { kind: 'workbook', columns, walletColumn: column, sample: shown },
    batches: map(inBatches(dropWhile(all, isAbove), columns.length), (row) => {
      count(columns.length, 0);
      noteFormulas(row, table.names);
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

/** As an element of JSON, so that its numbers stay numbers. */
function rowRecord({ line, cells: typed }: SheetRow, { names, read }: ReturnType<typeof tableReader>): ListRecord {
  const { cells, wallet } = read(typed.map(({ text }) => text));
  const members = cells.map((text, i): readonly [string, Node] => {
    const isNumber = typed[i]?.isNumber === true && typed[i].text === text;
    return [names[i] ?? '', isNumber ? { kind: 'number', spelling: text } : { kind: 'string', value: text }];
  });
  return { line, input: { kind: 'object', members }, cells, wallet };
}
