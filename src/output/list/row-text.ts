/** The rows of a list: what they are asked, and how one is a line of text while it waits on disk. */
import { parseDocument } from '../../document/parse.ts';
import { writeCompact } from '../../document/write.ts';
import { findIn, type Row } from '../../row/row.ts';
import type { RowKind } from './writer.ts';

/** `row` without a newline in it; what was noted when it arrived is left out. */
export function encodeRow({ document, score, candidates: _, ...rest }: Row): string {
  return JSON.stringify({ ...rest, document: document && writeCompact(document), score: score && writeCompact(score) });
}

export function decodeRow(line: string): Row {
  const { document, score, ...rest } = JSON.parse(line);
  return {
    ...rest,
    ...(document && { document: parseDocument(document) }),
    ...(score && { score: parseDocument(score) }),
  };
}

export const LIST_ROWS: RowKind<Row> = {
  find: findIn,
  hasMatched: ({ matched = [] }) => matched.length > 0,
  encode: encodeRow,
  decode: decodeRow,
};
