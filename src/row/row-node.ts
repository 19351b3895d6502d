/** A row as the object that json and jsonl print, and that --fields and conditions read. */
import { type Node, type ObjectNode, textNode } from '../document/node.ts';
import { lookup, type Path } from '../document/path.ts';
import { writeCompact } from '../document/write.ts';
import { lookupMeta, metaNode } from './meta.ts';
import { type Find, META, type Row } from './row.ts';

/** The new name of a service's own member of that name. */
export const RENAMED_META = `service.${META}`;

/**
 * The document's members (without an answer the wallet), then `_meta`. A `_meta` of the service
 * becomes `service._meta`: scripts rely on ours, and JSON libraries differ on keys given twice.
 */
export function rowNode(row: Row): ObjectNode {
  const members = row.document
    ? row.document.members.map(([key, value]) => [key === META ? RENAMED_META : key, value] as const)
    : row.wallet === undefined
      ? []
      : [['wallet_address', textNode(row.wallet)] as const];
  return { kind: 'object', members: [...members, [META, metaNode(row)]] };
}

/** `rowNode` as compact JSON. */
export const writeRow = (row: Row) => writeCompact(rowNode(row));

/** The value of `row` at a path, as in `rowNode`, without making that. */
export function findIn(row: Row): Find {
  return (path) => {
    if (path[0] === META) return lookupMeta(row, path.slice(1));
    if (path[0] === RENAMED_META) return lookup(rowNode(row), path);
    if (row.document) return lookup(row.document, path);
    if (path[0] === 'wallet_address' && row.wallet !== undefined) return lookup(textNode(row.wallet), path.slice(1));
    return 'unknown';
  };
}

/** The values of `fields` by name; undefined for those that `find` does not find. */
export function pick(
  find: Find,
  fields: readonly { readonly name: string; readonly path: Path }[],
): readonly (readonly [string, Node | undefined])[] {
  return fields.map(({ name, path }) => {
    const found = find(path);
    return [name, found === 'unknown' ? undefined : found] as const;
  });
}
