/**
 * Opens what riskcli wrote, in any format, recognised by its first bytes. It is read as fast as its
 * rows are taken, with one block of it in memory.
 */
import type { Host } from '../context.ts';
import { ListError, UsageError } from '../errors.ts';
import { shownPath } from '../files/file-error.ts';
import { unpack } from '../lists/container.ts';
import { readJsonArray } from '../lists/json/json.ts';
import { readLines } from '../lists/lines.ts';
import { openPlainFile } from '../lists/plain-file.ts';
import { readAhead } from '../lists/read-ahead.ts';
import { type Batches, SAMPLE_LENGTH } from '../lists/rows.ts';
import type { ListSource, PlainFile } from '../lists/source.ts';
import { ListSyntaxError } from '../lists/syntax-error.ts';
import { readListText } from '../lists/text.ts';
import { formatOfFile, READ_BACK_FORMATS } from '../row/formats.ts';
import { didYouMean } from '../text/nearest.ts';
import { anyOf } from '../text/words.ts';
import { openCsvRows } from './csv-rows.ts';
import { type OpenedForm, openJsonLines } from './json-lines.ts';
import { openElements } from './json-rows.ts';
import { inspectKept } from './kept-file.ts';
import { keptFiles } from './review-folder.ts';
import { EXPECTED_FILE_HINT, type FileReadOptions, type FileRow, notRiskcliOutput, type Run } from './run.ts';

export type RunHost = Pick<Host, 'stdin' | 'signal' | 'temporaryFolder'>;

export interface RunOptions extends Pick<FileReadOptions, 'scorePath' | 'rescores' | 'report' | 'onRemoved'> {
  readonly host: RunHost;
  /** The columns that its rows must have, besides the wallet. */
  readonly needs?: readonly string[];
  /** Whether a kept review is checked for changes since it was saved, which are reported. */
  readonly inspects?: boolean;
}

/** Drops every message, for files that were reported on before. */
export const SILENT: FileReadOptions['report'] = { info() {}, warn() {} };

/**
 * Opens the file of a run: a path, or `-` for standard input, which is copied. The caller closes
 * it. @throws ListError
 */
export async function openRunFile(file: string, host: RunHost): Promise<PlainFile> {
  try {
    return await openPlainFile(file, host);
  } catch (error) {
    if (error instanceof UsageError) {
      const hint = 'pipe the output of a run into riskcli, or name a file';
      throw new UsageError('standard input is a terminal, not the output of a run', { hint });
    }
    throw error instanceof ListError
      ? new ListError(error.message, { hint: EXPECTED_FILE_HINT, cause: error.cause })
      : error;
  }
}

/**
 * The rows of a source, which the caller closes; a kept review is inspected only if it is a file.
 * @throws ListError when riskcli has not written it
 */
export async function openRun(source: ListSource | PlainFile, options: RunOptions): Promise<Run> {
  const { name, unquotedName } = source;
  const readOptions: FileReadOptions = { needs: [], ...options, name };
  try {
    const { batches, isSeekable = false, review } = await openForm(source, readOptions);
    const isKept = review !== undefined && 'fd' in source;
    const inspection = isKept && options.inspects ? await inspectKept(source) : undefined;
    if (inspection?.change !== undefined) options.report.info(`the kept review ${name}: ${inspection.change}`);
    return { name, isSeekable, review, inspection, rows: rowsOf(batches, name) };
  } catch (error) {
    const problem = toListError(error, name);
    if (!(problem instanceof ListError)) throw problem;
    const newest = newestKept(`${unquotedName}.reviews`);
    if (newest === undefined) throw problem;
    throw new ListError(problem.message, { hint: didYouMean([shownPath(newest)]), cause: problem });
  }
}

/** The newest review in `folder`, for a list that was named in place of its review. */
function newestKept(folder: string): string | undefined {
  try {
    return keptFiles(folder)[0]?.path;
  } catch {
    // It would only be a hint.
    return undefined;
  }
}

/** @throws ListError for a format that is not read back: its bytes may look like those of csv */
async function openForm(source: ListSource, options: FileReadOptions): Promise<OpenedForm> {
  const format = formatOfFile(source.unquotedName);
  if (format && !READ_BACK_FORMATS.some((name) => name === format)) throw notReadBack(format, options);
  const { bytes, isZip } = await unpack(source.read());
  if (isZip) throw notReadBack('a workbook', options);
  const { blocks, byteAt } = await readListText(bytes);
  const { first, all } = await firstCharacter(blocks);
  if (first === '[') return { batches: await openElements(readJsonArray(all), options) };
  const lines = readLines(all);
  if (first === '{') return openJsonLines(lines, byteAt, options);
  return { batches: await openCsvRows(lines, options) };
}

const notReadBack = (what: string, options: FileReadOptions) =>
  notRiskcliOutput(`${what} is not read back`, {
    ...options,
    hint: `give the run as ${anyOf(READ_BACK_FORMATS)}: the same riskcli command with another -o`,
  });

/** The first character that is not white space, if there is one in the first SAMPLE_LENGTH. */
async function firstCharacter(blocks: AsyncIterable<string>) {
  let length = 0;
  let first: string | undefined;
  const { all } = await readAhead(blocks, (taken) => {
    const block = taken.at(-1) ?? '';
    length += block.length;
    first = /\S/.exec(block)?.[0];
    return first !== undefined || length > SAMPLE_LENGTH;
  });
  return { first, all };
}

async function* rowsOf(batches: Batches<FileRow>, name: string): AsyncGenerator<FileRow> {
  try {
    for await (const batch of batches) yield* batch;
  } catch (error) {
    throw toListError(error, name);
  }
}

/** An error of the readers of wallet lists, as one about the output of a run. */
const toListError = (error: unknown, name: string): unknown =>
  error instanceof ListSyntaxError ? notRiskcliOutput(error.message, { name, line: error.line }) : error;
