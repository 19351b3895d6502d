/** The figures of a report as one JSON document. */
import { jsonText } from '../../document/write.ts';
import { type Distribution, QUANTILE_NAMES } from './distribution.ts';
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
  if (!distribution || (distribution.count === 0 && distribution.unread === 0)) return null;
  const { count, quantiles, bins, unread, example = null } = distribution;
  return {
    wallets: count,
    unread,
    unread_example: example,
    ...Object.fromEntries(QUANTILE_NAMES.map((name) => [name.replace(' ', '_'), quantiles?.[name] ?? null])),
    bins: bins.map(({ from, to, count: wallets }) => ({ from, to, wallets })),
  };
}
