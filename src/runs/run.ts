/** A file of rows that riskcli wrote, opened: what it is, and its rows. */
import type { Reporter } from '../context.ts';
import { isEmpty, isScalar, type Node } from '../document/node.ts';
import { parsePath } from '../document/parse-path.ts';
import { formatPath, memberOf, type Path } from '../document/path.ts';
import { cellText } from '../document/write.ts';
import { ListError, UsageError } from '../errors.ts';
import { META } from '../row/paths/own-names.ts';
import { type Excused, findIn, type Row, STATUSES, type Status } from '../row/row.ts';
import { readWallet } from '../wallet/address.ts';
import type { ReviewEnd, ReviewHeader } from './kept-review.ts';

/** A row as it was written; of csv, `document` has the columns that riskcli added, by their names. */
export interface FileRow extends Row {
  /** Where its line begins in the file, in bytes; undefined where rows are not lines of JSON. */
  readonly at?: number | undefined;
}

export interface Run {
  /** The name of the file in messages: in quotes. */
  readonly name: string;
  /** The same without quotes, for reports. */
  readonly unquotedName: string;
  /** What a kept review says of itself; undefined for other files. */
  readonly review?: ReviewHeader | undefined;
  /** In the order of the file, also if a wallet comes twice. Can be read once. Rejects with a ListError for what riskcli has not written. */
  readonly rows: AsyncIterable<FileRow>;
  /** The last line of a kept review, when all rows were read; undefined when it is torn. */
  end(): (ReviewEnd & { readonly fileSha256: string }) | undefined;
  /** May be called twice. */
  close(): void;
}

/** How a file is read. */
export interface Reading {
  /** The name of the file in messages. */
  readonly name: string;
  /** The setting `score`, for answers that were written without their headline score. */
  readonly scorePath?: Path | undefined;
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

/** @throws ListError when the rows of the file lack what is compared or shown */
export function checkNames(has: (name: string) => boolean, { name, needs }: Reading): void {
  const missing = ['wallet_address', ...needs].filter((column) => !has(column));
  if (missing.length === 0) return;
  throw notRiskcliOutput(`it has no ${missing.join(', ')}`, {
    name,
    hint: 'give a file that riskcli profile wrote without --fields, or with --fields that name these',
  });
}

/** The values of a row by the names that csv has for them. */
export type Values = (name: string) => Node | undefined;

/** The members of a row that are read by name, whatever the format. */
export function writtenRow(
  value: Values,
  origin: Pick<Row, 'line' | 'input' | 'document'>,
): Omit<FileRow, 'candidates'> {
  const status = STATUSES.find((known) => known === cellText(value('status'))) ?? 'scored';
  const score = value('score');
  const address = value('wallet_address');
  const message = textIn(value('error'));
  return {
    ...origin,
    wallet: status === 'invalid' ? undefined : walletIn(address),
    status,
    document: isAnswer(status) ? origin.document : undefined,
    score: score && isScalar(score) && !isEmpty(score) ? score : undefined,
    answeredAt: textIn(value('answered_at')),
    warning: textIn(value('warning')),
    ...(message !== undefined && { error: { ...errorOf(value), message } }),
    matched: namesIn(value('matched')),
    watched: namesIn(value('watched')),
    unjudged: namesIn(value('unjudged')),
    excused: value('excused') && excusesIn(value('excused')),
  };
}

export const isAnswer = (status: Status) => status === 'scored' || status === 'no_score';

function errorOf(value: Values) {
  return {
    code: textIn(value('error.code')) ?? 'unknown',
    httpStatus: Number(cellText(value('error.http_status'))) || undefined,
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
