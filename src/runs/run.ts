/** A file of rows that riskcli wrote, opened: what it is, and its rows. */
import type { Reporter } from '../context.ts';
import { isEmpty, isScalar, type Node } from '../document/node.ts';
import { parsePath } from '../document/parse-path.ts';
import { formatPath, memberOf, type Path } from '../document/path.ts';
import { cellText } from '../document/write.ts';
import { ListError, UsageError } from '../errors.ts';
import { META } from '../row/paths/own-names.ts';
import { classify, type Excused, findIn, type Row, type RowError, STATUSES, type Status } from '../row/row.ts';
import { readWallet } from '../wallet/address.ts';
import type { ReviewEnd, ReviewHeader } from './review-lines.ts';

/** A row as it was written; of csv, `document` has the columns that riskcli added, by their names. */
export interface FileRow extends Row {
  /** Where its line begins in the file, in bytes; 0 in a file whose rows have no places. */
  readonly at: number;
}

export interface Run {
  /** The name of the file in messages: in quotes. */
  readonly name: string;
  /** The same without quotes, for reports. */
  readonly unquotedName: string;
  /** Whether its rows are lines of JSON, which can be read again by their places. */
  readonly hasPlaces: boolean;
  /** What a kept review says of itself; undefined for other files. */
  readonly review?: ReviewHeader | undefined;
  /** In the order of the file, also if a wallet comes twice. Can be read once. Rejects with a ListError for what riskcli has not written. */
  readonly rows: AsyncIterable<FileRow>;
  /** The last line of a kept review, when all rows were read; undefined when it is torn. */
  end(): (ReviewEnd & { readonly fileSha256: string }) | undefined;
}

/** How a file is read. */
export interface Reading {
  /** The name of the file in messages. */
  readonly name: string;
  /** The setting `score`, for answers that were written without their headline score. */
  readonly scorePath?: Path | undefined;
  /** Whether the score of every answer is read by `scorePath`, whatever its row says. */
  readonly rescores?: boolean;
  /** The columns that its rows must have. */
  readonly needs: readonly string[];
  /** What is damaged, and what was changed since it was written. */
  readonly report: Pick<Reporter, 'info' | 'warn'>;
}

/** The columns that a file must have to be compared or shown as a whole. */
export const USUAL_COLUMNS = ['status', 'score', 'total_collateral_usd'] as const;

export const OURS =
  'give a file that riskcli profile wrote (jsonl, json or csv); riskcli journal export makes one of a journal';

/** What is wrong with the file as a whole, or with the row that begins on `line`. */
export function notRiskcliOutput(
  problem: string,
  { name, line, hint = OURS }: { readonly name: string; readonly line?: number; readonly hint?: string },
): ListError {
  return new ListError(`${name}${line === undefined ? '' : `, line ${line}`}: ${problem}`, { hint });
}

/** Says that the last row is cut short, as by a run that was killed. */
export const reportTorn = ({ name, report }: Reading): void =>
  report.warn(
    `the last row of ${name} is incomplete and left out: its line does not end, as if the file had been cut short (if the row is complete, add a line break)`,
  );

/** @throws ListError when the rows of the file lack what is compared or shown */
export function checkNames(has: (name: string) => boolean, { name, needs }: Reading): void {
  const missing = ['wallet_address', ...needs].filter((column) => !has(column));
  if (missing.length === 0) return;
  throw notRiskcliOutput(`it has no ${missing.join(', ')}`, {
    name,
    hint: 'give a file that riskcli profile wrote without --fields, or with --fields that name these',
  });
}

/** The values of a row, by the names that csv has for their columns. */
export type Columns = (name: string) => Node | undefined;

/** A row whose values are in `columns`. With `rescores`, its answer alone says which score it has, whether or not its row does. */
export function fileRow(
  columns: Columns,
  { line, at, input, document }: Pick<FileRow, 'line' | 'at' | 'input' | 'document'>,
  { scorePath, rescores }: Pick<Reading, 'scorePath' | 'rescores'>,
): FileRow {
  const written = STATUSES.find((known) => known === cellText(columns('status'))) ?? 'scored';
  const answer = isAnswer(written) ? document : undefined;
  const read = answer && rescores ? classify(answer, scorePath) : undefined;
  const excused = columns('excused');
  return {
    line,
    at,
    input,
    wallet: written === 'invalid' ? undefined : walletIn(columns('wallet_address')),
    status: read ? read.status : written,
    document: answer,
    score: read ? read.score : scoreIn(columns('score')),
    answeredAt: textIn(columns('answered_at')),
    warning: read ? read.warning : textIn(columns('warning')),
    error: errorIn(columns),
    matched: namesIn(columns('matched')),
    watched: namesIn(columns('watched')),
    unjudged: namesIn(columns('unjudged')),
    excused: excused && excusesIn(excused),
  };
}

export const isAnswer = (status: Status) => status === 'scored' || status === 'no_score';

const scoreIn = (node: Node | undefined) => (node && isScalar(node) && !isEmpty(node) ? node : undefined);

function errorIn(columns: Columns): RowError | undefined {
  const message = textIn(columns('error'));
  if (message === undefined) return undefined;
  return {
    code: textIn(columns('error.code')) ?? 'unknown',
    message,
    httpStatus: Number(cellText(columns('error.http_status'))) || undefined,
  };
}

/** The wallet in `node`. The checksum is not checked: an earlier run has accepted it. */
export function walletIn(node: Node | undefined): string | undefined {
  if (node?.kind !== 'string') return undefined;
  const wallet = readWallet(node.value, { checksum: false });
  return wallet.ok ? wallet.address : undefined;
}

const textIn = (node: Node | undefined): string | undefined => cellText(node) || undefined;

/** Names in an array, or in one text, as in csv. */
function namesIn(node: Node | undefined): readonly string[] | undefined {
  if (!node) return undefined;
  if (node.kind === 'array') return node.items.map(cellText).filter(Boolean);
  return cellText(node).split('; ').filter(Boolean);
}

/** Exceptions in an array of objects, or in one text, as in csv: `rule: reason (until 2026-12-31)`. */
function excusesIn(node: Node | undefined): readonly Excused[] {
  if (node?.kind === 'array') return node.items.flatMap(excusesIn);
  if (node?.kind === 'object') {
    const [rule = '', reason = '', until] = ['rule', 'reason', 'until'].map((key) => textIn(memberOf(node, key)));
    return [{ rule, reason, until }];
  }
  const [rule = '', ...reason] = cellText(node).split(': ');
  return rule === '' ? [] : [{ rule, reason: reason.join(': ') }];
}

/** What riskcli says of a row, besides its answer; rules add the last ones. */
export const VERDICTS: ReadonlySet<string> = new Set(['matched', 'watched', 'unjudged', 'excused']);
export const OF_ROW: ReadonlySet<string> = new Set(['status', 'score', 'answered_at', 'warning', 'error', ...VERDICTS]);

/** A name that is a path in one spelling, by which `valueAt` finds it. */
export function canonicalName(name: string): string {
  try {
    return formatPath(parsePath(name));
  } catch (error) {
    if (error instanceof UsageError) return name;
    throw error;
  }
}

/** The collateral of an answer. */
export const collateralOf = ({ document }: Pick<Row, 'document'>): Node | undefined =>
  document && memberOf(document, 'total_collateral_usd');

/** The value of a row at `path`; of csv and of rows written with --fields, the column of that name. */
export function valueAt(row: Row, path: Path): Node | undefined {
  const found = findIn(row)(path);
  if (found !== undefined && found !== 'unknown') return found;
  if (!row.document || path[0] === META) return undefined;
  return memberOf(row.document, formatPath(path));
}
