/** Flat records of riskcli's own (keys, settings, limits, health) in the formats that those commands share. */
import type { ListFormat } from '../cli/formats.ts';
import type { Node, ObjectNode } from '../document/node.ts';
import { cellText, writeCompact, writePretty } from '../document/write.ts';
import { visible } from '../text/escape.ts';
import type { DataFormat } from './rows/row-writer.ts';
import { drawingOn, namedLines, type Terminal } from './terminal/lines.ts';
import { headText, Table } from './terminal/table.ts';
import { fieldText } from './value-text.ts';

/** A node stands for itself: a number of the service keeps its spelling. */
type RecordValue = string | number | boolean | null | Node;
export type FlatRecord = Readonly<Record<string, RecordValue>>;

export interface RecordOptions {
  readonly format: ListFormat;
  /** Set when a person reads stdout. */
  readonly terminal: Terminal | undefined;
  /** Whether csv, and a table of several records on a terminal, begin with a line of names. */
  readonly header: boolean;
  /** Shows the one record by itself: an object in json, `name value` lines in a table. */
  readonly single?: boolean;
  /** What the records' values are called; by default the records are gone through to find out. */
  readonly columns?: readonly string[] | undefined;
}

/**
 * `records` as text that ends in a newline (empty for a table of none). A table on a pipe is tab-separated without a header; for a single
 * record it has a line `name<TAB>value` for each of its values. Null is `null` in json, `-` on a terminal, else empty.
 */
export async function renderRecords(records: readonly FlatRecord[], options: RecordOptions): Promise<string> {
  let all = '';
  for await (const text of recordTexts(records, options)) all += text;
  return all;
}

/** Are gone through as often as a format needs it, and none is kept. */
export type Records = Iterable<FlatRecord> | AsyncIterable<FlatRecord>;

/** The same, a record at a time. */
export async function* recordTexts(records: Records, options: RecordOptions): AsyncGenerator<string> {
  const { format, single = false, terminal } = options;
  if (format === 'json') yield* jsonTexts(records, single);
  else if (format !== 'table') yield* rowTexts(records, { ...options, format });
  else if (single) for await (const record of records) yield renderSingle(record, terminal);
  else yield* terminal ? tableTexts(records, { ...options, terminal }) : tabTexts(records, options);
}

async function* jsonTexts(records: Records, single: boolean): AsyncGenerator<string> {
  let separator = '[';
  for await (const record of records) {
    if (single) {
      yield `${writePretty(nodeOf(record))}\n`;
      return;
    }
    yield `${separator}\n  ${writePretty(nodeOf(record), 1)}`;
    separator = ',';
  }
  yield separator === '[' ? '[]\n' : '\n]\n';
}

const nodeOf = (record: FlatRecord): ObjectNode => ({
  kind: 'object',
  members: Object.entries(record).map(([name, value]) => [name, valueNode(value)] as const),
});

function valueNode(value: RecordValue): Node {
  if (typeof value === 'string') return { kind: 'string', value };
  if (typeof value === 'number') return { kind: 'number', spelling: JSON.stringify(value) };
  return typeof value === 'boolean' || value === null ? { kind: 'literal', value } : value;
}

async function columnsOfAll(records: Records): Promise<readonly string[]> {
  const names = new Set<string>();
  for await (const record of records) for (const name of Object.keys(record)) names.add(name);
  return [...names];
}

const plain = (value: RecordValue | undefined) =>
  typeof value === 'object' ? cellText(value ?? undefined) : String(value ?? '');
const shown = (name: string, value: RecordValue | undefined) =>
  typeof value === 'object' && value !== null ? fieldText(name, value) : visible(plain(value)) || '-';
/** `base_url` as a person reads it. */
const label = (name: string) => name.replaceAll('_', ' ');

type Columns = Pick<RecordOptions, 'columns' | 'header' | 'terminal'>;

/** A line a record, as a list has it. */
async function* rowTexts(
  records: Records,
  { format, columns, header, terminal }: Columns & { readonly format: DataFormat },
) {
  const { createRowWriter } = await import('./rows/row-writer.ts');
  const names = columns ?? (await columnsOfAll(records));
  const values = (record: FlatRecord) => names.map((name) => valueNode(record[name] ?? null));
  const json = (record: FlatRecord) => writeCompact(nodeOf(record));
  const rows = { json, cells: () => ({ names, values }) };
  const writer = createRowWriter<FlatRecord>(format, rows, { header: header && names.length > 0, terminal });
  yield writer.head();
  for await (const record of records) yield writer.row(record);
  yield writer.foot();
}

async function* tabTexts(records: Records, { columns }: Columns): AsyncGenerator<string> {
  const names = columns ?? (await columnsOfAll(records));
  for await (const record of records) yield `${names.map((name) => visible(plain(record[name]))).join('\t')}\n`;
}

function renderSingle(record: FlatRecord, terminal: Terminal | undefined): string {
  const entries = Object.entries(record);
  if (!terminal) return entries.map(([name, value]) => `${name}\t${visible(plain(value))}\n`).join('');
  const named = entries.map(([name, value]) => ({ name: label(name), text: shown(name, value) }));
  const lines = namedLines(named, terminal.width);
  return lines.map((line) => `${line}\n`).join('');
}

/** Columns side by side; where the terminal is too narrow for them, record by record: nothing is ever cut. */
async function* tableTexts(
  records: Records,
  { columns, header, terminal }: Columns & { readonly terminal: Terminal },
): AsyncGenerator<string> {
  const names = columns ?? (await columnsOfAll(records));
  const cellsOf = (record: FlatRecord) => names.map((name) => shown(name, record[name]));
  const heads = names.map((name) => ({ head: header ? headText(name) : '' }));
  const table = new Table(heads, await drawingOn(terminal));
  let isEmpty = true;
  for await (const record of records) {
    isEmpty = false;
    table.observe(cellsOf(record));
  }
  if (isEmpty) return;
  if (!table.fits()) {
    let separator = '';
    for await (const record of records) {
      yield separator + renderSingle(record, terminal);
      separator = '\n';
    }
    return;
  }
  if (header) yield `${table.head()}\n`;
  for await (const record of records) yield `${table.line(cellsOf(record))}\n`;
}
