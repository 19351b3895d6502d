/**
 * Splits a document into what a card can draw: names with values, lists, and small tables where items are alike.
 * Texts are made safe for a terminal and long lists are cut; nothing else here depends on a terminal.
 */
import { isEmpty, isScalar, type Node, type ObjectNode } from '../../document/node.ts';
import { joinPath, type Located } from '../../document/path.ts';
import { visible } from '../../text/escape.ts';
import { grouped } from '../../text/words.ts';
import type { NamedText } from '../terminal/lines.ts';
import { isInDollars, lineText, roundedDollars } from '../value-text.ts';

export type Section = {
  /** Path of the node it shows; `''` for the document itself. */
  readonly path: string;
  /** Items left out at the end. */
  readonly left: number;
} & (
  | { readonly kind: 'entries'; readonly entries: readonly NamedText[] }
  | { readonly kind: 'list'; readonly items: readonly string[] }
  | CardTable
);

export interface CardTable {
  readonly kind: 'table';
  /** Whether the rows have names: keys are names, positions are not. */
  readonly named: boolean;
  readonly columns: readonly string[];
  /** `name` is the key, or the position as `[0]`; a cell is empty if the item has no such member. */
  readonly rows: readonly { readonly name: string; readonly cells: readonly string[] }[];
}

const MAX_ENTRIES = 60;
const MAX_ITEMS = 20;
const MAX_COLUMNS = 8;
const MAX_TEXT_LENGTH = 800;
/** A list of scalars up to this length is shown on one line. In characters. */
const MAX_INLINE_LENGTH = 60;

/** Children examined per container; the rest are only counted. An answer may hold millions, a person reads dozens. */
const MAX_CHILDREN = 1_000;
/** Sections collected at most: a card shows few of them. */
export const MAX_SECTIONS_COUNTED = 1_000;

/**
 * The sections of `document`, outer before inner, without the nodes in `shown`, which appear elsewhere. Stops after
 * MAX_SECTIONS_COUNTED.
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
    // Containers next to scalars in an object.
    const isNamed = next.path !== '' && outer.every(({ position }) => !position);
    const table = isNamed ? tableOf(next.path, outer) : undefined;
    if (table) sections.push(table);
    else pending.push(...outer.reverse());
  }
  return sections;
}

/** Whether everything in it has its own section. */
const isBare = (section: Section) => section.kind === 'entries' && section.entries.length === 0;

function entriesOf(path: string, children: readonly Child[]): Section {
  const entries = children.flatMap((child) => {
    const text = inline(child);
    return text === undefined ? [] : [{ name: child.name, text }];
  });
  return { kind: 'entries', path, entries: entries.slice(0, MAX_ENTRIES), left: leftOf(entries, MAX_ENTRIES) };
}

/** A list, if `children` are the scalars of an array. */
function listOf(path: string, children: readonly Child[]): Section | undefined {
  if (!children.every(({ node, position }) => position && isScalar(node)) || children.length === 0) return undefined;
  const items = children.slice(0, MAX_ITEMS).map((child) => inline(child) ?? '');
  return { kind: 'list', path, items, left: leftOf(children, MAX_ITEMS) };
}

/** A table, if `children` are at least two objects, or items of an array, that share most of their keys. */
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
    columns: names,
    rows: items
      .slice(0, MAX_ITEMS)
      .map(({ name, members }) => ({ name, cells: names.map((column) => members.get(column) ?? '') })),
    left: leftOf(items, MAX_ITEMS),
  };
}

/** The members of an item as cell texts; undefined if a value does not fit a cell. */
function membersOf(item: Child): readonly (readonly [string, string | undefined])[] {
  return childrenOf(item).map((child) => [child.name, inline(child)]);
}

const leftOf = (all: readonly unknown[], limit: number) => Math.max(0, all.length - limit);

/** `child` as text for one entry; undefined if it needs its own section. */
function inline({ name, node }: Child): string | undefined {
  if (isScalar(node)) return shortened(isInDollars(name) ? roundedDollars(node) : lineText(node)) || '""';
  if (isEmpty(node)) return lineText(node);
  if (node.kind !== 'array' || node.items.length > MAX_INLINE_LENGTH) return undefined;
  if (!node.items.every((item) => isScalar(item) && !lineText(item).includes(','))) return undefined;
  const text = node.items.map(lineText).join(', ');
  return text.length <= MAX_INLINE_LENGTH ? text : undefined;
}

/** `text` up to the length that somebody reads; what is left out is counted. */
export function shortened(text: string): string {
  const left = text.length - MAX_TEXT_LENGTH;
  return left > 0 ? `${text.slice(0, MAX_TEXT_LENGTH)}… ${grouped(left)} more characters (--json shows all)` : text;
}

/** `position`: whether the name is an array index. */
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
