/** What the rules of today say of a wallet: of all its rows together. */
import { presentValue } from '../compare/compare.ts';
import { formatRowPath } from '../paths/own-names.ts';
import { type Excused, findIn, type Row } from '../row/row.ts';
import { type Exception, hasEnded, ruleNames, type Verdict } from '../rules/judge.ts';
import { conditionsOf, type Rule } from '../rules/rules.ts';
import type { ReviewHeader } from '../runs/review-lines.ts';
import { rowKey } from '../runs/row-index.ts';
import { isAnswer } from '../runs/run.ts';

/** What the rules of today say of a wallet. */
export interface WalletVerdict extends Omit<Verdict, 'excused'> {
  readonly excused: readonly Excused[];
}

/** What the rules say of a wallet: it matches a rule that one of its rows matches. */
export function verdictOn(rows: readonly Row[], rules: readonly Rule[]): WalletVerdict {
  const of = (part: 'matched' | 'watched' | 'unjudged' | 'standing') =>
    rules.filter(({ name }) => rows.some((row) => row[part]?.includes(name)));
  const excused = new Map(rows.flatMap((row) => row.excused ?? []).map((one) => [one.rule, one]));
  return {
    matched: of('matched'),
    watched: of('watched'),
    unjudged: of('unjudged'),
    excused: [...excused.values()],
    standing: of('standing'),
  };
}

/** The alarms that stand without being matched, and that no exception covers. */
export const standingAlarms = ({ standing, excused }: WalletVerdict): readonly string[] =>
  ruleNames(standing.filter(({ level, name }) => level === 'alarm' && !excused.some(({ rule }) => rule === name)));

/**
 * The row that gives label and columns: the first that matches, or else is not judged, or else is
 * watched, or else the first.
 */
export function speaker(rows: readonly [Row, ...Row[]]): Row {
  const first = (part: 'matched' | 'watched' | 'unjudged') => rows.find((row) => (row[part]?.length ?? 0) > 0);
  return first('matched') ?? first('unjudged') ?? first('watched') ?? rows[0];
}

export function reasonNotJudged(row: Row, unjudged: readonly Rule[]): string | undefined {
  if (!isAnswer(row.status)) return row.error?.message ?? 'it has no answer';
  if (unjudged.length === 0) return undefined;
  const rules = `not judged by ${ruleNames(unjudged).join(', ')}`;
  const missing = missingPaths(row, unjudged);
  return missing.length > 0 ? `${rules}: no ${missing.join(', ')}` : rules;
}

/** What the rules ask for, and the row has not got. */
function missingPaths(row: Row, rules: readonly Rule[]): readonly string[] {
  const find = findIn(row);
  const asked = rules.flatMap(({ when }) => conditionsOf(when)).filter(({ aspect }) => aspect === undefined);
  const missing = asked.filter(({ path }) => presentValue(find(path)) === undefined);
  return [...new Set(missing.map(({ path }) => formatRowPath(path)))];
}

export const withoutWallet = ({ rule, reason, until }: Exception): Excused => ({ rule, reason, until });

/** The exceptions that have ended of rules that the wallet matches. */
export function endedExceptions(
  row: Row,
  { matched, watched }: WalletVerdict,
  { exceptions = [], begun }: ReviewHeader,
) {
  const held = ruleNames([...matched, ...watched]);
  if (held.length === 0) return [];
  const key = rowKey(row);
  return exceptions
    .filter((exception) => exception.id === key && held.includes(exception.rule) && hasEnded(exception, begun))
    .map(withoutWallet);
}
