/**
 * Named values as the object that they were picked from: a column is called by the path of its value, so that the same
 * --fields and conditions find it there. What cannot be such a path is a member under its own name.
 */
import { type Node, NULL, type ObjectNode } from '../document/node.ts';
import { MAX_DEPTH } from '../document/parse.ts';
import { parsePath } from '../document/parse-path.ts';
import { formatPath, type Path } from '../document/path.ts';
import { UsageError } from '../errors.ts';

/** What `names` make of a row's values, one a name. */
export type Assemble = (values: readonly (Node | undefined)[]) => ObjectNode;

/**
 * How many items of arrays may be made up for those that have a column: `a[999]` makes 999. A short name in a file must not
 * make a billion; what every scalar of the answers has a column for needs hardly any.
 */
const MAX_INVENTED_ITEMS = 1_000;
/** What riskcli puts in front of a name that is taken. */
const PREFIX = /^(?:riskcli\.)+/;

/** `name` as it was before something else had it. */
export const ownName = (name: string) => name.replace(PREFIX, '');

/**
 * The steps that lead to the value of the column `name`; what no answer can have inside of it is one step. With `parse` for
 * rows the row's own names lead into `_meta`.
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

/** A place in the object: a column's value, what is inside of it, or both, where one row has `{}` and another members. */
interface ColumnPart {
  column?: number;
  readonly inside: Map<string | number, ColumnPart>;
}

/** Of columns with one path the last one counts: riskcli's own stand behind those of the input. */
export function assembleColumns(paths: readonly Path[]): Assemble {
  const root = placesOf(paths);
  if (inventedItems(root) <= MAX_INVENTED_ITEMS) return (values) => membersOf(root, values);
  const named = placesOf(paths.map((path) => (path.some(isIndex) ? [formatPath(path)] : path)));
  return (values) => membersOf(named, values);
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

/** Items of arrays for which there is no column. */
function inventedItems({ inside }: ColumnPart): number {
  let longest = 0;
  let within = 0;
  for (const [step, part] of inside) {
    if (typeof step === 'number') longest = Math.max(longest, step + 1);
    within += inventedItems(part);
  }
  return within + Math.max(0, longest - inside.size);
}

const isNull = (node: Node) => node.kind === 'literal' && node.value === null;

function membersOf({ inside }: ColumnPart, values: readonly (Node | undefined)[]): ObjectNode {
  return { kind: 'object', members: [...inside].map(([key, part]) => [String(key), valueAt(part, values)] as const) };
}

function valueAt(part: ColumnPart, values: readonly (Node | undefined)[]): Node {
  const own = part.column === undefined ? undefined : values[part.column];
  if (part.inside.size === 0 || (own && !isNull(own))) return own ?? NULL;
  const isArray = [...part.inside.keys()].every(isIndex);
  // Where none of its columns has a value the row had no such object.
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
