/** The list of a profile run, wherever it comes from: arguments, a file, standard input. */

import type { Context } from '../../context.ts';
import type { ListRecord, WalletList } from '../../lists/list.ts';
import type { Pause } from '../../lists/read-ahead.ts';
import { openList } from '../../lists/read-list.ts';
import { joinLists, type NamedList } from '../../lists/several.ts';
import { type ListSource, openSource } from '../../lists/source.ts';
import { judgeArguments } from './judge-argument.ts';
import type { ProfileOptions } from './options.ts';

export interface ListInput {
  /** Whether `open` may be called twice, so that the list can be checked before anything is paid. */
  readonly isRepeatable: boolean;
  /** @throws ListError when it is empty, or its column of wallets is unclear. */
  open(): Promise<Pick<WalletList, 'records'> & Partial<WalletList>>;
  /** Lets go of a pipe that nobody writes to, which would keep the process. */
  close(): void;
}

/** What says where a list is, and how it is read. */
export type InputOptions = Pick<ProfileOptions, 'source' | 'column' | 'walletFormat' | 'checksum'>;

/** @throws UsageError for an argument that is no wallet, ListError for a file that is not there. */
export async function openInput(options: InputOptions, context: Context): Promise<ListInput> {
  const { source } = options;
  if (source.kind === 'files') {
    const sources: ListSource[] = [];
    for (const file of source.files) sources.push(await openSource(file, context));
    return filesInput(sources, { options, context });
  }
  const texts = source.kind === 'one' ? [source.wallet] : source.wallets;
  const wallets = await judgeArguments(texts, options);
  const records = wallets.map((wallet, i): ListRecord => ({ line: i + 1, input: texts[i] ?? '', wallet }));
  return { isRepeatable: true, open: async () => ({ records: oneBatch(records) }), close: () => {} };
}

// Long enough for a script that writes line by line, and not noticed by who types.
const SILENCE_MS = 200;

interface Reading {
  readonly options: InputOptions;
  readonly context: Context;
}

function filesInput(sources: readonly ListSource[], { options, context }: Reading): ListInput {
  const { column, walletFormat: format, checksum } = options;
  const silence: Pause = (signal) => context.sleep(SILENCE_MS, signal);
  return {
    isRepeatable: sources.every(({ isRegular }) => isRegular),
    async open() {
      const lists: NamedList[] = [];
      for (const { name, read, isRegular } of sources) {
        const pause = isRegular ? undefined : silence;
        lists.push({ name, list: await openList(read(), { name, format, checksum, column, pause }) });
      }
      return joinLists(lists);
    },
    close() {
      for (const { close } of sources) close();
    },
  };
}

async function* oneBatch(records: readonly ListRecord[]): WalletList['records'] {
  yield records;
}
