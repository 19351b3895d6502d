/** The rows of a list: what they are asked, and how one is a line of text while it waits on disk. */
import type { Node } from '../../document/node.ts';
import { parseDocument } from '../../document/parse.ts';
import { writeCompact } from '../../document/write.ts';
import { findIn, type Row } from '../../row/row.ts';
import type { RowKind } from './writer.ts';

/** Stands in no JSON that is written without white space; so the document is its own text, and not a string in another. */
const TAB = '\t';

/** `row` without a newline in it; what was noted when it arrived is left out. */
export function encodeRow({ document, score, candidates: _, ...rest }: Row): string {
  return JSON.stringify(rest) + TAB + textOf(score) + TAB + textOf(document);
}

const textOf = (node: Node | undefined) => (node ? writeCompact(node) : '');

export function decodeRow(line: string): Row {
  const [rest = '', score, document] = line.split(TAB);
  return {
    ...JSON.parse(rest),
    ...(document && { document: parseDocument(document) }),
    ...(score && { score: parseDocument(score) }),
  };
}

/** What rules say of a row, for whoever counts rows. */
export const verdictOf = ({ matched = [], unjudged = [] }: Pick<Row, 'matched' | 'unjudged'>) =>
  matched.length > 0 ? 'matched' : unjudged.length > 0 ? 'unjudged' : undefined;

export const LIST_ROWS: RowKind<Row> = {
  find: findIn,
  verdict: verdictOf,
  encode: encodeRow,
  decode: decodeRow,
};
