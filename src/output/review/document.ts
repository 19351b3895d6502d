/** A review as one JSON document (share/schema/review.json). */
import { textNode } from '../../document/node.ts';
import { nodeOf, type PlainObject, type PlainValue } from '../../document/plain.ts';
import { writePretty } from '../../document/write.ts';
import type { Review, RuleFigures } from '../../review/read-review.ts';
import type { Section } from '../../review/sections.ts';
import type { ReviewWallet } from '../../review/wallet.ts';
import { keptNode } from '../../row/kept.ts';

export const reviewText = (review: Review): string => `${writePretty(nodeOf(reviewJson(review)))}\n`;

function reviewJson(review: Review): PlainObject {
  const { base } = review;
  // A review that is kept has reached all of its rows.
  const { pending: _, ...counts } = review.counts;
  return {
    news: review.news,
    exit_code: review.exitCode,
    day: review.day,
    compared_with: base ? { day: base.day, file: base.file } : null,
    counts,
    rules: review.rules.map(ruleJson),
    ...Object.fromEntries(review.sections.map((section) => [section.name, sectionJson(section)])),
  };
}

const ruleJson = ({ name, level, condition, note, previousCondition, ...counts }: RuleFigures): PlainObject => ({
  ...{ name, if: condition, level, ...optional('note', note), ...optional('previous_if', previousCondition) },
  ...{ open: counts.matching, new: counts.new, closed: counts.closed },
});

const sectionJson = ({ total, wallets }: Section): PlainObject => ({ total, wallets: wallets.map(walletJson) });

const walletJson = (wallet: ReviewWallet): PlainObject => ({
  wallet: wallet.wallet,
  label: wallet.label,
  line: wallet.line,
  // The names are the list's own.
  columns: { kind: 'object', members: wallet.columns.map(([name, text]) => [name, textNode(text)] as const) },
  status: wallet.status,
  score: wallet.score,
  total_collateral_usd: wallet.collateral,
  ...optional('previous', keptNode.previous(wallet)),
  alarms: keptNode.alarms(wallet),
  closed: keptNode.closed(wallet),
  ...optional('not_judged', keptNode.notJudged(wallet)),
  ...optional('warning', wallet.warning),
});

const optional = (name: string, value: PlainValue): PlainObject => (value === undefined ? {} : { [name]: value });
