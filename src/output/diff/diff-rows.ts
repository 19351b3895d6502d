/** The rows of a diff, for every format that lists have. */
import { type DiffFinder, type DiffRow, OTHER_VALUES, RULE_RESULTS, SIDES } from '../../compare/diff.ts';
import { type Node, type ObjectNode, textNode } from '../../document/node.ts';
import { parseDocument } from '../../document/parse.ts';
import { cellText, writeCompact } from '../../document/write.ts';
import { freeNames, type RowKind } from '../rows/row-format.ts';
import type { DiffRowsOptions } from './diff-table.ts';

/** @param finder finds the values that --where and --sort ask for */
export function diffRows(options: DiffRowsOptions, finder: DiffFinder): RowKind<DiffRow> {
  const { names, label, verdictColumns } = options;
  const before = ['wallet_address', 'change'] as const;
  // The label is always the last column, because scripts may count columns.
  const after = [...(verdictColumns ? RULE_RESULTS : []), ...(label === undefined ? [] : (['label'] as const))];
  const memberNames = freeNames([...before, ...after], names);
  const json = (row: DiffRow): ObjectNode => {
    const other = (name: keyof typeof OTHER_VALUES) => [name, OTHER_VALUES[name](row)] as const;
    const compared = row.differences.map((difference, i): readonly [string, Node] => [
      memberNames[i] ?? '',
      { kind: 'object', members: Object.entries(SIDES).map(([name, side]) => [name, side(difference)] as const) },
    ]);
    return { kind: 'object', members: [...before.map(other), ...compared, ...after.map(other)] };
  };
  const values = (row: DiffRow) => json(row).members.flatMap(([, value]) => cellsOfMember(value));
  const columns = freeNames([], names).flatMap((name) => Object.keys(SIDES).map((side) => `${name}.${side}`));
  return {
    json: (row) => writeCompact(json(row)),
    cells: () => ({ names: [...before, ...columns, ...after], values }),
    line: values,
    table: async (terminal) => (await import('./diff-table.ts')).createDiffTable(options, terminal),
    find: finder.in,
    encode({ differences, ...rest }) {
      const side = (name: 'old' | 'new') => writeCompact({ kind: 'array', items: differences.map(SIDES[name]) });
      return JSON.stringify({ ...rest, old: side('old'), new: side('new') });
    },
    decode(text) {
      const { old, new: current, ...rest } = JSON.parse(text);
      const [then, now] = [itemsIn(old), itemsIn(current)];
      return { ...rest, differences: then.map((value, i) => ({ old: value, new: now[i] })) };
    },
  };
}

/** The sides of a column, the names of rules in a line, or the value itself. */
function cellsOfMember(value: Node): readonly Node[] {
  if (value.kind === 'object') return value.members.map(([, side]) => side);
  return [value.kind === 'array' ? textNode(value.items.map(cellText).join('; ')) : value];
}

function itemsIn(text: string): readonly Node[] {
  const node = parseDocument(text);
  return node.kind === 'array' ? node.items : [];
}
