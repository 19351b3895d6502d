/** What every format of rows is, and every place that they go to: those of a list, and of a diff. */
import type { Node } from '../../document/node.ts';
import type { ListHead } from '../../lists/list.ts';
import type { Find } from '../../row/conditions.ts';
import type { Row } from '../../row/row.ts';
import type { Selection } from '../../row/row-columns.ts';
import type { Terminal } from '../terminal/table.ts';

/** `head`, a `row` for each row in order, `foot`: together, whenever the rows end, they are a whole document. */
export interface RowWriter<R> {
  head(): string;
  row(row: R): string;
  /** Rows that were held back to be laid out together: nothing more is ready for now. */
  flush?(): string;
  foot(): string;
}
export type ListWriter = RowWriter<Row>;

/** What the formats for programs write of a row: one asks for its JSON, another for its cells. */
export interface RowText<R> {
  /** Compact. */
  readonly json: (row: R) => string;
  readonly cells: () => RowCells<R> | Promise<RowCells<R>>;
}

export interface RowCells<R> {
  /** The header: all columns, those of the input first. */
  readonly names: readonly string[];
  /** The file whose own cells stand first, as they were. */
  readonly input?: Pick<ListHead, 'delimiter' | 'bom'> & { readonly cells: (row: R) => readonly string[] };
  readonly values: (row: R) => readonly (Node | undefined)[];
}

export interface TextOptions {
  /** Whether csv, and a table on a terminal, begin with a line of names. */
  readonly header: boolean;
  /** Set when a person is going to read it. */
  readonly terminal?: Terminal | undefined;
}

export interface ListWriterOptions extends Selection, TextOptions {
  /** The input list; undefined for wallets given as arguments. Only csv carries its columns along. */
  readonly head?: ListHead | undefined;
}

/** Where rows go, and what becomes of them on the way. */
export interface RowOutput<R> {
  /** @throws IoError, ReaderGoneError */
  row(row: R): Promise<void> | undefined;
  /** Writes what was held back. @throws IoError, ReaderGoneError */
  flush(): Promise<void> | undefined;
  /** Completes what was written to a whole document. @throws IoError, ReaderGoneError */
  end(how: { readonly isStopped: boolean }): Promise<void>;
  close(): void;
}
export type ListOutput = RowOutput<Row>;

/** How rows are asked what they say, and how they wait on disk. */
export interface RowKind<R> {
  readonly find: (row: R) => Find;
  /** Whether it matched a rule, or else whether one could not be judged. */
  readonly verdict: (row: R) => 'matched' | 'unjudged' | undefined;
  /** The row without a newline in it. */
  readonly encode: (row: R) => string;
  readonly decode: (line: string) => R;
}
