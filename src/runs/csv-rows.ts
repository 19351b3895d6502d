/**
 * CSV of earlier runs: the input's own columns, then those that riskcli added. These are found by their names; if the input has
 * the same, since it may itself be an output of riskcli, the last ones count.
 */
import { type Node, NULL } from '../document/node.ts';
import { DELIMITERS } from '../lists/csv/columns.ts';
import { type CsvRecord, parseCsv, readCsv } from '../lists/csv/csv.ts';
import type { Line } from '../lists/lines.ts';
import { readAhead } from '../lists/read-ahead.ts';
import { type Batches, SAMPLE_LENGTH } from '../lists/rows.ts';
import { DATA_COLUMNS } from '../row/row-columns.ts';
import { unneutralise } from '../text/formula.ts';
import {
  canonicalName,
  checkNames,
  type FileRow,
  fileRow,
  notRiskcliOutput,
  OF_ROW,
  type Reading,
  reportTorn,
  VERDICTS,
  walletIn,
} from './run.ts';

const WALLET = 'wallet_address';

/** @throws ListError when the first record is not the header of a list that riskcli wrote */
export async function openCsvRows(lines: Batches<Line>, reading: Reading): Promise<Batches<FileRow>> {
  const { header, delimiter, all } = await readCsvHeader(wholeLines(lines, reading), reading);
  return rowsOf(readCsv(all, { delimiter, hasComments: false }), header, reading);
}

/**
 * Every row that riskcli wrote has a line end. Without one, a number at the end of the last row may have lost digits: 597 would
 * be read as 59.
 */
async function* wholeLines(lines: Batches<Line>, reading: Reading): Batches<Line> {
  for await (const batch of lines) {
    const last = batch.at(-1);
    const isTorn = last?.isOpen && last.line > 1 && last.text.trim() !== '';
    yield isTorn ? batch.slice(0, -1) : batch;
    if (isTorn) reportTorn(reading);
  }
}

/** The prefix that riskcli adds to a name that is taken. */
const PREFIX = /^(?:riskcli\.)+/;
const withoutPrefix = (name: string) => name.replace(PREFIX, '');

/** A name of the header as it was before it was made safe for spreadsheets, which is done before a prefix is added. */
const columnName = (name: string) => {
  const own = withoutPrefix(name);
  return name.slice(0, name.length - own.length) + unneutralise(own);
};

/** The most lines that a header may have. */
const HEADER_LINES = 100;

async function readCsvHeader(lines: Batches<Line>, { name }: Reading) {
  let found: { readonly header: readonly string[]; readonly delimiter: string } | undefined;
  let first: readonly string[] | undefined;
  let sample: readonly Line[] = [];
  let length = 0;
  const { all } = await readAhead(lines, (taken) => {
    for (const line of taken.at(-1) ?? []) {
      length += line.text.length + 1;
      if (sample.length < HEADER_LINES && (sample.length > 0 || line.text.trim() !== '')) sample = [...sample, line];
    }
    const headers = DELIMITERS.map((delimiter) => ({
      header: parseCsv(sample, { delimiter, hasComments: false })[0] ?? [],
      delimiter,
    }));
    first ??= headers.find(({ header }) => header.length > 0)?.header;
    found = headers.find(({ header }) => header.some((column) => withoutPrefix(column) === WALLET));
    return found !== undefined || length > SAMPLE_LENGTH;
  });
  if (found && sample[0]?.isOpen) throw notRiskcliOutput('it ends within its first line', { name });
  if (found) return { ...found, all };
  throw noHeader(first, name);
}

function noHeader(first: readonly string[] | undefined, name: string) {
  if (!first) return notRiskcliOutput('it has no rows', { name });
  const isRow = first.some((cell) => walletIn({ kind: 'string', value: cell.trim() }));
  return isRow
    ? notRiskcliOutput('it begins with a row, not with the names of its columns', {
        name,
        hint: 'a list of wallets is not output of riskcli',
      })
    : notRiskcliOutput(`it has no column ${WALLET}`, { name });
}

/** @returns what makes a row of cells @throws ListError when a column is missing */
function rowMaker(header: readonly string[], reading: Reading) {
  const names = header.map(columnName).map(withoutPrefix);
  const block = blockStart(names);
  const isWhole = block >= 0;
  // Rows written with --fields begin with the input's columns, too, but nothing says where these end.
  const front = isWhole ? block : names.indexOf(WALLET);
  const indexOf = (name: string) => {
    const usual = isWhole ? DATA_COLUMNS.names.indexOf(name) : -1;
    return usual >= 0 ? block + usual : names.lastIndexOf(name);
  };
  checkNames((name) => indexOf(name) >= 0, reading);
  const isOfRow = (name: string, i: number) =>
    (isWhole && i >= block + DATA_COLUMNS.names.length ? VERDICTS : OF_ROW).has(name);
  const answer = names.flatMap((name, i) =>
    i < (isWhole ? block : 0) || isOfRow(name, i) ? [] : [[canonicalName(name), i] as const],
  );
  return (cells: readonly string[], line: number): FileRow => {
    const values = cells.map((cell) => cellNode(cell, unneutralise));
    const at = (i: number): Node => values[i] ?? NULL;
    // The input's own columns and cells are as they were.
    const own = (name: string, i: number) => [name, cellNode(cells[i] ?? '')] as const;
    const input: Node = front > 0 ? { kind: 'object', members: header.slice(0, front).map(own) } : at(indexOf(WALLET));
    const document = { kind: 'object', members: answer.map(([name, i]) => [name, at(i)] as const) } as const;
    return fileRow((name) => values[indexOf(name)], { line, at: 0, input, document }, reading);
  };
}

/** Where the usual columns begin; -1 unless all of them are there. */
function blockStart(names: readonly string[]): number {
  const usual = DATA_COLUMNS.names;
  for (let start = names.length - usual.length; start >= 0; start--) {
    if (usual.every((name, i) => names[start + i] === name)) return start;
  }
  return -1;
}

/** A short record is the last one of a run that was killed; anywhere else it is an error. */
async function* rowsOf(records: Batches<CsvRecord>, header: readonly string[], reading: Reading): Batches<FileRow> {
  const rowFrom = rowMaker(header, reading);
  const width = header.length;
  let isHeader = true;
  let short: number | undefined;
  for await (const batch of records) {
    const made: FileRow[] = [];
    for (const { line, cells } of batch) {
      if (short !== undefined) throw wrongWidth(short, reading);
      if (isHeader) isHeader = false;
      else if (cells.length < width) short = line;
      else if (cells.length > width) throw wrongWidth(line, reading);
      else made.push(rowFrom(cells, line));
    }
    yield made;
  }
  if (short !== undefined) reportTorn(reading);
}

const wrongWidth = (line: number, { name }: Reading) =>
  notRiskcliOutput('this record has more or fewer cells than there are columns', { name, line });

/** RFC 8259, section 6: csv does not distinguish a number from text that looks like one. */
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** @param read what reads text */
function cellNode(cell: string, read = (text: string) => text): Node {
  if (cell === '') return NULL;
  if (NUMBER.test(cell)) return { kind: 'number', spelling: cell };
  if (cell === 'true' || cell === 'false') return { kind: 'literal', value: cell === 'true' };
  return { kind: 'string', value: read(cell) };
}
