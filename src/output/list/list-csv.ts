/** CSV: the input's own columns as they were, then the ones that riskcli adds. */
import type { Node } from '../../document/node.ts';
import type { Row } from '../../row/row.ts';
import { cellText, DATA_COLUMNS, rowColumns } from '../../row/row-columns.ts';
import { visible } from '../../text/escape.ts';
import { neutralise } from '../../text/formula.ts';
import { csvLine } from './csv.ts';
import { freeNames } from './free-names.ts';
import type { ListWriter, ListWriterOptions } from './writer.ts';

export function createCsvWriter(options: ListWriterOptions): ListWriter {
  const { head, header, terminal } = options;
  const own = head?.columns ?? [];
  const added = rowColumns(options, DATA_COLUMNS);
  // Data keeps its control characters; on a terminal they would be obeyed.
  const shown = terminal ? visible : (text: string) => text;
  const line = (cells: readonly string[]) => csvLine(cells.map(shown), head?.delimiter);
  return {
    head: () =>
      (head?.bom ? '\ufeff' : '') + (header ? line([...own, ...freeNames(own, added.names.map(neutralise))]) : ''),
    row: (row) => line([...ownCells(row, own.length), ...added.values(row).map(safeText)]),
    foot: () => '',
  };
}

/** Only text can be a formula; a number such as -5 stays one. */
const safeText = (node: Node | undefined) => (node?.kind === 'number' ? node.spelling : neutralise(cellText(node)));

/** As many cells as the header has names: a short record must not move the columns behind it. */
function ownCells({ cells = [] }: Row, count: number): readonly string[] {
  return Array.from({ length: count }, (_, i) => cells[i] ?? '');
}
