/** The rows of a list, for every format: whole rows, or the fields picked by --fields. */

import { type Node, NULL, type ObjectNode } from '../../document/node.ts';
import { parseDocument } from '../../document/parse.ts';
import { writeCompact } from '../../document/write.ts';
import { inputNode, type Row } from '../../row/row.ts';
import { findIn, pick, rowNode, writeRow } from '../../row/row-node.ts';
import { type ColumnSelection, DATA_COLUMNS, rowColumns, TABLE_COLUMNS } from '../../rules/row-columns.ts';
import { freeNames, type RowCells, type RowKind } from '../rows/row-format.ts';
import type { ListRowsOptions } from './list-table.ts';

export function listRows(options: ListRowsOptions): RowKind<Row> {
  return {
    json: (row) => selectedJson(row, options),
    cells: () => listCells(options),
    line: rowColumns(options, TABLE_COLUMNS).values,
    table: async (terminal) => (await import('./list-table.ts')).createListTable(options, terminal),
    find: findIn,
    encode: encodeRow,
    decode: decodeRow,
  };
}

function listCells(options: ListRowsOptions): RowCells<Row> {
  const { head } = options;
  const { columns = [] } = head ?? {};
  // As many cells as the header has names: a short record must not shift the added columns.
  const cells = ({ cells = [] }: Row) => columns.map((_, i) => cells[i] ?? '');
  const values = ({ input }: Row) => {
    const node = inputNode(input);
    return columns.map((_, i) => (node.kind === 'object' ? node.members[i]?.[1] : undefined));
  };
  const own = head && { head, cells, ...(head.kind === 'workbook' && { values }) };
  return { ...rowColumns(options, DATA_COLUMNS), ...(own && { own }) };
}

/** `row` as compact JSON, or its picked fields in their order, null for missing ones. */
function selectedJson(row: Row, { fields, keepsDefaults }: ColumnSelection): string {
  if (!fields) return writeRow(row);
  return writeCompact(pickInto(keepsDefaults ? rowNode(row).members : [], pick(findIn(row), fields)));
}

/** `members`, then the picked fields, null for missing ones. */
export function pickInto(members: ObjectNode['members'], picked: ReturnType<typeof pick>): ObjectNode {
  const names = freeNames(
    members.map(([key]) => key),
    picked.map(([name]) => name),
  );
  return {
    kind: 'object',
    members: [...members, ...picked.map(([, value], i) => [names[i] ?? '', value ?? NULL] as const)],
  };
}

/**
 * Never occurs in compact JSON, so it can separate the parts of a row without escaping the document
 * again.
 */
const TAB = '\t';

/** `row` as text, without `candidates`. */
function encodeRow({ document, score, candidates: _, ...rest }: Row): string {
  return JSON.stringify(rest) + TAB + compactText(score) + TAB + compactText(document);
}

const compactText = (node: Node | undefined) => (node ? writeCompact(node) : '');

function decodeRow(text: string): Row {
  const [rest = '', score, document] = text.split(TAB);
  return {
    ...JSON.parse(rest),
    ...(document && { document: parseDocument(document) }),
    ...(score && { score: parseDocument(score) }),
  };
}
