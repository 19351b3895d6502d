/** Rows of a list that wait on disk, until the last one is there or for their place in an order. */
import type { Host } from '../../context.ts';
import type { Node } from '../../document/node.ts';
import { parseDocument } from '../../document/parse.ts';
import { leaves } from '../../document/path.ts';
import { writeCompact } from '../../document/write.ts';
import { linesIn, openLineFile } from '../../files/lines/line-file.ts';
import { documentPathText } from '../../row/paths/own-names.ts';
import { findIn, type Row } from '../../row/row.ts';
import { ownCopy } from '../../text/own-copy.ts';
import type { RowKind } from '../rows/shape.ts';

/**
 * A csv with a column for every field needs to know all fields before its first line. `columns` are the paths of all scalars that the
 * documents so far have, in the order of their first appearance.
 * @throws IoError when no temporary file can be made, or when there is no room for a row
 */
export function openWaitingRows(host: Pick<Host, 'temporaryFolder'>) {
  const file = openLineFile(host);
  const columns = new Set<string>();
  return {
    columns: (): readonly string[] => [...columns],
    add(row: Row): void {
      for (const { path } of row.document ? leaves(row.document) : []) {
        const text = documentPathText(path);
        if (!columns.has(text)) columns.add(ownCopy(text));
      }
      file.append(Buffer.from(`${encodeRow(row)}\n`));
    },
    /** In the order in which they were added; may be left before its end. */
    async *rows(): AsyncGenerator<Row> {
      for await (const bytes of file.read({ from: 0, to: file.size })) {
        for (const line of linesIn(bytes)) yield decodeRow(line);
      }
    },
    close: file.close,
  };
}

/** Stands in no JSON that is written without white space; so the document is its own text, and not a string in another. */
const TAB = '\t';

/** `row` without a newline in it; what was noted when it arrived is left out. */
function encodeRow({ document, score, candidates: _, ...rest }: Row): string {
  return JSON.stringify(rest) + TAB + textOf(score) + TAB + textOf(document);
}

const textOf = (node: Node | undefined) => (node ? writeCompact(node) : '');

function decodeRow(line: string): Row {
  const [rest = '', score, document] = line.split(TAB);
  return {
    ...JSON.parse(rest),
    ...(document && { document: parseDocument(document) }),
    ...(score && { score: parseDocument(score) }),
  };
}

export const LIST_ROWS: RowKind<Row> = { find: findIn, encode: encodeRow, decode: decodeRow };
