/** How rows of a list are stored on disk until they can be sorted. */
import type { Node } from '../../document/node.ts';
import { parseDocument } from '../../document/parse.ts';
import { writeCompact } from '../../document/write.ts';
import { findIn, type Row } from '../../row/row.ts';
import type { RowKind } from '../rows/shape.ts';

/** Never occurs in compact JSON, so it can separate the parts of a row without escaping the document again. */
const TAB = '\t';

/** `row` as text, without `candidates`. */
function encodeRow({ document, score, candidates: _, ...rest }: Row): string {
  return JSON.stringify(rest) + TAB + textOf(score) + TAB + textOf(document);
}

const textOf = (node: Node | undefined) => (node ? writeCompact(node) : '');

function decodeRow(text: string): Row {
  const [rest = '', score, document] = text.split(TAB);
  return {
    ...JSON.parse(rest),
    ...(document && { document: parseDocument(document) }),
    ...(score && { score: parseDocument(score) }),
  };
}

export const LIST_ROWS: RowKind<Row> = { find: findIn, encode: encodeRow, decode: decodeRow };
