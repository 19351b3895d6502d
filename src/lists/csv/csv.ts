/**
 * Lines to CSV records by csv-parse, as lenient as spreadsheets: a quote inside an unquoted cell is
 * text, and records may differ in length. It does not say on which line a record began, so that is
 * counted here.
 */
import { CsvError, type Options, parse } from 'csv-parse';
import { parse as parseSync } from 'csv-parse/sync';
import { beginsComment, type Line, MAX_RECORD, tooLong } from '../lines.ts';
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
  /** `readCsv` calls it with each line that is left out as a comment. */
  readonly onComment?: (line: Line) => void;
}

/**
 * The records of `lines`, the first of which is not a comment, in batches; blank lines, comments
 * and records of blank cells are left out. A record comes with the batch that has its last line.
 * @throws ListSyntaxError with the line where the record began
 */
export async function* readCsv(
  lines: AsyncIterable<readonly Line[]>,
  form: CsvForm,
): AsyncGenerator<readonly CsvRecord[]> {
  const { taken, all } = await readAhead(lines, (batches) => batches.length > 0);
  const first = taken[0]?.[0];
  const hasComments = form.hasComments !== false && mayHaveComments(first);
  const reader = openReader(first?.line ?? 1, { ...form, hasComments });
  let failure: { readonly error: unknown } | undefined;
  try {
    for await (const batch of all) {
      await reader.write(batch);
      yield reader.take();
    }
    await reader.end();
  } catch (error) {
    failure = { error: await explainCsvError(error, reader) };
  }
  yield reader.take();
  if (failure) throw failure.error;
}

/** @param first the number of the first line */
function openReader(first: number, form: CsvForm & { readonly hasComments: boolean }) {
  const { delimiter, hasComments, onComment } = form;
  let records: CsvRecord[] = [];
  // The line of the next record if there are no blank lines.
  let position = first;
  let pushes = 0;
  /** The lines that the parser may not have made records of yet. */
  let held: readonly Line[] = [];
  const parser = parse({
    ...parserOptions(delimiter),
    max_record_size: MAX_RECORD,
    // Collected here, in batches: taking them from the stream one by one would cost more than
    // parsing them.
    on_record: (cells) => {
      const record = { line: currentLine(), cells };
      position += cells.join().split('\n').length;
      if (!isBlank(cells)) records.push(record);
      return null;
    },
  });
  const currentLine = () => position + parser.info.empty_lines - pushes;
  // The callbacks of `write` and `end` get it too.
  parser.on('error', () => {});
  async function parseLines(lines: readonly Line[]) {
    if (lines.length === 0) return;
    await settled((done) => parser.write(toText(lines), done));
    const [from, first] = [currentLine(), lines[0]?.line ?? 0];
    held = [...held, ...lines.slice(Math.max(0, from - first))]
      .filter(({ line }) => line >= from)
      .slice(0, MAX_HELD + 1);
    if (!endsRecord(held, form)) return;
    // csv-parse looks a few bytes ahead before it ends a record: blank lines provide these.
    await settled((done) => parser.write('\n'.repeat(LOOK_AHEAD), done));
    pushes += LOOK_AHEAD;
    held = [];
  }
  return {
    currentLine,
    async write(batch: readonly Line[]) {
      let lines: Line[] = [];
      for (const line of batch) {
        if (hasComments && beginsComment(line.text)) {
          await parseLines(lines);
          lines = [];
          // Within a quoted cell it belongs to the cell.
          if (held.length === 0) {
            position += 1;
            onComment?.(line);
            continue;
          }
        }
        lines.push(line);
      }
      await parseLines(lines);
    },
    end: () => settled((done) => parser.end(done)),
    /** The complete records since the last call. */
    take: () => {
      const complete = records;
      records = [];
      return complete;
    },
  };
}

/** More lines than any record has that somebody would type into a pipe. */
const MAX_HELD = 100;

/**
 * Whether `lines`, which begin with a record, end with one as well, and not within a quoted cell.
 */
function endsRecord(lines: readonly Line[], { delimiter }: CsvForm): boolean {
  if (lines.length > MAX_HELD) return false;
  if (!lines.some(({ text }) => text.includes('"'))) return true;
  const next = 'next';
  return parseRecords([...lines, { line: 0, text: next }], delimiter).at(-1)?.[0] === next;
}

/**
 * False if the first line is a header whose first column is called `#`: then no line is a comment.
 */
const mayHaveComments = (first: Line | undefined) => !(first && /^\s*#[,;\t|]/.test(first.text));

const parserOptions = (delimiter: string) =>
  ({
    relax_quotes: true,
    relax_column_count: true,
    skip_empty_lines: true,
    delimiter,
    // By default csv-parse expects every line to end as the first one does.
    record_delimiter: ['\r\n', '\n'],
  }) satisfies Options;

const toText = (lines: readonly Line[]) => lines.map(({ text }) => `${text}\n`).join('');
const isBlank = (cells: readonly string[]) => cells.every((cell) => cell.trim() === '');

/** Resolves when `start` calls back without an error. */
function settled(start: (done: (error?: Error | null) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => start((error) => (error ? reject(error) : resolve())));
}

/** The fault of the list, from an `error` of its lines or of csv-parse. */
async function explainCsvError(error: unknown, { currentLine, end }: ReturnType<typeof openReader>): Promise<unknown> {
  if (error instanceof CsvError) {
    const faults: Partial<Record<string, ListSyntaxError>> = {
      CSV_QUOTE_NOT_CLOSED: unterminated(),
      CSV_MAX_RECORD_SIZE: tooLong(),
    };
    return atLine(faults[error.code] ?? error, currentLine());
  }
  // The line is known only of a record that is still open.
  return end().then(
    () => error,
    () => atLine(error, currentLine()),
  );
}

/**
 * The cells of the records that begin on a few lines; a record that they do not complete is left
 * out, and so are comments.
 */
export function parseCsv(lines: readonly Line[], form: CsvForm): readonly (readonly string[])[] {
  const { delimiter, hasComments = true } = form;
  if (!hasComments || !mayHaveComments(lines[0])) return parseRecords(lines, delimiter);
  let held: readonly Line[] = [];
  const rows = lines.filter((line) => {
    // Within a quoted cell it belongs to the cell.
    if (held.length === 0 && beginsComment(line.text)) return false;
    held = [...held, line];
    if (endsRecord(held, form)) held = [];
    return true;
  });
  return parseRecords(rows, delimiter);
}

/** The cells of the records that are complete within `lines`, none of which is a comment. */
function parseRecords(lines: readonly Line[], delimiter: string): readonly (readonly string[])[] {
  const records = parseSync(toText(lines), { ...parserOptions(delimiter), skip_records_with_error: true });
  return records.filter((cells) => !isBlank(cells));
}

/** A quote that is never closed; the caller adds the line. */
export function unterminated(): ListSyntaxError {
  return new ListSyntaxError('a quote is opened and never closed', {
    hint: 'close it, or write "" for a literal quote',
  });
}

/**
 * `cells`, as many as there are columns, so that added columns stay aligned. Excess cells are
 * joined to the last one.
 */
export function alignCells(cells: readonly string[], width: number, delimiter: string): readonly string[] {
  if (cells.length === width) return cells;
  if (cells.length < width) return [...cells, ...Array<string>(width - cells.length).fill('')];
  const excess = cells.slice(width);
  const isBlank = excess.every((cell) => cell.trim() === '');
  return isBlank ? cells.slice(0, width) : [...cells.slice(0, width - 1), cells.slice(width - 1).join(delimiter)];
}
