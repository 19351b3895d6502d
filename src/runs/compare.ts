/** Compares two runs wallet by wallet: in the order of the newer one, then those that only the older one has. */
import { takeTurn } from '../host/clock.ts';
import { type Change, type Difference, type DiffRow, difference, isSame } from './comparison.ts';
import { readValues, type Snapshot, type SnapshotEntry } from './snapshot.ts';

/** Whether a wallet has changed, by the differences of its values, one for each column. */
export type IsChange = (differences: readonly Difference[]) => boolean;

export interface Comparing {
  /** Whether unchanged wallets are rows, too. */
  readonly all: boolean;
  readonly signal: AbortSignal;
  /** Any difference is a change when left out. */
  readonly isChange?: IsChange;
  /** Whether wallets are rows, too, whose differences are not a change. */
  readonly withOthers?: boolean;
}

/** Wallets compared in one turn of the event loop: signals are handled in between. */
const TURN = 5_000;

export type ChangeCounts = Readonly<Record<Change, number>>;

export interface Comparison {
  readonly counts: ChangeCounts;
  readonly rows: AsyncIterable<DiffRow>;
}

/** How `newer` differs from `older`. The counts are those of the rows that were taken, and of wallets that are the same. */
export function compareRuns(
  older: Snapshot,
  newer: Snapshot,
  { all, signal, isChange, withOthers = false }: Comparing,
): Comparison {
  const counts = { added: 0, removed: 0, changed: 0, same: 0 };
  async function* rows(): AsyncGenerator<DiffRow> {
    let met = 0;
    for (const [before, current] of pairs(older, newer)) {
      if (++met % TURN === 0) {
        await takeTurn(signal);
      }
      const isEqual = before?.text === current?.text;
      const row =
        isEqual && !all ? undefined : labelled(differ(before, current, isChange), current?.label() ?? before?.label());
      counts[row?.change ?? 'same'] += 1;
      if (row && (all || withOthers || row.change !== 'same')) yield row;
    }
  }
  return { counts, rows: rows() };
}

type Pair = readonly [before: SnapshotEntry | undefined, current: SnapshotEntry | undefined];

function* pairs(older: Snapshot, newer: Snapshot): Generator<Pair> {
  const met = new Uint8Array(older.size);
  for (let number = 0; number < newer.size; number++) {
    const current = newer.at(number);
    const before = current && older.find(current.address.toLowerCase());
    if (before) met[before.number] = 1;
    yield [before, current];
  }
  for (let number = 0; number < older.size; number++) if (!met[number]) yield [older.at(number), undefined];
}

const labelled = (row: DiffRow, label: string | undefined): DiffRow => (label === undefined ? row : { ...row, label });

/** How a wallet has changed; at least one of the two is there. */
export function differ(
  before: SnapshotEntry | undefined,
  current: SnapshotEntry | undefined,
  isChange: IsChange = (differences) => !differences.every(isSame),
): DiffRow {
  const [old, now] = [before, current].map((entry) => (entry ? readValues(entry.text) : undefined));
  const differences = (now ?? old ?? []).map((_, i) => difference(old?.[i], now?.[i]));
  const wallet = (current ?? before)?.address ?? '';
  const change = !old ? 'added' : !now ? 'removed' : isChange(differences) ? 'changed' : 'same';
  return { wallet, change, differences };
}
