/**
 * Text to numbered lines. Every line of the file is counted, so that messages have the line numbers
 * that an editor shows.
 */
import { atLine, ListSyntaxError } from './syntax-error.ts';

export interface Line {
  /** The number of the line, from 1. */
  readonly line: number;
  /** Without its line feed; a carriage return before that is still there. */
  readonly text: string;
  /** Whether the file ends without a line end: the line may be cut short. */
  readonly isOpen?: true;
}

/**
 * Longest line or record in UTF-16 units, far above real ones: a file without line ends must not
 * fill the memory.
 */
export const MAX_RECORD = 16 * 1024 * 1024;

/**
 * More than any list has in a row: half a megabyte of gzip can hold 500 times as many, and each
 * takes time.
 */
const MAX_BLANK_LINES = 1_000_000;

/**
 * The lines of `blocks`, in batches of a block's lines: an item for each line would cost more than
 * reading it.
 * @throws ListSyntaxError
 */
export async function* readLines(blocks: AsyncIterable<string>): AsyncGenerator<readonly Line[]> {
  let line = 1;
  let rest = '';
  let blanks = 0;
  try {
    for await (const block of blocks) {
      const pieces = block.split('\n');
      const batch: Line[] = [];
      for (let i = 0; i < pieces.length - 1; i++) {
        const text = rest + pieces[i];
        checkLength(text.length);
        blanks = text.trim() === '' ? blanks + 1 : 0;
        if (blanks > MAX_BLANK_LINES) throw noList(`more than ${MAX_BLANK_LINES} blank lines in a row`);
        batch.push({ line, text });
        rest = '';
        line++;
      }
      rest += pieces.at(-1);
      checkLength(rest.length);
      if (batch.length > 0) yield batch;
    }
  } catch (error) {
    throw atLine(error, line);
  }
  if (rest !== '') yield [{ line, text: rest, isOpen: true }];
}

/** @throws ListSyntaxError, without its line, when `length` is above MAX_RECORD */
export function checkLength(length: number): void {
  if (length > MAX_RECORD) throw tooLong();
}

/** As in a sheet. */
const MAX_COLUMNS = 16_384;

/** @throws ListSyntaxError when a table has more columns than a sheet */
export function checkWidth(columns: number): void {
  if (columns > MAX_COLUMNS) throw noList(`it has more than ${MAX_COLUMNS} columns`);
}

/**
 * Cells that are missing in rows, which may be few bytes each: a thousand rows of 1,000 columns.
 */
const MIN_MISSING = 1_000_000;
const MISSING_PER_CELL = 100;

/**
 * Counts the cells that rows lack to be as wide as the table. @throws ListSyntaxError when they are
 * far more than those that are there
 */
export function missingCounter(): (cells: number, width: number) => void {
  let present = 0;
  let missing = 0;
  return (cells, width) => {
    present += cells;
    missing += Math.max(0, width - cells);
    if (missing > MIN_MISSING + MISSING_PER_CELL * present) throw noList('nearly all cells of its rows are missing');
  };
}

const noList = (problem: string) =>
  new ListSyntaxError(problem, { hint: 'check that this is a wallet list: one address on each line, CSV or JSON' });

/** A line or record that is longer than MAX_RECORD. */
export const tooLong = () => noList(`it is longer than ${MAX_RECORD} characters`);

// The texts of spreadsheets for a cell without a value, in several languages: #N/A, #NV, #REF!,
// #NAME?, #DIV/0!, #¡VALOR!.
const ERROR_WORD = /^\s*#(?:N\/[AD]|NV|GETTING_DATA|[¡¿]?\p{Lu}[\p{Lu}/0]*[!?])\s*(?:[,;\t|]|$)/u;

/**
 * Whether a line begins with `#` and is not the error of a spreadsheet, which stands in the place
 * of a value.
 */
export const beginsComment = (text: string): boolean => /^\s*#/.test(text) && !ERROR_WORD.test(text);

/**
 * Whether a line is blank or a comment. `#` followed by a delimiter is the name of a CSV's first
 * column.
 */
export function isSkipped(text: string): boolean {
  return text.trim() === '' || (beginsComment(text) && !/^\s*#[,;\t|]/.test(text));
}
