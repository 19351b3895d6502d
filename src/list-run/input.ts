/** A list of wallets, wherever it comes from: arguments, a file, standard input. */

import type { Context } from '../context.ts';
import { checkWallet } from '../lists/check-wallet.ts';
import type { ListRecord, ListRemark, WalletList } from '../lists/list.ts';
import type { Pause } from '../lists/read-ahead.ts';
import { openList } from '../lists/read-list.ts';
import { type ListSource, openSource } from '../lists/source.ts';
import type { WalletSource } from './wallet-source.ts';

export interface ListInput {
  /** Whether `open` may be called twice, so that the list can be checked before anything is paid. */
  readonly isRepeatable: boolean;
  /** @throws ListError when it is empty, or its column of wallets is unclear. */
  open(): Promise<Pick<WalletList, 'records'> & Partial<WalletList>>;
  /** What is to be told of the list, as far as it was read; undefined where nothing was. */
  remarks(): readonly ListRemark[] | undefined;
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

/**
 * @param onRead called when the whole list was read for the first time: of a file that is before anything is sent
 * @throws UsageError for an argument that is no wallet, ListError for a file that is not there.
 */
export async function openInput(
  options: InputOptions,
  context: Context,
  onRead?: (remarks: readonly ListRemark[]) => void,
): Promise<ListInput> {
  const { source } = options;
  if (source.kind === 'file') return inputOf(await openSource(source.file, context), { ...options, onRead }, context);
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

interface FileOptions extends Omit<InputOptions, 'source'> {
  readonly onRead?: ((remarks: readonly ListRemark[]) => void) | undefined;
}

/** The list in `source`. */
export function inputOf(source: ListSource, options: FileOptions, context: Context): ListInput {
  const { column, sheet, checksum, onRead } = options;
  const { name, isRegular } = source;
  const silence: Pause = (signal) => context.sleep(SILENCE_MS, signal);
  /** Of the first reading, which is the whole one where there are two. */
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
      const list = await openList(source.read(), {
        name,
        checksum,
        column,
        sheet,
        pause: isRegular ? undefined : silence,
      });
      return { ...list, records: records(list) };
    },
    remarks: () => remarks?.(),
    close: () => source.close(),
  };
}

/** Tells notes on a list; a person may have to hear something else than a log. */
export function tellRemarks(remarks: readonly ListRemark[], { report, stderr }: Context): void {
  const other = stderr.isTTY ? 'log' : 'person';
  for (const { audience, what, remedy } of remarks) if (audience !== other) report.info(`${what}; ${remedy}`);
}

async function* oneBatch(records: readonly ListRecord[]): WalletList['records'] {
  yield records;
}
