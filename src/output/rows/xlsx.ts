/**
 * Rows as a workbook: the first sheet has the rows of csv, the second describes the run. A cell of
 * a workbook holds a double, so digits that do not fit into one are kept as text, except in the two
 * columns that people add up.
 */
import type { Node } from '../../document/node.ts';
import { cellText } from '../../document/write.ts';
import { UsageError } from '../../errors.ts';
import { compareDecimals, type Decimal, decimalOf, parseDecimal } from '../../row/decimal.ts';
import { expressionToString } from '../../rules/rules.ts';
import { beginningOf } from '../../text/cut.ts';
import { parseTime } from '../../text/when.ts';
import { counted } from '../../text/words.ts';
import { VERSION } from '../../version.ts';
import { type Cell, createWorkbook, MAX_COLUMNS, MAX_ROWS, MAX_TEXT } from '../workbook/workbook-writer.ts';
import { freeNames, type Occasion, type RowFormat } from './row-format.ts';

export const xlsxRows: RowFormat = ({ cells }, { rows, run, note }) => {
  const { own, names: added, values } = cells();
  const { columns = [] } = own?.head ?? {};
  const names = [...columns, ...freeNames(columns, added)];
  const notice = run.isSynthetic ? SANDBOX_NOTICE : undefined;
  checkSize(rows, names.length);
  const { altered, cut, text, number, cellOf } = createCells();
  const made = added.map(cellOf);
  const wide = new Set([own?.head.walletColumn, columns.length + added.indexOf('wallet_address')]);
  const shown = names.map((name, i) => ({ name: cut(name), width: wide.has(i) ? ADDRESS_WIDTH : widthOf(name) }));
  const workbook = createWorkbook({ notice, columns: shown, at: run.at });
  let count = 0;
  return {
    head: () => '',
    row(row) {
      count += 1;
      const ownCells = own?.values?.(row).map(number) ?? own?.cells(row).map(text) ?? [];
      return workbook.row([...ownCells, ...values(row).map((value, i) => made[i]?.(value))]);
    },
    foot({ counts }) {
      if (altered.cut > 0) note?.(`${counted(altered.cut, 'text')} cut to ${MAX_TEXT} characters; csv has them whole`);
      const about = aboutRun({ ...run, sheet: own?.head.sheet }, { rows: count, ...counts }, altered);
      const rows = about.map(([name, value]) => [text(name), typeof value === 'string' ? text(value) : value] as const);
      return workbook.end({ name: 'Run', rows });
    },
  };
};

/** As the card has it. */
const SANDBOX_NOTICE = 'Sandbox: synthetic data';

/** In characters. */
const ADDRESS_WIDTH = 44;
const widthOf = (name: string) => Math.min(ADDRESS_WIDTH, Math.max(DATE_COLUMN.test(name) ? 20 : 12, name.length + 4));

/** @throws UsageError where a sheet cannot hold as many cells */
function checkSize(rows: number | undefined, columns: number): void {
  const refuse = (problem: string, hint = 'write csv') => new UsageError(problem, { hint });
  const uncounted = 'a workbook cannot be written of a stream, whose rows nobody has counted';
  if (rows === undefined) throw refuse(uncounted, 'write csv, or put the list into a file');
  // The header, and the line above it.
  const most = MAX_ROWS - 2;
  if (rows > most) throw refuse(`a sheet has room for ${most} rows, and there are ${rows}`);
  if (columns > MAX_COLUMNS) throw refuse(`a sheet has room for ${MAX_COLUMNS} columns, and there are ${columns}`);
}

/** The column of a diff is called `score.old`. */
const ADDED_UP = /^(?:riskcli\.)*(?:score|total_collateral_usd)(?:\.(?:old|new|delta))?$/;
const DATE_COLUMN = /^(?:riskcli\.)*answered_at(?:\.(?:old|new))?$/;

/** Makes cells of values, and counts those that a workbook cannot hold unchanged. */
function createCells() {
  const altered = { rounded: 0, asText: 0, cut: 0 };
  const cut = (value: string): string => {
    if (value.length <= MAX_TEXT) return value;
    altered.cut += 1;
    return beginningOf(value, MAX_TEXT);
  };
  const text = (value: string): Cell => ({ kind: 'text', text: cut(value) });
  /** A number where a double has all of its digits; anything else is text. */
  const number = (value: Node | undefined): Cell => {
    const decimal = value?.kind === 'number' ? parseDecimal(value.spelling) : undefined;
    if (decimal && fitsWorkbook(decimal) && isExact(decimal)) return { kind: 'number', value: decimal.double };
    if (value?.kind === 'number') altered.asText += 1;
    return text(cellText(value));
  };
  /** A number, also one that was sent as a text, as the nearest double. */
  const addedUp = (value: Node | undefined): Cell => {
    const decimal = value && decimalOf(value);
    if (!decimal || !fitsWorkbook(decimal)) return number(value);
    if (!isExact(decimal)) altered.rounded += 1;
    return { kind: 'number', value: decimal.double };
  };
  const date = (value: Node | undefined): Cell => {
    const at = value?.kind === 'string' ? parseTime(value.value) : undefined;
    return at === undefined ? number(value) : { kind: 'date', at };
  };
  return {
    altered,
    cut,
    text,
    number,
    /** Makes the cells of the column that riskcli calls `name`. */
    cellOf: (name: string) => (ADDED_UP.test(name) ? addedUp : DATE_COLUMN.test(name) ? date : number),
  };
}

/** Smaller ones are 0 for Excel. */
const SMALLEST = 2 ** -1022;
const fitsWorkbook = ({ double }: Decimal) => Number.isFinite(double) && (double === 0 || Math.abs(double) >= SMALLEST);

/** Whether the shortest spelling of the double has the same value. */
const isExact = (decimal: Decimal) =>
  compareDecimals(decimal, { spelling: String(decimal.double), double: decimal.double }) === 0;

function aboutRun(
  { source, sheet, at, rules, isSynthetic }: Occasion['run'] & { readonly sheet: string | undefined },
  counts: Readonly<Record<string, number>>,
  altered: ReturnType<typeof createCells>['altered'],
): readonly (readonly [name: string, value: string | Cell])[] {
  const number = (value: number): Cell => ({ kind: 'number', value });
  return [
    ...(isSynthetic ? [['Data', SANDBOX_NOTICE] as const] : []),
    ...(source === '' ? [] : [['Source', source] as const]),
    ...(sheet === undefined ? [] : [['Sheet', sheet] as const]),
    ['Written (UTC)', { kind: 'date', at }],
    ['Program', `riskcli ${VERSION}`],
    ...Object.entries(counts).map(([name, count]) => [name, number(count)] as const),
    ...rules.map(({ name, when }) => [`Rule ${name}`, expressionToString(when)] as const),
    ['Numbers rounded to what a cell can hold', number(altered.rounded)],
    ['Numbers with more digits, kept as text', number(altered.asText)],
    [`Texts cut to ${MAX_TEXT} characters; csv has them whole`, number(altered.cut)],
  ];
}
