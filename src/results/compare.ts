/** Two runs, wallet by wallet: the newer one in its order, then what the older one alone has, in the order of that. */
import { takeTurn } from '../host/clock.ts';
import { type Change, type Difference, type DiffRow, difference, isSame } from './comparison.ts';
import { readValues, type Snapshot, type SnapshotEntry } from './snapshot.ts';

/** Says of the differences of a wallet's values, one a column, whether the wallet has changed. */
export type IsChange = (differences: readonly Difference[]) => boolean;

export interface Comparing {
  /** Whether wallets of which both runs say the same are rows as well. */
  readonly all: boolean;
  readonly signal: AbortSignal;
  /** Whether what differs between two rows of a wallet is a change; any difference is, when left out. */
  readonly isChange?: IsChange;
  /** Whether wallets are rows as well whose values differ in what is no change. */
  readonly withOthers?: boolean;
}

/** Wallets that are compared before others get their turn: a signal is heard in between. */
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

/** What became of a wallet, of which one run at least has something. */
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
