/**
 * JSON that begins with an object: a row on each line, the rows of a kept review between its first
 * and its last line, or the answer for one wallet on many lines.
 */
import { DocumentSyntaxError } from '../document/utf8.ts';
import { type Line, MAX_RECORD } from '../lists/lines.ts';
import { readAhead } from '../lists/read-ahead.ts';
import { type Batches, dropWhile } from '../lists/rows.ts';
import { openElements, type PlacedElement } from './json-rows.ts';
import { isMarkerLine, REMOVED_KEY, REVIEW_END_KEY, REVIEW_HEADER_KEY, tryParse } from './marker-lines.ts';
import { type FileRow, notRiskcliOutput, type Reading, type Run, reportTorn } from './run.ts';

/** An indented document may be several times as long as on one line. */
const MAX_DOCUMENT = 4 * MAX_RECORD;

/** The rows of a file, and what there is to say of it in some forms. */
export type OpenedForm = Partial<Pick<Run, 'isSeekable' | 'review'>> & { readonly batches: Batches<FileRow> };

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
  const node = first && tryParse(first.text);
  if (!node || node instanceof DocumentSyntaxError) {
    return { batches: await openElements(oneDocument(all, first?.line ?? 1, reading), reading) };
  }
  const isSeekable = byteAt !== undefined;
  const elements = elementsOf(all, byteAt, reading);
  if (!isMarkerLine(node, REVIEW_HEADER_KEY)) return { isSeekable, batches: await openElements(elements, reading) };
  const { readHeader } = await import('./review-lines.ts');
  const review = readHeader(first.text, reading.name);
  return { isSeekable, review, batches: await openElements(keptRows(elements, first, reading), reading) };
}

/** The objects on `lines`. The last line is cut short if it does not end. */
async function* elementsOf(lines: Batches<Line>, byteAt = 0, reading: Reading): Batches<PlacedElement> {
  let end = byteAt;
  for await (const batch of lines) {
    const elements: PlacedElement[] = [];
    for (const { line, text, isOpen } of batch) {
      const at = end;
      end += Buffer.byteLength(text) + (isOpen ? 0 : 1);
      if (text.trim() === '') continue;
      const node = tryParse(text);
      if (!(node instanceof DocumentSyntaxError)) elements.push({ line, node, at });
      else if (isOpen) reportTorn(reading);
      else throw noJson(node, reading, line);
    }
    yield elements;
  }
}

const noJson = ({ message }: DocumentSyntaxError, reading: Reading, line: number) =>
  notRiskcliOutput(`not valid JSON (${message})`, { ...reading, line });

/** The rows of a kept review: what is between its first and its last line. */
async function* keptRows(elements: Batches<PlacedElement>, header: Line, reading: Reading): Batches<PlacedElement> {
  let isAtEnd = false;
  for await (const batch of dropWhile(elements, ({ line }) => line === header.line)) {
    const rows: PlacedElement[] = [];
    for (const element of batch) {
      if (isAtEnd)
        throw notRiskcliOutput('rows follow the line that ends the review', { ...reading, line: element.line });
      isAtEnd = isMarkerLine(element.node, REVIEW_END_KEY);
      if (isMarkerLine(element.node, REMOVED_KEY)) reading.onRemoved?.(element.node);
      else if (!isAtEnd) rows.push(element);
    }
    yield rows;
  }
  if (!isAtEnd) reading.report.warn(`the kept review ${reading.name} is torn: its last line is missing`);
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
  const node = tryParse(text);
  if (node instanceof DocumentSyntaxError) throw noJson(node, reading, first);
  yield [{ line: first, node }];
}
