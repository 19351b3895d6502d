/** An incomplete answer clears no alarm: a part that is missing may be the part that the alarm was about. */
import { findAlone } from '../row/conditions.ts';
import { ruleNames } from '../row/judge.ts';
import { META } from '../row/paths/own-names.ts';
import { findIn, type Row } from '../row/row.ts';
import { asksForChange, conditionsOf, judgeExpression, type Rule } from '../row/rules.ts';
import { isAnswer } from '../runs/run.ts';
import { type EarlierWallet, HAS } from './earlier.ts';
import type { SameRules } from './same-rules.ts';

/**
 * The rules that an incomplete answer leaves open: those that held for the last complete answer, or that an earlier incomplete one
 * left open.
 * @param rulesThen the rules of the earlier review
 */
export function leftOpenBy(
  row: Row,
  before: EarlierWallet | undefined,
  rulesThen: SameRules,
): ((rule: Rule) => boolean) | undefined {
  if (row.warning === undefined || !before) return undefined;
  const last = answeredRows(before);
  const complete = [...last, before['complete answer'].row].filter(HAS['complete answer']);
  return (rule) =>
    !asksForChange(rule.when) &&
    asksForAnswer(rule.when) &&
    (complete.some((one) => holds(rule, one)) || last.some((one) => wasLeftOpen(one, rulesThen.get(rule.name) ?? [])));
}

/** Whether it asks for anything but columns of the list. */
const asksForAnswer = (when: Rule['when']) =>
  conditionsOf(when).some(({ path: [home, member] }) => home !== META || member !== 'input');

/** The last rows of a wallet that have an answer, if there are any: of the review compared with, or else of another. */
export const answeredRows = ({ rows, answer }: EarlierWallet): readonly Row[] =>
  rows.some(({ status }) => isAnswer(status)) ? rows : [answer.row];

/** Whether a rule holds for a row alone. */
export const holds = (rule: Rule, row: Row): boolean => judgeExpression(rule.when, findAlone(findIn(row))) === true;

/** Whether an incomplete answer left a rule open, which was one of `rules` then; an exception may have covered it. */
export function wasLeftOpen({ warning, unjudged = [], excused = [] }: Row, rules: readonly Rule[]): boolean {
  const names = ruleNames(rules);
  const open = [...unjudged, ...excused.map(({ rule }) => rule)];
  return warning !== undefined && open.some((name) => names.includes(name));
}
