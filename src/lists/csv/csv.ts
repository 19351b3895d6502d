/**
 * Lines to CSV records by csv-parse, as lenient as spreadsheets: a quote inside an unquoted cell is text, and records may differ
 * in length. It does not say on which line a record began, so that is counted here.
 */
import { CsvError, type Options, parse } from 'csv-parse';
import { parse as parseSync } from 'csv-parse/sync';
import { type Line, MAX_RECORD, tooLong } from '../lines.ts';
import { readAhead } from '../read-ahead.ts';
import { atLine, ListSyntaxError } from '../syntax-error.ts';

export interface CsvRecord {
  /** The line on which it began, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

const LOOK_AHEAD = 8;

interface CsvForm {
  readonly delimiter: string;
  /** Whether a line may be a comment: not in files that riskcli wrote. */
  readonly hasComments?: boolean;
}

/**
 * The records of `lines`, the first of which is not a comment, in batches; blank lines, comments and records of blank cells are
 * left out. A record of one line comes with the batch that has the line.
 * @throws ListSyntaxError with the line where the record began
 */
export async function* readCsv(
  lines: AsyncIterable<readonly Line[]>,
  form: CsvForm,
): AsyncGenerator<readonly CsvRecord[]> {
  const { taken, all } = await readAhead(lines, { enough: (batches) => batches.length > 0 });
  const first = taken[0]?.[0];
  const hasComments = form.hasComments !== false && mayHaveComments(first);
  const reader = openReader(first?.line ?? 1, { ...form, hasComments });
  let failure: { readonly error: unknown } | undefined;
  try {
    for await (const batch of all) {
      await reader.write(batch);
      if (reader.isAlone(batch.at(-1))) await reader.push();
      yield reader.take();
    }
    await reader.end();
  } catch (error) {
    failure = { error: await explain(error, reader) };
  }
  yield reader.take();
  if (failure) throw failure.error;
}

/** @param first the number of the first line */
function openReader(first: number, { delimiter, hasComments }: Required<CsvForm>) {
  let records: CsvRecord[] = [];
  // Where the next record would begin if no lines were skipped.
  let position = first;
  let pushes = 0;
  const parser = parse({
    ...parserOptions(delimiter, hasComments),
    max_record_size: MAX_RECORD,
    // Collected here, in batches: taking them from the stream one by one would cost more than parsing them.
    on_record: (cells) => {
      const record = { line: currentLine(), cells };
      position += cells.join().split('\n').length;
      if (!isIndentedComment(cells, hasComments) && !isBlank(cells)) records.push(record);
      return null;
    },
  });
  const currentLine = () => position + parser.info.comment_lines + parser.info.empty_lines - pushes;
  // The callbacks of `write` and `end` get it too.
  parser.on('error', () => {});
  return {
    currentLine,
    /** Whether `line`, the last one written, is a complete record that the parser still holds. */
    isAlone: (line: Line | undefined) => line?.line === currentLine() && !line.text.includes('"'),
    /** csv-parse looks a few bytes ahead before it ends a record: blank lines provide these. */
    async push() {
      await settled((done) => parser.write('\n'.repeat(LOOK_AHEAD), done));
      pushes += LOOK_AHEAD;
    },
    write: (batch: readonly Line[]) => settled((done) => parser.write(toText(batch), done)),
    end: () => settled((done) => parser.end(done)),
    /** The complete records since the last call. */
    take: () => {
      const complete = records;
      records = [];
      return complete;
    },
  };
}

/** False if the first line is a header whose first column is called `#`: then no line is a comment. */
const mayHaveComments = (first: Line | undefined) => !(first && /^\s*#[,;\t|]/.test(first.text));

const parserOptions = (delimiter: string, hasComments: boolean) =>
  ({
    relax_quotes: true,
    relax_column_count: true,
    skip_empty_lines: true,
    delimiter,
    // By default csv-parse takes the first line end for that of all lines.
    record_delimiter: ['\r\n', '\n'],
    comment: hasComments ? '#' : null,
    comment_no_infix: true,
  }) satisfies Options;

/** csv-parse recognises a comment only at the very beginning of a line. */
const isIndentedComment = (cells: readonly string[], hasComments: boolean) =>
  hasComments && /^\s+#/.test(cells[0] ?? '');

const toText = (lines: readonly Line[]) => lines.map(({ text }) => `${text}\n`).join('');
const isBlank = (cells: readonly string[]) => cells.every((cell) => cell.trim() === '');

/** Resolves when `start` calls back without an error. */
function settled(start: (done: (error?: Error | null) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => start((error) => (error ? reject(error) : resolve())));
}

/** What is wrong with the list, from an `error` of its lines or of csv-parse. */
async function explain(error: unknown, { currentLine, end }: ReturnType<typeof openReader>): Promise<unknown> {
  if (error instanceof CsvError) return atLine(damage(error), currentLine());
  const isOpen = await end().then(
    () => false,
    () => true,
  );
  return isOpen ? atLine(error, currentLine()) : error;
}

/** What csv-parse found, without its line. */
function damage(error: CsvError): unknown {
  if (error.code === 'CSV_QUOTE_NOT_CLOSED') return unterminated();
  return error.code === 'CSV_MAX_RECORD_SIZE' ? tooLong() : error;
}

/** The cells of the records that begin on a few lines; a record that they do not complete is left out. */
export function parseCsv(
  lines: readonly Line[],
  { delimiter, hasComments = true }: CsvForm,
): readonly (readonly string[])[] {
  const records = parseSync(toText(lines), {
    ...parserOptions(delimiter, hasComments && mayHaveComments(lines[0])),
    skip_records_with_error: true,
  });
  return records.filter((cells) => !isBlank(cells) && !isIndentedComment(cells, hasComments));
}

/** A quote that is never closed; the caller adds the line. */
export function unterminated(): ListSyntaxError {
  return new ListSyntaxError('a quote is opened and never closed', {
    hint: 'close it, or write "" for a literal quote',
  });
}

/** `cells`, as many as there are columns, so that added columns stay aligned. Excess cells are joined to the last one. */
export function alignCells(
  cells: readonly string[],
  { width, delimiter }: { readonly width: number; readonly delimiter: string },
): readonly string[] {
  if (cells.length === width) return cells;
  if (cells.length < width) return [...cells, ...Array<string>(width - cells.length).fill('')];
  const excess = cells.slice(width);
  const isBlank = excess.every((cell) => cell.trim() === '');
  return isBlank ? cells.slice(0, width) : [...cells.slice(0, width - 1), cells.slice(width - 1).join(delimiter)];
}
