/** Flat records (keys, settings, limits, health) in the formats that their commands share. */
import type { ListFormat } from '../cli/formats.ts';
import type { Node, ObjectNode } from '../document/node.ts';
import { writeCompact, writePretty } from '../document/write.ts';
import { visible } from '../text/escape.ts';
import { columnsOfAll, type FlatRecord, plain, type Records, type RecordValue } from './record.ts';
import type { DataFormat } from './rows/row-writer.ts';
import type { Terminal } from './terminal/lines.ts';

export interface RecordOptions {
  readonly format: ListFormat;
  /** Set if stdout is a terminal. */
  readonly terminal: Terminal | undefined;
  /** Writes one record as an object in json and as `name value` lines in a table. */
  readonly single?: boolean;
  /** Names of the values; by default the records are read once to collect them. */
  readonly columns?: readonly string[] | undefined;
}

/**
 * `records` as text that ends in a newline (empty for a table without records). A table on a pipe is tab-separated without a header;
 * a single record has a line `name<TAB>value` per value. Null is `null` in json, `-` on a terminal, else empty.
 */
export async function renderRecords(records: readonly FlatRecord[], options: RecordOptions): Promise<string> {
  let all = '';
  for await (const text of recordTexts(records, options)) all += text;
  return all;
}

/** The text of `renderRecords`, one record at a time. */
export async function* recordTexts(records: Records, options: RecordOptions): AsyncGenerator<string> {
  const { format, single = false, terminal } = options;
  if (format === 'json') yield* jsonTexts(records, single);
  else if (format !== 'table') yield* rowTexts(records, { ...options, format });
  else if (terminal) yield* (await import('./terminal/record-table.ts')).tableTexts(records, { ...options, terminal });
  else if (single) for await (const record of records) yield singleText(record);
  else yield* tabTexts(records, options);
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

type Columns = Pick<RecordOptions, 'columns' | 'terminal'>;

/** One line per record, as in a list. */
async function* rowTexts(records: Records, { format, columns, terminal }: Columns & { readonly format: DataFormat }) {
  const { createRowWriter } = await import('./rows/row-writer.ts');
  const names = columns ?? (await columnsOfAll(records));
  const values = (record: FlatRecord) => names.map((name) => valueNode(record[name] ?? null));
  const json = (record: FlatRecord) => writeCompact(nodeOf(record));
  const rows = { json, cells: () => ({ names, values }) };
  const writer = createRowWriter<FlatRecord>(format, rows, { terminal });
  yield writer.head();
  for await (const record of records) yield writer.row(record);
  yield writer.foot();
}

async function* tabTexts(records: Records, { columns }: Columns): AsyncGenerator<string> {
  const names = columns ?? (await columnsOfAll(records));
  for await (const record of records) yield `${names.map((name) => visible(plain(record[name]))).join('\t')}\n`;
}

/** A line `name<TAB>value` per value. */
const singleText = (record: FlatRecord) =>
  Object.entries(record)
    .map(([name, value]) => `${name}\t${visible(plain(value))}\n`)
    .join('');
