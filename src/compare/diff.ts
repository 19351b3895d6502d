/**
 * The rows of a diff: what is said of each wallet, and what conditions and orders find in a row.
 */

import { type Node, NULL, textNode, textsNode } from '../document/node.ts';
import { pathOfName } from '../document/parse-path.ts';
import { formatPath, type Path } from '../document/path.ts';
import { META } from '../row/row.ts';
import { type Judged, ruleNamesIn } from '../row/verdict.ts';
import type { Condition, Found, ValueLookup } from '../rules/conditions.ts';
import { aspectOf, CHANGES, type Difference, deltaOf } from './compare.ts';

/** A row of a diff: a wallet that is the same has none. */
export const DIFF_CHANGES = CHANGES.filter((change) => change !== 'same');
type DiffChange = Exclude<(typeof CHANGES)[number], 'same'>;

/** A wallet that differs. */
export interface DiffRow extends Judged {
  /** As the newer run spells it. */
  readonly wallet: string;
  /** The label that the list gives it, if any. */
  readonly label?: string;
  readonly change: DiffChange;
  /** One for each column. */
  readonly differences: readonly Difference[];
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

/** The other values of a row, by their names in the output. */
export const OTHER_VALUES = {
  wallet_address: ({ wallet }: DiffRow): Node => textNode(wallet),
  label: ({ label }: DiffRow): Node => (label === undefined ? NULL : textNode(label)),
  change: ({ change }: DiffRow): Node => textNode(change),
  matched: (row: DiffRow): Node => textsNode(ruleNamesIn(row, 'matched')),
  unjudged: (row: DiffRow): Node => textsNode(ruleNamesIn(row, 'unjudged')),
};
/** Those that rows have only where there are rules. */
export const RULE_RESULTS = ['matched', 'unjudged'] as const;

type Asked = Pick<Condition, 'path' | 'aspect'>;

export interface DiffFinder {
  readonly paths: readonly string[];
  readonly has: (asked: Asked) => boolean;
  readonly in: (row: DiffRow) => ValueLookup;
}

/**
 * Finds in rows what is asked for by path: `NAME.old`, `NAME.new` and `NAME.delta` of each column,
 * and the other values.
 */
export function createFinder(names: readonly string[], { hasVerdicts }: { readonly hasVerdicts: boolean }): DiffFinder {
  const columns = new Map(names.map((name, column) => [withoutMeta(pathOfName(name)), column]));
  const others = new Map(
    Object.entries(OTHER_VALUES).filter(([name]) => hasVerdicts || !RULE_RESULTS.some((result) => result === name)),
  );
  /** Finds it in a row; undefined for a column that no row has. */
  const finderOf = ({ path, aspect }: Asked): ((row: DiffRow) => Found) | undefined => {
    if (aspect === 'change') return OTHER_VALUES.change;
    if (aspect) {
      const column = columns.get(withoutMeta(path));
      return column === undefined ? undefined : (row) => changeIn(row, aspect, column);
    }
    const side = SIDE_NAMES.find((name) => name === path.at(-1));
    const column = side && columns.get(withoutMeta(path.slice(0, -1)));
    if (side === undefined || column === undefined) return others.get(withoutMeta(path));
    return ({ differences }) => SIDES[side](differences[column] ?? NO_DIFFERENCE);
  };
  return {
    paths: [...others.keys(), ...[...columns.keys()].flatMap((name) => SIDE_NAMES.map((side) => `${name}.${side}`))],
    has: (asked) => finderOf(asked) !== undefined,
    in: (row) => (path, aspect) => finderOf({ path, aspect })?.(row),
  };
}

const NO_DIFFERENCE: Difference = { old: undefined, new: undefined };

/** `score` for `_meta.score`: here both mean the same. */
const withoutMeta = (path: Path) => formatPath(path[0] === META ? path.slice(1) : path);

/** A wallet that came or left has not changed: no condition on that holds. */
function changeIn({ change, differences }: DiffRow, aspect: 'old' | 'delta' | 'ratio', column: number): Found {
  const values = differences[column];
  return values && change === 'changed' ? aspectOf(aspect, values.old, values.new) : 'never';
}
