/** Flat records of riskcli's own (keys, settings, limits, health) in the formats that those commands share. */
import type { Node, ObjectNode } from '../document/node.ts';
import { writeCompact, writePretty } from '../document/write.ts';
import { cellText } from '../row/row-columns.ts';
import { visible } from '../text/escape.ts';
import { displayWidth, padEnd } from '../text/width.ts';

/** A node stands for itself: a number of the service keeps its spelling. */
type RecordValue = string | number | boolean | null | Node;
export type FlatRecord = Readonly<Record<string, RecordValue>>;

export interface RecordOptions {
  readonly format: 'table' | 'json' | 'jsonl' | 'csv';
  /** Whether stdout is a terminal. */
  readonly terminal: boolean;
  /** Columns of the terminal. */
  readonly width: number;
  /** Whether csv, and a table of several records on a terminal, begin with a line of names. */
  readonly header: boolean;
  /** Shows the one record by itself: an object in json, `name value` lines in a table. */
  readonly single?: boolean;
}

/**
 * `records` as text that ends in a newline (empty for a table of none). A table on a pipe is tab-separated without a header; for a single
 * record it has a line `name<TAB>value` for each of its values. Null is `null` in json, `-` on a terminal, else empty.
 */
export async function renderRecords(records: readonly FlatRecord[], options: RecordOptions): Promise<string> {
  if (options.format === 'json') return renderJson(records, options.single ?? false);
  if (options.format === 'jsonl') return records.map((record) => `${writeCompact(nodeOf(record))}\n`).join('');
  if (options.format === 'csv') return renderCsv(records, options.header);
  if (options.single) return records.map((record) => renderSingle(record, options.terminal)).join('');
  return options.terminal ? renderTable(records, options) : renderTabs(records);
}

function renderJson(records: readonly FlatRecord[], single: boolean): string {
  const items = records.map(nodeOf);
  return `${writePretty(single ? (items[0] ?? NULL) : { kind: 'array', items })}\n`;
}

const NULL: Node = { kind: 'literal', value: null };

const nodeOf = (record: FlatRecord): ObjectNode => ({
  kind: 'object',
  members: Object.entries(record).map(([name, value]) => [name, valueNode(value)] as const),
});

function valueNode(value: RecordValue): Node {
  if (typeof value === 'string') return { kind: 'string', value };
  if (typeof value === 'number') return { kind: 'number', spelling: JSON.stringify(value) };
  return typeof value === 'boolean' || value === null ? { kind: 'literal', value } : value;
}

function columnsOfAll(records: readonly FlatRecord[]): readonly string[] {
  return [...new Set(records.flatMap((record) => Object.keys(record)))];
}

const plain = (value: RecordValue | undefined) =>
  typeof value === 'object' ? cellText(value ?? undefined) : String(value ?? '');
const shown = (value: RecordValue | undefined) => visible(plain(value)) || '-';
/** `base_url` as a person reads it. */
const label = (name: string) => name.replaceAll('_', ' ');

/** Text of others, which a spreadsheet might run; numbers and what is riskcli's own are no danger. */
const isText = (value: RecordValue | undefined) =>
  typeof value === 'string' || (typeof value === 'object' && value?.kind === 'string');

async function renderCsv(records: readonly FlatRecord[], header: boolean): Promise<string> {
  const { csvLine } = await import('./list/csv.ts');
  const { neutralise } = await import('../text/formula.ts');
  const names = columnsOfAll(records);
  const cell = (value: RecordValue | undefined) => (isText(value) ? neutralise(plain(value)) : plain(value));
  const lines = records.map((record) => csvLine(names.map((name) => cell(record[name]))));
  return (header && names.length > 0 ? csvLine(names) : '') + lines.join('');
}

function renderTabs(records: readonly FlatRecord[]): string {
  const names = columnsOfAll(records);
  return records.map((record) => `${names.map((name) => visible(plain(record[name]))).join('\t')}\n`).join('');
}

function renderSingle(record: FlatRecord, terminal: boolean): string {
  const entries = Object.entries(record);
  if (!terminal) return entries.map(([name, value]) => `${name}\t${visible(plain(value))}\n`).join('');
  const width = Math.max(0, ...entries.map(([name]) => displayWidth(label(name))));
  return entries.map(([name, value]) => `${padEnd(label(name), width)}  ${shown(value)}\n`).join('');
}

/** Columns side by side; where the terminal is too narrow for them, record by record: nothing is ever cut. */
function renderTable(records: readonly FlatRecord[], options: RecordOptions): string {
  const names = columnsOfAll(records);
  const rows = records.map((record) => names.map((name) => shown(record[name])));
  if (options.header && rows.length > 0) rows.unshift(names.map((name) => label(name).toUpperCase()));
  const widths = names.map((_, i) => rows.reduce((most, row) => Math.max(most, displayWidth(row[i] ?? '')), 0));
  const total = widths.reduce((sum, width) => sum + width + 2, -2);
  if (total > options.width) return records.map((record) => renderSingle(record, true)).join('\n');
  return rows
    .map(
      (row) =>
        `${row
          .map((cell, i) => padEnd(cell, widths[i] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
}
