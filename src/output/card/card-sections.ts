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

const MAX_COLUMNS = 12;
/** A list of scalars up to this length is shown on one line. In characters. */
const MAX_INLINE_LENGTH = 60;

interface Splitting {
  /** Nodes that appear elsewhere. */
  readonly shown?: ReadonlySet<Node>;
  /** The text of the scalar called `name`; by default with every digit. */
  readonly textOf?: (name: string, node: Node) => string;
}

/** `position`: whether the name is an array index. */
type NamedChild = Located & { readonly name: string; readonly position: boolean };

/** The sections of `document`, outer before inner. */
export function sectionsOf(
  document: ObjectNode,
  { shown, textOf = (_, node) => lineText(node) }: Splitting = {},
): readonly CardSection[] {
  const sections: CardSection[] = [];
  const pending: Located[] = [{ path: '', node: document }];
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { path } = next;
    const children = namedChildren(next)
      .filter(({ node }) => !shown?.has(node))
      .map((child) => ({ ...child, text: inline(child, textOf) }));
    const whole = listOf(path, children) ?? tableOf(path, children, textOf);
    if (whole) {
      sections.push(whole);
      continue;
    }
    const entries = children.flatMap(({ name, text }) => (text === undefined ? [] : [{ name, text }]));
    if (entries.length > 0) sections.push({ kind: 'entries', path, entries });
    const outer = children.filter(({ text }) => text === undefined);
    // Containers next to scalars in an object.
    const isNamed = path !== '' && outer.every(({ position }) => !position);
    const table = isNamed ? tableOf(path, outer, textOf) : undefined;
    if (table) sections.push(table);
    else pending.push(...outer.reverse());
  }
  return sections;
}

type ShownChild = NamedChild & { readonly text: string | undefined };

/** A list, if `children` are the scalars of an array. */
function listOf(path: string, children: readonly ShownChild[]): CardSection | undefined {
  if (!children.every(({ node, position }) => position && isScalar(node)) || children.length === 0) return undefined;
  return { kind: 'list', path, items: children.map(({ text }) => text ?? '') };
}

/**
 * A table, if `children` are at least two objects, or items of an array, that share most of their
 * keys, and have none twice.
 */
function tableOf(
  path: string,
  children: readonly NamedChild[],
  textOf: Required<Splitting>['textOf'],
): CardSection | undefined {
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
    path,
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

function namedChildren({ path, node }: Located): readonly NamedChild[] {
  if (node.kind === 'object') {
    return node.members.map(([key, value]) => {
      return { path: joinPath(path, key), node: value, name: visible(key), position: false };
    });
  }
  if (node.kind !== 'array') return [];
  return node.items.map((item, i) => ({ path: joinPath(path, i), node: item, name: `[${i}]`, position: true }));
}
