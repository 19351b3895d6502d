/** A row of an earlier run, read back from whatever riskcli wrote it to. */

import type { Node, ObjectNode, ScalarNode } from '../document/node.ts';
import { memberOf } from '../document/path.ts';
import { cellText } from '../document/write.ts';

import { inputNode, type Row, rowNode, type Status } from '../row/row.ts';
import { walletOf } from '../row/row-columns.ts';
import type { Wallet } from '../wallet/address.ts';

export interface ResultRow {
  /** The line on which it began, from 1; in a journal the wallet's place among the others. */
  readonly line: number;
  /** Absent on a row that has no wallet: what stood there was none (`invalid`), or the format does not take it for one. */
  readonly wallet?: Wallet;
  /** Absent where the file does not say. */
  readonly status?: Status;
  /** The headline score; absent when there is none, or the file does not say: see `Results.missing`. */
  readonly score?: ScalarNode;
  readonly collateral?: Node;
  /** ISO 8601 UTC. */
  readonly answeredAt?: string;
  readonly warning?: string;
  /** Why there is no answer. */
  readonly error?: string;
  /** The names of the rules that the row matched. */
  readonly matched: readonly string[];
  /** Of the rules that could not be judged for it. */
  readonly unjudged: readonly string[];
  /** From which it was excused, and why, in words. */
  readonly excused: readonly string[];
  /** The service's answer: only jsonl, json and a journal hold it whole. */
  readonly document?: ObjectNode;
  /**
   * The object in which --fields and conditions look, as for the row of a list: the document's members and `_meta`. Of csv,
   * and of rows that were written with --fields, what the columns hold, each at its path.
   */
  node(): ObjectNode;
  /** What the list brought: an object of its own columns, or what stood there; undefined where the file does not say. */
  input(): Node | undefined;
}

/** What every whole row says. A file that was written with --fields may do without some of it. */
export const DEFAULT_COLUMNS = ['status', 'score', 'total_collateral_usd'] as const;
export type DefaultColumn = (typeof DEFAULT_COLUMNS)[number];

export type ResultsForm = 'jsonl' | 'json' | 'csv' | 'journal';

export interface Results {
  /** What the file is called in messages: in quotes. */
  readonly name: string;
  /** The same without quotes, for reports. */
  readonly bareName: string;
  readonly form: ResultsForm;
  /** What its rows do not say, since they were written with --fields. */
  readonly missing: readonly DefaultColumn[];
  /** Whether the path of the score has a say in what its rows' scores are: none where they state the score that was found then. */
  readonly readsScorePath: boolean;
  /**
   * In the order of the file, a row each, also where a wallet comes twice; of a journal the newest answer of each wallet.
   * Can be read once; numbers are as they were spelled. Rejects with a ListError for what riskcli did not write so.
   */
  readonly rows: AsyncIterable<ResultRow>;
  /** Lets go of the file, also of a pipe that nobody writes to. Harmless when called twice. */
  close(): void;
}

/** A row of a list that runs, as it would be read back from what the list writes. */
export function resultOf(row: Row): ResultRow {
  const { line, wallet, status, document, score, answeredAt, warning, error, matched = [], unjudged = [] } = row;
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
    excused: [],
    document,
    node: () => rowNode(row),
    input: () => inputNode(row.input),
  };
}
