/**
 * Opens what riskcli wrote, in any format, recognised by its first bytes. It is read as fast as its rows are taken, with one block
 * of it in memory.
 */

import type { Host } from '../context.ts';
import { ListError, UsageError } from '../errors.ts';
import { shownPath } from '../files/file-error.ts';
import { unpack } from '../lists/container.ts';
import { readJsonArray } from '../lists/json/json.ts';
import { readLines } from '../lists/lines.ts';
import { openPlainFile, type PlainFile } from '../lists/plain-file.ts';
import { readAhead } from '../lists/read-ahead.ts';
import { type Batches, SAMPLE_LENGTH } from '../lists/rows.ts';
import type { ListSource } from '../lists/source.ts';
import { ListSyntaxError } from '../lists/syntax-error.ts';
import { readListText } from '../lists/text.ts';
import { didYouMean } from '../text/nearest.ts';
import { openCsvRows } from './csv-rows.ts';
import { readJsonLines } from './json-lines.ts';
import { openElements } from './json-rows.ts';

import { type KeptFile, keptFiles } from './review-folder.ts';
import { type FileRow, notRiskcliOutput, OURS, type Reading, type Run } from './run.ts';

const NOT_WORKBOOK = 'give the run as csv: the same riskcli command with -o FILE.csv, or riskcli journal export';

export type RunHost = Pick<Host, 'stdin' | 'signal' | 'temporaryFolder'>;

export interface RunOptions extends Pick<Reading, 'scorePath' | 'rescores' | 'report'> {
  readonly host: RunHost;
  /** The columns that its rows must have, besides the wallet. */
  readonly needs?: readonly string[];
}

/** For files that are read once more. */
export const SILENT: Reading['report'] = { info() {}, warn() {} };

/** Opens the file of a run: a path, or `-` for standard input, which is copied. The caller closes it. @throws ListError */
export async function openRunFile(file: string, host: RunHost): Promise<PlainFile> {
  return openPlainFile(file, host).catch((error: unknown) => {
    throw unreadable(error);
  });
}

/** The rows of a source, which the caller closes. @throws ListError when riskcli has not written it */
export async function openRun(source: ListSource, options: RunOptions): Promise<Run> {
  const { name, unquotedName } = source;
  const reading: Reading = { needs: [], ...options, name };
  try {
    const { batches, hasPlaces = false, review, end = () => undefined } = await openForm(source, reading);
    return { name, unquotedName, hasPlaces, review, rows: flatten(batches, { name, review, end, reading }), end };
  } catch (error) {
    throw withKeptReview(damaged(error, name), unquotedName);
  }
}

/** The error of a file that riskcli has not written, with the kept review beside it that may be meant. */
function withKeptReview(error: unknown, file: string): unknown {
  const newest = error instanceof ListError ? newestKept(`${file}.reviews`) : undefined;
  return newest && error instanceof ListError
    ? new ListError(error.message, { hint: didYouMean([shownPath(newest.path)]), cause: error })
    : error;
}

function newestKept(folder: string): KeptFile | undefined {
  try {
    return keptFiles(folder)[0];
  } catch {
    // It would only be a hint.
    return undefined;
  }
}

type OpenedForm = Partial<Pick<Run, 'hasPlaces' | 'review' | 'end'>> & { readonly batches: Batches<FileRow> };

async function openForm(source: ListSource, reading: Reading): Promise<OpenedForm> {
  const { bytes, isZip } = await unpack(bytesOf(source));
  if (isZip) throw notRiskcliOutput('a workbook is not read back', { ...reading, hint: NOT_WORKBOOK });
  const { blocks, byteAt } = await readListText(bytes);
  const { first, all } = await firstCharacter(blocks);
  if (first === undefined) {
    // Reads on, so that an error of the source is thrown.
    for await (const _ of all);
    throw notRiskcliOutput('it is empty', reading);
  }
  if (first === '[') return { batches: await openElements(readJsonArray(all), reading) };
  const lines = readLines(all);
  if (first !== '{') return { batches: await openCsvRows(lines, reading) };
  const { elements, ...kept } = await readJsonLines(lines, byteAt, reading);
  return { ...kept, batches: await openElements(elements, reading) };
}

async function* bytesOf(source: ListSource): AsyncGenerator<Uint8Array> {
  try {
    yield* source.read();
  } catch (error) {
    throw unreadable(error);
  }
}

/** The first character that is not white space; a blank when there is none in SAMPLE_LENGTH; undefined in an empty text. */
async function firstCharacter(blocks: AsyncIterable<string>) {
  let first: string | undefined;
  let length = 0;
  const { all } = await readAhead(blocks, (taken) => {
    const block = taken.at(-1) ?? '';
    length += block.length;
    first = /\S/.exec(block)?.[0] ?? (length > SAMPLE_LENGTH ? ' ' : undefined);
    return first !== undefined;
  });
  return { first, all };
}

async function* flatten(
  batches: Batches<FileRow>,
  { name, review, end, reading }: Pick<Run, 'name' | 'review' | 'end'> & { readonly reading: Reading },
): AsyncGenerator<FileRow> {
  try {
    for await (const batch of batches) yield* batch;
  } catch (error) {
    throw damaged(error, name);
  }
  if (review && !end()) reading.report.warn(`the kept review ${name} is torn: its last line is missing`);
}

/** An error of the readers of wallet lists, with the hint for outputs. */
const damaged = (error: unknown, name: string): unknown =>
  error instanceof ListSyntaxError ? notRiskcliOutput(error.message, { name, line: error.line }) : error;

function unreadable(error: unknown): unknown {
  if (error instanceof UsageError) {
    const hint = 'pipe the output of a run into riskcli, or name a file';
    return new UsageError('standard input is a terminal, not the output of a run', { hint });
  }
  return error instanceof ListError ? new ListError(error.message, { hint: OURS, cause: error.cause }) : error;
}
