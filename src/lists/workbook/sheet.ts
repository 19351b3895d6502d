/**
 * The rows of a sheet as text (ECMA-376, part 1, 18.3.1), one block of its XML at a time. Where
 * programs leave out the place of a row or a cell, it is the one after the last. A row may come in
 * several elements.
 */
import { quoted } from '../../secrets/redact.ts';
import { columnLetters } from '../../text/column-letters.ts';
import { checkLength } from '../lines.ts';
import type { Batches } from '../rows.ts';
import type { ListSyntaxError } from '../syntax-error.ts';
import { torn } from './archive.ts';
import { type CellMeanings, createCellReader, EMPTY_CELL, type SheetCell } from './cell.ts';
import { parseXml, type XmlAttributes } from './xml.ts';

export interface SheetRow {
  /** The number of the row, from 1. */
  readonly line: number;
  /** Without the empty ones at its end. */
  readonly cells: readonly SheetCell[];
}

export interface SheetReading extends CellMeanings {
  /** The name of the sheet in messages. */
  readonly name: string;
  /** Counts cells as they arrive. */
  readonly count: (cells: number, characters: number) => void;
}

/** Excel's limits. */
const LAST_ROW = 1_048_576;
const LAST_COLUMN = 16_384;

/** The rows that are not blank. @throws ListSyntaxError */
export async function* readSheet(bytes: AsyncIterable<Uint8Array>, reading: SheetReading): Batches<SheetRow> {
  let rows: SheetRow[] = [];
  const reader = createSheetReader(reading, (row) => rows.push(row));
  for await (const _ of parseXml(bytes, reader)) {
    if (rows.length === 0) continue;
    yield rows;
    rows = [];
  }
}

function createSheetReader(reading: SheetReading, take: (row: SheetRow) => void) {
  let isData = false;
  let line = 0;
  /** Whether the row or one of its cells has said which row it is. */
  let isPlaced = false;
  let cells: SheetCell[] = [];
  let column = 0;
  let length = 0;
  /** An error about the cell that is being read. */
  const unclear = (problem: string): ListSyntaxError =>
    torn(`the cell ${quoted(reading.name).slice(1, -1)}!${columnLetters(column - 1)}${line} ${problem}`);
  const content = createCellReader(reading, unclear);
  const endRow = () => {
    if (cells.findLast(({ text }) => text.trim() !== '')) take({ line, cells });
    cells = [];
    length = 0;
  };
  const moveTo = (row: number) => {
    if (row > LAST_ROW) throw torn(`it has more than ${LAST_ROW} rows`);
    if (row < line) throw torn(`row ${row} comes after row ${line}`);
    if (row > line) endRow();
    line = row;
  };
  const beginRow = ({ r }: XmlAttributes) => {
    isPlaced = r !== undefined;
    column = 0;
    moveTo(r === undefined ? line + 1 : rowNumber(r));
  };
  const beginCell = (attributes: XmlAttributes) => {
    const { r } = attributes;
    const [, letters = '', row] = /^([A-Z]{1,3})(\d{1,7})$/i.exec(r ?? '') ?? [];
    column = r === undefined ? column + 1 : columnNumber(letters);
    if (column < 1 || column > LAST_COLUMN) throw torn('a cell has no place');
    if (row !== undefined && !isPlaced) moveTo(Number(row));
    isPlaced = true;
    if (row !== undefined && Number(row) !== line) throw unclear(`says that it is ${r}`);
    content.begin(attributes);
  };
  const endCell = () => {
    const cell = content.take();
    if (cell.text === '') return;
    const before = cells[column - 1];
    if (before && before.text !== '' && before.text !== cell.text) throw unclear('is there twice, with two values');
    const gap = Math.max(0, column - 1 - cells.length);
    reading.count(gap + 1, cell.text.length);
    length += cell.text.length;
    checkLength(length);
    for (let i = 0; i < gap; i++) cells.push(EMPTY_CELL);
    cells[column - 1] = cell;
  };
  return {
    open(name: string, attributes: XmlAttributes) {
      if (name === 'sheetData') isData = true;
      else if (!isData) return;
      else if (name === 'row') beginRow(attributes);
      else if (name === 'c') beginCell(attributes);
      else content.open(name);
    },
    text(text: string) {
      if (isData) content.text(text);
    },
    close(name: string) {
      if (!isData) return;
      if (name === 'sheetData') {
        isData = false;
        endRow();
      } else if (name === 'c') endCell();
      else if (name !== 'row') content.close(name);
    },
  };
}

function rowNumber(text: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1) throw torn('a row has no number');
  return number;
}

/** The number of the column `AB`, from 1; 0 for no letters. */
function columnNumber(letters: string): number {
  let column = 0;
  for (const letter of letters.toUpperCase()) column = column * 26 + letter.charCodeAt(0) - 64;
  return column;
}
