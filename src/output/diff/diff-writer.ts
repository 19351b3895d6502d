/** The rows of a diff as text, in every format that lists have. */
import type { ListFormat } from '../../cli/formats.ts';
import { type Node, NULL, type ObjectNode } from '../../document/node.ts';
import { cellText, writeCompact } from '../../document/write.ts';
import { type DiffRow, VERDICTS } from '../../runs/comparison.ts';
import { visible } from '../../text/escape.ts';
import { neutralise } from '../../text/formula.ts';
import { createRowWriter, freeNames, type RowCells, type RowWriter } from '../rows/row-writer.ts';
import type { DiffWriterOptions } from './diff-table.ts';

const OWN = ['wallet_address', 'change'] as const;
/** Always the last column, because scripts may count columns. */
const LABEL = 'label';

export async function createDiffWriter(format: ListFormat, options: DiffWriterOptions): Promise<RowWriter<DiffRow>> {
  if (format !== 'table') {
    const json = (row: DiffRow) => writeCompact(diffNode(row, options));
    return createRowWriter(format, { json, cells: () => diffCells(options) }, options);
  }
  if (!options.terminal) return tabWriter(options);
  return (await import('./diff-table.ts')).createDiffTable(options, options.terminal);
}

function diffNode(row: DiffRow, { names, label: column, verdictColumns }: DiffWriterOptions): ObjectNode {
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
const valuesOf = (row: DiffRow, { verdictColumns, label }: DiffWriterOptions): readonly Node[] => [
  text(row.wallet),
  text(row.change),
  ...row.differences.flatMap(({ old, new: current, delta }) => [old, current, delta]),
  ...(verdictColumns ? VERDICTS.map((name) => text((row[name] ?? []).join('; '))) : []),
  ...(label === undefined ? [] : [labelNode(row)]),
];

function diffCells(options: DiffWriterOptions): RowCells<DiffRow> {
  const { names, label, verdictColumns } = options;
  const columns = freeNames([], names).flatMap((name) =>
    ['old', 'new', 'delta'].map((side) => neutralise(`${name}.${side}`)),
  );
  return {
    names: [...OWN, ...columns, ...(verdictColumns ? VERDICTS : []), ...(label === undefined ? [] : [LABEL])],
    values: (row) => valuesOf(row, options),
  };
}

/** For `cut` and `awk`: nothing is shortened, and no cell contains a tab or a newline. */
function tabWriter(options: DiffWriterOptions): RowWriter<DiffRow> {
  const cells = (row: DiffRow) => valuesOf(row, options).map((node) => visible(cellText(node)));
  return { head: () => '', row: (row) => `${cells(row).join('\t')}\n`, foot: () => '' };
}
