/** CSV: the input's own columns as they were, then the ones that riskcli adds. */
import type { Node } from '../document/node.ts';
import type { Row } from '../document/row.ts';
import { csvLine, neutralise } from './csv.ts';
import { visible } from './escape.ts';
import type { ListWriter, ListWriterOptions } from './list-writer.ts';
import { cellText, rowColumns } from './row-columns.ts';

export function createCsvWriter(options: ListWriterOptions): ListWriter {
  const { head, header, terminal } = options;
  const own = head?.columns ?? [];
  const added = rowColumns(options);
  // Data keeps its control characters; on a terminal they would be obeyed.
  const shown = terminal ? visible : (text: string) => text;
  const line = (cells: readonly string[]) => csvLine(cells.map(shown), head?.delimiter);
  return {
    head: () => (head?.bom ? '\ufeff' : '') + (header ? line([...own, ...freeNames(own, added.names)]) : ''),
    row: (row) => line([...ownCells(row, own.length), ...added.values(row).map(safeText)]),
    foot: () => '',
  };
}

/** Only text can be a formula; a number such as -5 stays one. */
const safeText = (node: Node | undefined) => (node?.kind === 'number' ? node.spelling : neutralise(cellText(node)));

/** The names of added columns, with `riskcli.` in front of one that a column has already. */
function freeNames(own: readonly string[], added: readonly string[]): readonly string[] {
  const taken = new Set(own);
  return added.map((name) => {
    let free = neutralise(name);
    while (taken.has(free)) free = `riskcli.${free}`;
    taken.add(free);
    return free;
  });
}

/** As many cells as the header has names: a short record must not move the columns behind it. */
function ownCells({ cells = [] }: Row, count: number): readonly string[] {
  return Array.from({ length: count }, (_, i) => cells[i] ?? '');
}
