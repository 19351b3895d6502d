/** A row as one line of text, for rows that wait on disk. */
import { parseDocument } from '../../document/parse.ts';
import { writeCompact } from '../../document/write.ts';
import type { Row } from '../../row/row.ts';

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
