/** The result of a review. */
import type { CountedRows, ReviewFigures } from './figures.ts';

export interface Review {
  readonly list: string;
  readonly journal: string;
  /** Milliseconds since 1970. */
  readonly reviewedAt: number;
  /** Time of the answers it is compared with; undefined if there is nothing to compare with. */
  readonly baseline: number | undefined;
  /** Time it should be compared with; undefined for the first review of a list, including a rerun on the same day. */
  readonly wanted: number | undefined;
  /** When the last complete review of this list ended; undefined for the first one. */
  readonly lastAt: number | undefined;
  readonly hasNews: boolean;
  /** Wallets requested in this run, and wallets answered from the journal. */
  readonly asked: number;
  readonly reused: number;
  readonly figures: ReviewFigures;
  readonly left: CountedRows<{ readonly id: string; readonly label: string | undefined }>;
}
