/** What changed since an earlier run: how many wallets, from which status to which, and whose numbers moved the most. */
import type { Node } from '../../../document/node.ts';
import { cellText } from '../../../document/write.ts';
import type { Change, Difference, DiffRow } from '../../../results/comparison.ts';
import { compareDecimals, type Decimal, decimalOf } from '../../../row/decimal.ts';
import type { Measure } from '../page-data.ts';
import type { Measured } from './measures.ts';

/** A number of a wallet that moved, as both runs spelled it. */
export interface Move {
  readonly wallet: string;
  readonly old: string;
  readonly new: string;
  readonly delta: string;
}

export interface Moves {
  readonly measure: Measure;
  /** The largest first. */
  readonly rises: readonly Move[];
  readonly falls: readonly Move[];
}

export interface Changes {
  /** What the earlier run is called. */
  readonly baseline: string;
  /** Wallets. */
  readonly counts: Readonly<Record<Change, number>>;
  readonly moves: readonly Moves[];
  /** From one status to another, the most frequent first. */
  readonly transitions: readonly { readonly from: string; readonly to: string; readonly wallets: number }[];
  /** The first wallets that are gone. */
  readonly removed: readonly string[];
  /** The numbers of the earlier run. */
  readonly before: Measured;
}

const MAX_MOVES = 5;
const MAX_REMOVED = 20;

/** Under which name a diff has each measure. */
const COLUMNS: Readonly<Record<Measure, string>> = { score: 'score', collateral: 'total_collateral_usd' };

/** Takes the rows of a diff whose values are called `names`. */
export function createChanges(names: readonly string[]) {
  const measures = (['score', 'collateral'] as const).filter((measure) => names.includes(COLUMNS[measure]));
  const tops = measures.map((measure) => ({
    measure,
    column: names.indexOf(COLUMNS[measure]),
    rises: createTop((a, b) => compareDecimals(b, a)),
    falls: createTop(compareDecimals),
  }));
  const status = names.indexOf('status');
  const transitions = new Map<string, { from: string; to: string; wallets: number }>();
  const removed: string[] = [];

  function noteStatus({ old, new: current }: Difference): void {
    const [from, to] = [cellText(old), cellText(current)];
    if (from === to) return;
    const transition = transitions.get(`${from} ${to}`) ?? { from, to, wallets: 0 };
    transition.wallets += 1;
    transitions.set(`${from} ${to}`, transition);
  }

  return {
    add({ wallet, change, differences }: DiffRow): void {
      if (change === 'removed' && removed.length < MAX_REMOVED) removed.push(wallet);
      if (change !== 'changed') return;
      const stated = differences[status];
      if (stated) noteStatus(stated);
      for (const { column, rises, falls } of tops) {
        const difference = differences[column];
        const delta = difference && decimalOf(difference.delta);
        if (!difference || !delta || delta.digits === '') continue;
        (delta.sign > 0 ? rises : falls).add(delta, () => moveOf(wallet, difference));
      }
    },
    all: () => ({
      moves: tops
        .map(({ measure, rises, falls }): Moves => ({ measure, rises: rises.all(), falls: falls.all() }))
        .filter(({ rises, falls }) => rises.length + falls.length > 0),
      transitions: [...transitions.values()].sort((a, b) => b.wallets - a.wallets),
      removed,
    }),
  };
}

const moveOf = (wallet: string, { old, new: current, delta }: Difference): Move => {
  const [before, now, by] = [old, current, delta].map((node: Node) => cellText(node));
  return { wallet, old: before ?? '', new: now ?? '', delta: by ?? '' };
};

/** The first few in the order of `compare`. */
function createTop(compare: (a: Decimal, b: Decimal) => number) {
  const entries: { readonly delta: Decimal; readonly move: Move }[] = [];
  return {
    add(delta: Decimal, make: () => Move): void {
      const last = entries.at(-1);
      if (last && entries.length === MAX_MOVES && compare(delta, last.delta) >= 0) return;
      entries.push({ delta, move: make() });
      entries.sort((a, b) => compare(a.delta, b.delta));
      entries.length = Math.min(entries.length, MAX_MOVES);
    },
    all: (): readonly Move[] => entries.map(({ move }) => move),
  };
}
