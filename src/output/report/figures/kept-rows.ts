/**
 * Chooses the rows listed on a page: all rows of a short list; of a longer one, in this order, the extremes, rows that a rule matched
 * or excused, rows that could not be judged, that have no answer or an incomplete one, and then the first rows. Rows
 * are chosen as they arrive, so memory is bounded however long the list is.
 */
import { createTop } from '../../../text/top.ts';
import type { Measure } from '../page-data.ts';

/** The properties by which a row is chosen. */
interface RowCandidate {
  /** Index of the row in the list. */
  readonly number: number;
  readonly isMatched: boolean;
  /** Whether a rule could not be judged for it. */
  readonly isUnjudged: boolean;
  /** Whether it has no answer, or an incomplete one. */
  readonly isIncomplete: boolean;
  /** NaN if there is none. */
  readonly measures: Readonly<Record<Measure, number>>;
}

/** Reasons to list a row, most important first. */
const REASONS = ['extreme', 'matched', 'unjudged', 'incomplete', 'first'] as const;
type Reason = (typeof REASONS)[number];

/** A browser searches and sorts this many rows without delay. */
export const MAX_ROWS = 10_000;
/** Rows kept for each end of each measure. */
export const MAX_EXTREMES = 250;

type NumberedRow<R> = { readonly number: number; readonly row: R };

export class KeptRows<R> {
  private readonly lists: Record<Exclude<Reason, 'extreme'>, NumberedRow<R>[]> = {
    matched: [],
    unjudged: [],
    incomplete: [],
    first: [],
  };
  private readonly extremes = (['score', 'collateral'] as const).flatMap((measure) => [
    { ends: lowest<NumberedRow<R>>(), rank: (row: RowCandidate) => row.measures[measure] },
    { ends: lowest<NumberedRow<R>>(), rank: (row: RowCandidate) => -row.measures[measure] },
  ]);

  constructor(private readonly limit = MAX_ROWS) {}

  /** Calls `make`, at most once, if the row is kept. */
  offer(candidate: RowCandidate, make: () => R): void {
    let kept: NumberedRow<R> | undefined;
    const keep = () => {
      kept ??= { number: candidate.number, row: make() };
      return kept;
    };
    const holds = {
      matched: candidate.isMatched,
      unjudged: candidate.isUnjudged,
      incomplete: candidate.isIncomplete,
      first: true,
    };
    for (const [reason, list] of entriesOf(this.lists)) {
      if (holds[reason] && list.length < this.limit) list.push(keep());
    }
    for (const { ends, rank } of this.extremes) {
      const value = rank(candidate);
      if (!Number.isNaN(value)) ends.offer(value, keep);
    }
  }

  /** The chosen rows in the order of the list, at most `limit`. */
  rows(): readonly R[] {
    const chosen = new Map<number, R>();
    for (const reason of REASONS) {
      const list = reason === 'extreme' ? this.extremes.flatMap(({ ends }) => ends.all()) : this.lists[reason];
      for (const { number, row } of list) if (chosen.size < this.limit) chosen.set(number, row);
    }
    return [...chosen].sort(([a], [b]) => a - b).map(([, row]) => row);
  }
}

const entriesOf = <K extends string, V>(record: Record<K, V>) => Object.entries(record) as [K, V][];

const lowest = <T>() => createTop<number, T>(MAX_EXTREMES, (a, b) => a - b);
