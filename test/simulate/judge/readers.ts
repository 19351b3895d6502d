/**
 * The judge's own readers of what the program reads and writes: lists, rows, journals. They share
 * no code with it.
 */
import { crc32 } from 'node:zlib';

/** What a row of an output says; undefined where its format or `--fields` has no such column. */
export interface OutputRow {
  readonly wallet: string | undefined;
  readonly status: string | undefined;
  readonly score: number | null | undefined;
  readonly collateral: number | null | undefined;
  readonly answeredAt: string | undefined;
}

/** The wallets of a list in lower case, row by row; undefined for a row that is none. */
export function readList(path: string, text: string): readonly (string | undefined)[] {
  const cells = /\.csv(\.gz)?$/.test(path)
    ? tableOf(text).map((row) => row.address ?? '')
    : text.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'));
  return cells.map((cell) => (/^0x[0-9a-f]{40}$/i.test(cell.trim()) ? cell.trim().toLowerCase() : undefined));
}

export type Format = 'csv' | 'json' | 'jsonl';

/**
 * The rows of an output. `isCut`: what is behind the last whole row is dropped. @throws for what is
 * not whole
 */
export function readRows(text: string, format: Format, isCut = false): readonly OutputRow[] {
  if (format === 'csv') return tableOf(isCut ? wholeCsv(text) : mustEnd(text)).map(rowOfCells);
  if (format === 'json' && !isCut) return (JSON.parse(text) as Document[]).map(rowOfDocument);
  const lines = (isCut ? text.slice(0, text.lastIndexOf('\n') + 1) : mustEnd(text)).split('\n');
  const documents = lines.map((line) => line.replace(/^\[|,$|\]$/g, '')).filter((line) => line !== '');
  return documents.map((line) => rowOfDocument(JSON.parse(line) as Document));
}

function mustEnd(text: string): string {
  if (text !== '' && !text.endsWith('\n')) throw new Error('the last line has no end');
  return text;
}

/** Up to the last newline that ends a record. */
function wholeCsv(text: string): string {
  for (let end = text.lastIndexOf('\n'); end >= 0; end = text.lastIndexOf('\n', end - 1)) {
    if ((text.slice(0, end).split('"').length - 1) % 2 === 0) return text.slice(0, end + 1);
    if (end === 0) break;
  }
  return '';
}

interface Document {
  readonly wallet_address?: string;
  readonly total_collateral_usd?: number | null;
  readonly _meta?: { readonly status?: string; readonly score?: number | null; readonly answered_at?: string };
}

function rowOfDocument({ wallet_address, total_collateral_usd, _meta }: Document): OutputRow {
  return {
    wallet: wallet_address?.toLowerCase(),
    status: _meta?.status,
    score: _meta?.score,
    collateral: total_collateral_usd,
    answeredAt: _meta?.answered_at,
  };
}

const numberOf = (cell: string | undefined) => (cell === undefined ? undefined : cell === '' ? null : Number(cell));

function rowOfCells(cells: Readonly<Record<string, string>>): OutputRow {
  const { wallet_address, status, score, total_collateral_usd, answered_at: answeredAt } = cells;
  return {
    wallet: wallet_address?.toLowerCase(),
    status,
    score: numberOf(score),
    collateral: numberOf(total_collateral_usd),
    answeredAt,
  };
}

/** RFC 4180, with a header. @throws for a row with more or fewer cells */
function tableOf(text: string): Record<string, string>[] {
  const [header = [], ...records] = recordsOf(text);
  return records.map((cells) => {
    if (cells.length !== header.length) throw new Error(`a row has ${cells.length} cells, the header ${header.length}`);
    return Object.fromEntries(header.map((name, i) => [name, cells[i] ?? '']));
  });
}

function recordsOf(text: string): string[][] {
  const records: string[][] = [];
  let cells: string[] = [];
  const cell = /(?:"((?:[^"]|"")*)"|([^",\n]*))(,|\n|$)/y;
  while (cell.lastIndex < text.length) {
    const found = cell.exec(text);
    if (!found) throw new Error('a quote that does not end, or stands inside of a cell');
    cells.push(found[1]?.replaceAll('""', '"') ?? found[2] ?? '');
    if (found[3] === ',') continue;
    records.push(cells);
    cells = [];
  }
  return records;
}

export interface JournalRecord {
  readonly wallet: string;
  /** By the clock of the machine, milliseconds since 1970. */
  readonly answeredAt: number;
  readonly kind: 'document' | 'refused';
  readonly content: string;
}

export interface Journal {
  readonly base: string | undefined;
  readonly records: readonly JournalRecord[];
  /** The numbers of lines that are no records, or whose checksum is wrong. */
  readonly damaged: readonly number[];
  /** What stands behind the last newline. */
  readonly torn: number;
}

const RECORD = /^\{"crc":"([0-9a-f]{8})",("wallet":"([^"]+)","answered_at":"([^"]+)","(document|refused)":(.*))\}$/s;

export function readJournal(bytes: Buffer): Journal {
  const text = bytes.toString('utf8');
  const end = text.lastIndexOf('\n') + 1;
  const [head = '', ...lines] = text.slice(0, end).split('\n').slice(0, -1);
  const records: JournalRecord[] = [];
  const damaged: number[] = [];
  const base = baseOf(head);
  if (base === undefined && end > 0) damaged.push(1);
  for (const [i, line] of lines.entries()) {
    const [, crc, , wallet = '', moment = '', kind, content = ''] = RECORD.exec(line) ?? [];
    const isWhole =
      crc === crc32(Buffer.from(line).subarray('{"crc":"12345678",'.length)).toString(16).padStart(8, '0');
    if (isWhole && isJson(content))
      records.push({ wallet, answeredAt: Date.parse(moment), kind: kind as 'document', content });
    // A run that was halted in its first write, and has lost its lock, writes the first line again.
    else if (line !== head) damaged.push(i + 2);
  }
  return { base, records, damaged, torn: text.length - end };
}

function baseOf(line: string): string | undefined {
  try {
    const { riskcli_journal: version, base_url: base } = JSON.parse(line) as Record<string, unknown>;
    return version === 1 && typeof base === 'string' ? base : undefined;
  } catch {
    return undefined;
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
