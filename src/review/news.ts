/**
 * How it came about, since the earlier review, that a wallet matches a rule or is not judged:
 * today's rules are asked again about its rows of then.
 */

import type { Row } from '../row/row.ts';
import { type Judging, judgeRow, ruleNames, type Verdict } from '../rules/judge.ts';
import { asksForChange, type Rule } from '../rules/rules.ts';
import { isAnswer } from '../runs/run.ts';
import { timeIn } from '../text/when.ts';
import type { EarlierReview, EarlierWallet } from './earlier.ts';
import type { SameRules } from './same-rules.ts';
import { judgeAlone, wasTold } from './standing.ts';
import type { WalletVerdict } from './wallet-verdict.ts';

/** By the facts, since the figures changed, or only by the rules, which did. */
export type News = 'facts' | 'rules';

/** A rule that a wallet matches, and how that came about; undefined where it is not new. */
export interface Match {
  readonly rule: string;
  readonly news: News | undefined;
}

export interface NewsOptions {
  readonly earlier: EarlierReview | undefined;
  /** Today's rules, with today's exceptions at the time of the earlier review. */
  readonly judgingThen: Judging;
  /** The rules of the earlier review. */
  readonly rulesThen: SameRules;
}

/**
 * The earlier side of a wallet, and what today's rules say of its rows there, without values from
 * other reviews.
 */
export interface Past extends Pick<Verdict, 'matched' | 'watched' | 'unjudged'> {
  readonly before: EarlierWallet | undefined;
  readonly rows: readonly Row[];
}

export function pastOf(before: EarlierWallet | undefined, { judgingThen }: NewsOptions): Past {
  const rows = before?.rows ?? [];
  const verdicts = rows.map((row) => judgeRow(row, judgingThen));
  const of = (part: 'matched' | 'watched' | 'unjudged') =>
    judgingThen.rules.filter((rule) => verdicts.some((verdict) => verdict[part].includes(rule)));
  return { before, rows, matched: of('matched'), watched: of('watched'), unjudged: of('unjudged') };
}

/**
 * New by the facts, where today's rule did not hold then; else by the rules, where nobody was told
 * then that it held.
 */
export function newsOfMatch(rule: Rule, past: Past, { rulesThen }: NewsOptions): News | undefined {
  const isWatch = rule.level === 'watch';
  const held = isWatch ? past.watched : past.matched;
  if (!held.includes(rule)) return 'facts';
  const names = ruleNames(rulesThen.get(rule.name) ?? []);
  const reported = past.rows.flatMap(({ matched = [], watched = [] }) =>
    isWatch ? [...matched, ...watched] : matched,
  );
  return reported.some((name) => names.includes(name)) ? undefined : 'rules';
}

/** How a wallet that is not judged today came to that. */
export function newsOfNotJudged(
  { status }: Row,
  unjudged: readonly Rule[],
  past: Past,
  { rulesThen, earlier }: NewsOptions,
): News | undefined {
  if (!past.before) return 'facts';
  if (!isAnswer(status)) {
    const hadAnswer = past.rows.some((row) => isAnswer(row.status)) || hadAnswerSince(past.before, earlier);
    return hadAnswer ? 'facts' : undefined;
  }
  const sameThen = ({ name }: Rule) => rulesThen.get(name) ?? [];
  const wasUnjudged = (rule: Rule) => {
    const names = ruleNames(sameThen(rule));
    return past.rows.some((row) => row.unjudged?.some((name) => names.includes(name)));
  };
  const wasStanding = (rule: Rule) =>
    sameThen(rule).some(({ name }) => past.rows.some((row) => row.standing?.includes(name)));
  // Of a rule that only watched then nobody was alarmed.
  const wasRaised = (rule: Rule) => rule.level === 'alarm' && sameThen(rule).every(({ level }) => level === 'watch');
  // Whether a change could be judged then is only known by what was kept.
  const isNewByFacts = (rule: Rule) => {
    if (asksForChange(rule.when)) return sameThen(rule).length > 0 && !wasUnjudged(rule);
    return !past.unjudged.includes(rule) && !wasStanding(rule);
  };
  if (unjudged.some(isNewByFacts)) return 'facts';
  return unjudged.every((rule) => wasUnjudged(rule) && !wasRaised(rule)) ? undefined : 'rules';
}

/** Whether a review after the one compared with has an answer of the wallet. */
const hadAnswerSince = ({ answer: { row, isCarried } }: EarlierWallet, earlier: EarlierReview | undefined): boolean =>
  isCarried && earlier !== undefined && timeIn(row.answeredAt ?? '') > earlier.header.begun;

/**
 * The alarms that stood in the earlier review, and do not any more: by the facts, where they do not
 * hold for today's rows either.
 */
export function clearedAlarms(
  today: readonly Row[],
  { matched, unjudged, excused, standing }: WalletVerdict,
  before: EarlierWallet,
  { judgingThen, rulesThen, earlier }: NewsOptions,
): readonly Match[] {
  const stands = [...ruleNames([...matched, ...standing]), ...excused.map(({ rule }) => rule)];
  return (earlier?.header.rules ?? []).flatMap((rule): readonly Match[] => {
    if (!isToldAlarm(rule, before)) return [];
    const same = judgingThen.rules.filter(
      ({ level, name }) => level === 'alarm' && rulesThen.get(name)?.includes(rule),
    );
    const news = today.every((row) => judgeAlone(rule, row) === false) ? 'facts' : 'rules';
    const isOpen = (one: Rule) => stands.includes(one.name) || (news === 'facts' && unjudged.includes(one));
    return same.some(isOpen) ? [] : [{ rule: rule.name, news }];
  });
}

/**
 * Whether a rule of the earlier review was an alarm for the wallet. One on change says something
 * once, and does not stand.
 */
export const isToldAlarm = (rule: Rule, { rows }: EarlierWallet): boolean =>
  rule.level === 'alarm' && !asksForChange(rule.when) && rows.some((row) => wasTold(row, rule.name));
