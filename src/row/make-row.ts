/** The only place that makes a row: of an answer, of a failure, of what is no wallet, of what was read back. */
import type { ObjectNode } from '../document/node.ts';
import { lookup, type Path } from '../document/path.ts';
import { cellText } from '../document/write.ts';
import type { NotWallet, Wallet } from '../wallet/address.ts';
import { META } from './paths/own-names.ts';
import { classify, type Row, type RowError } from './row.ts';

/** Where in the input a row comes from. */
export type RowOrigin = Pick<Row, 'line' | 'file' | 'input' | 'cells'>;

const originOf = ({ line, file, input, cells }: RowOrigin): RowOrigin => ({ line, file, input, cells });

export function invalidRow(origin: RowOrigin, { code, message }: NotWallet): Row {
  return { ...originOf(origin), status: 'invalid', error: { code, message } };
}

export function pendingRow(origin: RowOrigin, { address }: Wallet): Row {
  return { ...originOf(origin), wallet: address, status: 'pending' };
}

/** @param error absent where only the rules are asked what they make of a wallet without an answer */
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

/** Member by member: rows are made so often that copies of what they are made of would be a twentieth of a list's time. */
export function answeredRow(origin: RowOrigin, { wallet, document, scorePath, answeredAt }: Answer): Row {
  const { line, file, input, cells } = origin;
  const { status, score, candidates, warning } = classify(document, scorePath);
  return {
    line,
    file,
    input,
    cells,
    wallet: wallet.address,
    status,
    document,
    score,
    candidates,
    answeredAt: new Date(answeredAt).toISOString(),
    warning,
  };
}

/** What an earlier run wrote of a row. */
interface WrittenRow extends Pick<Row, 'line' | 'score' | 'answeredAt' | 'warning'> {
  readonly wallet?: Wallet | undefined;
  readonly status?: Row['status'] | undefined;
  readonly error?: string | undefined;
  /** The answer, where the form keeps it whole. */
  readonly document?: ObjectNode | undefined;
}

/** A row that was read back, as the row that it was, so that conditions judge it as they did then. `node` is what it shows. */
export function readBackRow(written: WrittenRow, node: ObjectNode): Row {
  const { line, wallet, status = 'scored', score, answeredAt, warning, error } = written;
  const isAnswered = status === 'scored' || status === 'no_score';
  const code = cellText(lookup(node, [META, 'error', 'code'])) || 'unknown';
  return {
    line,
    input: lookup(node, [META, 'input']) ?? wallet?.address ?? '',
    wallet: wallet?.address,
    status,
    document: written.document ?? (isAnswered ? withoutMeta(node) : undefined),
    score,
    answeredAt,
    warning,
    error: error === undefined ? undefined : { code, message: error },
  };
}

/** csv, and rows that were written with --fields, have the values of the answer at their paths. */
const withoutMeta = ({ members }: ObjectNode): ObjectNode => ({
  kind: 'object',
  members: members.filter(([key]) => key !== META),
});
