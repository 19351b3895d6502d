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
import { type FileReadOptions, type FileRow, notRiskcliOutput, type Run, reportTorn } from './run.ts';

/** An indented document may be several times as long as on one line. */
const MAX_DOCUMENT = 4 * MAX_RECORD;

/** The rows of a file, and what only some forms of files have. */
export type OpenedForm = Partial<Pick<Run, 'isSeekable' | 'review'>> & { readonly batches: Batches<FileRow> };

/**
 * The rows on `lines`.
 * @param byteAt where the text begins in the file, in bytes; undefined for one that is not UTF-8
 * @throws ListError for what riskcli has not written, or a newer one
 */
export async function openJsonLines(
  lines: Batches<Line>,
  byteAt: number | undefined,
  options: FileReadOptions,
): Promise<OpenedForm> {
  const isFilled = ({ text }: Line) => text.trim() !== '';
  const { taken, all } = await readAhead(lines, (batches) => batches.some((batch) => batch.some(isFilled)));
  const first = taken.flat().find(isFilled);
  const node = first && tryParse(first.text);
  if (!node || node instanceof DocumentSyntaxError) {
    return { batches: await openElements(oneDocument(all, first?.line ?? 1, options), options) };
  }
  const isSeekable = byteAt !== undefined;
  const elements = elementsOf(all, byteAt, options);
  if (!isMarkerLine(node, REVIEW_HEADER_KEY)) return { isSeekable, batches: await openElements(elements, options) };
  const { readHeader } = await import('./review-lines.ts');
  const review = readHeader(first.text, options.name);
  return { isSeekable, review, batches: await openElements(keptRows(elements, first, options), options) };
}

/** The objects on `lines`. The last line is cut short if it does not end. */
async function* elementsOf(lines: Batches<Line>, byteAt = 0, options: FileReadOptions): Batches<PlacedElement> {
  let end = byteAt;
  for await (const batch of lines) {
    const elements: PlacedElement[] = [];
    for (const { line, text, isOpen } of batch) {
      const at = end;
      end += Buffer.byteLength(text) + (isOpen ? 0 : 1);
      if (text.trim() === '') continue;
      const node = tryParse(text);
      if (!(node instanceof DocumentSyntaxError)) elements.push({ line, node, at });
      else if (isOpen) reportTorn(options);
      else throw noJson(node, options, line);
    }
    yield elements;
  }
}

const noJson = ({ message }: DocumentSyntaxError, options: FileReadOptions, line: number) =>
  notRiskcliOutput(`not valid JSON (${message})`, { ...options, line });

/** The rows of a kept review: what is between its first and its last line. */
async function* keptRows(
  elements: Batches<PlacedElement>,
  header: Line,
  options: FileReadOptions,
): Batches<PlacedElement> {
  let isAtEnd = false;
  for await (const batch of dropWhile(elements, ({ line }) => line === header.line)) {
    const rows: PlacedElement[] = [];
    for (const element of batch) {
      if (isAtEnd)
        throw notRiskcliOutput('rows follow the line that ends the review', { ...options, line: element.line });
      isAtEnd = isMarkerLine(element.node, REVIEW_END_KEY);
      if (isMarkerLine(element.node, REMOVED_KEY)) options.onRemoved?.(element.node);
      else if (!isAtEnd) rows.push(element);
    }
    yield rows;
  }
  if (!isAtEnd) options.report.warn(`the kept review ${options.name} is torn: its last line is missing`);
}

/** @param startLine the line on which it begins */
async function* oneDocument(lines: Batches<Line>, startLine: number, options: FileReadOptions): Batches<PlacedElement> {
  let text = '';
  for await (const batch of lines) {
    text += batch.map((line) => `${line.text}\n`).join('');
    if (text.length > MAX_DOCUMENT) {
      throw notRiskcliOutput(`a document is longer than ${MAX_DOCUMENT} characters`, { ...options, line: startLine });
    }
  }
  const node = tryParse(text);
  if (node instanceof DocumentSyntaxError) throw noJson(node, options, startLine);
  yield [{ line: startLine, node }];
}
