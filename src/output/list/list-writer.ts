/** The rows of a list as text, in every format: whole rows, or the fields picked by --fields. */
import type { ListFormat } from '../../cli/formats.ts';
import { NULL, type ObjectNode } from '../../document/node.ts';
import { writeCompact } from '../../document/write.ts';
import type { ListHead } from '../../lists/list.ts';
import { findIn, pick, type Row, rowNode, writeRow } from '../../row/row.ts';
import { type ColumnSelection, DATA_COLUMNS, rowColumns } from '../../row/row-columns.ts';
import { neutralise } from '../../text/formula.ts';
import { createRowWriter, freeNames, type RowCells, type RowWriter, type TextOptions } from '../rows/row-writer.ts';

export interface ListWriterOptions extends ColumnSelection, TextOptions {
  /** The input list; undefined for wallets given as arguments. Only csv output repeats its columns. */
  readonly head?: ListHead | undefined;
}

export async function createListWriter(format: ListFormat, options: ListWriterOptions): Promise<RowWriter<Row>> {
  if (format === 'table') return (await import('./list-table.ts')).createTableWriter(options);
  const json = (row: Row) => selectedJson(row, options);
  return createRowWriter(format, { json, cells: () => listCells(options) }, options);
}

/** The columns of the input unchanged, then those that riskcli adds. */
function listCells(options: ListWriterOptions): RowCells<Row> {
  const { head } = options;
  const own = head?.columns ?? [];
  const added = rowColumns(options, DATA_COLUMNS);
  // As many cells as the header has names: a short record must not shift the added columns.
  const ownCells = ({ cells = [] }: Row) => own.map((_, i) => cells[i] ?? '');
  return {
    names: [...own, ...freeNames(own, added.names.map(neutralise))],
    ...(head && { input: { ...head, cells: ownCells } }),
    values: added.values,
  };
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
