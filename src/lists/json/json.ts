/**
 * JSON lists to their elements. An array may be larger than memory and on one line, so it is split
 * into its elements before they are parsed.
 */
import type { Node } from '../../document/node.ts';
import { parseDocument } from '../../document/parse.ts';
import { DocumentSyntaxError } from '../../document/utf8.ts';
import { checkLength, type Line } from '../lines.ts';
import { atLine, ListSyntaxError } from '../syntax-error.ts';

export interface JsonElement {
  /** The line on which it began, from 1. */
  readonly line: number;
  readonly node: Node;
}

/**
 * The elements of JSON Lines, from lines that are not blank, in batches. @throws ListSyntaxError
 */
export async function* jsonLineElements(lines: AsyncIterable<readonly Line[]>): AsyncGenerator<readonly JsonElement[]> {
  for await (const batch of lines) yield batch.map(parseElement);
}

/** The elements of the array in `blocks`, in batches. @throws ListSyntaxError */
export async function* readJsonArray(blocks: AsyncIterable<string>): AsyncGenerator<readonly JsonElement[]> {
  const splitter = startSplitter();
  try {
    for await (const block of blocks) yield split(splitter, block).map(parseElement);
    if (!splitter.hasEnded)
      throw new ListSyntaxError('the JSON array is not closed', {
        hint: 'the file seems to be cut short: export it again',
      });
  } catch (error) {
    throw error instanceof ListSyntaxError && error.line === undefined
      ? atLine(error, lineNumber(splitter, splitter.element))
      : error;
  }
}

type ArraySplitter = ReturnType<typeof startSplitter>;

const startSplitter = () => ({
  /** The element being read, so far. */
  element: '',
  /** The line of the character that was read last, from 1. */
  line: 1,
  /** Open brackets and braces, the array's own included. */
  depth: 0,
  isString: false,
  isEscaped: false,
  /** Whether there was an element so far. */
  hasElement: false,
  hasEnded: false,
});

/** Splits one more block; returns the elements that end in it. */
function split(splitter: ArraySplitter, block: string): Line[] {
  const elements: Line[] = [];
  let start = 0;
  for (let at = 0; at < block.length && !splitter.hasEnded; at++) {
    const character = block[at];
    if (!isBoundary(splitter, character)) continue;
    const text = splitter.element + block.slice(start, at);
    start = at + 1;
    splitter.element = '';
    splitter.hasEnded = splitter.depth === 0;
    const isEmptyArray = splitter.hasEnded && !splitter.hasElement && text.trim() === '';
    if (character === '[' || isEmptyArray) continue;
    if (text.trim() === '') {
      throw new ListSyntaxError('a comma too many in the JSON array', { hint: 'take it out', line: splitter.line });
    }
    elements.push({ line: lineNumber(splitter, text), text });
    splitter.hasElement = true;
  }
  splitter.element += block.slice(start);
  checkLength(splitter.element.length);
  if (splitter.hasEnded) checkEnd(splitter);
  return elements;
}

/** Only white space may follow the array. */
function checkEnd({ element, line }: ArraySplitter): void {
  const at = element.search(/\S/);
  if (at < 0) return;
  throw new ListSyntaxError('there is text after the end of the JSON array', {
    line: line + element.slice(0, at).split('\n').length - 1,
    hint: 'use one array, or JSON Lines',
  });
}

/**
 * Reads a character; returns whether it is the bracket that opens or closes the array or a comma
 * between its elements.
 */
function isBoundary(splitter: ArraySplitter, character: string | undefined): boolean {
  if (character === '\n') splitter.line++;
  if (splitter.isString) {
    if (splitter.isEscaped) splitter.isEscaped = false;
    else if (character === '\\') splitter.isEscaped = true;
    else if (character === '"') splitter.isString = false;
    return false;
  }
  switch (character) {
    case '"':
      splitter.isString = true;
      return false;
    case '[':
    case '{':
      return ++splitter.depth === 1;
    case ']':
    case '}':
      return --splitter.depth === 0;
    default:
      return character === ',' && splitter.depth === 1;
  }
}

/** The line on which `text`, which ends at the splitter's position, began. */
function lineNumber(splitter: ArraySplitter, text: string): number {
  return splitter.line - (text.trimStart().split('\n').length - 1);
}

function parseElement({ line, text, isOpen }: Line): JsonElement {
  try {
    return { line, node: parseDocument(text) };
  } catch (error) {
    if (!(error instanceof DocumentSyntaxError)) throw error;
    if (error.offset === text.length && !isOpen) {
      const hint = 'put each object on a line: jq -c . FILE > list.jsonl; jq keys FILE says what is in it';
      throw new ListSyntaxError('the JSON object goes over several lines', { line, hint });
    }
    throw new ListSyntaxError(`not valid JSON (${error.message})`, {
      line,
      hint: 'use one JSON array, or JSON Lines with one object on each line',
    });
  }
}
