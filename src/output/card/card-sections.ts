/**
 * Splits a document into what a card can draw, on a terminal and on a page: names with values,
 * lists, and small tables where items are alike. Texts are made safe for a terminal.
 */

import { isEmpty, isScalar, type Node, type ObjectNode } from '../../document/node.ts';
import { joinPath, type Located } from '../../document/path.ts';
import { beginningOf } from '../../text/cut.ts';
import { visible } from '../../text/escape.ts';
import { groupDigits } from '../../text/words.ts';
import type { NamedText } from '../terminal/lines.ts';
import { isInDollars, lineText, roundedDollars } from '../value-text.ts';

/** The largest extent of a document on a card. */
export interface Extent {
  /** In one section. */
  readonly entries: number;
  readonly items: number;
  readonly columns: number;
  /** Children examined per container; the rest are only counted. */
  readonly children: number;
  /** Characters of a text. */
  readonly characters: number;
  /** Whether dollars are rounded to cents. */
  readonly isRounded: boolean;
}

/** An answer may hold millions of values; on a terminal a person reads dozens. */
export const SHORT: Extent = {
  entries: 60,
  items: 20,
  columns: 8,
  children: 1_000,
  characters: 800,
  isRounded: true,
};
/** All of it, with every digit. */
export const WHOLE: Extent = {
  entries: Number.POSITIVE_INFINITY,
  items: Number.POSITIVE_INFINITY,
  columns: 12,
  children: Number.POSITIVE_INFINITY,
  characters: Number.POSITIVE_INFINITY,
  isRounded: false,
};

export type CardSection = {
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
  /**
   * `name` is the key, or the position as `[0]`; a cell is empty if the item has no such member.
   */
  readonly rows: readonly { readonly name: string; readonly cells: readonly string[] }[];
}

/** A list of scalars up to this length is shown on one line. In characters. */
const MAX_INLINE_LENGTH = 60;

/** Sections collected at most. */
export const MAX_SECTIONS_COUNTED = 1_000;

interface Splitting {
  readonly extent: Extent;
  /** Nodes that appear elsewhere. */
  readonly shown?: ReadonlySet<Node>;
}

/** The sections of `document`, outer before inner. Stops after MAX_SECTIONS_COUNTED. */
export function sectionsOf(document: ObjectNode, { extent, shown = new Set() }: Splitting): readonly CardSection[] {
  const sections: CardSection[] = [];
  const pending: Located[] = [{ path: '', node: document }];
  for (let next = pending.pop(); next && sections.length < MAX_SECTIONS_COUNTED; next = pending.pop()) {
    const children = namedChildren(next, extent).filter(({ node }) => !shown.has(node));
    const whole = listOf(next.path, children, extent) ?? tableOf(next.path, children, extent);
    const section = whole ?? entriesSection(next.path, children, extent);
    const unseen = Math.max(0, countValues(next.node) - extent.children);
    if (!isEmptySection(section)) sections.push({ ...section, left: section.left + unseen });
    if (whole) continue;
    const outer = children.filter((child) => inline(child, extent) === undefined);
    // Containers next to scalars in an object.
    const isNamed = next.path !== '' && outer.every(({ position }) => !position);
    const table = isNamed ? tableOf(next.path, outer, extent) : undefined;
    if (table) sections.push(table);
    else pending.push(...outer.reverse());
  }
  return sections;
}

/** Whether everything in it has its own section. */
const isEmptySection = (section: CardSection) => section.kind === 'entries' && section.entries.length === 0;

function entriesSection(path: string, children: readonly NamedChild[], extent: Extent): CardSection {
  const entries = children.flatMap((child) => {
    const text = inline(child, extent);
    return text === undefined ? [] : [{ name: child.name, text }];
  });
  return { kind: 'entries', path, entries: entries.slice(0, extent.entries), left: countLeft(entries, extent.entries) };
}

/** A list, if `children` are the scalars of an array. */
function listOf(path: string, children: readonly NamedChild[], extent: Extent): CardSection | undefined {
  if (!children.every(({ node, position }) => position && isScalar(node)) || children.length === 0) return undefined;
  const items = children.slice(0, extent.items).map((child) => inline(child, extent) ?? '');
  return { kind: 'list', path, items, left: countLeft(children, extent.items) };
}

/**
 * A table, if `children` are at least two objects, or items of an array, that share most of their
 * keys, and have none twice.
 */
function tableOf(path: string, children: readonly NamedChild[], extent: Extent): CardSection | undefined {
  if (children.some(({ node }) => node.kind !== 'object' || node.members.length > extent.columns)) return undefined;
  const items = children.map((child) => ({ ...child, members: new Map(namedTexts(child, extent)) }));
  if (items.some(({ node, members }) => members.size < countValues(node))) return undefined;
  const names = [...new Set(items.flatMap(({ members }) => [...members.keys()]))];
  const alike = items.every(({ members }) => 2 * members.size >= names.length);
  const named = items.some(({ position }) => !position);
  if (items.length < (named ? 2 : 1) || names.length === 0 || names.length > extent.columns || !alike) return undefined;
  if (items.some(({ members }) => [...members.values()].includes(undefined))) return undefined;
  return {
    kind: 'table',
    path,
    named,
    columns: names,
    rows: items
      .slice(0, extent.items)
      .map(({ name, members }) => ({ name, cells: names.map((column) => members.get(column) ?? '') })),
    left: countLeft(items, extent.items),
  };
}

/** The members of an item as cell texts; undefined if a value does not fit a cell. */
function namedTexts(item: NamedChild, extent: Extent): readonly (readonly [string, string | undefined])[] {
  return namedChildren(item, extent).map((child) => [child.name, inline(child, extent)]);
}

const countLeft = (all: readonly unknown[], limit: number) => Math.max(0, all.length - limit);

/** `child` as text for one entry; undefined if it needs its own section. */
function inline({ name, node }: NamedChild, { characters, isRounded }: Extent): string | undefined {
  if (isScalar(node)) {
    return shortText(isRounded && isInDollars(name) ? roundedDollars(node) : lineText(node), characters) || '""';
  }
  if (isEmpty(node)) return lineText(node);
  if (node.kind !== 'array' || node.items.length > MAX_INLINE_LENGTH) return undefined;
  if (!node.items.every((item) => isScalar(item) && !lineText(item).includes(','))) return undefined;
  const text = node.items.map(lineText).join(', ');
  return text.length <= MAX_INLINE_LENGTH ? text : undefined;
}

/** `text` up to the length that somebody reads; what is left out is counted. */
export function shortText(text: string, characters = SHORT.characters): string {
  const left = text.length - characters;
  if (left <= 0) return text;
  return `${beginningOf(text, characters)}… ${groupDigits(left)} more characters (--json shows all)`;
}

/** `position`: whether the name is an array index. */
type NamedChild = Located & { readonly name: string; readonly position: boolean };

function namedChildren({ path, node }: Located, { children, characters }: Extent): readonly NamedChild[] {
  if (node.kind === 'object') {
    return node.members.slice(0, children).map(([key, value]) => {
      return { path: joinPath(path, key), node: value, name: shortText(visible(key), characters), position: false };
    });
  }
  if (node.kind !== 'array') return [];
  return node.items.slice(0, children).map((item, i) => {
    return { path: joinPath(path, i), node: item, name: `[${i}]`, position: true };
  });
}

function countValues(node: Node): number {
  return node.kind === 'object' ? node.members.length : node.kind === 'array' ? node.items.length : 0;
}
