/**
 * The values of a wallet in two runs, side by side. Numbers, also those sent as text, are compared by value (1.0 is 1.00), other
 * values by their text, which is the same in csv and JSON; null, "" and absent values are equal.
 */
import { type Node, NULL } from '../document/node.ts';
import { formatPath, lookup, type Path } from '../document/path.ts';
import { cellText } from '../document/write.ts';
import { changeOf } from '../row/change.ts';
import type { Condition, FindCompared } from '../row/conditions.ts';
import { compareDecimals, decimalOf, subtractDecimals } from '../row/decimal.ts';
import type { Field } from '../row/fields.ts';
import { META } from '../row/paths/own-names.ts';
import { pathOf } from './columns.ts';
import { DEFAULT_COLUMNS, type DefaultColumn, type ResultRow } from './result.ts';

/** What becomes of a wallet between two runs. */
export const CHANGES = ['added', 'removed', 'changed'] as const;
type Change = (typeof CHANGES)[number];

/** The old and new value; null if there is none. */
export interface Difference {
  readonly old: Node;
  readonly new: Node;
  /** `new` less `old`, exactly; null unless both are numbers. */
  readonly delta: Node;
}
const SIDES = ['old', 'new', 'delta'] as const;

/** A wallet of either run. */
export interface DiffRow {
  /** As the newer run spells it. */
  readonly wallet: string;
  /** The label that the list gives it, if any. */
  readonly label?: string;
  readonly change: Change;
  /** One for each column. */
  readonly differences: readonly Difference[];
  /** The names of the rules that it matched, and of those that could not be judged for it; absent when there are none. */
  readonly matched?: readonly string[];
  readonly unjudged?: readonly string[];
}

/** A value that is compared, and its name in the output. */
export interface ComparedColumn {
  readonly name: string;
  readonly valueIn: (row: ResultRow) => Node | undefined;
}

const VALUES: Readonly<Record<DefaultColumn, ComparedColumn['valueIn']>> = {
  status: ({ status }) => (status === undefined ? undefined : { kind: 'string', value: status }),
  score: ({ score }) => score,
  total_collateral_usd: ({ collateral }) => collateral,
};

/** The default columns without `missing`. */
export const defaultColumns = (missing: readonly DefaultColumn[]): readonly ComparedColumn[] =>
  DEFAULT_COLUMNS.filter((name) => !missing.includes(name)).map((name) => ({ name, valueIn: VALUES[name] }));

export const fieldColumn = ({ name, path }: Field): ComparedColumn => ({
  name,
  valueIn: (row) => lookup(row.node(), path),
});

export function difference(old: Node | undefined, current: Node | undefined): Difference {
  const [before, after] = [old && decimalOf(old), current && decimalOf(current)];
  const delta = before && after && subtractDecimals(after, before);
  return {
    old: old ?? NULL,
    new: current ?? NULL,
    delta: delta === undefined ? NULL : { kind: 'number', spelling: delta },
  };
}

/** Whether both values are equal. */
export function isSame({ old, new: current }: Difference): boolean {
  const [before, after] = [decimalOf(old), decimalOf(current)];
  if (before && after) return compareDecimals(before, after) === 0;
  return cellText(old).trim() === cellText(current).trim();
}

export interface Finder {
  readonly paths: readonly string[];
  readonly has: (asked: Pick<Condition, 'path' | 'aspect'>) => boolean;
  readonly in: (row: DiffRow) => FindCompared;
}

/** The names of the rules' results in the output. */
export const VERDICTS = ['matched', 'unjudged'] as const;
type VerdictName = (typeof VERDICTS)[number];

const OWN_VALUES: Readonly<Record<'wallet_address' | 'label' | 'change' | VerdictName, (row: DiffRow) => Node>> = {
  wallet_address: ({ wallet }) => textNode(wallet),
  label: ({ label }) => (label === undefined ? NULL : textNode(label)),
  change: ({ change }) => textNode(change),
  matched: ({ matched = [] }) => ({ kind: 'array', items: matched.map(textNode) }),
  unjudged: ({ unjudged = [] }) => ({ kind: 'array', items: unjudged.map(textNode) }),
};
const isVerdict = (name: unknown) => VERDICTS.some((verdict) => verdict === name);
const textNode = (value: string): Node => ({ kind: 'string', value });

/** `score` for `_meta.score`: here both mean the same. */
const shortened = (path: Path): Path => (path[0] === META ? path.slice(1) : path);

/**
 * The value of a row at a path: `change`, `wallet_address`, `label`, with rules (`hasVerdicts`) `matched` and `unjudged`, and for
 * each column `NAME.old`, `NAME.new` and `NAME.delta`.
 */
export function createFinder(names: readonly string[], { hasVerdicts }: { readonly hasVerdicts: boolean }): Finder {
  const columnIndexes = new Map(names.map((name, column) => [formatPath(shortened(pathOf(name))), column]));
  const own = new Map(Object.entries(OWN_VALUES).filter(([name]) => hasVerdicts || !isVerdict(name)));
  const ownAt = (path: Path) => {
    const [name, ...inside] = shortened(path);
    return inside.length === 0 ? own.get(String(name)) : undefined;
  };
  const sideOf = (path: Path) => SIDES.find((side) => side === path.at(-1));
  const columnOf = (path: Path) =>
    sideOf(path) ? columnIndexes.get(formatPath(shortened(path.slice(0, -1)))) : undefined;
  return {
    paths: [...own.keys(), ...[...columnIndexes.keys()].flatMap((name) => SIDES.map((side) => `${name}.${side}`))],
    has: ({ path, aspect }) => {
      if (aspect === 'change') return true;
      if (aspect) return columnIndexes.has(formatPath(shortened(path)));
      return ownAt(path) !== undefined || columnOf(path) !== undefined;
    },
    in: (row) => (path, aspect) => {
      if (aspect === 'change') return textNode(row.change);
      if (aspect) return aspectOf(row, aspect, columnIndexes.get(formatPath(shortened(path))));
      const [side, column] = [sideOf(path), columnOf(path)];
      return side && column !== undefined ? row.differences[column]?.[side] : ownAt(path)?.(row);
    },
  };
}

/** A wallet that came or left has not changed: no condition on that holds. */
function aspectOf({ change, differences }: DiffRow, aspect: 'old' | 'delta' | 'ratio', column: number | undefined) {
  const values = column === undefined ? undefined : differences[column];
  if (!values || change === 'added' || change === 'removed') return 'never';
  return aspect === 'old' ? values.old : changeOf(aspect, values.old, values.new);
}
