/** The row of a wallet with a stored answer or refusal. */
import type { ObjectNode } from '../document/node.ts';
import { parseDocument } from '../document/parse.ts';
import { IoError } from '../errors.ts';
import { type Answer, answeredRow, failedRow, type RowOrigin } from '../row/make-row.ts';
import type { Row } from '../row/row.ts';
import type { Wallet } from '../wallet/address.ts';
import { isAbout, type Settled } from './record.ts';

/** @throws IoError when the answer is about another wallet */
export function storedRow(
  origin: RowOrigin,
  { wallet, stored, scorePath }: Pick<Answer, 'wallet' | 'scorePath'> & { readonly stored: Settled },
): Row {
  if ('refusal' in stored) return failedRow(origin, wallet, stored.refusal);
  const { answeredAt } = stored;
  return answeredRow(origin, { wallet, document: readStored(stored.text, wallet), answeredAt, scorePath });
}

/** @throws IoError when the document is about another wallet. */
function readStored(text: string, wallet: Wallet): ObjectNode {
  const document = parseDocument(text);
  // The client accepts only objects, and the record's checksum is right.
  if (document.kind !== 'object') throw new TypeError('a stored answer is not an object');
  if (!isAbout(document, wallet.id)) {
    throw new IoError(`the journal's answer for ${wallet.address} is about another wallet`, {
      code: 'journal_damaged',
      hint: 'find out who wrote it; then move it away and run the same command again',
      isResumable: true,
    });
  }
  return document;
}
