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

const noList = (problem: string) =>
  new ListSyntaxError(problem, {
    hint: 'check that this is a wallet list: one address on each line, CSV or JSON',
  });

/** A line or record that is longer than MAX_RECORD. */
export const tooLong = () => noList(`it is longer than ${MAX_RECORD} characters`);

// The texts of spreadsheets for a cell without a value, in several languages: #N/A, #NV, #REF!,
// #NAME?, #DIV/0!, #¡VALOR!.
const ERROR_WORD = /^\s*#(?:N\/[AD]|NV|GETTING_DATA|[¡¿]?\p{Lu}[\p{Lu}/0]*[!?])\s*(?:[,;\t|]|$)/u;

/**
 * Whether a line begins with `#` and is not the error of a spreadsheet, which stands in the place
 * of a value.
 */
export function beginsComment(text: string): boolean {
  return /^\s*#/.test(text) && !ERROR_WORD.test(text);
}

/**
 * Whether a line is blank or a comment. `#` followed by a delimiter is the name of a CSV's first
 * column.
 */
export function isSkipped(text: string): boolean {
  return text.trim() === '' || (beginsComment(text) && !/^\s*#[,;\t|]/.test(text));
}
