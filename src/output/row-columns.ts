/** The columns that a list adds to its rows, as values that have not become text yet: each format writes them its own way. */
import { type Field, pick } from '../document/fields.ts';
import type { Node } from '../document/node.ts';
import { leaves, memberOf } from '../document/path.ts';
import { inputText, type Row, rowNode } from '../document/row.ts';
import { writeCompact } from '../document/write.ts';

export interface RowColumns {
  readonly names: readonly string[];
  /** One value a name; undefined where the row has none. */
  readonly values: (row: Row) => readonly (Node | undefined)[];
}

export interface Selection {
  /** What --fields picked. */
  readonly fields?: readonly Field[] | undefined;
  /** Instead: paths of scalars (of answers, or `_meta` ones) that are columns under their own names. */
  readonly allColumns?: readonly string[] | undefined;
}

/** The same five for every list, so that a header never drifts from one day to the next. */
const ALWAYS = ['wallet_address', 'status', 'total_collateral_usd', 'score', 'error'] as const;

export function rowColumns({ fields, allColumns }: Selection): RowColumns {
  if (allColumns) return { names: allColumns, values: (row) => valuesAt(row, allColumns) };
  if (!fields) return { names: ALWAYS, values: usualValues };
  return {
    names: fields.map(({ name }) => name),
    values: (row) => pick(rowNode(row), fields).map(([, node]) => node),
  };
}

function valuesAt(row: Row, paths: readonly string[]): readonly (Node | undefined)[] {
  const found = new Map<string, Node>();
  for (const { path, node } of leaves(rowNode(row))) found.set(path, node);
  const stray = strayText(row);
  if (stray !== undefined) found.set('wallet_address', text(stray));
  return paths.map((path) => found.get(path));
}

function usualValues(row: Row): readonly (Node | undefined)[] {
  const named = row.wallet ?? strayText(row);
  const wallet = named === undefined ? undefined : text(named);
  const collateral = row.document && memberOf(row.document, 'total_collateral_usd');
  const error = errorText(row);
  return [wallet, text(row.status), collateral, row.score, error === undefined ? undefined : text(error)];
}

/** What stands where a wallet should, when no column of the input carries it. */
function strayText({ wallet, cells, input }: Row): string | undefined {
  return wallet === undefined && cells === undefined ? inputText(input) : undefined;
}

/** Why a row has no answer; what is no wallet has no other column to be found by, so its line is named. */
export function errorText(row: Row): string | undefined {
  if (!row.error) return undefined;
  if (row.wallet !== undefined) return row.error.message;
  const file = row.file === undefined ? '' : `${row.file}, `;
  return `${file}line ${row.line}: ${row.error.message}`;
}

const text = (value: string): Node => ({ kind: 'string', value });

/** `node` as the text of one cell: nothing for null and what is not there, JSON for what is no scalar. */
export function cellText(node: Node | undefined): string {
  if (!node) return '';
  switch (node.kind) {
    case 'string':
      return node.value;
    case 'literal':
      return node.value === null ? '' : String(node.value);
    default:
      return writeCompact(node);
  }
}
