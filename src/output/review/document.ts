/** A review as one JSON document. */
import { type Node, NULL, type ObjectNode } from '../../document/node.ts';
import { writePretty } from '../../document/write.ts';
import type { CountedRows, Review, ReviewFigures } from './figures.ts';
import type { ReviewRow } from './review-row.ts';

const text = (value: string | undefined): Node => (value === undefined ? NULL : { kind: 'string', value });
const number = (value: number | string): Node => ({ kind: 'number', spelling: String(value) });
const flag = (value: boolean): Node => ({ kind: 'literal', value });
const time = (at: number | undefined): Node => text(at === undefined ? undefined : new Date(at).toISOString());
const list = <T>(items: readonly T[], node: (item: T) => Node): Node => ({ kind: 'array', items: items.map(node) });
const object = (members: Readonly<Record<string, Node>>): ObjectNode => ({
  kind: 'object',
  members: Object.entries(members),
});

export function reviewText(review: Review): string {
  const { figures, left, asked, reused, hasNews } = review;
  const { rows, wallets, byStatus, matched, changed, transitions, added, unjudged, reasons } = figures;
  const document = object({
    list: text(review.list),
    journal: text(review.journal),
    reviewed_at: time(review.reviewedAt),
    compared_with: time(review.baseline),
    news: flag(hasNews),
    rows: number(rows),
    wallets: number(wallets),
    asked: number(asked),
    from_journal: number(reused),
    counts: statusNode(byStatus),
    to_look_at: object({ count: number(matched.count), new: number(matched.newly), rows: rowNodes(matched) }),
    changed_most: object({ count: number(changed.count), rows: rowNodes(changed) }),
    levels: list(transitions, ({ field, old, new: current, count, rows: found }) =>
      object({
        field: text(field),
        old: text(old),
        new: text(current),
        count: number(count),
        rows: list(found, nameNode),
      }),
    ),
    new: object({ count: number(added.count), rows: rowNodes(added) }),
    no_longer_listed: object({
      count: number(left.count),
      rows: list(left.rows, ({ id, label }) => object({ wallet_address: text(id), label: text(label) })),
    }),
    not_judged: object({
      count: number(unjudged.count),
      new: number(unjudged.newly),
      reasons: list(reasons, ({ why, count }) => object({ why: text(why), count: number(count) })),
      rows: rowNodes(unjudged),
    }),
  });
  return `${writePretty(document)}\n`;
}

const statusNode = ({ scored, no_score, invalid, failed, pending }: ReviewFigures['byStatus']) =>
  object({
    scored: number(scored),
    no_score: number(no_score),
    invalid: number(invalid),
    failed: number(failed),
    pending: number(pending),
  });

const rowNodes = ({ rows }: CountedRows<ReviewRow>) => list(rows, rowNode);
const nameNode = ({ wallet, label }: ReviewRow) => object({ wallet_address: text(wallet), label: text(label) });

function rowNode(row: ReviewRow): Node {
  const { wallet, line, label, status, score, collateral, old, change, levels } = row;
  return object({
    wallet_address: text(wallet),
    line: number(line),
    label: text(label),
    status: text(status),
    score: score ?? NULL,
    score_before: old?.score ?? NULL,
    change: change === undefined ? NULL : number(change),
    answered_before: time(old?.answeredAt),
    total_collateral_usd: collateral ?? NULL,
    new: flag(row.isNew),
    levels: list(levels, ({ field, old: was, new: is }) =>
      object({ field: text(field), old: text(was), new: text(is) }),
    ),
    matched: list(row.matched, text),
    newly_matched: list(row.newlyMatched, text),
    not_judged: text(row.why),
    newly_not_judged: flag(row.isNewlyUnjudged),
  });
}
