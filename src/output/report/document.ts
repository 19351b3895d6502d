/** The figures of a report as one JSON document. */
import { jsonText } from '../../document/write.ts';
import type { Distribution } from './distribution.ts';
import { fieldOf } from './figures.ts';
import type { Measure } from './page-data.ts';
import type { Report } from './report.ts';

export const documentText = (report: Report): string => jsonText(reportDocument(report));

function reportDocument({ origin, figures }: Report) {
  const { rows, wallets, byStatus, incomplete, oldest = null, newest = null, rules, distributions, texts } = figures;
  const of = (measure: Measure) => distributionNode(distributions.find((one) => one.measure === measure));
  return {
    title: origin.title,
    source: origin.source,
    made_at: origin.madeAt,
    synthetic: origin.isSandbox,
    wallets,
    rows,
    counts: byStatus,
    incomplete,
    oldest,
    newest,
    rules: rules.map(({ name, level, matched, unjudged, excused }) => ({
      rule: name,
      level,
      matched,
      unjudged,
      excused,
    })),
    score: of('score'),
    total_collateral_usd: of('collateral'),
    fields: texts.map(({ name, values }) => ({
      field: fieldOf(name),
      values: values.map(({ text, count }) => ({ value: text, wallets: count })),
    })),
  };
}

function distributionNode(distribution: Distribution | undefined) {
  if (!distribution || (!distribution.summary && distribution.unread === 0)) return null;
  const { summary, unread, example = null } = distribution;
  return {
    wallets: summary?.count ?? 0,
    unread,
    unread_example: example,
    lowest: summary?.lowest ?? null,
    lower_quartile: summary?.quartile ?? null,
    median: summary?.median ?? null,
    upper_quartile: summary?.upperQuartile ?? null,
    highest: summary?.highest ?? null,
    bins: distribution.bins.map(({ from, to, count }) => ({ from, to, wallets: count })),
  };
}
