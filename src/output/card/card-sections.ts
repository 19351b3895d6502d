/**
 * Takes a document apart into what a card can draw: names with values, lists, and small tables where items are alike.
 * Knows nothing of terminals but that text has to be safe for one, and that a card is not the place for 500 items.
 */
import { isEmpty, isScalar, type Node, type ObjectNode } from '../../document/node.ts';
import { joinPath, type Located } from '../../document/path.ts';
import { visible } from '../../text/escape.ts';
import { grouped } from '../../text/words.ts';
import type { NamedText } from '../terminal/lines.ts';
import { isInDollars, lineText, roundedDollars } from '../value-text.ts';

export type Section = {
  /** The path of what it shows; `''` for the document itself. */
  readonly path: string;
  /** How many items are left out at the end. */
  readonly left: number;
} & (
  | { readonly kind: 'entries'; readonly entries: readonly NamedText[] }
  | { readonly kind: 'list'; readonly items: readonly string[] }
  | CardTable
);

export interface CardTable {
  readonly kind: 'table';
  /** Whether the names of the rows say something: keys do, positions do not. */
  readonly named: boolean;
  /** Of numbers when each cell that is there is one. */
  readonly columns: readonly { readonly name: string; readonly isNumber: boolean }[];
  /** Called by their keys, or their positions as `[0]`; a cell is empty where the item has none. */
  readonly rows: readonly { readonly name: string; readonly cells: readonly string[] }[];
}

const MAX_ENTRIES = 60;
const MAX_ITEMS = 20;
const MAX_COLUMNS = 8;
const MAX_TEXT_LENGTH = 800;
/** A list of names up to this length reads best in one line. */
const MAX_INLINE_LENGTH = 60;

/** What is looked at of a container; what stands behind is counted. An answer may hold millions, a person reads dozens. */
const MAX_CHILDREN = 1_000;
/** A card shows few, and each takes time. */
export const MAX_SECTIONS_COUNTED = 1_000;

/**
 * The sections of `document`, outer before inner, without the nodes in `shown`: these stand elsewhere. After MAX_SECTIONS_COUNTED
 * there may be more.
 */
export function sectionsOf(document: ObjectNode, shown: ReadonlySet<Node>): readonly Section[] {
  const sections: Section[] = [];
  const pending: Located[] = [{ path: '', node: document }];
  for (let next = pending.pop(); next && sections.length < MAX_SECTIONS_COUNTED; next = pending.pop()) {
    const children = childrenOf(next).filter(({ node }) => !shown.has(node));
    const whole = listOf(next.path, children) ?? tableOf(next.path, children);
    const section = whole ?? entriesOf(next.path, children);
    const unseen = Math.max(0, sizeOf(next.node) - MAX_CHILDREN);
    if (!isBare(section)) sections.push({ ...section, left: section.left + unseen });
    if (whole) continue;
    const outer = children.filter((child) => inline(child) === undefined);
    // What stands beside scalars in an object.
    const isNamed = next.path !== '' && outer.every(({ position }) => !position);
    const table = isNamed ? tableOf(next.path, outer) : undefined;
    if (table) sections.push(table);
    else pending.push(...outer.reverse());
  }
  return sections;
}

/** Whether all that it could show has sections of its own. */
const isBare = (section: Section) => section.kind === 'entries' && section.entries.length === 0;

function entriesOf(path: string, children: readonly Child[]): Section {
  const entries = children.flatMap((child) => {
    const text = inline(child);
    return text === undefined ? [] : [{ name: child.name, text }];
  });
  return { kind: 'entries', path, entries: entries.slice(0, MAX_ENTRIES), left: leftOf(entries, MAX_ENTRIES) };
}

/** A list, when `children` are the scalars of an array. */
function listOf(path: string, children: readonly Child[]): Section | undefined {
  if (!children.every(({ node, position }) => position && isScalar(node)) || children.length === 0) return undefined;
  const items = children.slice(0, MAX_ITEMS).map((child) => inline(child) ?? '');
  return { kind: 'list', path, items, left: leftOf(children, MAX_ITEMS) };
}

/** A table, when `children` are at least two objects, or items of an array, that have most of their keys in common. */
function tableOf(path: string, children: readonly Child[]): Section | undefined {
  if (children.some(({ node }) => node.kind !== 'object' || node.members.length > MAX_COLUMNS)) return undefined;
  const items = children.map((child) => ({ ...child, members: new Map(membersOf(child)) }));
  const names = [...new Set(items.flatMap(({ members }) => [...members.keys()]))];
  const alike = items.every(({ members }) => 2 * members.size >= names.length);
  const named = items.some(({ position }) => !position);
  if (items.length < (named ? 2 : 1) || names.length === 0 || names.length > MAX_COLUMNS || !alike) return undefined;
  if (items.some(({ members }) => [...members.values()].includes(undefined))) return undefined;
  return {
    kind: 'table',
    path,
    named,
    columns: names.map((name) => ({ name, isNumber: items.every(({ members }) => isNumeric(members.get(name))) })),
    rows: items
      .slice(0, MAX_ITEMS)
      .map(({ name, members }) => ({ name, cells: names.map((column) => members.get(column) ?? '') })),
    left: leftOf(items, MAX_ITEMS),
  };
}

/** The members of an item as the texts of cells; undefined where a cell has no room for one. */
function membersOf(item: Child): readonly (readonly [string, string | undefined])[] {
  return childrenOf(item).map((child) => [child.name, inline(child)]);
}

const isNumeric = (text: string | undefined) => text === undefined || /^(-?\$?[\d.,]+([eE][+-]?\d+)?|null)$/.test(text);
const leftOf = (all: readonly unknown[], limit: number) => Math.max(0, all.length - limit);

/** `child` as text for one entry; undefined when it takes a section of its own. */
function inline({ name, node }: Child): string | undefined {
  if (isScalar(node)) return shortened(isInDollars(name) ? roundedDollars(node) : lineText(node)) || '""';
  if (isEmpty(node)) return lineText(node);
  if (node.kind !== 'array' || node.items.length > MAX_INLINE_LENGTH) return undefined;
  if (!node.items.every((item) => isScalar(item) && !lineText(item).includes(','))) return undefined;
  const text = node.items.map(lineText).join(', ');
  return text.length <= MAX_INLINE_LENGTH ? text : undefined;
}

function shortened(text: string): string {
  const left = text.length - MAX_TEXT_LENGTH;
  return left > 0 ? `${text.slice(0, MAX_TEXT_LENGTH)}… ${grouped(left)} more characters (--json shows all)` : text;
}

/** `position`: whether the name is one, in an array. */
type Child = Located & { readonly name: string; readonly position: boolean };

function childrenOf({ path, node }: Located): readonly Child[] {
  if (node.kind === 'object') {
    return node.members.slice(0, MAX_CHILDREN).map(([key, value]) => {
      return { path: joinPath(path, key), node: value, name: shortened(visible(key)), position: false };
    });
  }
  if (node.kind !== 'array') return [];
  return node.items.slice(0, MAX_CHILDREN).map((item, i) => {
    return { path: joinPath(path, i), node: item, name: `[${i}]`, position: true };
  });
}

function sizeOf(node: Node): number {
  return node.kind === 'object' ? node.members.length : node.kind === 'array' ? node.items.length : 0;
}
