/**
 * The rows of a sheet as text (ECMA-376, part 1, 18.3.1), one block of its XML at a time. Where
 * programs leave out the place of a row or a cell, it is the one after the last.
 */
import { checkLength } from '../lines.ts';
import type { Batches } from '../rows.ts';
import { tooLarge, torn } from './archive.ts';
import { type DateFormat, isoDate } from './dates.ts';
import type { Texts } from './texts.ts';
import { createTextReader, isTrue, unescapeText } from './workbook.ts';
import { parseXml, type XmlAttributes } from './xml.ts';

export interface SheetRow {
  /** The number of the row, from 1. */
  readonly line: number;
  /** Without the empty ones at its end. */
  readonly cells: readonly SheetCell[];
}

export interface SheetCell {
  readonly text: string;
  /** Whether it is a number, and not a date or digits in a text. */
  readonly isNumber: boolean;
}

export interface CellMeanings {
  readonly texts: Texts;
  /** By the number of a cell's style. */
  readonly dateStyles: readonly (DateFormat | undefined)[];
  readonly is1904: boolean;
}

/** Excel's limits. */
const LAST_ROW = 1_048_576;
const LAST_COLUMN = 16_384;
/**
 * Empty ones among them: a few bytes can ask for 16,384 columns. A million rows have 20 or more.
 */
const MAX_CELLS = 25_000_000;

/** Counts cells. @throws ListSyntaxError when there are too many to read */
export function cellCounter(): (cells: number) => void {
  let count = 0;
  return (cells) => {
    count += cells;
    if (count > MAX_CELLS) throw tooLarge();
  };
}

/** The text of a formula that no program has computed. */
const NOT_COMPUTED = '#N/A (formula without a value)';

/** The rows that are not blank. @throws ListSyntaxError */
export async function* readSheet(bytes: AsyncIterable<Uint8Array>, meanings: CellMeanings): Batches<SheetRow> {
  let rows: SheetRow[] = [];
  const reader = createSheetReader(meanings, (row) => rows.push(row));
  for await (const _ of parseXml(bytes, reader)) {
    if (rows.length === 0) continue;
    yield rows;
    rows = [];
  }
  if (rows.length > 0) yield rows;
}

const EMPTY_CELL: SheetCell = { text: '', isNumber: false };

function createSheetReader(meanings: CellMeanings, take: (row: SheetRow) => void) {
  const content = createCellReader(meanings);
  let isData = false;
  let line = 0;
  let cells: SheetCell[] = [];
  let column = 0;
  let length = 0;
  const count = cellCounter();
  const beginRow = ({ r }: XmlAttributes) => {
    line = r === undefined ? line + 1 : columnIndex(r);
    if (line > LAST_ROW) throw torn(`it has more than ${LAST_ROW} rows`);
    cells = [];
    column = 0;
    length = 0;
  };
  const endCell = () => {
    const cell = content.take();
    if (cell.text === '') return;
    length += cell.text.length;
    checkLength(length);
    while (cells.length < column - 1) cells.push(EMPTY_CELL);
    cells[column - 1] = cell;
  };
  const endRow = () => {
    count(cells.length);
    if (cells.findLast(({ text }) => text.trim() !== '')) take({ line, cells });
  };
  return {
    open(name: string, attributes: XmlAttributes) {
      if (name === 'sheetData') isData = true;
      else if (!isData) return;
      else if (name === 'row') beginRow(attributes);
      else if (name === 'c') {
        column = attributes.r === undefined ? column + 1 : columnOf(attributes.r);
        content.begin(attributes);
      } else content.open(name);
    },
    text(text: string) {
      if (isData) content.text(text);
    },
    close(name: string) {
      if (name === 'sheetData') isData = false;
      else if (!isData) return;
      else if (name === 'row') endRow();
      else if (name === 'c') endCell();
      else content.close(name);
    },
  };
}

function columnIndex(text: string): number {
  const place = Number(text);
  if (!Number.isInteger(place) || place < 1) throw torn('a row has no number');
  return place;
}

/** The number of a column, from 1, of a reference such as `AB12`. */
function columnOf(reference: string): number {
  let column = 0;
  for (const letter of /^[A-Z]{1,3}(?=\d)/i.exec(reference)?.[0].toUpperCase() ?? '') {
    column = column * 26 + letter.charCodeAt(0) - 64;
  }
  if (column < 1 || column > LAST_COLUMN) throw torn('a cell has no place');
  return column;
}

/** Takes the parts of one cell after the other. */
function createCellReader(meanings: CellMeanings) {
  const inline = createTextReader();
  let attributes: XmlAttributes = {};
  let value: string | undefined;
  let isValue = false;
  let isFormula = false;
  return {
    begin(given: XmlAttributes) {
      attributes = given;
      value = undefined;
      isValue = false;
      isFormula = false;
      inline.begin();
    },
    open(name: string) {
      isValue = name === 'v';
      if (isValue) value = '';
      if (name === 'f') isFormula = true;
      inline.open(name);
    },
    text(part: string) {
      if (!isValue) return inline.text(part);
      checkLength((value ?? '').length + part.length);
      value += part;
    },
    close(name: string) {
      isValue = false;
      inline.close(name);
    },
    take(): SheetCell {
      if (attributes.t === 'inlineStr') return textCell(inline.take());
      return value === undefined ? textCell(isFormula ? NOT_COMPUTED : '') : cellOf(value, attributes, meanings);
    },
  };
}

const textCell = (text: string): SheetCell => ({ text, isNumber: false });

/** What a cell of type `t` and style `s` means by its value. */
function cellOf(value: string, { t = 'n', s = '0' }: XmlAttributes, meanings: CellMeanings): SheetCell {
  if (t === 'str') return textCell(unescapeText(value));
  const text = value.trim();
  if (text === '') return EMPTY_CELL;
  if (t === 'n') return numberCell(text, meanings.dateStyles[Number(s)], meanings);
  if (t === 'b') return textCell(isTrue(text) ? 'TRUE' : 'FALSE');
  // Dates in ISO 8601 and errors, `#N/A`, are texts.
  if (t !== 's') return textCell(text);
  const found = meanings.texts.get(Number(text));
  if (found === undefined) throw torn('a cell names a text that is not there');
  return textCell(found);
}

function numberCell(text: string, format: DateFormat | undefined, { is1904 }: CellMeanings): SheetCell {
  const date = format && isoDate(Number(text), format, is1904);
  if (date !== undefined) return textCell(date);
  const spelling = shortest(text);
  return { text: spelling, isNumber: JSON_NUMBER.test(spelling) };
}

const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const DIGITS_OF_EXCEL = 17;

/**
 * Excel writes a number with the 17 digits that tell doubles apart: 10.12 as 10.119999999999999.
 * Such a number is spelled as it was typed; the digits of any other are left as they are, however
 * many.
 */
function shortest(text: string): string {
  if (text.length < DIGITS_OF_EXCEL) return text;
  const digits = significant(text);
  if (digits.length !== DIGITS_OF_EXCEL) return text;
  const value = Number(text);
  return significant(value.toExponential(DIGITS_OF_EXCEL - 1)) === digits ? String(value) : text;
}

const significant = (text: string) => text.replace(/e.*$/i, '').replace(/[^\d]/g, '').replace(/^0+/, '');
