/** The figures of a report as one JSON document. */
import type { Summary } from './figures/measures.ts';
import { shareName } from './figures/shares.ts';
import type { Measure } from './page-data.ts';
import { type Distribution, distributionsOf, type Report } from './report.ts';

/** It ends in a newline. */
export const documentText = (report: Report): string => `${JSON.stringify(documentOf(report), null, 2)}\n`;

function documentOf(report: Report) {
  const { origin, figures } = report;
  const distributions = distributionsOf(report);
  const of = (measure: Measure) => distributions.find((one) => one.measure === measure);
  return {
    title: origin.title,
    source: origin.source,
    made_at: origin.madeAt,
    rows: figures.rows,
    counts: Object.fromEntries(figures.statuses),
    incomplete: figures.incomplete,
    oldest: figures.oldest ?? null,
    newest: figures.newest ?? null,
    rules: figures.rules.map(({ name, matched, unjudged, excused }) => ({ rule: name, matched, unjudged, excused })),
    score: distributionOf(of('score')),
    total_collateral_usd: distributionOf(of('collateral')),
    fields: figures.shares.map(({ path, values }) => ({
      field: shareName(path),
      values: values.map(({ text, count }) => ({ value: text, rows: count })),
    })),
  };
}

const quantilesOf = (summary: Summary | undefined) =>
  summary
    ? {
        rows: summary.count,
        lowest: summary.lowest,
        lower_quartile: summary.quartile,
        median: summary.median,
        upper_quartile: summary.upperQuartile,
        highest: summary.highest,
      }
    : null;

function distributionOf(distribution: Distribution | undefined) {
  if (!distribution) return null;
  const bins = distribution.bins.map(({ from, to, count }) => ({ from, to, rows: count }));
  return { ...quantilesOf(distribution.summary), bins };
}
