/** A row of an earlier run, read back from any format. */

import type { Node, ObjectNode, ScalarNode } from '../document/node.ts';
import { lookup, memberOf } from '../document/path.ts';
import { cellText } from '../document/write.ts';

import { META } from '../row/paths/own-names.ts';
import { type Excused, inputNode, type Row, rowNode, type Status } from '../row/row.ts';
import { walletOf } from '../row/row-columns.ts';
import type { Wallet } from '../wallet/address.ts';
import type { ReviewEnd, ReviewHeader } from './kept-review.ts';

export interface ResultRow {
  /** The line on which it began, from 1. */
  readonly line: number;
  /** Absent on a row without a wallet: the input was not one (`invalid`), or the file has none. */
  readonly wallet?: Wallet;
  /** Absent if the file does not have it. */
  readonly status?: Status;
  /** The headline score; absent when there is none, or the file does not have it: see `Results.missing`. */
  readonly score?: ScalarNode;
  readonly collateral?: Node;
  /** ISO 8601 UTC. */
  readonly answeredAt?: string;
  readonly warning?: string;
  /** Why there is no answer. */
  readonly error?: string;
  readonly matched: readonly string[];
  /** The names of the rules that could not be judged for it. */
  readonly unjudged: readonly string[];
  /** The rules from which it was excused, and why, where the file says it; in csv the last day is in the reason. */
  readonly excused?: readonly Excused[] | undefined;
  /** The names of the watch rules that held for it; undefined where the policy had no such rule. */
  readonly watched?: readonly string[] | undefined;
  /** The service's answer: only jsonl and json have the whole document. */
  readonly document?: ObjectNode;
  /**
   * The object that --fields and conditions read, as for a row of a list: the document's members and `_meta`. For csv, and rows
   * written with --fields, the values of the columns, each at its path.
   */
  node(): ObjectNode;
  /** The row of the input: an object of its columns, or its text; undefined if the file does not have it. */
  input(): Node | undefined;
}

/** What a kept review says of itself. */
interface KeptReview {
  readonly header: ReviewHeader;
  /** To be called when all rows were read; undefined when it is torn. */
  end(): ReviewEnd | undefined;
}

/** The values of every whole row. A file written with --fields may lack some. */
export const DEFAULT_COLUMNS = ['status', 'score', 'total_collateral_usd'] as const;
export type DefaultColumn = (typeof DEFAULT_COLUMNS)[number];

export interface Results {
  /** Undefined for what is no kept review. */
  readonly review?: KeptReview | undefined;
  /** The name of the file in messages: in quotes. */
  readonly name: string;
  /** The same without quotes, for reports. */
  readonly bareName: string;
  /** The default columns that its rows lack, since they were written with --fields. */
  readonly missing: readonly DefaultColumn[];
  /**
   * In the order of the file, also if a wallet comes twice. Can be read once;
   * numbers are as they were spelled. Rejects with a ListError for what riskcli has not written.
   */
  readonly rows: AsyncIterable<ResultRow>;
  /** Closes the file, even a pipe that nobody writes to. May be called twice. */
  close(): void;
}

/** The line of the list that the row was, where the file has it; else the line of the file. */
export function listLine({ node, line }: Pick<ResultRow, 'node' | 'line'>): number {
  const written = Number(cellText(lookup(node(), [META, 'line'])));
  return written > 0 ? written : line;
}

/** A row of a running list, as it would be read back from its output. */
export function resultOf(row: Row): ResultRow {
  const {
    line,
    wallet,
    status,
    document,
    score,
    answeredAt,
    warning,
    error,
    matched = [],
    unjudged = [],
    excused,
    watched,
  } = row;
  return {
    line,
    wallet: wallet === undefined ? undefined : { ok: true, address: cellText(walletOf(row)), id: wallet.toLowerCase() },
    status,
    score,
    collateral: document && memberOf(document, 'total_collateral_usd'),
    answeredAt,
    warning,
    error: error?.message,
    matched,
    unjudged,
    excused,
    watched,
    document,
    node: () => rowNode(row),
    input: () => inputNode(row.input),
  };
}
