/** What a report says, whatever it is written as. */
import type { ResultRow } from '../../results/result.ts';
import type { Bin } from './figures/bins.ts';
import { countsIn, linearBins, logarithmicBins } from './figures/bins.ts';
import type { Changes } from './figures/changes.ts';
import type { Collected } from './figures/collect.ts';
import { MEASURES, type Summary, summarise } from './figures/measures.ts';
import { type Stability, stabilityIndex } from './figures/stability.ts';
import type { Verdict } from './figures/tally.ts';
import type { Measure } from './page-data.ts';

/** Where a report comes from. All texts are safe to show. */
export interface Origin {
  readonly title: string;
  /** What was read, and which form it has. */
  readonly source: string;
  readonly form: string;
  /** When the report was made, ISO 8601 UTC. */
  readonly madeAt: string;
  readonly version: string;
  /** The command line, without anything secret. */
  readonly command: string;
}

/** An earlier run. */
export interface Baseline {
  /** What became of the wallet of `row` since; each row of the newer run is to pass here once. */
  compare(row: ResultRow): Pick<Verdict, 'change' | 'delta'>;
  /** What all of them come to. */
  changes(): Promise<Changes>;
}

export interface Report extends Collected {
  readonly origin: Origin;
  /** Since the baseline, where there is one. */
  readonly changes?: Changes | undefined;
}

/** One measure of all rows. */
export interface Distribution {
  readonly measure: Measure;
  readonly summary: Summary;
  readonly bins: readonly Bin[];
  /** How many rows of each bin a rule matched. */
  readonly matched: readonly number[];
}

const BINNINGS = { score: linearBins, collateral: logarithmicBins } as const;

/** Fewer rows than this are read faster than a chart of them. */
const MIN_CHARTED = 8;

/** The distributions that are worth a chart. */
export const chartedOf = (report: Report): readonly Distribution[] =>
  distributionsOf(report).filter(({ summary }) => summary.count >= MIN_CHARTED);

/** The distributions of the measures of which there is any number. */
export function distributionsOf({ figures: { measured, matched }, changes }: Report): readonly Distribution[] {
  return MEASURES.flatMap((measure) => {
    const summary = summarise(measured[measure]);
    if (!summary) return [];
    const bins = BINNINGS[measure](measured[measure], changes?.before[measure]);
    return [{ measure, summary, bins, matched: countsIn(matched[measure], bins) }];
  });
}

/** Whether scores as a whole have shifted since the baseline (psi); undefined where that cannot be told. */
export const stabilityOf = ({ figures: { measured }, changes }: Report): Stability | undefined =>
  changes && stabilityIndex(changes.before.score, measured.score);
