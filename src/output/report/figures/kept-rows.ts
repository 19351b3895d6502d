/**
 * Which rows a page holds. Of a list that is short enough all; of a longer one those that matter: the extremes, what a rule matched
 * or excused, what could not be judged, what changed, what has no answer or an incomplete one, and then the first rows. Rows are chosen
 * as they come, so memory is bounded however long the list is.
 */
import { bisectLeft } from 'd3-array';
import type { Measure } from '../page-data.ts';

/** What is said of a row when it comes. */
interface Candidate {
  /** The row's place in the list, from 0. */
  readonly place: number;
  readonly isMatched: boolean;
  /** Whether a rule could not be judged for it. */
  readonly isUnjudged: boolean;
  readonly isChanged: boolean;
  /** Whether it has no answer, or an incomplete one. */
  readonly isIncomplete: boolean;
  /** NaN where there is none. */
  readonly measures: Readonly<Record<Measure, number>>;
}

/** Why rows of a long list are in a page, in the order of their weight. */
const REASONS = ['extreme', 'matched', 'unjudged', 'changed', 'incomplete', 'first'] as const;
type Reason = (typeof REASONS)[number];

/** So many rows are searched and sorted in a moment, and no more are read by anybody. */
export const MAX_ROWS = 10_000;
/** Lowest and highest of each measure. */
export const MAX_EXTREMES = 250;

type Kept<R> = { readonly place: number; readonly row: R };

export function createKeptRows<R>(limit = MAX_ROWS) {
  const lists: Record<Exclude<Reason, 'extreme'>, Kept<R>[]> = {
    matched: [],
    unjudged: [],
    changed: [],
    incomplete: [],
    first: [],
  };
  const extremes = (['score', 'collateral'] as const).flatMap((measure) => [
    { ends: createExtremes<Kept<R>>(MAX_EXTREMES), rank: (row: Candidate) => row.measures[measure] },
    { ends: createExtremes<Kept<R>>(MAX_EXTREMES), rank: (row: Candidate) => -row.measures[measure] },
  ]);
  return {
    /** `make` is called, once, if the row is kept. */
    offer(candidate: Candidate, make: () => R): void {
      let kept: Kept<R> | undefined;
      const keep = () => {
        kept ??= { place: candidate.place, row: make() };
        return kept;
      };
      const holds = {
        matched: candidate.isMatched,
        unjudged: candidate.isUnjudged,
        changed: candidate.isChanged,
        incomplete: candidate.isIncomplete,
        first: true,
      };
      for (const [reason, list] of entriesOf(lists)) {
        if (holds[reason] && list.length < limit) list.push(keep());
      }
      for (const { ends, rank } of extremes) ends.offer(rank(candidate), keep);
    },
    /** In the order of the list, at most as many as a page holds. */
    rows(): readonly R[] {
      const chosen = new Map<number, R>();
      for (const reason of REASONS) {
        const list = reason === 'extreme' ? extremes.flatMap(({ ends }) => ends.all()) : lists[reason];
        for (const { place, row } of list) if (chosen.size < limit) chosen.set(place, row);
      }
      return [...chosen].sort(([a], [b]) => a - b).map(([, row]) => row);
    },
  };
}

const entriesOf = <K extends string, V>(record: Record<K, V>) => Object.entries(record) as [K, V][];

/** The `limit` lowest of what is offered. */
function createExtremes<T>(limit: number) {
  const values: number[] = [];
  const items: T[] = [];
  return {
    offer(value: number, make: () => T) {
      if (Number.isNaN(value) || (values.length === limit && value >= (values.at(-1) ?? value))) return;
      const at = bisectLeft(values, value);
      values.splice(at, 0, value);
      items.splice(at, 0, make());
      if (values.length > limit) {
        values.pop();
        items.pop();
      }
    },
    all: (): readonly T[] => items,
  };
}
