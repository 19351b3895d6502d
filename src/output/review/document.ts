/** A review as one JSON document. */
import { type Node, NULL, type ObjectNode } from '../../document/node.ts';
import { writePretty } from '../../document/write.ts';
import type { ReviewRow, ReviewSections, Section } from './sections.ts';

const text = (value: string | undefined): Node => (value === undefined ? NULL : { kind: 'string', value });
const number = (value: number | string): Node => ({ kind: 'number', spelling: String(value) });
const flag = (value: boolean): Node => ({ kind: 'literal', value });
const time = (at: number): Node => text(new Date(at).toISOString());
const list = <T>(items: readonly T[], node: (item: T) => Node): Node => ({ kind: 'array', items: items.map(node) });
const object = (members: Readonly<Record<string, Node>>): ObjectNode => ({
  kind: 'object',
  members: Object.entries(members),
});

export function reviewText(review: ReviewSections): string {
  const { lookAt, notJudged, excused, changed, came, left, byStatus, policy } = review;
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
    rules: list(review.rules, ({ name, condition, note, ...counts }) =>
      object({
        name: text(name),
        condition: text(condition),
        note: text(note),
        matched: number(counts.matched),
        new: number(counts.newly),
        not_judged: number(counts.unjudged),
        excused: number(counts.excused),
      }),
    ),
    to_look_at: sectionNode(lookAt, lookAt.newly),
    not_judged: sectionNode(notJudged, notJudged.newly),
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

function comparedNode(compared: ReviewSections['comparedWith']): Node {
  if (compared.kind !== 'review') return NULL;
  return object({ file: text(compared.file), begun: time(compared.begun) });
}

const sectionNode = ({ total, rows }: Section, newly?: number) =>
  object({ count: number(total), ...(newly !== undefined && { new: number(newly) }), rows: list(rows, rowNode) });

function rowNode(row: ReviewRow): Node {
  const { score, collateral } = row;
  return object({
    label: text(row.label),
    wallet_address: text(row.wallet),
    line: row.line === undefined ? NULL : number(row.line),
    input: object(Object.fromEntries(row.columns.map(([name, value]) => [name, text(value)]))),
    status: text(row.status),
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
    texts: list(row.texts, ({ field, old, new: now }) =>
      object({ field: text(field), old: text(old), new: text(now) }),
    ),
    matched: list(row.matched, text),
    new: list(row.newly, text),
    not_judged: text(row.why),
    newly_not_judged: flag(row.isNewlyUnjudged),
    excused: list(row.excused, exceptionNode),
    exceptions_ended: list(row.ended, exceptionNode),
    came: flag(row.isNew),
  });
}

const exceptionNode = ({ rule, reason, until }: ReviewRow['excused'][number]) =>
  object({ rule: text(rule), reason: text(reason), until: text(until) });
