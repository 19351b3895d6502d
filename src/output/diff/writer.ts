/** What every format of a diff is. */
import type { DiffRow } from '../../results/comparison.ts';
import type { RowWriter, TextOptions } from '../list/writer.ts';

export type DiffWriter = RowWriter<DiffRow>;

export interface DiffWriterOptions extends TextOptions {
  /** What the columns are called. */
  readonly names: readonly string[];
  /** Whether rows are told which rules they matched. */
  readonly verdictColumns: boolean;
}
