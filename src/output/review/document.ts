/** A review as one JSON document. */
import { type Node, NULL, type ObjectNode } from '../../document/node.ts';
import { writePretty } from '../../document/write.ts';
import type { ComparedWith, Review, Section } from '../../review/review.ts';
import type { Match, WalletFacts } from '../../review/wallet-facts.ts';
import type { Excused } from '../../row/row.ts';
import { DAY_MS } from '../../text/when.ts';

const text = (value: string | undefined): Node => (value === undefined ? NULL : { kind: 'string', value });
const number = (value: number | string): Node => ({ kind: 'number', spelling: String(value) });
const flag = (value: boolean): Node => ({ kind: 'literal', value });
const time = (at: number): Node => text(new Date(at).toISOString());
const list = <T>(items: readonly T[], node: (item: T) => Node): Node => ({ kind: 'array', items: items.map(node) });
const object = (members: Readonly<Record<string, Node>>): ObjectNode => ({
  kind: 'object',
  members: Object.entries(members),
});

export function reviewText(review: Review): string {
  const { lookAt, notJudged, watch, excused, changed, came, left, byStatus, policy } = review;
  const document = object({
    list: object({ name: text(review.list.name), sha256: text(review.list.sha256) }),
    policy: policy ? object({ name: text(policy.name), sha256: text(policy.sha256) }) : NULL,
    begun: time(review.begun),
    base_url: text(review.baseUrl),
    environment: text(review.environment),
    compared_with: comparedNode(review.comparedWith),
    changes_judged: flag(!review.hasUnjudgedChanges),
    news: flag(review.news),
    rows: number(review.rows),
    wallets: number(review.wallets),
    counts: object(Object.fromEntries(Object.entries(byStatus).map(([name, count]) => [name, number(count)]))),
    incomplete: number(review.incomplete),
    answers_of_earlier_days: list(review.ofEarlierDays, ([day, count]) =>
      object({ date: text(new Date(day * DAY_MS).toISOString().slice(0, 10)), wallets: number(count) }),
    ),
    rules: list(review.rules, ({ name, level, condition, note, matched, byFacts, byRules, unjudged, excused }) =>
      object({
        name: text(name),
        level: text(level),
        condition: text(condition),
        note: text(note),
        matched: number(matched),
        new: number(byFacts),
        new_by_rule: number(byRules),
        not_judged: number(unjudged),
        excused: number(excused),
      }),
    ),
    to_look_at: sectionNode(lookAt, lookAt),
    not_judged: sectionNode(notJudged, notJudged),
    watch: sectionNode(watch, watch),
    excused: sectionNode(excused),
    changed: sectionNode(changed),
    came: sectionNode(came),
    left: sectionNode(left),
    exceptions_ending: list(review.ending, ({ label, wallet, rule, reason, until, hasEnded }) =>
      object({
        label: text(label),
        wallet: text(wallet),
        rule: text(rule),
        reason: text(reason),
        until: text(until),
        ended: flag(hasEnded),
      }),
    ),
  });
  return `${writePretty(document)}\n`;
}

function comparedNode(compared: ComparedWith): Node {
  if (compared.kind !== 'review') return NULL;
  const { file, begun, hasOtherRules } = compared;
  return object({ file: text(file), begun: time(begun), other_rules: flag(hasOtherRules) });
}

const sectionNode = ({ total, wallets }: Section, news?: { readonly byFacts: number; readonly byRules: number }) =>
  object({
    count: number(total),
    ...(news && { new: number(news.byFacts), new_by_rule: number(news.byRules) }),
    rows: list(wallets, walletNode),
  });

function walletNode(facts: WalletFacts): Node {
  const { score, collateral, matched, watched } = facts;
  const newBy = (news: Match['news']) =>
    list(
      [...matched, ...watched].filter((match) => match.news === news),
      ({ rule }) => text(rule),
    );
  return object({
    label: text(facts.label),
    wallet_address: text(facts.wallet),
    line: facts.line === undefined ? NULL : number(facts.line),
    input: { kind: 'object', members: facts.columns.map(([name, value]) => [name, text(value)] as const) },
    status: text(facts.status),
    score: object({
      old: score.old ?? NULL,
      new: score.new ?? NULL,
      delta: score.delta === undefined ? NULL : number(score.delta),
      old_answered_at: text(score.oldAt),
    }),
    total_collateral_usd: object({
      old: collateral.old ?? NULL,
      new: collateral.new ?? NULL,
      percent: collateral.percent === undefined ? NULL : number(collateral.percent),
      old_answered_at: text(collateral.oldAt),
    }),
    texts: list(facts.texts, ({ field, old, new: now }) =>
      object({ field: text(field), old: text(old), new: text(now) }),
    ),
    lost: list(facts.lost, (name) => text(name)),
    appeared: list(facts.appeared, (name) => text(name)),
    matched: list(matched, ({ rule }) => text(rule)),
    watched: list(watched, ({ rule }) => text(rule)),
    new: newBy('facts'),
    new_by_rule: newBy('rules'),
    not_judged: text(facts.why),
    newly_not_judged: flag(facts.whyNews === 'facts'),
    newly_not_judged_by_rule: flag(facts.whyNews === 'rules'),
    warning: text(facts.warning),
    old_warning: text(facts.earlierWarning),
    excused: list(facts.excused, exceptionNode),
    exceptions_ended: list(facts.ended, exceptionNode),
    came: flag(facts.isNew),
  });
}

const exceptionNode = ({ rule, reason, until }: Excused) =>
  object({ rule: text(rule), reason: text(reason), until: text(until) });
