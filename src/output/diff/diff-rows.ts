/** The rows of a diff, for every format that lists have. */
import { type Node, NULL, type ObjectNode } from '../../document/node.ts';
import { writeCompact } from '../../document/write.ts';
import { type DiffRow, difference, type Finder, VERDICTS } from '../../runs/comparison.ts';
import { readValues } from '../../runs/snapshot.ts';
import { freeNames, type RowCells, type RowKind } from '../rows/row-format.ts';
import type { DiffRowsOptions } from './diff-table.ts';

const OWN = ['wallet_address', 'change'] as const;
/** Always the last column, because scripts may count columns. */
const LABEL = 'label';

/** @param finder finds the values that --where and --sort ask for */
export const diffRows = (options: DiffRowsOptions, finder: Finder): RowKind<DiffRow> => ({
  json: (row) => writeCompact(diffNode(row, options)),
  cells: () => diffCells(options),
  line: (row) => valuesOf(row, options),
  table: async (terminal) => (await import('./diff-table.ts')).createDiffTable(options, terminal),
  find: finder.in,
  encode({ differences, ...rest }) {
    const values = (side: 'old' | 'new') => writeCompact({ kind: 'array', items: differences.map((one) => one[side]) });
    return JSON.stringify({ ...rest, old: values('old'), new: values('new') });
  },
  decode(text) {
    const { old, new: current, ...rest } = JSON.parse(text);
    const [before, after] = [readValues(old), readValues(current)];
    return { ...rest, differences: before.map((value, i) => difference(value, after[i])) };
  },
});

function diffNode(row: DiffRow, { names, label: column, verdictColumns }: DiffRowsOptions): ObjectNode {
  const { wallet, change, differences } = row;
  const own = [...OWN, ...(verdictColumns ? VERDICTS : []), ...(column === undefined ? [] : [LABEL])];
  const free = freeNames(own, names);
  const sides = differences.map(({ old, new: current, delta }, i): readonly [string, Node] => [
    free[i] ?? '',
    {
      kind: 'object',
      members: [
        ['old', old],
        ['new', current],
        ['delta', delta],
      ],
    },
  ]);
  const [address, what] = OWN;
  const verdicts = VERDICTS.map((name) => [name, { kind: 'array', items: (row[name] ?? []).map(text) }] as const);
  return {
    kind: 'object',
    members: [
      [address, text(wallet)],
      [what, text(change)],
      ...sides,
      ...(verdictColumns ? verdicts : []),
      ...(column === undefined ? [] : [[LABEL, labelNode(row)] as const]),
    ],
  };
}

const text = (value: string): Node => ({ kind: 'string', value });
const labelNode = ({ label }: DiffRow): Node => (label === undefined ? NULL : text(label));

/** The cells of a row, in the order of the columns. */
const valuesOf = (row: DiffRow, { verdictColumns, label }: DiffRowsOptions): readonly Node[] => [
  text(row.wallet),
  text(row.change),
  ...row.differences.flatMap(({ old, new: current, delta }) => [old, current, delta]),
  ...(verdictColumns ? VERDICTS.map((name) => text((row[name] ?? []).join('; '))) : []),
  ...(label === undefined ? [] : [labelNode(row)]),
];

function diffCells(options: DiffRowsOptions): RowCells<DiffRow> {
  const { names, label, verdictColumns } = options;
  const columns = freeNames([], names).flatMap((name) => ['old', 'new', 'delta'].map((side) => `${name}.${side}`));
  return {
    names: [...OWN, ...columns, ...(verdictColumns ? VERDICTS : []), ...(label === undefined ? [] : [LABEL])],
    values: (row) => valuesOf(row, options),
  };
}
