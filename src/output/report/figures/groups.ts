/** --by FIELD: rows grouped by the value of a field. */
import { ownCopy } from '../../../text/own-copy.ts';
import type { Measure } from '../page-data.ts';
import { type Measured, type Summary, summarise } from './measures.ts';

export interface RowGroup {
  /** Undefined for rows without a value, and for the group of all further values. */
  readonly value: string | undefined;
  readonly rows: number;
  readonly matched: number;
  /** Undefined if no row of the group has a number. */
  readonly summaries: Readonly<Record<Measure, Summary | undefined>>;
}

export interface Groups {
  readonly field: string;
  /** Largest first; rows without a value last. */
  readonly groups: readonly RowGroup[];
  /** Rows of all values beyond the limit; undefined if there are none. */
  readonly others: RowGroup | undefined;
}

/** Groups at most; rows with further values are counted together. */
export const MAX_GROUPS = 1_000;
const FIRST_SIZE = 1_024;
/** Indexes of the two groups without a value. */
const [NONE, OTHERS] = [0, 1];

export class GroupedRows {
  private readonly numbers = new Map<string, number>();
  private readonly counts = [NONE, OTHERS].map(() => ({ rows: 0, matched: 0 }));
  /** Index of the group of each row. */
  private groupOf = new Uint16Array(FIRST_SIZE);
  private size = 0;

  constructor(private readonly field: string) {}

  /** Adds a row; `value` is empty if it has none. */
  add(value: string, isMatched: boolean): void {
    const number = this.numberOf(value);
    const count = this.counts[number];
    if (count) {
      count.rows += 1;
      if (isMatched) count.matched += 1;
    }
    if (this.size === this.groupOf.length) {
      const larger = new Uint16Array(2 * this.size);
      larger.set(this.groupOf);
      this.groupOf = larger;
    }
    this.groupOf[this.size++] = number;
  }

  /** @param measured numbers of the same rows, in the same order */
  all({ score, collateral }: Measured): Groups {
    const scores = this.parted(score);
    const collaterals = this.parted(collateral);
    const group = (number: number, value?: string): RowGroup => ({
      value,
      ...(this.counts[number] ?? { rows: 0, matched: 0 }),
      summaries: {
        score: summarise(scores[number] ?? new Float64Array()),
        collateral: summarise(collaterals[number] ?? new Float64Array()),
      },
    });
    const found = [...this.numbers].map(([value, number]) => group(number, value));
    found.sort((a, b) => b.rows - a.rows || ((a.value ?? '') < (b.value ?? '') ? -1 : 1));
    const [none, others] = [group(NONE), group(OTHERS)];
    return {
      field: this.field,
      groups: none.rows > 0 ? [...found, none] : found,
      others: others.rows > 0 ? others : undefined,
    };
  }

  private numberOf(value: string): number {
    if (value === '') return NONE;
    const known = this.numbers.get(value);
    if (known !== undefined) return known;
    if (this.numbers.size === MAX_GROUPS) return OTHERS;
    this.numbers.set(ownCopy(value), this.counts.length);
    return this.counts.push({ rows: 0, matched: 0 }) - 1;
  }

  /** Splits `values` by group. */
  private parted(values: Float64Array): readonly Float64Array[] {
    const parts = this.counts.map(({ rows }) => new Float64Array(rows));
    const next = this.counts.map(() => 0);
    for (const [row, group] of this.groupOf.subarray(0, this.size).entries()) {
      const index = next[group] ?? 0;
      next[group] = index + 1;
      const part = parts[group];
      if (part) part[index] = values[row] ?? Number.NaN;
    }
    return parts;
  }
}
