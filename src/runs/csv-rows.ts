/**
 * CSV of earlier runs: the input's own columns, then those that riskcli added. These are found by
 * their names; if the input has the same, since it may itself be an output of riskcli, the last
 * ones count.
 */
import { type Node, NULL, type ObjectNode } from '../document/node.ts';
import { DELIMITERS } from '../lists/csv/columns.ts';
import { type CsvRecord, parseCsv, readCsv } from '../lists/csv/csv.ts';
import type { Line } from '../lists/lines.ts';
import { type Batches, dropWhile, map, sample } from '../lists/rows.ts';
import { DATA_COLUMNS } from '../rules/row-columns.ts';
import { unneutralise } from '../text/formula.ts';
import { addressesIn } from '../wallet/address.ts';
import { canonicalName, fileRow, META_COLUMNS, VERDICTS } from './file-row.ts';
import { checkNames, type FileReadOptions, type FileRow, notRiskcliOutput, reportTorn } from './run.ts';

const WALLET = 'wallet_address';

/**
 * @throws ListError when the first record is not the header of a list that riskcli wrote, or lacks
 * a column
 */
export async function openCsvRows(lines: Batches<Line>, options: FileReadOptions): Promise<Batches<FileRow>> {
  const { items, all, failure } = await sample(wholeLines(lines, options), {
    lengthOf: ({ text }) => (text.trim() === '' ? undefined : text.length),
    decide: (taken) => headerIn(taken) !== undefined,
  });
  const first = items.find(({ text }) => text.trim() !== '');
  const found = headerIn(items);
  if (!first || !found) throw failure ? failure.error : noHeader(first, options);
  if (first.isOpen) throw notRiskcliOutput('it ends within its first line', options);
  const { header, delimiter } = found;
  const columns = columnsOf(header, options);
  const records = readCsv(all, { delimiter, hasComments: false });
  const rows = dropWhile(records, ({ line }) => line === first.line);
  return map(rows, (record) => csvRow(record, columns, options));
}

/**
 * Every row that riskcli wrote has a line end. Without one, a number at the end of the last row may
 * have lost digits: 597 would be read as 59.
 */
async function* wholeLines(lines: Batches<Line>, options: FileReadOptions): Batches<Line> {
  for await (const batch of lines) {
    const last = batch.at(-1);
    const isTorn = last?.isOpen && last.line > 1 && last.text.trim() !== '';
    yield isTorn ? batch.slice(0, -1) : batch;
    if (isTorn) reportTorn(options);
  }
}

/** The most lines that a header may have. */
const HEADER_LINES = 100;

/** The first record of `lines`, and the delimiter with which it has the column of the wallets. */
function headerIn(lines: readonly Line[]) {
  const start = lines.findIndex(({ text }) => text.trim() !== '');
  if (start < 0) return undefined;
  const first = lines.slice(start, start + HEADER_LINES);
  return DELIMITERS.map((delimiter) => {
    const [header = []] = parseCsv(first, { delimiter, hasComments: false });
    return { header, delimiter };
  }).find(({ header }) => header.map(columnName).includes(WALLET));
}

function noHeader(first: Line | undefined, options: FileReadOptions) {
  if (!first) return notRiskcliOutput('it has no rows', options);
  if (addressesIn(first.text).length === 0) return notRiskcliOutput(`it has no column ${WALLET}`, options);
  const hint = 'a list of wallets is not output of riskcli';
  return notRiskcliOutput('it begins with a row, not with the names of its columns', { ...options, hint });
}

/**
 * The name of a column before it was made safe for spreadsheets, and without the `riskcli.` that a
 * name gets if it is taken.
 */
const columnName = (name: string) => unneutralise(name.replace(/^(?:riskcli\.)+/, ''));

interface AddedColumn {
  readonly name: string;
  readonly index: number;
}

/** The columns of a header, by what they hold. @throws ListError when one is missing */
function columnsOf(header: readonly string[], options: FileReadOptions) {
  const names = header.map(columnName);
  checkNames(names, options);
  const defaults = DATA_COLUMNS.names;
  const start = names.findLastIndex((_, at) => defaults.every((name, i) => names[at + i] === name));
  const hasDefaults = start >= 0;
  // After the default columns, --fields may have picked a value with one of these names: there only
  // the columns of rules are riskcli's own.
  const isMetaColumn = ({ name, index }: AddedColumn) =>
    (hasDefaults && index >= start + defaults.length ? VERDICTS : META_COLUMNS).has(name);
  // Rows written with --fields begin with the input's columns, too, but nothing says where these
  // end.
  const added = names.map((name, index): AddedColumn => ({ name, index })).slice(hasDefaults ? start : 0);
  return {
    width: header.length,
    wallet: hasDefaults ? start : names.lastIndexOf(WALLET),
    input: header.slice(0, hasDefaults ? start : names.indexOf(WALLET)),
    meta: added.filter(isMetaColumn),
    answer: added
      .filter((column) => !isMetaColumn(column))
      .map(({ name, index }) => ({ name: canonicalName(name), index })),
  };
}

/** @throws ListError when the record is not as long as the header */
function csvRow({ line, cells }: CsvRecord, columns: ReturnType<typeof columnsOf>, options: FileReadOptions): FileRow {
  if (cells.length !== columns.width) {
    throw notRiskcliOutput('this record has more or fewer cells than there are columns', { ...options, line });
  }
  const values = cells.map((cell) => cellNode(cell, unneutralise));
  const valuesOf = (some: readonly AddedColumn[]): ObjectNode => ({
    kind: 'object',
    members: some.map(({ name, index }) => [name, values[index] ?? NULL] as const),
  });
  // The input's own columns and cells are taken as they are, without `unneutralise`.
  const input = columns.input.map((name, i) => [name, cellNode(cells[i] ?? '')] as const);
  return fileRow(
    {
      line,
      at: 0,
      address: values[columns.wallet],
      input: input.length > 0 ? { kind: 'object', members: input } : undefined,
      meta: valuesOf(columns.meta),
      answer: valuesOf(columns.answer),
    },
    options,
  );
}

/** RFC 8259, section 6: csv does not distinguish a number from text that looks like one. */
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** @param restore applied to text, such as `unneutralise` */
function cellNode(cell: string, read = (text: string) => text): Node {
  if (cell === '') return NULL;
  if (NUMBER.test(cell)) return { kind: 'number', spelling: cell };
  if (cell === 'true' || cell === 'false') return { kind: 'literal', value: cell === 'true' };
  return { kind: 'string', value: read(cell) };
}
