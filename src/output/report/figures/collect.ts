/** Collects rows into the content of a report: figures of all rows, and the rows listed on its page. */

import type { Status } from '../../../row/row.ts';
import type { ResultRow } from '../../../runs/result.ts';
import { createMeasures, type Measured, numberIn } from './measures.ts';
import { createPageRows, isAnswered, type PageRows, type PageRowsOptions } from './page-rows.ts';
import { type FieldShare, levelAmong, ShareCounter } from './shares.ts';
import { createRuleNames, createTally, type RuleFigures, safeText, type Verdict } from './tally.ts';

export interface Figures {
  readonly rows: number;
  /** Rows listed on the page. */
  readonly listed: number;
  /** Statuses that occur, in a fixed order. */
  readonly statuses: readonly (readonly [status: Status, rows: number])[];
  readonly incomplete: number;
  /** Times of the first and the last answer, ISO 8601 UTC; undefined if no row has one. */
  readonly oldest: string | undefined;
  readonly newest: string | undefined;
  readonly measured: Measured;
  /** Numbers of the rows that a rule matched. */
  readonly matched: Measured;
  /** Rows by verdict, each counted once; a row that could not be judged counts only if nothing matched. */
  readonly marked: Readonly<Record<'matched' | 'unjudged' | 'excused', number>>;
  readonly shares: readonly FieldShare[];
  readonly rules: readonly RuleFigures[];
  /** The list's column that holds the labels; undefined if there is none. */
  readonly label: string | undefined;
  /** The index in `shares` of the field closest to the score, such as a risk level; undefined if there is none. */
  readonly level: number | undefined;
}

export interface Collected extends PageRows {
  readonly figures: Figures;
}

export function createCollector(options: PageRowsOptions) {
  const { rules } = options;
  const [tally, names, shares] = [createTally(), createRuleNames(rules), new ShareCounter()];
  const [measures, matchedMeasures] = [createMeasures(), createMeasures()];
  const pageRows = createPageRows(options);
  return {
    /** @throws UsageError if the first rows do not have the column named by --label */
    add(row: ResultRow, verdict: Verdict): void {
      const number = tally.observe(row);
      const numbers = { score: numberIn(row.score), collateral: numberIn(row.collateral) };
      measures.add(numbers.score, numbers.collateral);
      const seen = isAnswered(row) ? shares.observe(row.node()) : undefined;
      const numbered = names.note(verdict);
      tally.mark(numbered);
      if (numbered.matched.length > 0) matchedMeasures.add(numbers.score, numbers.collateral);
      pageRows.add(row, { number, verdict, numbered, measures: numbers, seen });
    },
    /** @throws UsageError as `add` does */
    end(): Collected {
      const found = shares.all();
      const rows = pageRows.all(found);
      const figures = {
        ...tally.all(),
        listed: rows.kept.length,
        measured: measures.all(),
        matched: matchedMeasures.all(),
        shares: found.map((share) => safeShare(share)),
        rules: names.all(),
        label: pageRows.label(),
        level: levelAmong(found),
      };
      return { figures, ...rows };
    },
    close: pageRows.close,
  };
}

const safeShare = (share: FieldShare): FieldShare => ({
  ...share,
  path: share.path.map((step) => (typeof step === 'string' ? safeText(step) : step)),
  values: share.values.map(({ text, count }) => ({ text: safeText(text), count })),
});
