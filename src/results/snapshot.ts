/**
 * The compared values of one run, by wallet: places in memory, values on disk, so that a million wallets take some 40 MB.
 * A list may have a wallet several times; all but the last of its rows are of no account, as in a file to which newer
 * rows were appended.
 */

import type { Host } from '../context.ts';
import { type Node, NULL } from '../document/node.ts';
import { parseDocument } from '../document/parse.ts';
import { writeCompact } from '../document/write.ts';
import { openRecordFile } from '../files/records/record-file.ts';
import { createLocations } from '../journal/locations.ts';
import { createLabels } from '../row/label.ts';
import type { WalletFormat } from '../secrets/private-key.ts';
import { withholdTree } from '../secrets/tree.ts';
import type { Column } from './comparison.ts';
import type { ResultRow } from './result.ts';

export interface Entry {
  /** The wallet's number in its run, from 0, in the order of the file. */
  readonly number: number;
  /** As the run spelled it. */
  readonly address: string;
  /** The values as text: equal texts are equal values. */
  readonly text: string;
  /** To be asked for when all rows were added. */
  readonly label: () => string | undefined;
}

export interface Snapshot {
  /** Wallets. */
  readonly size: number;
  /** Rows without a wallet. */
  readonly withoutWallet: number;
  /** Wallets with several rows that say different things. */
  readonly duplicates: number;
  add(row: ResultRow): void;
  /** What labels the wallets, as `createLabels` has it; known when all rows were added. */
  readonly labels: Pick<ReturnType<typeof createLabels>, 'column' | 'error'>;
  at(number: number): Entry | undefined;
  find(id: string): Entry | undefined;
  close(): void;
}

type Place = NonNullable<ReturnType<ReturnType<typeof createLocations>['at']>>;

export interface SnapshotOptions {
  readonly columns: readonly Column[];
  readonly format: WalletFormat;
  /** --label */
  readonly label?: string | undefined;
  readonly host: Pick<Host, 'temporaryFolder'>;
}

/** @throws IoError when there is no room for the values. */
export function createSnapshot({ columns, format, label, host }: SnapshotOptions): Snapshot {
  const locations = createLocations();
  const records = openRecordFile(host);
  const labels = createLabels({ wanted: label, format });
  const counts = { strays: 0, disputed: 0 };
  const readEntry = (location: Place) => {
    const [address = '', noted = '', text = ''] = records.read(location).split('\n');
    return { address, noted, text };
  };
  const entryAt = (location: Place | undefined): Entry | undefined => {
    if (!location) return undefined;
    const { address, noted, text } = readEntry(location);
    return { number: location.number, address, text, label: () => labels.read(noted) };
  };
  return {
    get size() {
      return locations.size;
    },
    get withoutWallet() {
      return counts.strays;
    },
    get duplicates() {
      return counts.disputed;
    },
    add(row) {
      const { wallet } = row;
      if (!wallet) {
        counts.strays += 1;
        return;
      }
      const text = writeValues(columns.map(({ valueIn }) => withholdTree(valueIn(row) ?? NULL, format)));
      const location = locations.find(wallet.id);
      const earlier = location && readEntry(location);
      if (earlier?.text === text) return;
      if (earlier) counts.disputed += 1;
      locations.set(wallet.id, records.append(`${wallet.address}\n${labels.note(row.input())}\n${text}`));
    },
    labels,
    at: (number) => entryAt(locations.at(number)),
    find: (id) => entryAt(locations.find(id)),
    close: records.close,
  };
}

const writeValues = (items: readonly Node[]) => writeCompact({ kind: 'array', items });

/** The values that `text` stands for. */
export function readValues(text: string): readonly Node[] {
  const node = parseDocument(text);
  if (node.kind !== 'array') throw new TypeError('values are an array');
  return node.items;
}
