/** A row as JSON: all of it, or what was picked. */
import { NULL, type ObjectNode } from '../../document/node.ts';
import { writeCompact } from '../../document/write.ts';
import { type Field, pick } from '../../row/fields.ts';
import { findIn, type Row, rowNode, writeRow } from '../../row/row.ts';
import type { Selection } from '../../row/row-columns.ts';
import { freeNames } from './free-names.ts';

/** What json and jsonl print for `row`, as compact JSON: all of it, or the picked fields in their order, null where it has none. */
export function writeSelected(row: Row, { fields, keepsDefaults }: Selection): string {
  return fields ? writeCompact(pickedNode(row, { fields, keepsDefaults })) : writeRow(row);
}

function pickedNode(
  row: Row,
  { fields, keepsDefaults }: Selection & { readonly fields: readonly Field[] },
): ObjectNode {
  return pickInto(keepsDefaults ? rowNode(row).members : [], pick(findIn(row), fields));
}

/** `members`, then what was picked, null where there is nothing. */
export function pickInto(members: ObjectNode['members'], picked: ReturnType<typeof pick>): ObjectNode {
  const names = freeNames(
    members.map(([key]) => key),
    picked.map(([name]) => name),
  );
  return {
    kind: 'object',
    members: [...members, ...picked.map(([, value], i) => [names[i] ?? '', value ?? NULL] as const)],
  };
}
