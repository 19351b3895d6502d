/** A review: what was found, and what it is about. */
import type { CountedRows, ReviewFigures } from './figures.ts';

export interface Review {
  readonly list: string;
  readonly journal: string;
  /** Milliseconds since 1970. */
  readonly reviewedAt: number;
  /** As of when it is compared; undefined where there is nothing to compare with. */
  readonly baseline: number | undefined;
  /** As of when it was to be compared; undefined for the first review of a list, and for that again on the same day. */
  readonly wanted: number | undefined;
  /** When the last whole review of this list ended; undefined for the first one. */
  readonly lastAt: number | undefined;
  readonly hasNews: boolean;
  /** Wallets that were asked for in this run, and those whose answers the journal had. */
  readonly asked: number;
  readonly reused: number;
  readonly figures: ReviewFigures;
  readonly left: CountedRows<{ readonly id: string; readonly label: string | undefined }>;
}
