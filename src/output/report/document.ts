/** The figures of a report as one JSON document. */
import { jsonText } from '../../document/write.ts';
import type { Distribution } from './distribution.ts';
import { fieldOf } from './figures.ts';
import type { Measure } from './page-data.ts';
import type { Report } from './report.ts';

export const documentText = (report: Report): string => jsonText(documentOf(report));

function documentOf({ origin, figures }: Report) {
  const { rows, byStatus, incomplete, oldest = null, newest = null, rules, distributions, texts } = figures;
  const of = (measure: Measure) => distributionNode(distributions.find((one) => one.measure === measure));
  return {
    title: origin.title,
    source: origin.source,
    made_at: origin.madeAt,
    rows,
    counts: byStatus,
    incomplete,
    oldest,
    newest,
    rules: rules.map(({ name, matched, unjudged, excused }) => ({ rule: name, matched, unjudged, excused })),
    score: of('score'),
    total_collateral_usd: of('collateral'),
    fields: texts.map(({ name, values }) => ({
      field: fieldOf(name),
      values: values.map(({ text, count }) => ({ value: text, rows: count })),
    })),
  };
}

function distributionNode(distribution: Distribution | undefined) {
  if (!distribution) return null;
  const { count, lowest, quartile, median, upperQuartile, highest } = distribution.summary;
  return {
    rows: count,
    lowest,
    lower_quartile: quartile,
    median,
    upper_quartile: upperQuartile,
    highest,
    bins: distribution.bins.map(({ from, to, count }) => ({ from, to, rows: count })),
  };
}
