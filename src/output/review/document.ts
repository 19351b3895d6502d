/** A review as one JSON document. */
import { numberNode, textNode } from '../../document/node.ts';
import { nodeOf, type PlainObject, type PlainValue } from '../../document/plain.ts';
import { writePretty } from '../../document/write.ts';
import type { Match } from '../../review/news.ts';
import type { ComparedWith, Review } from '../../review/review.ts';
import type { Section } from '../../review/sections.ts';
import { isNews, type NamedWallet } from '../../review/wallet-facts.ts';
import type { Excused } from '../../row/row.ts';
import { DAY_MS } from '../../text/when.ts';

export const reviewText = (review: Review): string => `${writePretty(nodeOf(reviewJson(review)))}\n`;

function reviewJson(review: Review): PlainObject {
  const { list, policy } = review;
  return {
    list: { name: list.name, sha256: list.sha256 },
    policy: policy && { name: policy.name, sha256: policy.sha256 },
    begun: new Date(review.begun).toISOString(),
    base_url: review.baseUrl,
    environment: review.environment,
    compared_with: comparedJson(review.comparedWith),
    changes_judged: !review.hasUnjudgedChanges,
    news: review.news,
    rows: review.rows,
    wallets: review.wallets,
    counts: review.byStatus,
    incomplete: review.incomplete,
    answers_of_earlier_days: review.ofEarlierDays.map(([day, wallets]) => ({
      date: new Date(day * DAY_MS).toISOString().slice(0, 10),
      wallets,
    })),
    rules: review.rules.map(({ name, level, condition, note, matched, byFacts, byRules, unjudged, excused }) => ({
      name,
      level,
      condition,
      note,
      matched,
      new: byFacts,
      new_by_rule: byRules,
      not_judged: unjudged,
      excused,
    })),
    cleared_by_rule: review.clearedByRules.map(([rule, wallets]) => ({ rule, wallets })),
    to_look_at: newsJson(review.lookAt),
    not_judged: newsJson(review.notJudged),
    watch: newsJson(review.watch),
    excused: sectionJson(review.excused),
    changed: sectionJson(review.changed),
    came: sectionJson(review.came),
    left: sectionJson(review.left),
    exceptions_ending: review.ending.map(({ label, wallet, rule, reason, until, hasEnded }) => ({
      label,
      wallet,
      rule,
      reason,
      until,
      ended: hasEnded,
    })),
  };
}

function comparedJson(compared: ComparedWith): PlainValue {
  if (compared.kind !== 'review') return null;
  const { file, begun, hasOtherRules } = compared;
  return { file, begun: new Date(begun).toISOString(), other_rules: hasOtherRules };
}

const sectionJson = ({ total, wallets }: Section) => ({ count: total, rows: wallets.map(walletJson) });

/** A section of which some wallets can be new. */
const newsJson = ({ total, byFacts, byRules, wallets }: Section) => ({
  count: total,
  new: byFacts,
  new_by_rule: byRules,
  rows: wallets.map(walletJson),
});

function walletJson(facts: NamedWallet): PlainObject {
  const { score, collateral, matched, watched, cleared } = facts;
  const names = (matches: readonly Match[]) => matches.map(({ rule }) => rule);
  const namesBy = (how: Match['news'], matches: readonly Match[]) => names(matches.filter(({ news }) => news === how));
  return {
    label: facts.label,
    wallet_address: facts.wallet,
    line: facts.line,
    // The names are the list's own.
    input: { kind: 'object', members: facts.columns.map(([name, text]) => [name, textNode(text)] as const) },
    status: facts.status,
    score: {
      old: score.old,
      new: score.new,
      delta: score.delta === undefined ? null : numberNode(score.delta),
      old_answered_at: score.oldAt,
    },
    total_collateral_usd: {
      old: collateral.old,
      new: collateral.new,
      percent: collateral.percent === undefined ? null : numberNode(collateral.percent),
      old_answered_at: collateral.oldAt,
    },
    texts: facts.texts.map(({ field, old, new: now }) => ({ field, old, new: now })),
    lost: facts.lost,
    appeared: facts.appeared,
    matched: names(matched),
    watched: names(watched),
    new: namesBy('facts', [...matched, ...watched]),
    new_by_rule: namesBy('rules', [...matched, ...watched]),
    not_judged: facts.whyNotJudged,
    newly_not_judged: facts.notJudgedNews === 'facts',
    newly_not_judged_by_rule: facts.notJudgedNews === 'rules',
    warning: facts.warning,
    old_warning: facts.earlierWarning,
    standing: facts.standing,
    excused: facts.excused.map(exceptionJson),
    exceptions_ended: facts.ended.map(exceptionJson),
    cleared: namesBy('facts', cleared),
    cleared_by_rule: namesBy('rules', cleared),
    came: facts.hasCome,
    news: isNews(facts),
  };
}

const exceptionJson = ({ rule, reason, until }: Excused) => ({ rule, reason, until });
