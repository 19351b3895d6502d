/** A wallet list as the rest of the program sees it, whatever file it came from. */
import type { RowInput } from '../row/row.ts';
import type { WalletReading, WalletRules } from '../wallet/address.ts';
import type { Pause } from './read-ahead.ts';

export interface ListHead {
  readonly kind: 'lines' | 'csv' | 'json' | 'jsonl';
  /** The input's own columns: of csv its own, of JSON the scalars of its first element; none for plain lines. */
  readonly columns?: readonly string[];
  /** Where among them the wallets are; several when several files are one list. */
  readonly walletColumns?: readonly number[];
  /** What the first rows have in them, as records do. */
  readonly sample?: readonly (readonly string[])[];
  readonly delimiter: string;
  /** Whether the input began with a byte order mark; a csv output then begins with one as well. */
  readonly bom: boolean;
}

export interface ListRecord {
  /** Line on which the record began, from 1. */
  readonly line: number;
  /** The file that has the line, when the list is several files. */
  readonly file?: string;
  readonly input: RowInput;
  /** A cell for each of the head's columns; what may be a secret is withheld already. */
  readonly cells?: readonly string[];
  readonly wallet: WalletReading;
}

export interface WalletList {
  readonly head: ListHead;
  /**
   * Read as fast as they are taken, in arrays, as many as a block of the file holds: awaiting each would cost more than reading
   * it. Rejects with a ListError that names the line.
   */
  readonly records: AsyncIterable<readonly ListRecord[]>;
}

export interface ReadListOptions extends WalletRules {
  /** What the list is called in messages. */
  readonly name: string;
  /** The column with the wallets, by its name or by its number from 1; found when undefined. */
  readonly column?: string;
  /** For a list that may fall silent, how long it is waited for before it is judged by what there is. */
  readonly pause?: Pause | undefined;
}
