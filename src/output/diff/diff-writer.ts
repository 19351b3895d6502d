/** The rows of a diff as text: a format is a function here or a file beside it, and a line in the table. */
import type { ListFormat } from '../../cli/formats.ts';
import type { Node, ObjectNode } from '../../document/node.ts';
import { writeCompact } from '../../document/write.ts';
import { type DiffRow, VERDICTS } from '../../results/comparison.ts';
import { cellText } from '../../row/row-columns.ts';
import { visible } from '../../text/escape.ts';
import { neutralise } from '../../text/formula.ts';
import { csvLine } from '../list/csv.ts';
import { freeNames } from '../list/free-names.ts';
import type { DiffWriter, DiffWriterOptions } from './writer.ts';

const OWN = ['wallet_address', 'change'] as const;

export async function createDiffWriter(format: ListFormat, options: DiffWriterOptions): Promise<DiffWriter> {
  switch (format) {
    case 'json':
      return jsonWriter(options);
    case 'jsonl':
      return { head: () => '', row: (row) => `${writeCompact(diffNode(row, options))}\n`, foot: () => '' };
    case 'csv':
      return csvWriter(options);
    case 'table':
      if (!options.terminal) return tabWriter(options);
      return (await import('./diff-table.ts')).createDiffTable(options, options.terminal);
  }
}

/** One JSON array with a row a line, as a list has it. */
function jsonWriter(options: DiffWriterOptions): DiffWriter {
  let separator = '\n';
  return {
    head: () => '[',
    row(row) {
      const text = `${separator}  ${writeCompact(diffNode(row, options))}`;
      separator = ',\n';
      return text;
    },
    foot: () => (separator === '\n' ? ']\n' : '\n]\n'),
  };
}

function diffNode(row: DiffRow, { names, verdictColumns }: DiffWriterOptions): ObjectNode {
  const { wallet, change, differences } = row;
  const free = freeNames(verdictColumns ? [...OWN, ...VERDICTS] : OWN, names);
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
    members: [[address, text(wallet)], [what, text(change)], ...sides, ...(verdictColumns ? verdicts : [])],
  };
}

const text = (value: string): Node => ({ kind: 'string', value });

/** The cells of a row, by their columns. */
const valuesOf = (row: DiffRow, { verdictColumns }: DiffWriterOptions): readonly Node[] => [
  text(row.wallet),
  text(row.change),
  ...row.differences.flatMap(({ old, new: current, delta }) => [old, current, delta]),
  ...(verdictColumns ? VERDICTS.map((name) => text((row[name] ?? []).join('; '))) : []),
];

function csvWriter(options: DiffWriterOptions): DiffWriter {
  const { names, verdictColumns, header, terminal } = options;
  const columns = names.flatMap((name) => ['old', 'new', 'delta'].map((side) => neutralise(`${name}.${side}`)));
  const heads = [...OWN, ...columns, ...(verdictColumns ? VERDICTS : [])];
  // Data keeps its control characters; on a terminal they would be obeyed.
  const shown = terminal ? visible : (cell: string) => cell;
  const cell = (node: Node) => (node.kind === 'number' ? node.spelling : neutralise(cellText(node)));
  return {
    head: () => (header ? csvLine(heads.map(shown)) : ''),
    row: (row) => csvLine(valuesOf(row, options).map((node) => shown(cell(node)))),
    foot: () => '',
  };
}

/** For `cut` and `awk`: nothing is cut, and no cell holds a tab or a newline. */
function tabWriter(options: DiffWriterOptions): DiffWriter {
  const cells = (row: DiffRow) => valuesOf(row, options).map((node) => visible(cellText(node)));
  return { head: () => '', row: (row) => `${cells(row).join('\t')}\n`, foot: () => '' };
}
