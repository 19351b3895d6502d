/** The rows of a diff, for every format that lists have. */
import { type DiffRow, type Finder, RULE_RESULTS, SIDES } from '../../compare/diff.ts';
import { type Node, NULL, type ObjectNode, textNode, textsNode } from '../../document/node.ts';
import { parseDocument } from '../../document/parse.ts';
import { writeCompact } from '../../document/write.ts';
import { freeNames, type RowCells, type RowKind } from '../rows/row-format.ts';
import type { DiffRowsOptions } from './diff-table.ts';

const DIFF_OWN_COLUMNS = ['wallet_address', 'change'] as const;
/** Always the last column, because scripts may count columns. */
const LABEL = 'label';

/** @param finder finds the values that --where and --sort ask for */
export const diffRows = (options: DiffRowsOptions, finder: Finder): RowKind<DiffRow> => ({
  json: (row) => writeCompact(diffNode(row, options)),
  cells: () => diffCells(options),
  line: (row) => diffValues(row, options),
  table: async (terminal) => (await import('./diff-table.ts')).createDiffTable(options, terminal),
  find: finder.in,
  encode({ differences, ...rest }) {
    const values = (side: 'old' | 'new') => writeCompact({ kind: 'array', items: differences.map(SIDES[side]) });
    return JSON.stringify({ ...rest, old: values('old'), new: values('new') });
  },
  decode(text) {
    const { old, new: current, ...rest } = JSON.parse(text);
    const [before, after] = [itemsIn(old), itemsIn(current)];
    return { ...rest, differences: before.map((value, i) => ({ old: value, new: after[i] })) };
  },
});

function itemsIn(text: string): readonly Node[] {
  const node = parseDocument(text);
  return node.kind === 'array' ? node.items : [];
}

function diffNode(row: DiffRow, { names, label: column, verdictColumns }: DiffRowsOptions): ObjectNode {
  const { wallet, change, differences } = row;
  const own = [...DIFF_OWN_COLUMNS, ...(verdictColumns ? RULE_RESULTS : []), ...(column === undefined ? [] : [LABEL])];
  const free = freeNames(own, names);
  const sides = differences.map((difference, i): readonly [string, Node] => [
    free[i] ?? '',
    { kind: 'object', members: Object.entries(SIDES).map(([name, side]) => [name, side(difference)] as const) },
  ]);
  const [address, what] = DIFF_OWN_COLUMNS;
  const verdicts = RULE_RESULTS.map((name) => [name, textsNode(row[name] ?? [])] as const);
  return {
    kind: 'object',
    members: [
      [address, textNode(wallet)],
      [what, textNode(change)],
      ...sides,
      ...(verdictColumns ? verdicts : []),
      ...(column === undefined ? [] : [[LABEL, labelNode(row)] as const]),
    ],
  };
}

const labelNode = ({ label }: DiffRow): Node => (label === undefined ? NULL : textNode(label));

/** The cells of a row, in the order of the columns. */
const diffValues = (row: DiffRow, { verdictColumns, label }: DiffRowsOptions): readonly Node[] => [
  textNode(row.wallet),
  textNode(row.change),
  ...row.differences.flatMap((difference) => Object.values(SIDES).map((side) => side(difference))),
  ...(verdictColumns ? RULE_RESULTS.map((name) => textNode((row[name] ?? []).join('; '))) : []),
  ...(label === undefined ? [] : [labelNode(row)]),
];

function diffCells(options: DiffRowsOptions): RowCells<DiffRow> {
  const { names, label, verdictColumns } = options;
  const columns = freeNames([], names).flatMap((name) => Object.keys(SIDES).map((side) => `${name}.${side}`));
  return {
    names: [
      ...DIFF_OWN_COLUMNS,
      ...columns,
      ...(verdictColumns ? RULE_RESULTS : []),
      ...(label === undefined ? [] : [LABEL]),
    ],
    values: (row) => diffValues(row, options),
  };
}
