/**
 * Lines to CSV records (RFC 4180). Written here because csv-parse cannot say on which line a record began without an object
 * for each record, and a message about a broken quote is worth little without it; the tests hold the two against each
 * other. Lenient where sheets are: a quote inside an unquoted cell is text, as is what follows a closing quote.
 */
import { ListDamage, onLine } from './read-damage.ts';
import { checkLength, isSkipped, type Line } from './read-lines.ts';

export interface CsvRecord {
  /** The line on which it began, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

/** A record whose end is still to come: a quote is open. */
interface Draft {
  readonly line: number;
  readonly cells: string[];
  /** What there is of the quoted cell. */
  cell: string;
  /** Of all its lines, in UTF-16 units. */
  length: number;
}

/**
 * The records of `lines`, in batches; blank lines, comments and records of nothing but blank cells are left out.
 * @throws ListDamage on the line where the record began.
 */
export async function* readCsv(
  lines: AsyncIterable<readonly Line[]>,
  delimiter: string,
): AsyncGenerator<readonly CsvRecord[]> {
  let open: Draft | undefined;
  try {
    for await (const batch of lines) {
      const records: CsvRecord[] = [];
      for (const line of batch) open = readLine(line, { delimiter, open, records });
      yield records;
    }
    if (open) throw unterminated(open.line);
  } catch (error) {
    throw open ? onLine(error, open.line) : error;
  }
}

/** The records of a few lines; one that they do not complete is left out. */
export function parseCsv(lines: readonly Line[], delimiter: string): readonly CsvRecord[] {
  const records: CsvRecord[] = [];
  let open: Draft | undefined;
  for (const line of lines) open = readLine(line, { delimiter, open, records });
  return records;
}

/** A quote that is never closed, in the record that began on `line`. */
export function unterminated(line: number): ListDamage {
  return new ListDamage('a quote is opened and never closed', { line, hint: 'close it, or double it to mean a quote' });
}

interface Reading {
  readonly delimiter: string;
  readonly open: Draft | undefined;
  /** Where complete records go. */
  readonly records: CsvRecord[];
}

/** Reads one more line; returns the record that it leaves open. */
function readLine({ line, text }: Line, { delimiter, open, records }: Reading): Draft | undefined {
  if (!open && isSkipped(text)) return undefined;
  const draft = open ?? { line, cells: [], cell: '', length: 0 };
  draft.length = checkLength(draft.length + text.length);
  if (!readCells(text, delimiter, { draft, isQuoted: open !== undefined })) {
    draft.cell += '\n';
    return draft;
  }
  if (draft.cells.some((cell) => cell.trim() !== '')) records.push(draft);
  return undefined;
}

/** Reads the cells of a line into a record; returns whether that is its end. `isQuoted`: it begins inside a quoted cell. */
function readCells(text: string, delimiter: string, into: { readonly draft: Draft; isQuoted: boolean }): boolean {
  const { draft } = into;
  const end = text.endsWith('\r') ? text.length - 1 : text.length;
  let at = 0;
  for (;;) {
    if (!into.isQuoted && text[at] === '"') {
      into.isQuoted = true;
      at++;
    }
    if (into.isQuoted) {
      const close = closingQuote(text, at);
      draft.cell += text.slice(at, close < 0 ? text.length : close).replaceAll('""', '"');
      if (close < 0) return false;
      into.isQuoted = false;
      at = close + 1;
    }
    const next = text.indexOf(delimiter, at);
    draft.cells.push(draft.cell + text.slice(at, next < 0 ? end : next));
    draft.cell = '';
    if (next < 0) return true;
    at = next + 1;
  }
}

/** Where the quoted cell ends that `from` is in; -1 when not on this line. Two quotes in a row are one in the text. */
function closingQuote(text: string, from: number): number {
  let at = text.indexOf('"', from);
  while (at >= 0 && text[at + 1] === '"') at = text.indexOf('"', at + 2);
  return at;
}
