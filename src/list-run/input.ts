/** A list of wallets, wherever it comes from: arguments, a file, standard input. */

import type { Context } from '../context.ts';
import { checkWallet } from '../lists/check-wallet.ts';
import type { ListRecord, ListRemark, WalletList } from '../lists/list.ts';
import type { Pause } from '../lists/read-ahead.ts';
import { openList } from '../lists/read-list.ts';
import { remarkText } from '../lists/remarks.ts';
import { type ListSource, openSource } from '../lists/source.ts';
import type { WalletSource } from './wallet-source.ts';

export interface ListInput {
  /**
   * Whether `open` may be called twice, so that the list can be checked before anything is paid.
   */
  readonly isRepeatable: boolean;
  /** @throws ListError when it is empty, or its column of wallets is unclear. */
  open(): Promise<Pick<WalletList, 'records'> & Partial<WalletList>>;
  /** Remarks on the part of the list that was read; undefined if nothing was read. */
  remarks(): readonly ListRemark[] | undefined;
  /** Closes a pipe that nobody writes to, which would keep the process alive. */
  close(): void;
}

/** A list to read, and how. */
export interface InputOptions {
  readonly source: WalletSource;
  /** The column of the addresses, unless it is to be detected. */
  readonly column: string | undefined;
  /** The sheet of a workbook, if it is not the first one. */
  readonly sheet: string | undefined;
  readonly checksum: boolean;
  /**
   * Called when the whole list has been read for the first time; for a file, that is before
   * anything is sent.
   */
  readonly onRead?: (remarks: readonly ListRemark[]) => void;
}

/** @throws UsageError for an argument that is no wallet, ListError for a file that is not there */
export async function openInput(options: InputOptions, context: Context): Promise<ListInput> {
  const { source } = options;
  if (source.kind === 'file') return listInput(await openSource(source.file, context), options, context);
  const texts = source.kind === 'one' ? [source.wallet] : source.wallets;
  const records: ListRecord[] = [];
  for (const [i, input] of texts.entries()) {
    records.push({ line: i + 1, input, wallet: await checkWallet(input, options) });
  }
  const open = async () => ({ records: oneBatch(records) });
  return { isRepeatable: true, open, remarks: () => undefined, close: () => {} };
}

// Long enough for a script that writes line by line, too short to be noticed by a person.
const SILENCE_MS = 200;

/** The list in `source`. */
export function listInput(source: ListSource, options: Omit<InputOptions, 'source'>, context: Context): ListInput {
  const { onRead, ...reading } = options;
  const { name, isRegular } = source;
  const silence: Pause = (signal) => context.sleep(SILENCE_MS, signal);
  const waiting = isRegular ? { needsWallet: true } : { pause: silence };
  /** From the first reading, which is complete if there are two. */
  let remarks: WalletList['remarks'] | undefined;
  async function* records(list: WalletList): WalletList['records'] {
    const isFirst = remarks === undefined;
    remarks ??= list.remarks;
    yield* list.records;
    if (isFirst) onRead?.(list.remarks());
  }
  return {
    isRepeatable: isRegular,
    async open() {
      const list = await openList(source.read(), { ...reading, ...waiting, name });
      return { ...list, records: records(list) };
    },
    remarks: () => remarks?.(),
    close: () => source.close(),
  };
}

/** Reports notes on a list; some are only for a person, others only for a log. */
export function reportRemarks(remarks: readonly ListRemark[], { report, stderr }: Context): void {
  const other = stderr.isTTY ? 'log' : 'person';
  for (const remark of remarks) if (remark.audience !== other) report.info(remarkText(remark));
}

async function* oneBatch(records: readonly ListRecord[]): WalletList['records'] {
  yield records;
}
