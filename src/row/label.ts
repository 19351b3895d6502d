/**
 * The label of a row: the text of an input column by which a person knows the wallet. The column is
 * chosen by the first rows, unless it was named. A label is for display only: it is escaped and
 * shortened, and what may be a secret is redacted.
 */

import { isScalar, type Node } from '../document/node.ts';
import { memberOf } from '../document/path.ts';
import { redactTree } from '../document/redact-tree.ts';
import { cellText } from '../document/write.ts';
import { UsageError } from '../errors.ts';
import { KEY_MARKER, redactApiKeys } from '../secrets/api-key.ts';
import { PRIVATE_KEY_MARKER } from '../secrets/private-key.ts';
import { quoted } from '../secrets/redact.ts';
import { visible } from '../text/escape.ts';
import { nearestFirst } from '../text/nearest.ts';
import { ownCopy } from '../text/own-copy.ts';
import { meantNames } from '../text/same-name.ts';
import { addressesIn, readWallet } from '../wallet/address.ts';
import { inputNode, type RowInput } from './row.ts';

/** Rows by which the column is chosen. */
export const LABEL_ROWS = 100;
/** The share of them that must be distinct texts. */
const MIN_DISTINCT = 0.9;
/** Characters of a label that are shown. */
const MAX_LABEL_LENGTH = 100;

/**
 * The column of labels: the first that has mostly distinct texts in `inputs`, those of the first
 * rows; undefined when there is none.
 * @param wanted the column that --label names, which is taken whatever it holds
 * @throws UsageError when there is no such column
 */
export function chooseLabel(inputs: readonly (RowInput | undefined)[], wanted?: string): string | undefined {
  const rows = inputs.slice(0, LABEL_ROWS).map(inputCells);
  const names = [...new Set(rows.flatMap((cells) => cells.map(([name]) => name)))];
  if (wanted === undefined) return likelyColumn(names, rows);
  const column = names[meantNames(names, wanted)[0] ?? -1];
  if (column === undefined) throw noLabelColumn(wanted, names);
  return column;
}

/** The label that `column` has for the row with this `input`; undefined if it is empty. */
export function labelOf(input: RowInput | undefined, column: string | undefined): string | undefined {
  const cell = input === undefined || column === undefined ? undefined : cellIn(input, column);
  if (column === undefined || !cell || !isScalar(cell)) return undefined;
  const node = redactTree(cell, column);
  return (isScalar(node) && ownCopy(visibleLabel(cellText(node)))) || undefined;
}

/** `inputCells` would process all columns of each row. */
function cellIn(input: RowInput, column: string): Node | undefined {
  if (typeof input === 'string') return undefined;
  if ('kind' in input) return input.kind === 'object' ? memberOf(input, column) : undefined;
  const found = input.findLast(([name]) => name === column);
  return found && { kind: 'string', value: found[1] };
}

function likelyColumn(names: readonly string[], rows: readonly (readonly InputCell[])[]): string | undefined {
  const cells = rows.map((row) => new Map(row));
  return names.find((name) => {
    const texts = cells.map((row) => row.get(name) ?? '').filter(isName);
    return new Set(texts).size >= MIN_DISTINCT * rows.length;
  });
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
  return visible(safe.length > MAX_LABEL_LENGTH ? `${[...safe].slice(0, MAX_LABEL_LENGTH - 1).join('')}…` : safe);
}

/** Hashes, UUIDs and addresses of other chains are one long word, and so are most URLs. */
const LONG_WORD = /\S{26}|:\/\//;
const countOf = (text: string, of: RegExp) => text.match(of)?.length ?? 0;

/**
 * Whether a person may know a wallet by `text`: numbers and timestamps have few letters, or none.
 */
function isName(text: string): boolean {
  if (text.includes(PRIVATE_KEY_MARKER) || text.includes(KEY_MARKER) || LONG_WORD.test(text)) return false;
  if (countOf(text, /\p{L}/gu) * 2 <= countOf(text, /\d/g)) return false;
  return addressesIn(text).length === 0 && !readWallet(text, { checksum: false }).ok;
}
