/** The content of a report, independent of its format. */

import type { ReviewSections } from '../review/sections.ts';
import type { Bin } from './figures/bins.ts';
import { countsIn, linearBins, logarithmicBins } from './figures/bins.ts';
import type { Collected } from './figures/collect.ts';
import { MEASURES, type Summary, summarise } from './figures/measures.ts';
import type { Measure } from './page-data.ts';

/** Where a report comes from. Secrets are withheld from all texts. */
export interface Origin {
  readonly title: string;
  /** Name of what was read, and its form. */
  readonly source: string;
  readonly form: string;
  /** When the report was made, ISO 8601 UTC. */
  readonly madeAt: string;
  readonly version: string;
  /** The command line, without secrets. */
  readonly command: string;
}

export interface Report extends Collected {
  readonly origin: Origin;
  /** Of a page of a review. */
  readonly review?: ReviewSections;
}

/** The distribution of one measure over all rows. */
export interface Distribution {
  readonly measure: Measure;
  readonly summary: Summary;
  readonly bins: readonly Bin[];
  /** Rows of each bin that a rule matched. */
  readonly matched: readonly number[];
}

const BINNINGS = { score: linearBins, collateral: logarithmicBins } as const;

/** Fewer rows are not charted. */
const MIN_CHARTED = 8;

/** The distributions with enough rows for a chart. */
export const chartedOf = (report: Report): readonly Distribution[] =>
  distributionsOf(report).filter(({ summary }) => summary.count >= MIN_CHARTED);

/** The distributions of the measures that have numbers. */
export function distributionsOf({ figures: { measured, matched } }: Report): readonly Distribution[] {
  return MEASURES.flatMap((measure) => {
    const summary = summarise(measured[measure]);
    if (!summary) return [];
    const bins = BINNINGS[measure](measured[measure]);
    return [{ measure, summary, bins, matched: countsIn(matched[measure], bins) }];
  });
}
