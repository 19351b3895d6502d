/** Flat records (keys, settings, health) in the formats that their commands share. */
import type { Node } from '../document/node.ts';
import { nodeOf } from '../document/plain.ts';
import { cellText, writeCompact, writePretty } from '../document/write.ts';
import { visible } from '../text/escape.ts';
import { drawingOn, entryLines, type Terminal } from './terminal/lines.ts';
import { headText } from './terminal/table.ts';
import { fieldText } from './value-text.ts';

/** A `Node` is written as it is: a number from the service keeps its spelling. */
export type RecordValue = string | number | boolean | null | Node;
export type FlatRecord = Readonly<Record<string, RecordValue>>;

export interface RecordOptions {
  readonly format: 'table' | 'json' | 'jsonl' | 'csv';
  /** Set if stdout is a terminal. */
  readonly terminal: Terminal | undefined;
  /** Writes one record as an object in json and as `name value` lines in a table. */
  readonly single?: boolean;
}

/**
 * `records` as text that ends in a newline (empty for a table without records). A table on a pipe
 * is tab-separated without a header; a single record has a line `name<TAB>value` per value. Null is
 * `null` in json, `-` on a terminal, else empty.
 */
export async function renderRecords(records: readonly FlatRecord[], options: RecordOptions): Promise<string> {
  const { format, single = false, terminal } = options;
  if (format === 'json') {
    const items: readonly Node[] = records.map(nodeOf);
    return `${writePretty((single ? items[0] : undefined) ?? { kind: 'array', items })}\n`;
  }
  if (format === 'jsonl') return records.map((record) => `${writeCompact(nodeOf(record))}\n`).join('');
  if (format === 'csv') return csvText(records, terminal);
  if (records.length === 0) return '';
  const lines = terminal ? await terminalLines(records, single, terminal) : tabLines(records, single);
  return lines.map((line) => `${line}\n`).join('');
}

const memberNames = (records: readonly FlatRecord[]) => [...new Set(records.flatMap((record) => Object.keys(record)))];

/** One line per record, as in a list. */
async function csvText(records: readonly FlatRecord[], terminal: Terminal | undefined) {
  const { csvLines } = await import('./rows/csv.ts');
  const names = memberNames(records);
  const values = (record: FlatRecord) => names.map((name) => nodeOf(record[name]));
  const { head, row } = csvLines({ names, values }, terminal);
  return head() + records.map(row).join('');
}

function tabLines(records: readonly FlatRecord[], single: boolean): readonly string[] {
  const text = (value: RecordValue | undefined) => visible(cellText(nodeOf(value)));
  const [first = {}] = records;
  if (single) return Object.entries(first).map(([name, value]) => `${name}\t${text(value)}`);
  const names = memberNames(records);
  return records.map((record) => names.map((name) => text(record[name])).join('\t'));
}

/** A table with longer cells is hard to read, and takes cli-table3 minutes to draw. */
const MAX_CELL_LINES = 20;

/** Columns side by side, or record by record if the terminal is too narrow: nothing is cut. */
async function terminalLines(records: readonly FlatRecord[], single: boolean, terminal: Terminal) {
  const { shortTable } = await import('./terminal/short-table.ts');
  const { chalk, width } = await drawingOn(terminal);
  const names = memberNames(records);
  const rows = records.map((record) => names.map((name) => fieldText(name, nodeOf(record[name]))));
  const short = { heads: names.map(headText), rows, style: chalk.bold };
  const table = single ? undefined : shortTable(short, width, MAX_CELL_LINES);
  if (table) return table;
  const blocks = rows.map((row) => {
    // `base_url` with spaces instead of underscores.
    const entries = row.map((text, i) => ({ name: (names[i] ?? '').replaceAll('_', ' '), text }));
    return entryLines(entries, { chalk, width });
  });
  return blocks.flatMap((lines, i) => (i === 0 ? lines : ['', ...lines]));
}
