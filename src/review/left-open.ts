/** An incomplete answer clears no alarm: a part that is missing may be the part that the alarm was about. */
import { findAlone } from '../row/conditions.ts';
import { findIn, type Row } from '../row/row.ts';
import { asksForChange, judgeExpression, type Rule } from '../row/rules.ts';
import { isAnswer } from '../runs/run.ts';
import type { EarlierWallet } from './earlier.ts';

/**
 * The rules that an incomplete answer leaves open: those that held in an earlier row that was complete, or that an earlier
 * incomplete one left open.
 * @param namesThen the names that each of today's rules had in the earlier review
 */
export function leftOpenBy(
  row: Row,
  then: EarlierWallet | undefined,
  namesThen: ReadonlyMap<string, ReadonlySet<string>>,
): ((rule: Rule) => boolean) | undefined {
  if (row.warning === undefined || !then) return undefined;
  const earlier = then.rows.some(({ status }) => isAnswer(status)) ? then.rows : [then.row];
  return (rule) =>
    rule.level === 'alarm' &&
    !asksForChange(rule.when) &&
    earlier.some((one) => (one.warning === undefined ? holds(rule, one) : wasLeftOpen(one, namesThen.get(rule.name))));
}

/** Whether a rule holds for a row alone. */
export const holds = (rule: Rule, row: Row): boolean => judgeExpression(rule.when, findAlone(findIn(row))) === true;

/** Whether an incomplete answer left a rule open, by the names that it had then. */
export const wasLeftOpen = ({ warning, unjudged = [] }: Row, names: ReadonlySet<string> | undefined): boolean =>
  warning !== undefined && unjudged.some((name) => names?.has(name));
