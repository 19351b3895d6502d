/**
 * JSON that begins with an object: a row on each line, the rows of a kept review between its first
 * and its last line, or the answer for one wallet on many lines.
 */
import { createHash } from 'node:crypto';
import type { Node } from '../document/node.ts';
import { parseDocument } from '../document/parse.ts';
import { DocumentSyntaxError } from '../document/utf8.ts';
import { type Line, MAX_RECORD } from '../lists/lines.ts';
import { readAhead } from '../lists/read-ahead.ts';
import { type Batches, dropWhile } from '../lists/rows.ts';
import { counted } from '../text/words.ts';
import { openElements, type PlacedElement } from './json-rows.ts';
import { END_KEY, HEADER_KEY, isOurLine } from './our-line.ts';
import type { ReviewEnd } from './review-lines.ts';
import { type FileRow, notRiskcliOutput, type Reading, type Run, reportTorn } from './run.ts';

/** An indented document may be several times as long as on one line. */
const MAX_DOCUMENT = 4 * MAX_RECORD;

/** The rows of a file, and what there is to say of it in some forms. */
export type OpenedForm = Partial<Pick<Run, 'hasPlaces' | 'review' | 'end'>> & { readonly batches: Batches<FileRow> };

/**
 * The rows on `lines`.
 * @param byteAt where the text begins in the file, in bytes; undefined for one that is not UTF-8
 * @throws ListError for what riskcli has not written, or a newer one
 */
export async function openJsonLines(
  lines: Batches<Line>,
  byteAt: number | undefined,
  reading: Reading,
): Promise<OpenedForm> {
  const isFilled = ({ text }: Line) => text.trim() !== '';
  const { taken, all } = await readAhead(lines, (batches) => batches.some((batch) => batch.some(isFilled)));
  const first = taken.flat().find(isFilled);
  const node = first && parsedLine(first.text);
  if (!node || node instanceof DocumentSyntaxError) {
    return { batches: await openElements(oneDocument(all, first?.line ?? 1, reading), reading) };
  }
  const hasPlaces = byteAt !== undefined;
  const elements = elementsOf(all, byteAt, reading);
  if (!isOurLine(node, HEADER_KEY)) return { hasPlaces, batches: await openElements(elements, reading) };
  const { readHeader } = await import('./review-lines.ts');
  const review = readHeader(first.text, reading.name);
  const { between, end } = keptRows(elements, first, reading);
  return { hasPlaces, review, end, batches: await openElements(between, reading) };
}

interface LineElement extends PlacedElement {
  /** With its line feed, if it has one. */
  readonly text: string;
}

/** The document in `text`, or what is wrong with it. */
export function parsedLine(text: string): Node | DocumentSyntaxError {
  try {
    return parseDocument(text);
  } catch (fault) {
    if (fault instanceof DocumentSyntaxError) return fault;
    throw fault;
  }
}

/** The objects on `lines`. The last line is cut short if it does not end. */
async function* elementsOf(lines: Batches<Line>, byteAt = 0, reading: Reading): Batches<LineElement> {
  let end = byteAt;
  for await (const batch of lines) {
    const elements: LineElement[] = [];
    for (const { line, text, isOpen } of batch) {
      const at = end;
      const whole = isOpen ? text : `${text}\n`;
      end += Buffer.byteLength(whole);
      if (text.trim() === '') continue;
      const node = parsedLine(text);
      if (!(node instanceof DocumentSyntaxError)) elements.push({ line, node, at, text: whole });
      else if (isOpen) reportTorn(reading);
      else throw noJson(node, reading, line);
    }
    yield elements;
  }
}

const noJson = ({ message }: DocumentSyntaxError, reading: Reading, line: number) =>
  notRiskcliOutput(`not valid JSON (${message})`, { ...reading, line });

/**
 * The rows of a kept review, below its header. What was changed since it was kept is reported when
 * all of them were read.
 */
function keptRows(elements: Batches<LineElement>, header: Line, reading: Reading) {
  const digest = createHash('sha256').update(`${header.text}\n`);
  let rows = 0;
  let end: ReturnType<Run['end']>;
  async function* between(): Batches<PlacedElement> {
    for await (const batch of dropWhile(elements, ({ line }) => line === header.line)) {
      for (const { node, line, text } of batch) {
        if (end) throw notRiskcliOutput('rows follow the line that ends the review', { ...reading, line });
        if (isOurLine(node, END_KEY)) {
          const { readEnd } = await import('./review-lines.ts');
          const last = readEnd(text, reading.name);
          reportEdits(last, { rows, linesSha256: digest.copy().digest('hex') }, reading);
          end = { ...last, fileSha256: digest.update(text).digest('hex') };
        } else {
          digest.update(text);
          rows += 1;
        }
      }
      yield end ? batch.slice(0, -1) : batch;
    }
    if (!end) reading.report.warn(`the kept review ${reading.name} is torn: its last line is missing`);
  }
  return { between: between(), end: () => end };
}

/** Nothing is said of the lines of a file without a hash. */
function reportEdits(
  { rows: kept, sha256 }: ReviewEnd,
  { rows, linesSha256 }: { readonly rows: number; readonly linesSha256: string },
  { name, report }: Reading,
): void {
  if (rows < kept) {
    const gone = counted(kept - rows, 'row');
    report.info(`${gone} taken out of the kept review ${name}; the rest cannot be vouched for`);
  } else if (rows > kept || (sha256 !== undefined && sha256 !== linesSha256)) {
    report.info(`the kept review ${name} was edited since it was kept`);
  }
}

/** @param first where it begins */
async function* oneDocument(lines: Batches<Line>, first: number, reading: Reading): Batches<PlacedElement> {
  let text = '';
  for await (const batch of lines) {
    text += batch.map((line) => `${line.text}\n`).join('');
    if (text.length > MAX_DOCUMENT) {
      throw notRiskcliOutput(`a document is longer than ${MAX_DOCUMENT} characters`, { ...reading, line: first });
    }
  }
  const node = parsedLine(text);
  if (node instanceof DocumentSyntaxError) throw noJson(node, reading, first);
  yield [{ line: first, node }];
}
