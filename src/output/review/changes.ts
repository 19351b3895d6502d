/**
 * Wallets that have changed: a text directly in `defi_score`, the score by any amount, the collateral by a fifth or more. A text
 * counts only if it has few values in the run, which is known at its end.
 */

import type { Node } from '../../document/node.ts';
import {
  compareDecimals,
  type Decimal,
  decimalOf,
  multiplyDecimals,
  parseDecimal,
  subtractDecimals,
  ZERO,
} from '../../row/decimal.ts';
import type { Row } from '../../row/row.ts';
import { createTextCounts, textsOf } from '../../row/score-texts.ts';
import { createTop } from '../../text/top.ts';
import { MAX_ROWS, type ReviewRow, type Section } from './sections.ts';

const FIFTH = parseDecimal('0.2');

export function createChanges() {
  const texts = createTextCounts();
  /** Rows with texts that changed, by the names of these. */
  const byTexts = new Map<string, { readonly fields: readonly string[]; alone: number; readonly rows: ReviewRow[] }>();
  const byScore = createTop<Decimal, ReviewRow>(MAX_ROWS, (a, b) => compareDecimals(b, a));
  const byCollateral = createTop<number, ReviewRow>(MAX_ROWS, (a, b) => b - a);
  let total = 0;
  return {
    /** Counts the texts of a row. */
    observe: (row: Row) => texts.observe(textsOf(row.document)),
    /** Notes a row that may have changed; with `isShown` it is one of the section. */
    note(row: ReviewRow, isShown: boolean): void {
      const hasMoved = hasNewScore(row) || hasNewCollateral(row);
      if (isShown && hasMoved) total += 1;
      if (row.texts.length > 0) noteTexts(row, { isShown, isAlone: isShown && !hasMoved });
      else if (isShown) offer(row);
    },
    all(): { readonly section: Section; readonly isNews: boolean } {
      const groups = [...byTexts.values()];
      const told = groups.filter(({ fields }) => fields.some(texts.isFew));
      for (const group of groups) if (!told.includes(group)) group.rows.forEach(offer);
      const rows = [...told.flatMap((group) => group.rows), ...byScore.all(), ...byCollateral.all()];
      const shown = rows
        .slice(0, MAX_ROWS)
        .map((row) => ({ ...row, texts: row.texts.filter(({ field }) => texts.isFew(field)) }));
      const alone = told.reduce((sum, group) => sum + group.alone, 0);
      return { section: { total: total + alone, rows: shown }, isNews: told.length > 0 };
    },
  };

  function offer(row: ReviewRow): void {
    if (hasNewScore(row)) byScore.offer(sizeOf(row.score.delta), () => row);
    else if (hasNewCollateral(row)) byCollateral.offer(Math.abs(Number(row.collateral.percent ?? 0)), () => row);
  }

  function noteTexts(
    row: ReviewRow,
    { isShown, isAlone }: { readonly isShown: boolean; readonly isAlone: boolean },
  ): void {
    const fields = row.texts.map(({ field }) => field);
    const key = JSON.stringify(fields);
    const group = byTexts.get(key) ?? { fields, alone: 0, rows: [] };
    byTexts.set(key, group);
    if (isAlone) group.alone += 1;
    if (isShown && group.rows.length < MAX_ROWS) group.rows.push(row);
  }
}

const hasNewScore = ({ score: { delta } }: ReviewRow) => delta !== undefined && delta !== '0';
const hasNewCollateral = ({ collateral }: ReviewRow) => isBy(collateral.old, collateral.new, FIFTH);
const sizeOf = (delta: string | undefined): Decimal => size((delta && parseDecimal(delta)) || ZERO);

/** Without its sign. */
const size = ({ spelling, double }: Decimal): Decimal => ({
  spelling: spelling.replace(/^-/, ''),
  double: Math.abs(double),
});

/** Whether a value has changed by at least this part of what it was, and at all. Exact. */
export function isBy(old: Node | undefined, now: Node | undefined, part: Decimal | undefined): boolean {
  const [from, to] = [old && decimalOf(old), now && decimalOf(now)];
  const delta = from && to && parseDecimal(subtractDecimals(to, from) ?? '');
  if (!from || !delta || compareDecimals(delta, ZERO) === 0 || !part) return false;
  return compareDecimals(size(delta), multiplyDecimals(size(from), part)) >= 0;
}
