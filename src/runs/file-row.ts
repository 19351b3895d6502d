/** A row as it was written, from its two parts: the answer, and what riskcli said of it. */
import { isEmpty, isScalar, type Node, type ObjectNode, textNode } from '../document/node.ts';
import { pathOfName } from '../document/parse-path.ts';
import { formatPath, memberOf } from '../document/path.ts';
import { cellText } from '../document/write.ts';
import { classify, type Excused, type RowError, type RowInput, STATUSES } from '../row/row.ts';
import { readWallet } from '../wallet/address.ts';
import { type FileRow, isAnswer, type RowReading } from './run.ts';

export interface RowParts extends Pick<FileRow, 'line' | 'at'> {
  /** What is in the place of the wallet's address. */
  readonly address: Node | undefined;
  /** The address when undefined. */
  readonly input: RowInput | undefined;
  /** What riskcli said of the row, as `_meta` has it or by the columns of csv. */
  readonly said: ObjectNode;
  readonly answer: ObjectNode;
}

/** What rules say of a row. */
export const VERDICTS: ReadonlySet<string> = new Set(['matched', 'watched', 'unjudged', 'excused']);
/** The columns with what riskcli says of a row; the others are the answer's. */
export const SAID: ReadonlySet<string> = new Set(['status', 'score', 'answered_at', 'warning', 'error', ...VERDICTS]);

/** With `rescores`, the answer alone says which score it has, whether or not its row does. */
export function fileRow(parts: RowParts, { scorePath, rescores }: Omit<RowReading, 'name'>): FileRow {
  const { line, at, address, said, answer } = parts;
  const value = (name: string) => memberOf(said, name);
  const written = STATUSES.find((known) => known === cellText(value('status'))) ?? 'scored';
  const document = isAnswer(written) ? answer : undefined;
  const read = document && rescores ? classify(document, scorePath) : undefined;
  const excused = value('excused');
  return {
    line,
    at,
    input: parts.input ?? address ?? textNode(''),
    wallet: written === 'invalid' ? undefined : walletIn(address),
    status: read ? read.status : written,
    document,
    score: read ? read.score : scoreIn(value('score')),
    answeredAt: textIn(value('answered_at')),
    warning: read ? read.warning : textIn(value('warning')),
    error: errorIn(value('error')),
    matched: namesIn(value('matched')),
    watched: namesIn(value('watched')),
    unjudged: namesIn(value('unjudged')),
    excused: excused && excusesIn(excused),
    standing: namesIn(value('standing')),
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

/** Names in an array, or in one text, as in csv. */
function namesIn(node: Node | undefined): readonly string[] | undefined {
  if (!node) return undefined;
  const names = node.kind === 'array' ? node.items.map(cellText) : cellText(node).split('; ');
  return names.filter(Boolean);
}

/**
 * Exceptions in an array of objects, or in one text, as in csv: `rule: reason (until 2026-12-31)`.
 */
function excusesIn(node: Node | undefined): readonly Excused[] {
  if (node?.kind === 'array') return node.items.flatMap(excusesIn);
  if (node?.kind === 'object') {
    const [rule = '', reason = '', until] = ['rule', 'reason', 'until'].map((key) => textIn(memberOf(node, key)));
    return [{ rule, reason, until }];
  }
  const [rule = '', ...reason] = cellText(node).split(': ');
  return rule === '' ? [] : [{ rule, reason: reason.join(': ') }];
}

/** The name of a column in the one spelling by which `valueAt` finds it. */
export const canonicalName = (name: string): string => formatPath(pathOfName(name));
