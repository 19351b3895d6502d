/** A list of wallets, wherever it comes from: arguments, a file, standard input. */

import type { Context } from '../context.ts';
import { checkWallet } from '../lists/check-wallet.ts';
import type { ListRecord, WalletList } from '../lists/list.ts';
import type { Pause } from '../lists/read-ahead.ts';
import { openList } from '../lists/read-list.ts';
import { type ListSource, openSource } from '../lists/source.ts';
import type { WalletSource } from './wallet-source.ts';

export interface ListInput {
  /** Whether `open` may be called twice, so that the list can be checked before anything is paid. */
  readonly isRepeatable: boolean;
  /** @throws ListError when it is empty, or its column of wallets is unclear. */
  open(): Promise<Pick<WalletList, 'records'> & Partial<WalletList>>;
  /** Closes a pipe that nobody writes to, which would keep the process alive. */
  close(): void;
}

/** What says where a list is, and how it is read. */
export interface InputOptions {
  readonly source: WalletSource;
  /** The column of the addresses, where it is not to be found out. */
  readonly column: string | undefined;
  /** The sheet of a workbook, where it is not the first one. */
  readonly sheet: string | undefined;
  readonly checksum: boolean;
}

/** @throws UsageError for an argument that is no wallet, ListError for a file that is not there. */
export async function openInput(options: InputOptions, context: Context): Promise<ListInput> {
  const { source } = options;
  if (source.kind === 'file') return fileInput(await openSource(source.file, context), options, context);
  const texts = source.kind === 'one' ? [source.wallet] : source.wallets;
  const records: ListRecord[] = [];
  for (const [i, input] of texts.entries()) {
    records.push({ line: i + 1, input, wallet: await checkWallet(input, options) });
  }
  return { isRepeatable: true, open: async () => ({ records: oneBatch(records) }), close: () => {} };
}

// Long enough for a script that writes line by line, too short to be noticed by a person.
const SILENCE_MS = 200;

function fileInput(source: ListSource, options: InputOptions, context: Context): ListInput {
  const { column, sheet, checksum } = options;
  const { name, isRegular } = source;
  const silence: Pause = (signal) => context.sleep(SILENCE_MS, signal);
  return {
    isRepeatable: isRegular,
    open: () => openList(source.read(), { name, checksum, column, sheet, pause: isRegular ? undefined : silence }),
    close: () => source.close(),
  };
}

async function* oneBatch(records: readonly ListRecord[]): WalletList['records'] {
  yield records;
}
