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
import { dropWhile, map, type Rows, sample } from '../rows.ts';
import { ListSyntaxError } from '../syntax-error.ts';
import { openArchive, torn } from './archive.ts';
import { cellCounter, readSheet, type SheetRow } from './sheet.ts';
import { readDateStyles, readTexts, readWorkbook, type Sheet } from './workbook.ts';

/**
 * The rows of the sheet that is asked for, or of the first that is not hidden.
 * @throws ListSyntaxError when there is none, or it is unclear which column has the wallets
 */
export async function openWorkbook(bytes: AsyncIterable<Uint8Array>, options: ListReading): Promise<Rows> {
  const archive = await openArchive(bytes);
  const workbook = await readWorkbook(archive);
  const sheet = chooseSheet(workbook.sheets, options.sheet);
  const content = archive.read(sheet.part, MAX_SHEET_BYTES);
  if (!content) throw torn(`the sheet ${quoted(sheet.name)} is not in it`);
  const texts = await readTexts(workbook.textsPart, archive);
  const dateStyles = await readDateStyles(workbook.stylesPart, archive);
  const rows = readSheet(content, { ...workbook, texts, dateStyles });
  const { items, all, failure } = await sample(rows, { lengthOf, decide: () => false });
  if (failure) throw failure.error;
  try {
    return sheetRows(items, all, options);
  } catch (error) {
    throw withOthers(error, sheet, workbook.sheets);
  }
}

/** A million rows of sixteen columns have 1 GB of XML. */
const MAX_SHEET_BYTES = 2 * 1024 * 1024 * 1024;
const lengthOf = ({ cells }: SheetRow) => cells.reduce((sum, { text }) => sum + text.length + 1, 0);

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

function sheetRows(first: readonly SheetRow[], all: AsyncIterable<readonly SheetRow[]>, options: ListReading): Rows {
  if (first.length === 0) throw new ListSyntaxError('it is empty', { hint: 'put one wallet address in each row' });
  const layout = sheetLayout(
    first.map(({ line, cells }) => ({ line, cells: cells.map(({ text }) => text) })),
    options,
  );
  if (!layout) return { head: { kind: 'lines' }, batches: map(all, (row) => sheetRecord(row, options)) };
  const { from, isHeaded, columns, column, sample: shown } = layout;
  const isAbove = ({ line }: SheetRow) => line < from || (isHeaded && line === from);
  const table = tableReader(layout, options);
  const count = cellCounter();
  return {
    head: { kind: 'workbook', columns, walletColumn: column, sample: shown },
    batches: map(dropWhile(all, isAbove), (row) => {
      count(columns.length);
      return rowRecord(row, table);
    }),
  };
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
