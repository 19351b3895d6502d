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
import { readAhead } from '../lists/read-ahead.ts';
import { type Batches, SAMPLE_LENGTH } from '../lists/rows.ts';
import { type ListSource, openSource } from '../lists/source.ts';
import { ListSyntaxError } from '../lists/syntax-error.ts';
import { readText } from '../lists/text.ts';
import { didYouMean } from '../text/nearest.ts';
import { openCsvResults } from './csv-results.ts';
import { readJsonLines } from './json-lines.ts';
import { openElements } from './json-results.ts';
import { keptFiles } from './keep-folder.ts';
import type { ResultRow, Results } from './result.ts';
import { NOT_WORKBOOK, notRiskcliOutput, OURS, type ResultSource } from './row-values.ts';

export interface ResultsOptions {
  readonly host: Pick<Host, 'stdin' | 'signal' | 'uid' | 'temporaryFolder'>;
  readonly scorePath?: ResultSource['scorePath'];
  /** Called with a warning about what is left out because it is damaged. */
  readonly onDamage: (text: string) => void;
  /** Called with all bytes, unpacked, as they are read. */
  readonly onBytes?: (bytes: Uint8Array) => void;
}

/** An opened file of one format. */
type OpenedForm = Partial<Pick<Results, 'missing' | 'review'>> & { readonly batches: Batches<ResultRow> };

/**
 * Opens `file`, a path or `-` for standard input. The caller closes it.
 * @throws ListError when it does not exist or riskcli has not written it
 */
export async function openResults(file: string, options: ResultsOptions): Promise<Results> {
  const { scorePath, host } = options;
  const source = await openSource(file, host).catch((error: unknown) => {
    throw unreadable(error);
  });
  const { name, bareName } = source;
  const reading = { name, scorePath };
  try {
    const { batches, ...opened } = await openForm({ ...options, source, reading });
    return {
      name,
      bareName,
      missing: [],
      ...opened,
      rows: flatten(batches, name),
      close: source.close,
    };
  } catch (error) {
    source.close();
    throw withReview(damaged(error, name), file);
  }
}

/** The error of a file that riskcli has not written, with the kept review beside it that may be meant. */
function withReview(error: unknown, file: string): unknown {
  const [newest] = error instanceof ListError ? keptFiles(`${file}.reviews`) : [];
  return newest && error instanceof ListError
    ? new ListError(error.message, { hint: didYouMean([shownPath(newest.path)]), cause: error })
    : error;
}

interface ResultsOpening extends ResultsOptions {
  readonly source: ListSource;
  readonly reading: ResultSource;
}

async function openForm({ source, reading, onDamage, onBytes }: ResultsOpening): Promise<OpenedForm> {
  const onTorn = () =>
    onDamage(
      `the last row of ${source.name} is incomplete and left out: its line does not end, as if the file had been cut short (if the row is complete, add a line break)`,
    );
  const { bytes, isZip } = await unpack(bytesOf(source));
  if (isZip) throw notRiskcliOutput('a workbook is not read back', { ...reading, hint: NOT_WORKBOOK });
  const { first, all } = await firstCharacter((await readText(tapped(bytes, onBytes))).blocks);
  if (first === undefined) {
    // Reads on, so that an error of the source is thrown.
    for await (const _ of all);
    throw notRiskcliOutput('it is empty', reading);
  }
  if (first === '[') return openElements(readJsonArray(all), reading);
  const lines = readLines(all);
  if (first === '{') return openElements(await readJsonLines(lines, { reading, onTorn }), reading);
  return openCsvResults(lines, { source: reading, onTorn });
}

async function* tapped(source: AsyncIterable<Uint8Array>, onBytes: ResultsOptions['onBytes']) {
  for await (const bytes of source) {
    onBytes?.(bytes);
    yield bytes;
  }
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
  const { all } = await readAhead(blocks, {
    enough(taken) {
      const block = taken.at(-1) ?? '';
      length += block.length;
      first = /\S/.exec(block)?.[0] ?? (length > SAMPLE_LENGTH ? ' ' : undefined);
      return first !== undefined;
    },
  });
  return { first, all };
}

async function* flatten(batches: Batches<ResultRow>, name: string): AsyncGenerator<ResultRow> {
  try {
    for await (const batch of batches) yield* batch;
  } catch (error) {
    throw damaged(error, name);
  }
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
