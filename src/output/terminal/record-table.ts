/** Records on a terminal, as a table or singly. Separate, so that other outputs load no drawing code. */
import { visible } from '../../text/escape.ts';
import { columnsOfAll, type FlatRecord, plain, type Records, type RecordValue } from '../record.ts';
import { fieldText } from '../value-text.ts';
import { drawingOn, namedLines, type Terminal } from './lines.ts';
import { headText, Table } from './table.ts';

const shown = (name: string, value: RecordValue | undefined) =>
  typeof value === 'object' && value !== null ? fieldText(name, value) : visible(plain(value)) || '-';
/** `base_url` with spaces instead of underscores. */
const label = (name: string) => name.replaceAll('_', ' ');

/** Columns side by side, or record by record if the terminal is too narrow: nothing is cut. */
export async function* tableTexts(
  records: Records,
  {
    columns,
    single = false,
    terminal,
  }: {
    readonly terminal: Terminal;
    readonly columns?: readonly string[] | undefined;
    readonly single?: boolean;
  },
): AsyncGenerator<string> {
  if (single) {
    for await (const record of records) yield singleText(record, terminal);
    return;
  }
  const names = columns ?? (await columnsOfAll(records));
  const cellsOf = (record: FlatRecord) => names.map((name) => shown(name, record[name]));
  const heads = names.map((name) => ({ head: headText(name) }));
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
      yield separator + singleText(record, terminal);
      separator = '\n';
    }
    return;
  }
  yield `${table.head()}\n`;
  for await (const record of records) yield `${table.line(cellsOf(record))}\n`;
}

function singleText(record: FlatRecord, { width }: Terminal): string {
  const named = Object.entries(record).map(([name, value]) => ({ name: label(name), text: shown(name, value) }));
  return namedLines(named, width)
    .map((line) => `${line}\n`)
    .join('');
}
