/** What every format of a list is: one function that makes a writer. */
import type { ColorLevel } from '../../cli/color.ts';
import type { ListHead } from '../../lists/list.ts';
import type { Row } from '../../row/row.ts';
import type { Selection } from '../../row/row-columns.ts';

/** `head`, a `row` for each row in order, `foot`: together, whenever the rows end, they are a whole document. */
export interface ListWriter {
  head(): string;
  row(row: Row): string;
  foot(): string;
}

export interface Terminal {
  /** In columns. */
  readonly width: number;
  readonly color: ColorLevel;
}

export interface ListWriterOptions extends Selection {
  /** The input list; undefined for wallets given as arguments. Only csv carries its columns along. */
  readonly head?: ListHead | undefined;
  /** Whether csv, and a table on a terminal, begin with a line of names. */
  readonly header: boolean;
  /** Set when a person is going to read it. */
  readonly terminal?: Terminal | undefined;
}

/** Where rows go, and what becomes of them on the way. */
export interface ListOutput {
  /** @throws IoError, ReaderGoneError */
  row(row: Row): Promise<void> | undefined;
  /** Writes what was held back. @throws IoError, ReaderGoneError */
  flush(): Promise<void> | undefined;
  /** Completes what was written to a whole document. @throws IoError, ReaderGoneError */
  end(how: { readonly isStopped: boolean }): Promise<void>;
  close(): void;
}

export type CreateListWriter = (options: ListWriterOptions) => ListWriter | Promise<ListWriter>;
