/** The only place that makes rows: of answers, failures, inputs that are not wallets, and rows of earlier runs. */
import type { ObjectNode } from '../document/node.ts';
import { lookup, type Path } from '../document/path.ts';
import { cellText } from '../document/write.ts';
import type { NotWallet, Wallet } from '../wallet/address.ts';
import { META } from './paths/own-names.ts';
import { classify, type Row, type RowError } from './row.ts';

/** Where in the input a row comes from. */
export type RowOrigin = Pick<Row, 'line' | 'input' | 'cells'>;

const originOf = ({ line, input, cells }: RowOrigin): RowOrigin => ({ line, input, cells });

export function invalidRow(origin: RowOrigin, { code, message }: NotWallet): Row {
  return { ...originOf(origin), status: 'invalid', error: { code, message } };
}

export function pendingRow(origin: RowOrigin, { address }: Wallet): Row {
  return { ...originOf(origin), wallet: address, status: 'pending' };
}

/** @param error absent if the row is only for the rules, to judge a wallet without an answer */
export function failedRow(origin: RowOrigin, { address }: Wallet, error?: RowError): Row {
  return { ...originOf(origin), wallet: address, status: 'failed', ...(error && { error }) };
}

export interface Answer {
  readonly wallet: Wallet;
  readonly document: ObjectNode;
  /** Milliseconds since 1970. */
  readonly answeredAt: number;
  /** The path that the setting `score` names. */
  readonly scorePath?: Path | undefined;
}

export function answeredRow(origin: RowOrigin, { wallet, document, scorePath, answeredAt }: Answer): Row {
  const found = classify(document, scorePath);
  return {
    ...originOf(origin),
    wallet: wallet.address,
    document,
    ...found,
    answeredAt: new Date(answeredAt).toISOString(),
  };
}

/** A row that an earlier run wrote. */
interface WrittenRow extends Pick<Row, 'line' | 'score' | 'answeredAt' | 'warning'> {
  readonly wallet?: Wallet | undefined;
  readonly status?: Row['status'] | undefined;
  readonly error?: string | undefined;
  /** The answer, if the format has the whole document. */
  readonly document?: ObjectNode | undefined;
}

/** A row that was read back as the row that it was, so that conditions evaluate as they did then. @param node its object */
export function readBackRow(written: WrittenRow, node: ObjectNode): Row {
  const { line, wallet, status = 'scored', score, answeredAt, warning, error } = written;
  const isAnswered = status === 'scored' || status === 'no_score';
  const code = cellText(lookup(node, [META, 'error', 'code'])) || 'unknown';
  const httpStatus = Number(cellText(lookup(node, [META, 'error', 'http_status']))) || undefined;
  return {
    line,
    input: lookup(node, [META, 'input']) ?? wallet?.address ?? '',
    wallet: wallet?.address,
    status,
    document: written.document ?? (isAnswered ? withoutMeta(node) : undefined),
    score,
    answeredAt,
    warning,
    error: error === undefined ? undefined : { code, message: error, httpStatus },
  };
}

/** For csv and rows written with --fields, whose values are at their paths. */
const withoutMeta = ({ members }: ObjectNode): ObjectNode => ({
  kind: 'object',
  members: members.filter(([key]) => key !== META),
});
