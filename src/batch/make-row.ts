/** Makes a row from a record of the list and what is known of its wallet. */

import type { ObjectNode } from '../document/node.ts';
import { parseDocument } from '../document/parse.ts';
import type { Path } from '../document/path.ts';
import { IoError } from '../errors.ts';
import { isAbout, type Settled } from '../journal/record.ts';
import type { ListRecord } from '../lists/list.ts';
import { judge, type Row, type RowError } from '../row/row.ts';
import type { NotWallet, Wallet } from '../wallet/reading.ts';

/** The members of a record that its row has, too. */
const origin = ({ line, file, input, cells }: ListRecord) => ({ line, file, input, cells });

export function invalidRow(record: ListRecord, { code, message }: NotWallet): Row {
  return { ...origin(record), status: 'invalid', error: { code, message } };
}

export function pendingRow(record: ListRecord, { address }: Wallet): Row {
  return { ...origin(record), wallet: address, status: 'pending' };
}

export function failedRow(
  record: ListRecord,
  { wallet, error }: { readonly wallet: Wallet; readonly error: RowError },
): Row {
  return { ...origin(record), wallet: wallet.address, status: 'failed', error };
}

export interface SettledOptions {
  readonly wallet: Wallet;
  readonly stored: Settled;
  readonly scorePath?: Path;
}

/**
 * Makes the row of a stored answer, or of a failure when the service refused the wallet for good.
 * @throws IoError when the answer is about another wallet.
 */
export function settledRow(record: ListRecord, { wallet, stored, scorePath }: SettledOptions): Row {
  if ('refusal' in stored) return failedRow(record, { wallet, error: stored.refusal });
  return answeredRow(record, {
    wallet,
    document: readStored(stored.text, wallet),
    answeredAt: stored.answeredAt,
    scorePath,
  });
}

/** @throws IoError when the document is about another wallet. */
function readStored(text: string, wallet: Wallet): ObjectNode {
  const document = parseDocument(text);
  // The client accepts objects only, and the record's checksum is right.
  if (document.kind !== 'object') throw new TypeError('a stored answer is no object');
  if (!isAbout(document, wallet.id)) {
    throw new IoError(`the journal's answer for ${wallet.address} is about another wallet`, {
      code: 'journal_damaged',
      hint: 'find out who wrote it; then move it away and run the same command again',
    });
  }
  return document;
}

/** The document of a stored answer, whichever wallet it is about; undefined for a refusal. */
export function storedDocument(stored: Settled | undefined): ObjectNode | undefined {
  const node = stored && 'text' in stored ? parseDocument(stored.text) : undefined;
  return node?.kind === 'object' ? node : undefined;
}

interface AnsweredOptions {
  readonly wallet: Wallet;
  readonly document: ObjectNode;
  readonly answeredAt: number;
  readonly scorePath?: Path | undefined;
}

/** Member by member: rows are made so often that copies of what they are made of would be a twentieth of a list's time. */
export function answeredRow(record: ListRecord, { wallet, document, scorePath, answeredAt }: AnsweredOptions): Row {
  const { line, file, input, cells } = record;
  const { status, score, candidates, warning } = judge(document, scorePath);
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
