/**
 * CSV of earlier runs: the input's own columns, then those that riskcli added. These are found by their names; if the input has
 * the same, since it may itself be an output of riskcli, the last ones count.
 */

import type { Node } from '../document/node.ts';
import type { Path } from '../document/path.ts';
import type { ListError } from '../errors.ts';
import { DELIMITERS } from '../lists/csv/columns.ts';
import { type CsvRecord, parseCsv, readCsv } from '../lists/csv/csv.ts';
import type { Line } from '../lists/lines.ts';
import { readAhead } from '../lists/read-ahead.ts';
import { type Batches, SAMPLE_LENGTH } from '../lists/rows.ts';
import { META } from '../row/paths/own-names.ts';
import { parseRowPath } from '../row/paths/row-path.ts';
import { DATA_COLUMNS } from '../row/row-columns.ts';
import { unneutralise } from '../text/formula.ts';
import { assembleColumns, ownName, pathOf } from './columns.ts';
import type { DefaultColumn, ResultRow } from './result.ts';
import {
  judged,
  missingColumns,
  notRiskcliOutput,
  OURS,
  type ResultSource,
  readScore,
  rowOf,
  WRITTEN,
  walletIn,
} from './row-values.ts';

const WALLET = 'wallet_address';

export interface CsvResults {
  readonly missing: readonly DefaultColumn[];
  readonly batches: Batches<ResultRow>;
}

/** @throws ListError when the first record is not the header of a list that riskcli wrote */
export async function openCsvResults(
  lines: Batches<Line>,
  { source, onTorn }: { readonly source: ResultSource; readonly onTorn: () => void },
): Promise<CsvResults> {
  const { header, delimiter, all } = await readHeader(wholeLines(lines, onTorn), source);
  const columns = readColumns(header, source);
  const records = readCsv(all, { delimiter, hasComments: false });
  const batches = rowsOf(records, { columns, width: header.length, source, onTorn });
  return { missing: columns.missing, batches };
}

/**
 * Every row that riskcli wrote has a line end. Without one, a number at the end of the last row may have lost digits: 597 would
 * be read as 59.
 */
async function* wholeLines(lines: Batches<Line>, onTorn: () => void): Batches<Line> {
  for await (const batch of lines) {
    const last = batch.at(-1);
    const isTorn = last?.isOpen && last.line > 1 && last.text.trim() !== '';
    yield isTorn ? batch.slice(0, -1) : batch;
    if (isTorn) onTorn();
  }
}

/** A name of the header as it was before it was made safe for spreadsheets, which is done before a prefix is added. */
const ownColumnName = (name: string) => {
  const own = ownName(name);
  return name.slice(0, name.length - own.length) + unneutralise(own);
};

/** The most lines that a header may have. */
const HEADER_LINES = 100;

async function readHeader(lines: Batches<Line>, source: ResultSource) {
  let found: { readonly header: readonly string[]; readonly delimiter: string } | undefined;
  let first: readonly string[] | undefined;
  let sample: readonly Line[] = [];
  let length = 0;
  const { all } = await readAhead(lines, {
    enough(taken) {
      for (const line of taken.at(-1) ?? []) {
        length += line.text.length + 1;
        if (sample.length < HEADER_LINES && (sample.length > 0 || line.text.trim() !== '')) sample = [...sample, line];
      }
      const headers = DELIMITERS.map((delimiter) => ({
        header: parseCsv(sample, { delimiter, hasComments: false })[0] ?? [],
        delimiter,
      }));
      first ??= headers.find(({ header }) => header.length > 0)?.header;
      found = headers.find(({ header }) => header.some((name) => ownName(name) === WALLET));
      return found !== undefined || length > SAMPLE_LENGTH;
    },
  });
  if (found && sample[0]?.isOpen) throw notRiskcliOutput('it ends within its first line', source);
  if (found) return { ...found, all };
  throw noHeader(first, source);
}

function noHeader(first: readonly string[] | undefined, source: ResultSource): ListError {
  const { name } = source;
  if (!first) return notRiskcliOutput('it has no rows', { name });
  const isRow = first.some((cell) => walletIn({ kind: 'string', value: cell.trim() }));
  return isRow
    ? notRiskcliOutput('it begins with a row, not with the names of its columns', {
        name,
        hint: 'a list of wallets is not output of riskcli',
      })
    : notRiskcliOutput(`it has no column ${WALLET}`, {
        name,
        hint: `${OURS}; with --fields, name ${WALLET} among them`,
      });
}

/** Those that come after what --fields adds. */
const LAST_COLUMNS: readonly string[] = ['matched', 'unjudged', 'excused', 'watched'];

/** The path of a usual column in a row's object. */
const usualPath = (name: string): Path => (name === 'error' ? [META, 'error', 'message'] : parseRowPath(name));

function readColumns(header: readonly string[], source: ResultSource) {
  const names = header.map(ownColumnName).map(ownName);
  const block = blockStart(names);
  const isWhole = block >= 0;
  const paths = names.map((name, i): Path => {
    if (!isWhole) return pathOf(name, parseRowPath);
    if (i < block) return [META, 'input', header[i] ?? ''];
    const isUsual = i < block + DATA_COLUMNS.names.length || LAST_COLUMNS.includes(name);
    return isUsual ? usualPath(name) : pathOf(name);
  });
  // Rows written with --fields also begin with the input's columns, but nothing says where these end: so the columns in front
  // have both paths.
  const front = isWhole ? block : names.indexOf(WALLET);
  const again = isWhole ? [] : header.slice(0, front).map((name): Path => [META, 'input', name]);
  const assemble = assembleColumns([...paths, ...again]);
  // A column that --fields adds may also be called `score`: if all usual columns are there, they count.
  const indexOf = (name: string) => {
    const usual = isWhole ? DATA_COLUMNS.names.indexOf(name) : -1;
    if (usual >= 0) return block + usual;
    const full = names.lastIndexOf(`${META}.${name}`);
    return full >= 0 ? full : names.lastIndexOf(name);
  };
  const indexes = new Map<string, number>(WRITTEN.map((name) => [name, indexOf(name)]));
  const isTold = !isWhole && readScore(names, source);
  return {
    missing: missingColumns((name) => indexes.get(name) !== -1, isTold),
    /** Whether status and score are derived again from the values, since no column has them. */
    isTold,
    /** @param own the cells of the input, which are as they were */
    node: (values: readonly Node[], own: readonly Node[]) =>
      assemble(isWhole ? [...own, ...values.slice(front)] : [...values, ...own]),
    front: Math.max(0, front),
    input: (own: readonly Node[]): Node | undefined =>
      front > 0 ? { kind: 'object', members: own.map((value, i) => [header[i] ?? '', value] as const) } : undefined,
    /** The value of one of WRITTEN. */
    value: (name: string, values: readonly Node[]) => values[indexes.get(name) ?? -1],
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

interface CsvRows {
  readonly columns: ReturnType<typeof readColumns>;
  readonly width: number;
  readonly source: ResultSource;
  readonly onTorn: () => void;
}

/** A short record is the last one of a run that was killed; anywhere else it is an error. */
async function* rowsOf(records: Batches<CsvRecord>, rows: CsvRows): Batches<ResultRow> {
  let isHeader = true;
  let short: number | undefined;
  for await (const batch of records) {
    const made: ResultRow[] = [];
    for (const { line, cells } of batch) {
      if (short !== undefined) throw wrongWidth(short, rows.source);
      if (isHeader) isHeader = false;
      else if (cells.length < rows.width) short = line;
      else if (cells.length > rows.width) throw wrongWidth(line, rows.source);
      else made.push(csvRow(cells, { line, ...rows }));
    }
    yield made;
  }
  if (short !== undefined) rows.onTorn();
}

const wrongWidth = (line: number, { name }: ResultSource) =>
  notRiskcliOutput('this record has more or fewer cells than there are columns', { name, line });

function csvRow(cells: readonly string[], { line, columns, source }: CsvRows & { readonly line: number }): ResultRow {
  const values = cells.map((cell) => cellNode(cell, unneutralise));
  const own = cells.slice(0, columns.front).map((cell) => cellNode(cell));
  const node = () => columns.node(values, own);
  const told: Partial<Record<string, Node>> = columns.isTold ? judged(node(), source) : {};
  const value = (name: string) => columns.value(name, values) ?? told[name];
  return rowOf({ line, value, node, input: () => columns.input(own) });
}

/** RFC 8259, section 6: csv does not distinguish a number from text that looks like one. */
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** @param read what reads text */
function cellNode(cell: string, read = (text: string) => text): Node {
  if (cell === '') return { kind: 'literal', value: null };
  if (NUMBER.test(cell)) return { kind: 'number', spelling: cell };
  if (cell === 'true' || cell === 'false') return { kind: 'literal', value: cell === 'true' };
  return { kind: 'string', value: read(cell) };
}
