/**
 * The compared values of one run by wallet: locations in memory, values on disk. If a wallet has several rows, the last one counts,
 * as in a file to which newer rows were appended.
 */

import type { Host } from '../context.ts';
import { type Node, NULL } from '../document/node.ts';
import { parseDocument } from '../document/parse.ts';
import { writeCompact } from '../document/write.ts';
import { openRecordFile, type RecordFile, type RecordLocation } from '../files/record-file.ts';
import { createLabels } from '../row/label.ts';
import { withholdTree } from '../secrets/tree.ts';
import { ownCopy } from '../text/own-copy.ts';
import type { ComparedColumn } from './comparison.ts';
import type { ResultRow } from './result.ts';

export interface SnapshotEntry {
  /** As spelled in the run. */
  readonly address: string;
  /** The values as text: equal texts are equal values. */
  readonly text: string;
  /** To be called when all rows were added. */
  readonly label: () => string | undefined;
}

export interface SnapshotOptions {
  readonly columns: readonly ComparedColumn[];
  readonly label?: string | undefined;
  readonly host: Pick<Host, 'temporaryFolder'>;
}

export class Snapshot {
  /** By the wallets' ids, in the order of their first rows. */
  private readonly locations = new Map<string, RecordLocation>();
  private readonly records: RecordFile;
  private readonly allLabels: ReturnType<typeof createLabels>;
  private strays = 0;
  private disputed = 0;

  constructor(private readonly options: SnapshotOptions) {
    this.records = openRecordFile(options.host);
    this.allLabels = createLabels({ wanted: options.label });
  }

  get size(): number {
    return this.locations.size;
  }

  get withoutWallet(): number {
    return this.strays;
  }

  /** The number of rows whose values differ from an earlier row of the same wallet. */
  get duplicates(): number {
    return this.disputed;
  }

  /** The column of labels, as of `createLabels`; known when all rows were added. */
  get labels(): Pick<ReturnType<typeof createLabels>, 'column' | 'error'> {
    return this.allLabels;
  }

  /** @throws IoError when the disk has no room for the values */
  add(row: ResultRow): void {
    const { wallet } = row;
    if (!wallet) {
      this.strays += 1;
      return;
    }
    const { columns } = this.options;
    const text = writeValues(columns.map(({ valueIn }) => withholdTree(valueIn(row) ?? NULL)));
    const location = this.locations.get(wallet.id);
    const earlier = location && this.read(location);
    if (earlier?.text === text) return;
    if (earlier) this.disputed += 1;
    const noted = this.allLabels.observe(row.input());
    this.locations.set(
      location ? wallet.id : ownCopy(wallet.id),
      this.records.append(`${wallet.address}\n${noted}\n${text}`),
    );
  }

  ids(): Iterable<string> {
    return this.locations.keys();
  }

  has(id: string): boolean {
    return this.locations.has(id);
  }

  find(id: string): SnapshotEntry | undefined {
    const location = this.locations.get(id);
    if (!location) return undefined;
    const { address, noted, text } = this.read(location);
    return { address, text, label: () => this.allLabels.read(noted) };
  }

  close(): void {
    this.records.close();
  }

  private read(location: RecordLocation) {
    const [address = '', noted = '', text = ''] = this.records.read(location).split('\n');
    return { address, noted, text };
  }
}

const writeValues = (items: readonly Node[]) => writeCompact({ kind: 'array', items });

/** The values in `text`. */
export function readValues(text: string): readonly Node[] {
  const node = parseDocument(text);
  if (node.kind !== 'array') throw new TypeError('values are an array');
  return node.items;
}
