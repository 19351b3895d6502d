/** The row of a wallet with a stored answer or refusal. */
import { type Answer, answeredRow, failedRow, type RowOrigin } from '../row/make-row.ts';
import type { Row } from '../row/row.ts';
import type { JournalRecord } from './record.ts';

export function storedRow(
  origin: RowOrigin,
  { wallet, stored, scorePath }: Pick<Answer, 'wallet' | 'scorePath'> & { readonly stored: JournalRecord },
): Row {
  if ('refusal' in stored) return failedRow(origin, wallet, stored.refusal);
  const { answeredAt, document } = stored;
  return answeredRow(origin, { wallet, document, answeredAt, scorePath });
}
