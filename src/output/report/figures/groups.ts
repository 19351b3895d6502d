/** --by FIELD: the rows in groups, one for each value of the field, and what is told of each. */
import { ownCopy } from '../../../text/own-copy.ts';
import type { Measure } from '../page-data.ts';
import { type Measured, type Summary, summarise } from './measures.ts';

export interface Group {
  /** Undefined for the rows that have none, and for the values that are too many to be told apart. */
  readonly value: string | undefined;
  readonly rows: number;
  readonly matched: number;
  /** Undefined where no row of the group has a number. */
  readonly summaries: Readonly<Record<Measure, Summary | undefined>>;
}

export interface Groups {
  /** The field, as it was typed. */
  readonly field: string;
  /** The largest first; then that of the rows without a value. */
  readonly groups: readonly Group[];
  /** The rows of all further values together; undefined when there are none. */
  readonly others: Group | undefined;
}

/** Nobody reads more, and what has more values is no field to group by. */
export const MAX_GROUPS = 1_000;
const FIRST_SIZE = 1_024;
/** The numbers of the two groups that have no value. */
const [NONE, OTHERS] = [0, 1];

export function createGroups(field: string) {
  const numbers = new Map<string, number>();
  const counts = [NONE, OTHERS].map(() => ({ rows: 0, matched: 0 }));
  let groupOf = new Uint16Array(FIRST_SIZE);
  let size = 0;

  function numberOf(value: string): number {
    if (value === '') return NONE;
    const known = numbers.get(value);
    if (known !== undefined) return known;
    if (numbers.size === MAX_GROUPS) return OTHERS;
    numbers.set(ownCopy(value), counts.length);
    return counts.push({ rows: 0, matched: 0 }) - 1;
  }

  return {
    /** Takes the value of a row, empty for none. */
    add(value: string, isMatched: boolean): void {
      const number = numberOf(value);
      const count = counts[number];
      if (count) {
        count.rows += 1;
        if (isMatched) count.matched += 1;
      }
      if (size === groupOf.length) {
        const larger = new Uint16Array(2 * size);
        larger.set(groupOf);
        groupOf = larger;
      }
      groupOf[size++] = number;
    },
    /** @param measured the numbers of the same rows, in the same order */
    all(measured: Measured): Groups {
      const places = groupOf.subarray(0, size);
      const inGroups = {
        score: parted(measured.score, places, counts),
        collateral: parted(measured.collateral, places, counts),
      };
      const group = (number: number, value?: string): Group => ({
        value,
        ...(counts[number] ?? { rows: 0, matched: 0 }),
        summaries: {
          score: summarise(inGroups.score[number] ?? new Float64Array()),
          collateral: summarise(inGroups.collateral[number] ?? new Float64Array()),
        },
      });
      const found = [...numbers].map(([value, number]) => group(number, value));
      found.sort((a, b) => b.rows - a.rows || ((a.value ?? '') < (b.value ?? '') ? -1 : 1));
      const [none, others] = [group(NONE), group(OTHERS)];
      return {
        field,
        groups: none.rows > 0 ? [...found, none] : found,
        others: others.rows > 0 ? others : undefined,
      };
    },
  };
}

/** The `values` of each group. */
function parted(values: Float64Array, places: Uint16Array, counts: readonly { readonly rows: number }[]) {
  const parts = counts.map(({ rows }) => new Float64Array(rows));
  const next = counts.map(() => 0);
  for (const [row, group] of places.entries()) {
    const place = next[group] ?? 0;
    next[group] = place + 1;
    const part = parts[group];
    if (part) part[place] = values[row] ?? Number.NaN;
  }
  return parts;
}
