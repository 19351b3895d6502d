/**
 * The verdicts on a row: one list, and the columns and members of `_meta` made from it.
 */
import { type Node, type ObjectNode, textNode, textsNode } from '../document/node.ts';

/**
 * The level of a rule: an alarm ends a gate with exit 10; a watch rule is only reported.
 */
export const LEVELS = ['alarm', 'watch'] as const;
export type Level = (typeof LEVELS)[number];

/** Why an exception excuses a wallet, and the last day on which it does, YYYY-MM-DD in UTC. */
export interface Excuse {
  readonly reason: string;
  readonly until?: string | undefined;
}

/** The verdict of one rule on a row that matches it, or that it cannot judge. */
export interface Verdict {
  readonly rule: string;
  readonly level: Level;
  readonly says: 'matches' | 'unknown';
  /** Set if an exception of the policy excuses the wallet from the rule. */
  readonly excused?: Excuse | undefined;
}

/** The columns that list verdicts, in the order of csv. */
export const VERDICT_COLUMNS = ['matched', 'unjudged', 'excused', 'watched'] as const;
export type VerdictColumn = (typeof VERDICT_COLUMNS)[number];

/** Each verdict is in one column only. */
function columnOf({ says, level, excused }: Verdict): VerdictColumn {
  if (excused) return 'excused';
  if (says === 'unknown') return 'unjudged';
  return level === 'watch' ? 'watched' : 'matched';
}

export interface Judged {
  /** In the order of the rules; absent without rules. */
  readonly verdicts?: readonly Verdict[] | undefined;
  /** The columns that list them: those that the rules of the run can fill. */
  readonly verdictColumns?: readonly VerdictColumn[] | undefined;
}

export const verdictsIn = ({ verdicts = [] }: Judged, column: VerdictColumn): readonly Verdict[] =>
  verdicts.filter((verdict) => columnOf(verdict) === column);

/** The names of the rules in a column. */
export const ruleNamesIn = (row: Judged, column: VerdictColumn): readonly string[] =>
  verdictsIn(row, column).map(({ rule }) => rule);

/** A column as `_meta` has it; undefined if the run does not have the column. */
export function verdictsNode(row: Judged, column: VerdictColumn): Node | undefined {
  if (!row.verdictColumns?.includes(column)) return undefined;
  if (column !== 'excused') return textsNode(ruleNamesIn(row, column));
  return { kind: 'array', items: verdictsIn(row, column).map(({ rule, excused }) => excusedNode(rule, excused)) };
}

function excusedNode(rule: string, { reason = '', until }: Partial<Excuse> = {}): ObjectNode {
  const members = Object.entries({ rule, reason, ...(until !== undefined && { until }) });
  return { kind: 'object', members: members.map(([key, value]) => [key, textNode(value)] as const) };
}

/** Not a comma, which names of rules may contain. */
const SEPARATOR = '; ';

/** A column in a line, as csv has it; undefined if it is empty. */
export function verdictText(row: Judged, column: VerdictColumn): string | undefined {
  const found = verdictsIn(row, column);
  return found.length > 0 ? found.map(ruleText).join(SEPARATOR) : undefined;
}

/** `low`, or for an exception `low: reason (until 2026-12-31)`. */
export function ruleText({ rule, excused }: Verdict): string {
  if (!excused) return rule;
  return `${rule}: ${excused.reason}${excused.until === undefined ? '' : ` (until ${excused.until})`}`;
}
