/** A wallet list as the rest of the program sees it, whatever its format. */
import type { RowInput } from '../row/row.ts';
import type { WalletReading, WalletRules } from '../wallet/address.ts';
import type { Pause } from './read-ahead.ts';

export interface ListHead {
  readonly kind: 'lines' | 'csv' | 'workbook' | 'json' | 'jsonl';
  /**
   * The input's own columns: those of a CSV or a sheet, or the scalars of the first JSON element;
   * none for plain lines.
   */
  readonly columns?: readonly string[];
  /** The index of the one with the wallets. */
  readonly walletColumn?: number;
  /** The cells of the first rows. */
  readonly sample?: readonly (readonly string[])[];
  readonly delimiter: string;
  /** The name of the sheet of a workbook that is read. */
  readonly sheet?: string;
  /** Whether the input began with a byte order mark; a csv output then begins with one as well. */
  readonly bom: boolean;
}

/** Whether each row has the same columns. */
export const isTable = (head: Pick<ListHead, 'kind'> | undefined): boolean =>
  head?.kind === 'csv' || head?.kind === 'workbook';

export interface ListRecord {
  /** Line on which the record began, from 1. */
  readonly line: number;
  readonly input: RowInput;
  /** A cell for each of the head's columns; what may be a secret is redacted already. */
  readonly cells?: readonly string[];
  readonly wallet: WalletReading;
}

/** Something to report about a list, so that nothing is lost in silence. */
export interface ListRemark {
  /**
   * Comments and headers are reported to a person, who knows what was meant. A log gets only
   * comments that look like rows: it should not repeat every night that somebody has switched a
   * wallet off.
   */
  readonly audience: 'person' | 'log' | 'both';
  /** What it is; how many, and which is the first. */
  readonly what: string;
  /** How such a line becomes a row, or such a cell is kept. */
  readonly remedy: string | undefined;
}

export interface WalletList {
  readonly head: ListHead;
  /**
   * Read as fast as they are taken, in arrays of a block's records: awaiting each would cost more
   * than reading it. Rejects with a ListError that names the line.
   */
  readonly records: AsyncIterable<readonly ListRecord[]>;
  /** The remarks on the records that were read so far. */
  readonly remarks: () => readonly ListRemark[];
}

export interface ReadListOptions extends WalletRules {
  /** The name of the list in messages. */
  readonly name: string;
  /** The column with the wallets, by its name or by its number from 1; found when undefined. */
  readonly column?: string | undefined;
  /** The sheet of a workbook; the first that is not hidden when undefined. */
  readonly sheet?: string | undefined;
  /** Whether it is an error if no row is a wallet. */
  readonly needsWallet?: boolean;
  /** For a list that may pause: how long to wait before deciding by what has come. */
  readonly pause?: Pause | undefined;
}
