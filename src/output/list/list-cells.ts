/** The cells of a list: the input's own columns as they were, then the ones that riskcli adds. */
import type { Row } from '../../row/row.ts';
import { DATA_COLUMNS, rowColumns } from '../../row/row-columns.ts';
import { neutralise } from '../../text/formula.ts';
import { freeNames } from './free-names.ts';
import type { ListWriterOptions, RowCells } from './writer.ts';

export function listCells(options: ListWriterOptions): RowCells<Row> {
  const { head } = options;
  const own = head?.columns ?? [];
  const added = rowColumns(options, DATA_COLUMNS);
  return {
    names: [...own, ...freeNames(own, added.names.map(neutralise))],
    ...(head && { input: { ...head, cells: (row) => ownCells(row, own.length) } }),
    values: added.values,
  };
}

/** As many cells as the header has names: a short record must not move the columns behind it. */
function ownCells({ cells = [] }: Row, count: number): readonly string[] {
  return Array.from({ length: count }, (_, i) => cells[i] ?? '');
}
