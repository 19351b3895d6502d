/** How a run of a list says what --metrics and --summary are to tell of it. */
import type { ListFigures } from '../../../output/monitoring/list-report.ts';
import type { Settings } from '../../../settings/resolve.ts';

/** What is known of a run. */
export interface RunFacts extends ListFigures {
  readonly settings?: Settings;
}

/** Takes what the run has learned; what was told before stays, unless it is told anew. */
export type Publish = (known: RunFacts) => void;
