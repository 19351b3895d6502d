/** A row as it was written, from its two parts: the answer, and what riskcli said of it. */

import { isEmpty, isScalar, type Node, type ObjectNode, textNode } from '../document/node.ts';
import { pathOfName } from '../document/parse-path.ts';
import { formatPath, memberOf } from '../document/path.ts';
import { cellText } from '../document/write.ts';
import { readKept } from '../row/kept.ts';
import { classify, type RowError, type RowInput, STATUSES } from '../row/row.ts';
import { type Excuse, type Judged, VERDICT_COLUMNS, type Verdict } from '../row/verdict.ts';
import { readWallet } from '../wallet/address.ts';
import { type FileRow, isAnswer, type RowReadOptions } from './run.ts';

export interface RowParts extends Pick<FileRow, 'line' | 'at'> {
  /** The text in the place of the wallet's address. */
  readonly address: Node | undefined;
  /** Undefined if the address is all of it. */
  readonly input: RowInput | undefined;
  /** The facts of riskcli on the row, from `_meta` or from the columns of csv. */
  readonly meta: ObjectNode;
  readonly answer: ObjectNode;
}

/** The columns with what rules say of a row. */
export const VERDICTS: ReadonlySet<string> = new Set(VERDICT_COLUMNS);
/** The columns with what riskcli says of a row; the others are the answer's. */
export const META_COLUMNS: ReadonlySet<string> = new Set([
  'status',
  'score',
  'answered_at',
  'warning',
  'error',
  ...VERDICTS,
]);

/** With `rescores`, the status, the score and the warning are read from the answer again. */
export function fileRow(parts: RowParts, { scorePath, rescores }: Omit<RowReadOptions, 'name'>): FileRow {
  const { line, at, address, meta, answer } = parts;
  const value = (name: string) => memberOf(meta, name);
  // The printed answer for one wallet has no status; jsonRow has it rescored.
  const statusInFile = STATUSES.find((known) => known === cellText(value('status'))) ?? 'scored';
  const document = isAnswer(statusInFile) ? answer : undefined;
  const rescored = document && rescores ? classify(document, scorePath) : undefined;
  return {
    line,
    at,
    input: parts.input ?? address ?? textNode(''),
    wallet: statusInFile === 'invalid' ? undefined : walletIn(address),
    status: rescored ? rescored.status : statusInFile,
    document,
    score: rescored ? rescored.score : scoreIn(value('score')),
    answeredAt: textIn(value('answered_at')),
    warning: rescored ? rescored.warning : textIn(value('warning')),
    error: errorIn(value('error')),
    ...verdictsOf(value),
    kept: readKept(meta),
  };
}

/** The checksum is not checked: an earlier run has accepted it. */
function walletIn(node: Node | undefined): string | undefined {
  if (node?.kind !== 'string') return undefined;
  const wallet = readWallet(node.value, { checksum: false });
  return wallet.ok ? wallet.address : undefined;
}

const scoreIn = (node: Node | undefined) => (node && isScalar(node) && !isEmpty(node) ? node : undefined);

const textIn = (node: Node | undefined): string | undefined => cellText(node) || undefined;

/** An object, or the message alone, as in csv. */
function errorIn(node: Node | undefined): RowError | undefined {
  if (node?.kind !== 'object') {
    const message = textIn(node);
    return message === undefined ? undefined : { code: 'unknown', message };
  }
  const [code = 'unknown', message = '', httpStatus] = ['code', 'message', 'http_status'].map((key) =>
    textIn(memberOf(node, key)),
  );
  return { code, message, httpStatus: Number(httpStatus) || undefined };
}

/**
 * What the rules of its run said: the columns of verdicts that the row has, and the verdicts in
 * them.
 * An unjudged rule may be of either level, which the file does not say.
 */
function verdictsOf(value: (name: string) => Node | undefined): Judged {
  const verdictColumns = VERDICT_COLUMNS.filter((column) => value(column));
  if (verdictColumns.length === 0) return {};
  const verdicts = verdictColumns.flatMap((column): readonly Verdict[] => {
    if (column === 'excused') return excusedIn(value(column));
    const level = column === 'watched' ? 'watch' : 'alarm';
    const says = column === 'unjudged' ? 'unknown' : 'matches';
    return namesIn(value(column)).map((rule) => ({ rule, level, says }));
  });
  return { verdicts, verdictColumns };
}

/** Names in an array, or in one text, as in csv. */
function namesIn(node: Node | undefined): readonly string[] {
  const names = node?.kind === 'array' ? node.items.map(cellText) : cellText(node).split('; ');
  return names.filter(Boolean);
}

/**
 * Exceptions in an array of objects, or in one text, as in csv: `rule: reason (until 2026-12-31)`.
 */
function excusedIn(node: Node | undefined): readonly Verdict[] {
  if (node?.kind === 'array') return node.items.flatMap(excusedIn);
  const excused = (rule: string, excuse: Excuse): readonly Verdict[] =>
    rule === '' ? [] : [{ rule, level: 'alarm', says: 'matches', excused: excuse }];
  if (node?.kind === 'object') {
    const [rule = '', reason = '', until] = ['rule', 'reason', 'until'].map((key) => textIn(memberOf(node, key)));
    return excused(rule, { reason, until });
  }
  const [rule = '', ...reason] = cellText(node).split(': ');
  return excused(rule, { reason: reason.join(': ') });
}

/** The name of a column in the one spelling by which `valueAt` finds it. */
export const canonicalName = (name: string): string => formatPath(pathOfName(name));
