/** Schemas of the service's document, and of the rows of lists and comparisons. */
import { CHANGES } from '../../results/comparison.ts';
import { STATUSES } from '../../row/row.ts';
import {
  anything,
  count,
  errorCode,
  listOf,
  object,
  oneOf,
  orNull,
  type Schema,
  said,
  scalar,
  text,
  time,
} from './parts.ts';

const CONTRACT = {
  wallet_address: text,
  total_collateral_usd: said({ type: ['number', 'string', 'null'] }, 'US dollars; some services send it as text'),
  defi_score: { type: ['object', 'null'] },
};

/** What the contract promises; the service may say more. */
export const wallet: Schema = {
  ...object(
    { wallet_address: CONTRACT.wallet_address, total_collateral_usd: CONTRACT.total_collateral_usd },
    { optional: { defi_score: CONTRACT.defi_score }, others: true },
  ),
  description: 'As the service sent it: every field in its order, every digit of every number',
};

const error = object({ code: errorCode, message: text }, { optional: { http_status: count } });

const meta = object(
  {
    line: said({ type: 'integer', minimum: 1 }, 'where the record begins; for arguments, its position'),
    input: said(anything, 'the text, the columns or the element as they were'),
    status: oneOf(STATUSES),
    score: said(scalar, 'the headline score; null when there is none'),
    answered_at: orNull(time),
  },
  {
    optional: {
      file: said(text, 'which file the line is in, when there are several'),
      warning: said(text, 'what makes the answer incomplete'),
      error,
      matched: said(listOf(text), 'names of conditions and rules that the row matched'),
      unjudged: said(listOf(text), 'names of those that could not be judged for the row'),
      excused: listOf(object({ rule: text, reason: text }, { optional: { until: text } })),
    },
  },
);

/** A condition on rows with one of `statuses`. */
const when = (statuses: readonly string[], holds: Schema): Schema => ({
  anyOf: [{ not: { properties: { _meta: { properties: { status: { enum: statuses } } } } } }, holds],
});

export const row: Schema = {
  ...object({ _meta: meta }, { optional: CONTRACT, others: true }),
  description: 'The document and _meta; with --fields, the fields that were picked instead',
  allOf: [
    when(['scored', 'no_score'], { required: ['wallet_address', 'total_collateral_usd'] }),
    when(['invalid', 'failed'], { properties: { _meta: { required: ['error'] } } }),
  ],
};

const change = object({ old: anything, new: anything, delta: said(scalar, 'null where there are not two numbers') });

export const diffRow: Schema = {
  ...object(
    { wallet_address: text, change: oneOf(CHANGES) },
    {
      optional: {
        matched: listOf(text),
        unjudged: listOf(text),
        label: said(
          { type: ['string', 'null'] },
          "what the list's own column says of the wallet, escaped and cut to be shown",
        ),
      },
      others: said(change, 'a value that was compared, by its name'),
    },
  ),
};
