/** The cost of a list. */
import type { ListRecord } from '../lists/list.ts';
import type { MonthlyUse } from '../session/key-state.ts';
import { ownCopy } from '../text/own-copy.ts';
import { counted, groupDigits } from '../text/words.ts';

export interface ListCounts {
  readonly rows: number;
  /** How many rows are not wallets: nothing is sent for them. */
  readonly invalid: number;
  /** The first of them. */
  readonly notWallets: readonly ListRecord[];
  /** How many distinct wallets there are. */
  readonly wallets: number;
  /** How many of them have their answer in the journal. */
  readonly known: number;
  /** How many have it in a kept review. */
  readonly reviewed: number;
  /** When answers were given that are too old for a gate, of wallets that have no other. */
  readonly stale: readonly number[];
  /** How many requests are needed if none has to be repeated. */
  readonly requests: number;
}

export type Forecast = ReturnType<typeof forecast>;

/** The rate of the smallest plan (docs/service.md, Plans), in requests a second. */
const ASSUMED_PER_SECOND = 10;

const MAX_NOT_WALLETS = 5;

/** Which wallets have an answer already, and which a stale one. */
export interface KnownAnswers {
  has(id: string): boolean;
  /** Whether the answer is that of a kept review. */
  isReviewed?(id: string): boolean;
  readonly stale: ReadonlyMap<string, number>;
}

/**
 * Reads the whole list and counts.
 * @throws whatever the list throws; the signal's reason.
 */
export async function countList(
  records: AsyncIterable<readonly ListRecord[]>,
  { known, signal }: { readonly known: KnownAnswers; readonly signal?: AbortSignal },
) {
  const wallets = new Set<string>();
  const notWallets: ListRecord[] = [];
  const stale: number[] = [];
  let [rows, invalid, answered, reviewed] = [0, 0, 0, 0];
  for await (const batch of records) {
    signal?.throwIfAborted();
    rows += batch.length;
    for (const record of batch) {
      const { wallet } = record;
      if (!wallet.ok) {
        invalid += 1;
        if (invalid <= MAX_NOT_WALLETS) notWallets.push(record);
        continue;
      }
      if (wallets.has(wallet.id)) continue;
      // It may be cut out of a long line.
      wallets.add(ownCopy(wallet.id));
      const before = known.stale.get(wallet.id);
      if (known.isReviewed?.(wallet.id)) reviewed += 1;
      else if (known.has(wallet.id)) answered += 1;
      else if (before !== undefined) stale.push(before);
    }
  }
  return {
    rows,
    invalid,
    notWallets,
    wallets: wallets.size,
    known: answered,
    reviewed,
    stale,
    requests: wallets.size - answered - reviewed,
  };
}

/**
 * The note on a list that needs more requests than it may send, reported before the first one;
 * undefined if it does not.
 * @param limits how many may be sent; undefined if that is not limited
 */
export function shortage(
  { requests }: ListCounts,
  limits: { readonly monthlyLeft: number | undefined; readonly maxRequests: number | undefined },
): string | undefined {
  const { monthlyLeft = Number.POSITIVE_INFINITY, maxRequests = Number.POSITIVE_INFINITY } = limits;
  const allowed = Math.min(monthlyLeft, maxRequests);
  if (requests <= allowed) return undefined;
  const left = groupDigits(allowed);
  const limit = monthlyLeft <= maxRequests ? `monthly-requests has ${left} left` : `--max-requests allows ${left}`;
  return `the list needs ${counted(requests, 'request')}, but ${limit}; it will stop there`;
}

/** The rest of monthly-requests; undefined if that is not set. */
export const requestsLeft = (monthly: MonthlyUse | undefined): number | undefined =>
  monthly && Math.max(0, monthly.allowed - monthly.sent);

/** How long the requests take at the key's rate and whether the month has room for them. */
export function forecast(
  counts: ListCounts,
  { perSecond, monthly }: { readonly perSecond?: number; readonly monthly?: MonthlyUse },
) {
  const rate = perSecond ?? ASSUMED_PER_SECOND;
  const monthlyLeft = requestsLeft(monthly);
  return {
    ...counts,
    /** Requests a second that the key allows. */
    perSecond: rate,
    /** Whether that is a guess, because no answer has reported the key's limit yet. */
    isAssumed: perSecond === undefined,
    durationMs: (counts.requests / rate) * 1000,
    /** How many of monthly-requests are left; undefined when that is not set. */
    monthlyLeft,
    /** Whether the requests fit in it; undefined when that is not set. */
    fits: monthlyLeft === undefined ? undefined : counts.requests <= monthlyLeft,
  };
}
