/** Compares two runs wallet by wallet: in the order of the newer one, then those that only the older one has. */
import { takeTurn } from '../host/clock.ts';
import { type DiffRow, difference, isSame } from './comparison.ts';
import { readValues, type Snapshot, type SnapshotEntry } from './snapshot.ts';

/** Wallets compared in one turn of the event loop: signals are handled in between. */
const TURN = 5_000;

export type ChangeCounts = Readonly<Record<DiffRow['change'] | 'same', number>>;

export interface Comparison {
  /** Of the rows that were taken, and of the wallets that are the same. */
  readonly counts: ChangeCounts;
  /** Of the wallets that came, left or changed. */
  readonly rows: AsyncIterable<DiffRow>;
}

export function compareRuns(older: Snapshot, newer: Snapshot, signal: AbortSignal): Comparison {
  const counts = { added: 0, removed: 0, changed: 0, same: 0 };
  async function* rows(): AsyncGenerator<DiffRow> {
    let met = 0;
    for (const [before, current] of pairs(older, newer)) {
      if (++met % TURN === 0) await takeTurn(signal);
      const row = differ(before, current);
      counts[row?.change ?? 'same'] += 1;
      if (row) yield row;
    }
  }
  return { counts, rows: rows() };
}

type Pair = readonly [before: SnapshotEntry | undefined, current: SnapshotEntry | undefined];

function* pairs(older: Snapshot, newer: Snapshot): Generator<Pair> {
  for (const id of newer.ids()) yield [older.find(id), newer.find(id)];
  for (const id of older.ids()) if (!newer.has(id)) yield [older.find(id), undefined];
}

/** How a wallet has changed; undefined when it is the same. At least one of the two is there. */
function differ(before: SnapshotEntry | undefined, current: SnapshotEntry | undefined): DiffRow | undefined {
  if (before?.text === current?.text) return undefined;
  const [old, now] = [before, current].map((entry) => (entry ? readValues(entry.text) : undefined));
  const differences = (now ?? old ?? []).map((_, i) => difference(old?.[i], now?.[i]));
  if (old && now && differences.every(isSame)) return undefined;
  const label = current?.label() ?? before?.label();
  return {
    wallet: (current ?? before)?.address ?? '',
    ...(label !== undefined && { label }),
    change: !old ? 'added' : !now ? 'removed' : 'changed',
    differences,
  };
}
