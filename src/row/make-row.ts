/** Makes the rows of a list: of answers, failures, and inputs that are not wallets. */
import type { ObjectNode } from '../document/node.ts';
import type { Path } from '../document/path.ts';
import type { NotWallet, Wallet } from '../wallet/address.ts';
import { classify, type Row, type RowError } from './row.ts';

/** The place of a row in the input. */
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
  const { status, score, candidates, warning } = classify(document, scorePath);
  return {
    line: origin.line,
    input: origin.input,
    cells: origin.cells,
    wallet: wallet.address,
    document,
    status,
    score,
    candidates,
    warning,
    answeredAt: new Date(answeredAt).toISOString(),
  };
}
