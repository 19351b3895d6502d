/** JSON that begins with an object: a row on each line, or the document of one wallet on many lines. */
import { parseDocument } from '../document/parse.ts';
import { DocumentSyntaxError } from '../document/utf8.ts';
import type { JsonElement } from '../lists/json/json.ts';
import { type Line, MAX_RECORD } from '../lists/lines.ts';
import { readAhead } from '../lists/read-ahead.ts';
import type { Batches } from '../lists/rows.ts';
import { notRiskcliOutput, type ResultSource } from './row-values.ts';

/** An indented document may be several times as long as on one line. */
const MAX_DOCUMENT = 4 * MAX_RECORD;

interface Lines {
  readonly reading: ResultSource;
  /** Called when the last line is cut short, as by a killed run. */
  readonly onTorn: () => void;
}

/** The objects on `lines`. @throws ListError for what is not JSON */
export async function readJsonLines(lines: Batches<Line>, options: Lines) {
  const isFilled = ({ text }: Line) => text.trim() !== '';
  const { taken, all } = await readAhead(lines, { enough: (batches) => batches.some((batch) => batch.some(isFilled)) });
  const first = taken.flat().find(isFilled);
  const isRow = first !== undefined && 'node' in parsed(first);
  return isRow ? rows(all, options) : oneDocument(all, options);
}

/** The element of a line, or what is wrong with it. */
function parsed({ line, text }: Line): JsonElement | { readonly fault: DocumentSyntaxError } {
  try {
    return { line, node: parseDocument(text) };
  } catch (fault) {
    if (fault instanceof DocumentSyntaxError) return { fault };
    throw fault;
  }
}

async function* rows(lines: Batches<Line>, { reading, onTorn }: Lines): Batches<JsonElement> {
  let broken: { readonly line: Line; readonly fault: DocumentSyntaxError } | undefined;
  for await (const batch of lines) {
    const elements: JsonElement[] = [];
    for (const line of batch) {
      if (line.text.trim() === '') continue;
      if (broken) throw noJson(broken, reading);
      const element = parsed(line);
      if ('node' in element) elements.push(element);
      else broken = { line, fault: element.fault };
    }
    yield elements;
  }
  if (!broken) return;
  // Torn only if the error is at its end.
  if (broken.fault.offset < broken.line.text.length) throw noJson(broken, reading);
  onTorn();
}

const noJson = (
  { line, fault }: { readonly line: Line; readonly fault: DocumentSyntaxError },
  { name }: ResultSource,
) => notRiskcliOutput(`not valid JSON (${fault.message})`, { name, line: line.line });

async function* oneDocument(lines: Batches<Line>, { reading }: Lines): Batches<JsonElement> {
  const { name } = reading;
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
  const element = parsed({ line: start, text: texts.join('\n') });
  if (!('node' in element)) throw notRiskcliOutput(`not valid JSON (${element.fault.message})`, { name, line: start });
  yield [element];
}
