/**
 * The label of a row: the text of an input column by which a person knows the wallet. The column is
 * chosen by its name, or named by the user. A label is for display only: it is escaped and
 * shortened, and what may be a secret is redacted.
 */

import { isScalar, type Node } from '../document/node.ts';
import { memberOf } from '../document/path.ts';
import { redactTree } from '../document/redact-tree.ts';
import { cellText } from '../document/write.ts';
import { UsageError } from '../errors.ts';
import { redactApiKeys } from '../secrets/api-key.ts';
import { quoted } from '../secrets/redact.ts';
import { visible } from '../text/escape.ts';
import { nearestFirst } from '../text/nearest.ts';
import { ownCopy } from '../text/own-copy.ts';
import { matchNames } from '../text/same-name.ts';
import { isAddress } from '../wallet/address.ts';
import { inputNode, type RowInput } from './row.ts';

/** Rows that are searched for columns: elements of JSON may lack a member. */
export const LABEL_ROWS = 100;
/** Characters of a label that are shown. */
const MAX_LABEL_LENGTH = 100;
/** Names of columns by which people know a wallet, in any case. */
const LABEL_NAMES = ['label', 'name', 'alias', 'client', 'customer', 'owner', 'entity'];

/**
 * The column of labels: the first with one of LABEL_NAMES; undefined when there is none.
 * @param inputs those of the first rows
 * @param wanted the column that --label names, which is taken whatever it holds
 * @throws UsageError when there is no such column
 */
export function chooseLabel(inputs: readonly (RowInput | undefined)[], wanted?: string): string | undefined {
  const rows = inputs.slice(0, LABEL_ROWS).map(inputCells);
  const names = [...new Set(rows.flatMap((cells) => cells.map(([name]) => name)))];
  if (wanted === undefined) return names.find((name) => isLabelName(name) && !holdsWallets(name, rows));
  const column = names[matchNames(names, wanted)[0] ?? -1];
  if (column === undefined) throw noLabelColumn(wanted, names);
  return column;
}

const isLabelName = (name: string) => matchNames(LABEL_NAMES, name).length > 0;

/** Whether a column is that of the wallets: `owner` often is, and an address labels nobody. */
const holdsWallets = (column: string, rows: readonly (readonly InputCell[])[]) =>
  rows.some((cells) => cells.some(([name, text]) => name === column && isAddress(text)));

/** The label that `column` has for the row with this `input`; undefined if it is empty. */
export function labelOf(input: RowInput | undefined, column: string | undefined): string | undefined {
  const cell = input === undefined || column === undefined ? undefined : cellIn(input, column);
  if (column === undefined || !cell || !isScalar(cell)) return undefined;
  const node = redactTree(cell, column);
  return (isScalar(node) && ownCopy(visibleLabel(cellText(node)))) || undefined;
}

/** `inputCells` would process all columns of each row. */
export function cellIn(input: RowInput, column: string): Node | undefined {
  if (typeof input === 'string') return undefined;
  if ('kind' in input) return input.kind === 'object' ? memberOf(input, column) : undefined;
  const found = input.findLast(([name]) => name === column);
  return found && { kind: 'string', value: found[1] };
}

function noLabelColumn(wanted: string, names: readonly string[]): UsageError {
  const nearest = nearestFirst(wanted, names).slice(0, 5);
  return new UsageError(`the list has no column ${quoted(wanted)} for --label`, {
    hint:
      nearest.length > 0 ? `use one of ${nearest.map(quoted).join(', ')}` : 'its rows have no columns: leave it out',
  });
}

export type InputCell = readonly [column: string, text: string];

/**
 * The cells of a record, or the scalars of an element, as they may be shown; copies, so that the
 * input is not kept in memory.
 */
export function inputCells(input: RowInput | undefined): readonly InputCell[] {
  const node = input === undefined ? undefined : redactTree(inputNode(input));
  const members = node?.kind === 'object' ? node.members : [];
  return members.flatMap(([name, value]): InputCell[] =>
    isScalar(value) ? [[ownCopy(name), ownCopy(visibleLabel(cellText(value)))]] : [],
  );
}

function visibleLabel(text: string): string {
  const safe = redactApiKeys(text.trim());
  return visible(safe.length > MAX_LABEL_LENGTH ? `${[...safe].slice(0, MAX_LABEL_LENGTH - 3).join('')}...` : safe);
}
