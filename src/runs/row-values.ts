/** Shared by the readers of all formats: wallets, default columns, rows of named values. */
import { isEmpty, isScalar, type Node, type ObjectNode, type ScalarNode } from '../document/node.ts';
import { formatPath, lookup, memberOf, type Path } from '../document/path.ts';
import { cellText } from '../document/write.ts';
import { ListError } from '../errors.ts';
import { META } from '../row/paths/own-names.ts';
import { classify, type Excused, STATUSES } from '../row/row.ts';
import type { Wallet } from '../wallet/address.ts';
import { readWallet } from '../wallet/address.ts';
import { DEFAULT_COLUMNS, type DefaultColumn, type ResultRow } from './result.ts';

/** How rows are read. */
export interface ResultSource {
  /** The name of the file in messages. */
  readonly name: string;
  /** The setting `score`, for documents whose rows do not have the headline score. */
  readonly scorePath?: Path | undefined;
}

export const OURS =
  'give a file that riskcli profile wrote (jsonl, json or csv); riskcli journal export makes one of a journal';

export const NOT_WORKBOOK = 'give the run as csv: the same riskcli command with -o FILE.csv, or riskcli journal export';

/** What is wrong with the file as a whole, or with the row that begins on `line`. */
export function notRiskcliOutput(
  problem: string,
  { name, line, hint = OURS }: { readonly name: string; readonly line?: number; readonly hint?: string },
): ListError {
  return new ListError(`${name}${line === undefined ? '' : `, line ${line}`}: ${problem}`, { hint });
}

/** The wallet in `node`. The checksum is not checked: an earlier run has accepted it. */
export function walletIn(node: Node | undefined): Wallet | undefined {
  const reading = node?.kind === 'string' ? readWallet(node.value, { checksum: false }) : undefined;
  return reading?.ok ? reading : undefined;
}

/** The default columns that a file lacks. @param isTold whether status and score are derived again */
export const missingColumns = (has: (name: DefaultColumn) => boolean, isTold: boolean): readonly DefaultColumn[] =>
  DEFAULT_COLUMNS.filter((name) => !has(name) && (!isTold || name === 'total_collateral_usd'));

/** The values that are read of a row, by their names in csv. */
export const WRITTEN = [
  'wallet_address',
  ...DEFAULT_COLUMNS,
  'answered_at',
  'warning',
  'error',
  'matched',
  'unjudged',
  'excused',
  'watched',
] as const;
type WrittenName = (typeof WRITTEN)[number];

/** Where a row is read from. Its input is in its object by default. */
interface WrittenRow extends Pick<ResultRow, 'line' | 'node' | 'document'>, Partial<Pick<ResultRow, 'input'>> {
  readonly value: (name: WrittenName) => Node | undefined;
}

export function rowOf({ value, line, node, document, input }: WrittenRow): ResultRow {
  const status = STATUSES.find((known) => known === cellText(value('status')));
  const score = value('score');
  return {
    line,
    wallet: status === 'invalid' ? undefined : walletIn(value('wallet_address')),
    status,
    score: score && isScalar(score) && !isEmpty(score) ? score : undefined,
    collateral: value('total_collateral_usd'),
    answeredAt: textIn(value('answered_at')),
    warning: textIn(value('warning')),
    error: textIn(value('error')),
    matched: namesIn(value('matched')),
    unjudged: namesIn(value('unjudged')),
    excused: value('excused') && excusesIn(value('excused')),
    watched: value('watched') && namesIn(value('watched')),
    ...(document && { document }),
    node,
    input: input ?? (() => lookup(node(), [META, 'input'])),
  };
}

/** The usual paths of a headline score. */
const DEFAULT_SCORE_PATHS = ['defi_score.defi_score', 'defi_score.score'];

/** Whether one of the columns `names` has the headline score, so that status and score can be derived. */
export function readScore(names: readonly string[], { scorePath }: ResultSource): boolean {
  const wanted = scorePath ? [formatPath(scorePath)] : DEFAULT_SCORE_PATHS;
  return wanted.some((name) => names.includes(name));
}

/** The status and score derived from the answer in `node`. */
export function judged(node: ObjectNode, { scorePath }: ResultSource): { status?: Node; score?: ScalarNode } {
  const { status, score } = classify(node, scorePath);
  // A row without any values has no answer, which is not the same as an answer without a score.
  const isAnswered = score !== undefined || !isNothing(memberOf(node, 'total_collateral_usd'));
  return isAnswered ? { status: { kind: 'string', value: status }, score } : {};
}

const isNothing = (node: Node | undefined) => node === undefined || isEmpty(node);

function textIn(node: Node | undefined): string | undefined {
  return cellText(node) || undefined;
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

/** Names in an array, or in one text, as in csv. */
function namesIn(node: Node | undefined): readonly string[] {
  if (node?.kind === 'array') return node.items.map(cellText).filter(Boolean);
  return cellText(node).split('; ').filter(Boolean);
}
