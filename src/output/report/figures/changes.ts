/** Changes since an earlier run: how many wallets changed, from which status to which, and whose numbers moved most. */
import type { Node } from '../../../document/node.ts';
import { cellText } from '../../../document/write.ts';
import { compareDecimals, type Decimal, decimalOf } from '../../../row/decimal.ts';
import { type Change, type Difference, type DiffRow, isSame } from '../../../runs/comparison.ts';
import { ownCopy } from '../../../text/own-copy.ts';
import { createTop } from '../../../text/top.ts';
import type { Measure } from '../page-data.ts';
import type { Measured } from './measures.ts';

export interface NamedWallet {
  readonly wallet: string;
  readonly label?: string | undefined;
}

/** A changed number of a wallet, as both runs spelled it. */
export interface Move extends NamedWallet {
  readonly old: string;
  readonly new: string;
  readonly delta: string;
}

export interface Moves {
  readonly measure: Measure;
  /** Largest first. */
  readonly rises: readonly Move[];
  readonly falls: readonly Move[];
}

export interface Changes {
  /** Name of the earlier run. */
  readonly baseline: string;
  /** Number of wallets. */
  readonly counts: Readonly<Record<Change, number>>;
  readonly moves: readonly Moves[];
  /** Changes of status, most frequent first. */
  readonly transitions: readonly { readonly from: string; readonly to: string; readonly wallets: number }[];
  /** One for each changed field with few values. */
  readonly flows: readonly Flow[];
  readonly removed: readonly NamedWallet[];
  /** Numbers of the earlier run. */
  readonly before: Measured;
}

/** How wallets moved between the values of a field. */
export interface Flow {
  readonly field: string;
  /** Most frequent first; `from` or `to` is empty if there was no value. */
  readonly pairs: readonly { readonly from: string; readonly to: string; readonly wallets: number }[];
}

/** A field with more pairs than this has too many values to show. */
const MAX_PAIRS = 150;
const MAX_MOVES = 5;
const MAX_REMOVED = 20;

/** The name of each measure in a diff. */
const COLUMNS: Readonly<Record<Measure, string>> = { score: 'score', collateral: 'total_collateral_usd' };

/** Collects the rows of a diff with values `names`; after the first `compared` ones come fields with few values. */
export function createChanges(names: readonly string[], compared = names.length) {
  const measures = (['score', 'collateral'] as const).filter((measure) => names.includes(COLUMNS[measure]));
  const tops = measures.map((measure) => ({ measure, column: names.indexOf(COLUMNS[measure]), ...createTops() }));
  const status = names.indexOf('status');
  const transitions = createPairs();
  const removed: NamedWallet[] = [];
  const flows = names.slice(compared).map((field) => ({ field, pairs: createPairs() }));

  return {
    add({ wallet, label, change, differences }: DiffRow): void {
      if (change === 'removed' && removed.length < MAX_REMOVED) removed.push({ wallet, label });
      if (change === 'changed' || change === 'same') {
        for (const [i, { pairs }] of flows.entries()) pairs.observe(differences[compared + i]);
      }
      if (change !== 'changed') return;
      transitions.observe(differences[status]);
      for (const { measure, column, rises, falls } of tops) {
        const difference = differences[column];
        const delta = difference && decimalOf(difference.delta);
        if (!difference || !delta || delta.double === 0) continue;
        if (measure === 'collateral' && isUnderACent(delta)) continue;
        (delta.double > 0 ? rises : falls).offer(delta, () => moveOf({ wallet, label }, difference));
      }
    },
    all: () => ({
      moves: tops
        .map(({ measure, rises, falls }): Moves => ({ measure, rises: rises.all(), falls: falls.all() }))
        .filter(({ rises, falls }) => rises.length + falls.length > 0),
      transitions: transitions.all(),
      flows: flows
        .map(({ field, pairs }) => ({ field, pairs: pairs.all() }))
        .filter(({ pairs }) => pairs.length > 0 && pairs.length <= MAX_PAIRS),
      removed,
    }),
  };
}

const createTops = () => ({
  rises: createTop<Decimal, Move>(MAX_MOVES, (a, b) => compareDecimals(b, a)),
  falls: createTop<Decimal, Move>(MAX_MOVES, compareDecimals),
});

/** A change shown as $0.00 is not listed. */
const isUnderACent = ({ double }: Decimal) => Math.abs(double) < 0.005;

/** Counts how often one value became another. */
function createPairs() {
  const pairs = new Map<string, { readonly from: string; readonly to: string; wallets: number }>();
  return {
    observe(difference: Difference | undefined): void {
      if (!difference || isSame(difference)) return;
      const [from, to] = [cellText(difference.old), cellText(difference.new)];
      const key = JSON.stringify([from, to]);
      if (!pairs.has(key) && pairs.size <= MAX_PAIRS)
        pairs.set(key, { from: ownCopy(from), to: ownCopy(to), wallets: 0 });
      const pair = pairs.get(key);
      if (pair) pair.wallets += 1;
    },
    all: () => [...pairs.values()].sort((a, b) => b.wallets - a.wallets),
  };
}

const moveOf = (named: NamedWallet, { old, new: current, delta }: Difference): Move => {
  const [before, now, by] = [old, current, delta].map((node: Node) => cellText(node));
  return { ...named, old: before ?? '', new: now ?? '', delta: by ?? '' };
};
