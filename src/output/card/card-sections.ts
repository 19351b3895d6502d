/**
 * Splits a document into what a card can draw, on a terminal and on a page: names with values,
 * lists, and small tables where items are alike. Texts are made safe for a terminal.
 */

import { isEmpty, isScalar, type Node, type ObjectNode } from '../../document/node.ts';
import { joinPath, type Located } from '../../document/path.ts';
import { visible } from '../../text/escape.ts';
import type { NamedText } from '../terminal/lines.ts';
import { lineText } from '../value-text.ts';

export type CardSection = {
  /** Path of the node it shows; `''` for the document itself. */
  readonly path: string;
  /** How many more values its node has, which were not read. */
  readonly unread: number;
} & ({ readonly kind: 'entries'; readonly entries: readonly NamedText[] } | CardList | CardTable);

interface CardList {
  readonly kind: 'list';
  readonly items: readonly string[];
}

export interface CardTable {
  readonly kind: 'table';
  /** Whether the rows have names: keys are names, positions are not. */
  readonly named: boolean;
  readonly columns: readonly string[];
  /**
   * `name` is the key, or the position as `[0]`; a cell is empty if the item has no such member.
   */
  readonly rows: readonly { readonly name: string; readonly cells: readonly string[] }[];
}

const MAX_COLUMNS = 12;
/** A list of scalars up to this length is shown on one line. In characters. */
const MAX_INLINE_LENGTH = 60;

interface Splitting {
  /** Nodes that appear elsewhere. */
  readonly shown?: ReadonlySet<Node>;
  /** The text of the scalar called `name`; by default with every digit. */
  readonly textOf?: (name: string, node: Node) => string;
  /** Values that are read, as children and as cells of tables; by default all. */
  readonly maxValues?: number;
}

/** `position`: whether the name is an array index. */
type NamedChild = Located & { readonly name: string; readonly position: boolean };

/** The sections of `document`, outer before inner, and how many more there are at least. */
export function sectionsOf(
  document: ObjectNode,
  { shown, textOf = (_, node) => lineText(node), maxValues = Number.MAX_SAFE_INTEGER }: Splitting = {},
): { readonly sections: readonly CardSection[]; readonly left: number } {
  const sections: CardSection[] = [];
  const pending: Located[] = [{ path: '', node: document }];
  let [room, left] = [maxValues, 0];
  for (let next = pending.pop(); next; next = pending.pop()) {
    if (room <= 0) return { sections, left: left + pending.length + 1 };
    const { path } = next;
    // At most half of the room, so that there is some for what the children contain.
    const end = Math.floor(room / 2);
    let count = 0;
    for (; count < sizeOf(next.node) && room > end; count += 1) room -= 1 + cellsOf(next.node, count);
    const unread = sizeOf(next.node) - count;
    const children = namedChildren(next, count)
      .filter(({ node }) => !shown?.has(node))
      .map((child) => ({ ...child, text: inline(child, textOf) }));
    const whole = listOf(children) ?? tableOf(children, textOf);
    if (whole) {
      sections.push({ ...whole, path, unread });
      continue;
    }
    const entries = children.flatMap(({ name, text }) => (text === undefined ? [] : [{ name, text }]));
    if (entries.length > 0) sections.push({ kind: 'entries', path, unread, entries });
    else if (unread > 0) left += 1;
    const outer = children.filter(({ text }) => text === undefined);
    // Containers next to scalars in an object.
    const isNamed = path !== '' && outer.every(({ position }) => !position);
    const table = isNamed ? tableOf(outer, textOf) : undefined;
    if (table) sections.push({ ...table, path, unread: 0 });
    else pending.push(...outer.reverse());
  }
  return { sections, left };
}

const sizeOf = (node: Node): number =>
  node.kind === 'object' ? node.members.length : node.kind === 'array' ? node.items.length : 0;

/** The cells of the table that may have the child as a row. */
function cellsOf(node: Node, place: number): number {
  const child = node.kind === 'object' ? node.members[place]?.[1] : node.kind === 'array' && node.items[place];
  return child && child.kind === 'object' && child.members.length <= MAX_COLUMNS ? child.members.length : 0;
}

type ShownChild = NamedChild & { readonly text: string | undefined };

/** A list, if `children` are the scalars of an array. */
function listOf(children: readonly ShownChild[]): CardList | undefined {
  if (!children.every(({ node, position }) => position && isScalar(node)) || children.length === 0) return undefined;
  return { kind: 'list', items: children.map(({ text }) => text ?? '') };
}

/**
 * A table, if `children` are at least two objects, or items of an array, that share most of their
 * keys, and have none twice.
 */
function tableOf(children: readonly NamedChild[], textOf: Required<Splitting>['textOf']): CardTable | undefined {
  const named = children.some(({ position }) => !position);
  if (children.length < (named ? 2 : 1)) return undefined;
  const rows: { readonly name: string; readonly members: ReadonlyMap<string, string> }[] = [];
  for (const { node, name, ...child } of children) {
    if (node.kind !== 'object' || node.members.length > MAX_COLUMNS) return undefined;
    const texts = namedChildren({ ...child, node }).map((member) => [member.name, inline(member, textOf)] as const);
    const members = new Map(texts.flatMap(([key, text]) => (text === undefined ? [] : [[key, text]])));
    if (members.size < node.members.length) return undefined;
    rows.push({ name, members });
  }
  const columns = [...new Set(rows.flatMap(({ members }) => [...members.keys()]))];
  const alike = rows.every(({ members }) => 2 * members.size >= columns.length);
  if (columns.length === 0 || columns.length > MAX_COLUMNS || !alike) return undefined;
  return {
    kind: 'table',
    named,
    columns,
    rows: rows.map(({ name, members }) => ({ name, cells: columns.map((column) => members.get(column) ?? '') })),
  };
}

/** `child` as text for one entry; undefined if it needs its own section. */
function inline({ name, node }: NamedChild, textOf: Required<Splitting>['textOf']): string | undefined {
  if (isScalar(node)) return textOf(name, node) || '""';
  if (isEmpty(node)) return lineText(node);
  if (node.kind !== 'array' || node.items.length > MAX_INLINE_LENGTH) return undefined;
  if (!node.items.every((item) => isScalar(item) && !lineText(item).includes(','))) return undefined;
  const text = node.items.map(lineText).join(', ');
  return text.length <= MAX_INLINE_LENGTH ? text : undefined;
}

function namedChildren({ path, node }: Located, count?: number): readonly NamedChild[] {
  if (node.kind === 'object') {
    return node.members.slice(0, count).map(([key, value]) => {
      return { path: joinPath(path, key), node: value, name: visible(key), position: false };
    });
  }
  if (node.kind !== 'array') return [];
  return node.items
    .slice(0, count)
    .map((item, i) => ({ path: joinPath(path, i), node: item, name: `[${i}]`, position: true }));
}
