/**
 * Named values as the object that they were picked from: a column is called by the path of its value, so that the same
 * --fields and conditions find it there. What cannot be such a path is a member under its own name.
 */
import type { Node, ObjectNode } from '../document/node.ts';
import { type Path, parsePath } from '../document/path.ts';
import { UsageError } from '../errors.ts';

/** What `names` make of a row's values, one a name. */
export type Assemble = (values: readonly (Node | undefined)[]) => ObjectNode;

/** Longer arrays than any answer has: a name in a file must not make one of a billion items. */
const LONGEST_ARRAY = 10_000;
/** What riskcli puts in front of a name that is taken. */
const PREFIX = /^(?:riskcli\.)+/;

/** `name` as it was before something else had it. */
export const ownName = (name: string) => name.replace(PREFIX, '');

/** The steps that lead to the value of the column `name`. */
export function pathOf(name: string): Path {
  try {
    const path = parsePath(name);
    return path.every((step) => typeof step === 'string' || step < LONGEST_ARRAY) ? path : [name];
  } catch (error) {
    if (error instanceof UsageError) return [name];
    throw error;
  }
}

/** A place in the object: a column's value, what is inside of it, or both, where one row has `{}` and another members. */
interface Place {
  column?: number;
  readonly inside: Map<string | number, Place>;
}

/** Of columns with one path the last one counts: riskcli's own stand behind those of the input. */
export function assembleColumns(paths: readonly Path[]): Assemble {
  const root: Place = { inside: new Map() };
  for (const [column, path] of paths.entries()) {
    let place = root;
    for (const step of path) {
      const next: Place = place.inside.get(step) ?? { inside: new Map() };
      place.inside.set(step, next);
      place = next;
    }
    place.column = column;
  }
  return (values) => membersOf(root, values);
}

const NULL: Node = { kind: 'literal', value: null };
const isNull = (node: Node) => node.kind === 'literal' && node.value === null;

function membersOf({ inside }: Place, values: readonly (Node | undefined)[]): ObjectNode {
  return { kind: 'object', members: [...inside].map(([key, place]) => [String(key), valueAt(place, values)] as const) };
}

function valueAt(place: Place, values: readonly (Node | undefined)[]): Node {
  const own = place.column === undefined ? undefined : values[place.column];
  if (place.inside.size === 0 || (own && !isNull(own))) return own ?? NULL;
  const isArray = [...place.inside.keys()].every((key) => typeof key === 'number');
  // Where none of its columns has a value the row had no such object.
  if (isArray) {
    const items = itemsOf(place, values);
    return items.every(isNull) ? NULL : { kind: 'array', items };
  }
  const object = membersOf(place, values);
  return object.members.every(([, value]) => isNull(value)) ? NULL : object;
}

function itemsOf({ inside }: Place, values: readonly (Node | undefined)[]): readonly Node[] {
  const items: Node[] = [];
  for (const [index, place] of inside) items[Number(index)] = valueAt(place, values);
  return Array.from(items, (item) => item ?? NULL);
}
