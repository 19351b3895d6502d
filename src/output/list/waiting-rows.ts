/** Stores rows of a list on disk until all of them have arrived or they can be sorted. */
import type { Host } from '../../context.ts';
import type { Node } from '../../document/node.ts';
import { parseDocument } from '../../document/parse.ts';
import { leaves } from '../../document/path.ts';
import { writeCompact } from '../../document/write.ts';
import type { RecordLocation } from '../../files/records/block-reader.ts';
import { openRecordFile } from '../../files/records/record-file.ts';
import { documentPathText } from '../../row/paths/own-names.ts';
import { findIn, type Row } from '../../row/row.ts';
import { ownCopy } from '../../text/own-copy.ts';
import type { RowKind } from '../rows/shape.ts';

/**
 * A csv with a column for every field needs all fields before its first line. `columns` returns the paths of all scalars in the
 * documents so far, in the order of first appearance.
 * @throws IoError if a temporary file cannot be created or written
 */
export function openWaitingRows(host: Pick<Host, 'temporaryFolder'>) {
  const file = openRecordFile(host);
  const locations: RecordLocation[] = [];
  const columns = new Set<string>();
  return {
    columns: (): readonly string[] => [...columns],
    add(row: Row): void {
      for (const { path } of row.document ? leaves(row.document) : []) {
        const text = documentPathText(path);
        if (!columns.has(text)) columns.add(ownCopy(text));
      }
      locations.push(file.append(encodeRow(row)));
    },
    /** In the order in which they were added. */
    *rows(): Generator<Row> {
      for (const location of locations) yield decodeRow(file.read(location));
    },
    close: file.close,
  };
}

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
