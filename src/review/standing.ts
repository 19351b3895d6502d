/**
 * Rules that stand: one that held stands until an answer that is complete says that it does not
 * hold. A wallet that failed, that has no score or whose answer is incomplete ends no alarm: a part
 * that is missing may be the part that the alarm was about.
 */

import { findIn, type Row } from '../row/row.ts';
import { findAlone } from '../rules/conditions.ts';
import { asksForChange, judgeExpression, type Rule } from '../rules/rules.ts';
import { rowKey } from '../runs/row-index.ts';
import { once } from '../settings/once.ts';
import { type EarlierReview, type EarlierWallet, HAS, type OpenedReview } from './earlier.ts';
import { hasSameCondition, type SameRules, sameRules } from './same-rules.ts';

/** The names of the rules that stood for an earlier row, as that was kept. */
const standingOf = ({ matched = [], watched = [], standing = [] }: Row): readonly string[] => [
  ...matched,
  ...watched,
  ...standing,
];

export const hasStanding = (row: Row): boolean => standingOf(row).length > 0;

interface Reviews {
  /** The review compared with. */
  readonly earlier: EarlierReview | undefined;
  /** The newest one, if that is another: a look in between may have seen an alarm. */
  readonly newest: OpenedReview | undefined;
}

/**
 * Whether a rule of today stood for the wallet of a row, in the review compared with or in the
 * newest one.
 */
export function createStanding(rules: readonly Rule[], { earlier, newest }: Reviews) {
  const ofEarlier = sameRules(rules, earlier?.header.rules ?? []);
  const ofNewest = sameRules(rules, newest?.header.rules ?? []);
  return (today: Row, before: () => EarlierWallet | undefined) => {
    const kept = once((): readonly KeptRows[] => {
      const [wallet, rows] = [before(), newest?.index.rowsOf(rowKey(today)) ?? []];
      return [
        ...(wallet ? [{ rows: wallet.rows, complete: wallet['complete answer'].row, rulesThen: ofEarlier }] : []),
        ...(rows.length > 0 ? [{ rows, rulesThen: ofNewest }] : []),
      ];
    });
    return (rule: Rule): boolean => kept().some((one) => stoodThen(rule, one, today));
  };
}

/** What a kept review has of a wallet. */
interface KeptRows {
  readonly rows: readonly Row[];
  /** The last complete answer that is known there. */
  readonly complete?: Row;
  /** By the names of the rules of today, those of the review. */
  readonly rulesThen: SameRules;
}

/**
 * Whether a rule of today stood in a kept review. An incomplete answer ends what only incomplete
 * ones have said, and a rule with another condition than then is another question: both are put to
 * the last complete answer. A rule on change says something once, and does not stand.
 */
function stoodThen(rule: Rule, { rows, complete, rulesThen }: KeptRows, today: Row): boolean {
  if (asksForChange(rule.when)) return false;
  const stood = (rulesThen.get(rule.name) ?? []).filter(({ name }) =>
    rows.some((row) => standingOf(row).includes(name)),
  );
  if (stood.length === 0) return false;
  const isIncomplete = today.warning !== undefined;
  if (!isIncomplete && stood.some((one) => hasSameCondition(one, rule))) return true;
  const answers = [...rows, ...(complete ? [complete] : [])].filter(HAS['complete answer']);
  if (answers.length > 0) return answers.some((row) => judgeAlone(rule, row) !== false);
  return !isIncomplete || stood.some(({ name }) => rows.some((row) => row.standing?.includes(name)));
}

/** Whether a rule holds for a row that is compared with none. */
export const judgeAlone = ({ when }: Rule, row: Row) => judgeExpression(when, findAlone(findIn(row)));

/** Whether somebody was told of an alarm of that name: an exception did not cover it. */
export const wasTold = (row: Row, name: string): boolean =>
  row.matched?.includes(name) === true ||
  (row.standing?.includes(name) === true && !row.excused?.some(({ rule }) => rule === name));
