/** A review as one JSON document. */
import { type Node, NULL, type ObjectNode } from '../../document/node.ts';
import { writePretty } from '../../document/write.ts';
import type { Match } from '../../review/news.ts';
import type { ComparedWith, Review } from '../../review/review.ts';
import type { Section } from '../../review/sections.ts';
import { isNews, type NamedWallet } from '../../review/wallet-facts.ts';
import type { Excused } from '../../row/row.ts';
import { DAY_MS } from '../../text/when.ts';

const textOrNull = (value: string | undefined): Node => (value === undefined ? NULL : { kind: 'string', value });
const number = (value: number | string): Node => ({ kind: 'number', spelling: String(value) });
const flag = (value: boolean): Node => ({ kind: 'literal', value });
const time = (at: number): Node => textOrNull(new Date(at).toISOString());
const list = <T>(items: readonly T[], node: (item: T) => Node): Node => ({ kind: 'array', items: items.map(node) });
const object = (members: Readonly<Record<string, Node>>): ObjectNode => ({
  kind: 'object',
  members: Object.entries(members),
});

export function reviewText(review: Review): string {
  const { lookAt, notJudged, watch, excused, changed, came, left, byStatus, policy } = review;
  const document = object({
    list: object({ name: textOrNull(review.list.name), sha256: textOrNull(review.list.sha256) }),
    policy: policy ? object({ name: textOrNull(policy.name), sha256: textOrNull(policy.sha256) }) : NULL,
    begun: time(review.begun),
    base_url: textOrNull(review.baseUrl),
    environment: textOrNull(review.environment),
    compared_with: comparedNode(review.comparedWith),
    changes_judged: flag(!review.hasUnjudgedChanges),
    news: flag(review.news),
    rows: number(review.rows),
    wallets: number(review.wallets),
    counts: object(Object.fromEntries(Object.entries(byStatus).map(([name, count]) => [name, number(count)]))),
    incomplete: number(review.incomplete),
    answers_of_earlier_days: list(review.ofEarlierDays, ([day, count]) =>
      object({ date: textOrNull(new Date(day * DAY_MS).toISOString().slice(0, 10)), wallets: number(count) }),
    ),
    rules: list(review.rules, ({ name, level, condition, note, matched, byFacts, byRules, unjudged, excused }) =>
      object({
        name: textOrNull(name),
        level: textOrNull(level),
        condition: textOrNull(condition),
        note: textOrNull(note),
        matched: number(matched),
        new: number(byFacts),
        new_by_rule: number(byRules),
        not_judged: number(unjudged),
        excused: number(excused),
      }),
    ),
    cleared_by_rule: list(review.clearedByRules, ([rule, wallets]) =>
      object({ rule: textOrNull(rule), wallets: number(wallets) }),
    ),
    to_look_at: newsNode(lookAt),
    not_judged: newsNode(notJudged),
    watch: newsNode(watch),
    excused: sectionNode(excused),
    changed: sectionNode(changed),
    came: sectionNode(came),
    left: sectionNode(left),
    exceptions_ending: list(review.ending, ({ label, wallet, rule, reason, until, hasEnded }) =>
      object({
        label: textOrNull(label),
        wallet: textOrNull(wallet),
        rule: textOrNull(rule),
        reason: textOrNull(reason),
        until: textOrNull(until),
        ended: flag(hasEnded),
      }),
    ),
  });
  return `${writePretty(document)}\n`;
}

function comparedNode(compared: ComparedWith): Node {
  if (compared.kind !== 'review') return NULL;
  const { file, begun, hasOtherRules } = compared;
  return object({ file: textOrNull(file), begun: time(begun), other_rules: flag(hasOtherRules) });
}

const sectionNode = ({ total, wallets }: Section) => object({ count: number(total), rows: list(wallets, walletNode) });

/** A section of which some wallets can be new. */
const newsNode = ({ total, byFacts, byRules, wallets }: Section) =>
  object({
    count: number(total),
    new: number(byFacts),
    new_by_rule: number(byRules),
    rows: list(wallets, walletNode),
  });

function walletNode(facts: NamedWallet): Node {
  const { score, collateral, matched, watched } = facts;
  const by = (matches: readonly Match[], news: Match['news']) =>
    list(
      matches.filter((match) => match.news === news),
      ({ rule }) => textOrNull(rule),
    );
  const newBy = (news: Match['news']) => by([...matched, ...watched], news);
  return object({
    label: textOrNull(facts.label),
    wallet_address: textOrNull(facts.wallet),
    line: facts.line === undefined ? NULL : number(facts.line),
    input: { kind: 'object', members: facts.columns.map(([name, value]) => [name, textOrNull(value)] as const) },
    status: textOrNull(facts.status),
    score: object({
      old: score.old ?? NULL,
      new: score.new ?? NULL,
      delta: score.delta === undefined ? NULL : number(score.delta),
      old_answered_at: textOrNull(score.oldAt),
    }),
    total_collateral_usd: object({
      old: collateral.old ?? NULL,
      new: collateral.new ?? NULL,
      percent: collateral.percent === undefined ? NULL : number(collateral.percent),
      old_answered_at: textOrNull(collateral.oldAt),
    }),
    texts: list(facts.texts, ({ field, old, new: now }) =>
      object({ field: textOrNull(field), old: textOrNull(old), new: textOrNull(now) }),
    ),
    lost: list(facts.lost, (name) => textOrNull(name)),
    appeared: list(facts.appeared, (name) => textOrNull(name)),
    matched: list(matched, ({ rule }) => textOrNull(rule)),
    watched: list(watched, ({ rule }) => textOrNull(rule)),
    new: newBy('facts'),
    new_by_rule: newBy('rules'),
    not_judged: textOrNull(facts.whyNotJudged),
    newly_not_judged: flag(facts.notJudgedNews === 'facts'),
    newly_not_judged_by_rule: flag(facts.notJudgedNews === 'rules'),
    warning: textOrNull(facts.warning),
    old_warning: textOrNull(facts.earlierWarning),
    excused: list(facts.excused, exceptionNode),
    exceptions_ended: list(facts.ended, exceptionNode),
    cleared: by(facts.cleared, 'facts'),
    cleared_by_rule: by(facts.cleared, 'rules'),
    came: flag(facts.hasCome),
    news: flag(isNews(facts)),
  });
}

const exceptionNode = ({ rule, reason, until }: Excused) =>
  object({ rule: textOrNull(rule), reason: textOrNull(reason), until: textOrNull(until) });
