/**
 * JSON that begins with an object: a row on each line, the rows of a kept review between its first and its last line, or the answer
 * for one wallet on many lines.
 */
import { createHash } from 'node:crypto';
import type { Node } from '../document/node.ts';
import { parseDocument } from '../document/parse.ts';
import { DocumentSyntaxError } from '../document/utf8.ts';
import { type Line, MAX_RECORD } from '../lists/lines.ts';
import { readAhead } from '../lists/read-ahead.ts';
import { type Batches, dropWhile } from '../lists/rows.ts';
import { counted } from '../text/words.ts';
import type { PlacedElement } from './json-rows.ts';
import { END_KEY, HEADER_KEY, isOurLine } from './our-line.ts';
import type { ReviewEnd } from './review-lines.ts';
import { notRiskcliOutput, type Reading, type Run, reportTorn } from './run.ts';

/** An indented document may be several times as long as on one line. */
const MAX_DOCUMENT = 4 * MAX_RECORD;

export type ElementsOfLines = Partial<Pick<Run, 'hasPlaces' | 'review' | 'end'>> & {
  readonly elements: Batches<PlacedElement>;
};

/**
 * The objects on `lines`.
 * @param byteAt where the text begins in the file, in bytes; undefined for one that is not UTF-8
 * @throws ListError for what is not JSON, or a review that a newer riskcli has written
 */
export async function readJsonLines(
  lines: Batches<Line>,
  byteAt: number | undefined,
  reading: Reading,
): Promise<ElementsOfLines> {
  const isFilled = ({ text }: Line) => text.trim() !== '';
  const { taken, all } = await readAhead(lines, (batches) => batches.some((batch) => batch.some(isFilled)));
  const first = taken.flat().find(isFilled);
  const node = first && parsedLine(first.text);
  if (!node || node instanceof DocumentSyntaxError) return { elements: oneDocument(all, reading) };
  const elements = elementsOf(all, byteAt, reading);
  const hasPlaces = byteAt !== undefined;
  if (!isOurLine(node, HEADER_KEY)) return { elements, hasPlaces };
  const { readHeader } = await import('./review-lines.ts');
  const review = readHeader(first.text, reading.name);
  return { review, hasPlaces, ...keptRows(elements, first, reading) };
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

async function* elementsOf(lines: Batches<Line>, byteAt = 0, reading: Reading): Batches<LineElement> {
  let broken: { readonly line: Line; readonly fault: DocumentSyntaxError } | undefined;
  let end = byteAt;
  for await (const batch of lines) {
    const elements: LineElement[] = [];
    for (const line of batch) {
      const at = end;
      const text = line.isOpen ? line.text : `${line.text}\n`;
      end += Buffer.byteLength(text);
      if (line.text.trim() === '') continue;
      if (broken) throw noJson(broken, reading);
      const node = parsedLine(line.text);
      if (node instanceof DocumentSyntaxError) broken = { line, fault: node };
      else elements.push({ line: line.line, node, at, text });
    }
    yield elements;
  }
  if (!broken) return;
  // Torn only if the error is at its end.
  if (broken.fault.offset < broken.line.text.length) throw noJson(broken, reading);
  reportTorn(reading);
}

const noJson = (
  { line, fault }: { readonly line: Line; readonly fault: DocumentSyntaxError },
  { name }: Pick<Reading, 'name'>,
) => notRiskcliOutput(`not valid JSON (${fault.message})`, { name, line: line.line });

/** The rows of a kept review, below its header. What was changed since it was kept is reported when all of them were read. */
function keptRows(elements: Batches<LineElement>, header: Line, reading: Reading): Pick<Run, 'end'> & ElementsOfLines {
  const digest = createHash('sha256').update(`${header.text}\n`);
  let rows = 0;
  let end: ReturnType<Run['end']>;
  async function* between(): Batches<PlacedElement> {
    for await (const batch of dropWhile(elements, ({ line }) => line === header.line)) {
      for (const { node, line, text } of batch) {
        if (end) throw notRiskcliOutput('rows follow the line that ends the review', { name: reading.name, line });
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
  return { elements: between(), end: () => end };
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

async function* oneDocument(lines: Batches<Line>, { name }: Reading): Batches<PlacedElement> {
  const texts: string[] = [];
  let [start, length] = [0, 0];
  for await (const batch of lines) {
    for (const { line, text } of batch) {
      if (start === 0 && text.trim() !== '') start = line;
      length += text.length + 1;
      if (length > MAX_DOCUMENT)
        throw notRiskcliOutput(`a document is longer than ${MAX_DOCUMENT} characters`, { name, line: start });
      texts.push(text);
    }
  }
  const node = parsedLine(texts.join('\n'));
  if (node instanceof DocumentSyntaxError)
    throw notRiskcliOutput(`not valid JSON (${node.message})`, { name, line: start });
  yield [{ line: start, node }];
}
