/** What every format of a diff is. */
import type { DiffRow } from '../../results/comparison.ts';
import type { RowWriter, Terminal } from '../list/writer.ts';

export type DiffWriter = RowWriter<DiffRow>;

export interface DiffWriterOptions {
  /** What the columns are called. */
  readonly names: readonly string[];
  /** Whether rows are told which rules they matched. */
  readonly verdictColumns: boolean;
  /** Whether csv, and a table on a terminal, begin with a line of names. */
  readonly header: boolean;
  /** Set when a person is going to read it. */
  readonly terminal?: Terminal | undefined;
}
