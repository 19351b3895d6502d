/**
 * The compared values of one run by wallet: locations in memory, values on disk, so that a million wallets take about 40 MB. If
 * a wallet has several rows, the last one counts, as in a file to which newer rows were appended.
 */

import type { Host } from '../context.ts';
import { type Node, NULL } from '../document/node.ts';
import { parseDocument } from '../document/parse.ts';
import { writeCompact } from '../document/write.ts';
import { openRecordFile, type RecordFile } from '../files/record-file.ts';
import { createLabels } from '../row/label.ts';
import { withholdTree } from '../secrets/tree.ts';
import type { ComparedColumn } from './comparison.ts';
import { type NumberedLocation, RecordLocations } from './locations.ts';
import type { ResultRow } from './result.ts';

export interface SnapshotEntry {
  /** The wallet's number in its run, from 0, in the order of the file. */
  readonly number: number;
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
  private readonly locations = new RecordLocations();
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
    const location = this.locations.find(wallet.id);
    const earlier = location && this.read(location);
    if (earlier?.text === text) return;
    if (earlier) this.disputed += 1;
    const noted = this.allLabels.observe(row.input());
    this.locations.set(wallet.id, this.records.append(`${wallet.address}\n${noted}\n${text}`));
  }

  at(number: number): SnapshotEntry | undefined {
    return this.entryAt(this.locations.at(number));
  }

  find(id: string): SnapshotEntry | undefined {
    return this.entryAt(this.locations.find(id));
  }

  close(): void {
    this.records.close();
  }

  private entryAt(location: NumberedLocation | undefined): SnapshotEntry | undefined {
    if (!location) return undefined;
    const { address, noted, text } = this.read(location);
    return { number: location.number, address, text, label: () => this.allLabels.read(noted) };
  }

  private read(location: NumberedLocation) {
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
