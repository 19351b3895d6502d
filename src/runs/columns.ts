/**
 * Rebuilds the object from which named values were picked: a column's name is the path of its value, so the same --fields and
 * conditions find it again. A name that cannot be such a path becomes a member of that name.
 */
import { type Node, NULL, type ObjectNode } from '../document/node.ts';
import { MAX_DEPTH } from '../document/parse.ts';
import { parsePath } from '../document/parse-path.ts';
import { formatPath, type Path } from '../document/path.ts';
import { UsageError } from '../errors.ts';

/** Makes an object of a row's values, one for each column. */
export type Assemble = (values: readonly (Node | undefined)[]) => ObjectNode;

/** The longest array that columns make: a short name in a file, `a[999999999]`, must not create a billion items. */
const MAX_ITEMS = 1_000;
/** The prefix that riskcli adds to a name that is taken. */
const PREFIX = /^(?:riskcli\.)+/;

/** `name` without that prefix. */
export const ownName = (name: string) => name.replace(PREFIX, '');

/**
 * The path of the column `name`; a name that is not a path is one step. With `parse` for rows the row's own names lead into
 * `_meta`.
 */
export function pathOf(name: string, parse: (text: string) => Path = parsePath): Path {
  try {
    const path = parse(name);
    return path.length <= MAX_DEPTH ? path : [name];
  } catch (error) {
    if (error instanceof UsageError) return [name];
    throw error;
  }
}

/** A node of the object: a column's value, its members, or both, since one row may have `{}` and another members. */
interface ColumnPart {
  column?: number;
  readonly inside: Map<string | number, ColumnPart>;
}

/** If several columns have one path, the last one counts: riskcli's own come after those of the input. */
export function assembleColumns(paths: readonly Path[]): Assemble {
  const isLong = (step: string | number) => isIndex(step) && Number(step) >= MAX_ITEMS;
  const named = paths.map((path) => (path.some(isLong) ? [formatPath(path)] : path));
  const root = placesOf(named);
  return (values) => membersOf(root, values);
}

const isIndex = (step: string | number) => typeof step === 'number';

function placesOf(paths: readonly Path[]): ColumnPart {
  const root: ColumnPart = { inside: new Map() };
  for (const [column, path] of paths.entries()) {
    let part = root;
    for (const step of path) {
      const next: ColumnPart = part.inside.get(step) ?? { inside: new Map() };
      part.inside.set(step, next);
      part = next;
    }
    part.column = column;
  }
  return root;
}

const isNull = (node: Node) => node.kind === 'literal' && node.value === null;

function membersOf({ inside }: ColumnPart, values: readonly (Node | undefined)[]): ObjectNode {
  return { kind: 'object', members: [...inside].map(([key, part]) => [String(key), valueAt(part, values)] as const) };
}

function valueAt(part: ColumnPart, values: readonly (Node | undefined)[]): Node {
  const own = part.column === undefined ? undefined : values[part.column];
  if (part.inside.size === 0 || (own && !isNull(own))) return own ?? NULL;
  const isArray = [...part.inside.keys()].every(isIndex);
  // If none of its columns has a value, the row had no such object.
  if (isArray) {
    const items = itemsOf(part, values);
    return items.every(isNull) ? NULL : { kind: 'array', items };
  }
  const object = membersOf(part, values);
  return object.members.every(([, value]) => isNull(value)) ? NULL : object;
}

function itemsOf({ inside }: ColumnPart, values: readonly (Node | undefined)[]): readonly Node[] {
  const items: Node[] = [];
  for (const [index, part] of inside) items[Number(index)] = valueAt(part, values);
  return Array.from(items, (item) => item ?? NULL);
}
