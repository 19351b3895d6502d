/**
 * Rules that stand: one that held stands until an answer that is complete says that it does not hold. A wallet that failed, that has
 * no score or whose answer is incomplete ends no alarm: a part that is missing may be the part that the alarm was about.
 */
import { findAlone } from '../row/conditions.ts';
import { findIn, type Row } from '../row/row.ts';
import { asksForChange, judgeExpression, type Rule } from '../row/rules.ts';
import { type EarlierWallet, HAS } from './earlier.ts';
import { hasSameCondition, type SameRules } from './same-rules.ts';

/** Whether the rule of that name stood for an earlier row, as that was kept. */
export const stoodIn = ({ matched = [], watched = [], standing = [] }: Row, name: string): boolean =>
  [matched, watched, standing].some((names) => names.includes(name));

/**
 * Whether a rule of today stood in the earlier review. An incomplete answer ends what only incomplete ones have said, and a rule with
 * another condition than then is another question: both are put to the last complete answer. A rule on change says something once,
 * and does not stand.
 * @param rulesThen the rules of the earlier review
 */
export const stoodBefore =
  (before: EarlierWallet, rulesThen: SameRules, { isIncomplete = false } = {}) =>
  (rule: Rule): boolean => {
    if (asksForChange(rule.when)) return false;
    const stood = (rulesThen.get(rule.name) ?? []).filter(({ name }) => before.rows.some((row) => stoodIn(row, name)));
    if (stood.length === 0) return false;
    const isSameQuestion = !isIncomplete && stood.some((one) => hasSameCondition(one, rule));
    if (isSameQuestion) return true;
    const complete = [...before.rows, before['complete answer'].row].filter(HAS['complete answer']);
    if (complete.length > 0) return complete.some((row) => judgeAlone(rule, row) !== false);
    return !isIncomplete || stood.some(({ name }) => before.rows.some((row) => row.standing?.includes(name)));
  };

const judgeAlone = ({ when }: Rule, row: Row) => judgeExpression(when, findAlone(findIn(row)));

/** The same of an alarm of which somebody was told: an exception did not cover it. */
export const wasTold = (row: Row, name: string): boolean =>
  row.matched?.includes(name) === true ||
  (row.standing?.includes(name) === true && !row.excused?.some(({ rule }) => rule === name));
