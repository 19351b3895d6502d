/** The rows of a diff: what is compared of each wallet, and what conditions and orders find in a row. */
import { type Node, NULL, textNode, textsNode } from '../document/node.ts';
import { parsePath } from '../document/parse-path.ts';
import { formatPath, type Path } from '../document/path.ts';
import { UsageError } from '../errors.ts';
import type { Condition, FindCompared } from '../row/conditions.ts';
import { META } from '../row/paths/own-names.ts';
import { aspectOf, CHANGES, type Difference, deltaOf } from './compare.ts';

/** What a row of a diff says of its wallet: one that is the same has no row. */
export const DIFF_CHANGES = CHANGES.filter((change) => change !== 'same');
type DiffChange = Exclude<(typeof CHANGES)[number], 'same'>;

/** A wallet that differs. */
export interface DiffRow {
  /** As the newer run spells it. */
  readonly wallet: string;
  /** The label that the list gives it, if any. */
  readonly label?: string;
  readonly change: DiffChange;
  /** One for each column. */
  readonly differences: readonly Difference[];
  /** The names of the rules that it matched, and of those that could not be judged for it; absent when there are none. */
  readonly matched?: readonly string[];
  readonly unjudged?: readonly string[];
}

/** The new value less the old one; null unless both are numbers. */
export function deltaNode(difference: Difference): Node {
  const delta = deltaOf(difference);
  return delta === undefined ? NULL : { kind: 'number', spelling: delta };
}

/** The values of a column, by the last step of their paths. */
export const SIDES: Readonly<Record<'old' | 'new' | 'delta', (difference: Difference) => Node>> = {
  old: ({ old = NULL }) => old,
  new: ({ new: now = NULL }) => now,
  delta: deltaNode,
};
const SIDE_NAMES = Object.keys(SIDES) as readonly (keyof typeof SIDES)[];

export interface Finder {
  readonly paths: readonly string[];
  readonly has: (asked: Pick<Condition, 'path' | 'aspect'>) => boolean;
  readonly in: (row: DiffRow) => FindCompared;
}

/** The names of the rules' results in the output. */
export const RULE_RESULTS = ['matched', 'unjudged'] as const;

const OWN_VALUES = new Map<string, (row: DiffRow) => Node>([
  ['wallet_address', ({ wallet }) => textNode(wallet)],
  ['label', ({ label }) => (label === undefined ? NULL : textNode(label))],
  ['change', ({ change }) => textNode(change)],
]);
const VERDICT_VALUES = new Map<string, (row: DiffRow) => Node>(
  RULE_RESULTS.map((name) => [name, (row) => textsNode(row[name] ?? [])]),
);

/** `score` for `_meta.score`: here both mean the same. */
const shortened = (path: Path): Path => (path[0] === META ? path.slice(1) : path);

/** The path of the column `name`; a name that is not a path is one step. */
function pathOf(name: string): Path {
  try {
    return parsePath(name);
  } catch (error) {
    if (error instanceof UsageError) return [name];
    throw error;
  }
}

/**
 * The value of a row at a path: `change`, `wallet_address`, `label`, with rules (`hasVerdicts`) `matched` and `unjudged`, and for
 * each column `NAME.old`, `NAME.new` and `NAME.delta`.
 */
export function createFinder(names: readonly string[], { hasVerdicts }: { readonly hasVerdicts: boolean }): Finder {
  const columnIndexes = new Map(names.map((name, column) => [formatPath(shortened(pathOf(name))), column]));
  const own = new Map([...OWN_VALUES, ...(hasVerdicts ? VERDICT_VALUES : [])]);
  const ownAt = (path: Path) => {
    const [name, ...inside] = shortened(path);
    return inside.length === 0 ? own.get(String(name)) : undefined;
  };
  const sideOf = (path: Path) => SIDE_NAMES.find((side) => side === path.at(-1));
  const indexOf = (path: Path) => columnIndexes.get(formatPath(shortened(path)));
  const columnOf = (path: Path) => (sideOf(path) ? indexOf(path.slice(0, -1)) : undefined);
  return {
    paths: [...own.keys(), ...[...columnIndexes.keys()].flatMap((name) => SIDE_NAMES.map((side) => `${name}.${side}`))],
    has: ({ path, aspect }) => {
      if (aspect === 'change') return true;
      if (aspect) return indexOf(path) !== undefined;
      return ownAt(path) !== undefined || columnOf(path) !== undefined;
    },
    in: (row) => (path, aspect) => {
      if (aspect === 'change') return textNode(row.change);
      if (aspect) return changeIn(row, aspect, indexOf(path));
      const [side, column] = [sideOf(path), columnOf(path)];
      const difference = column === undefined ? undefined : row.differences[column];
      return side && difference ? SIDES[side](difference) : ownAt(path)?.(row);
    },
  };
}

/** A wallet that came or left has not changed: no condition on that holds. */
function changeIn({ change, differences }: DiffRow, aspect: 'old' | 'delta' | 'ratio', column: number | undefined) {
  const values = column === undefined ? undefined : differences[column];
  return values && change === 'changed' ? aspectOf(aspect, values.old, values.new) : 'never';
}
