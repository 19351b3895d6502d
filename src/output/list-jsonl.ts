/** JSON Lines: a row a line, each complete by itself. */
import { pick } from '../document/fields.ts';
import type { Node, ObjectNode } from '../document/node.ts';
import { type Row, rowNode } from '../document/row.ts';
import { writeCompact } from '../document/write.ts';
import type { ListWriter } from './list-writer.ts';
import type { Selection } from './row-columns.ts';

const NULL: Node = { kind: 'literal', value: null };

/** What json and jsonl print for `row`: all of it, or the picked fields in their order, null where it has none. */
export function selectNode(row: Row, { fields }: Selection): ObjectNode {
  const node = rowNode(row);
  if (!fields) return node;
  return { kind: 'object', members: pick(node, fields).map(([name, value]) => [name, value ?? NULL]) };
}

export function createJsonlWriter(selection: Selection): ListWriter {
  return {
    head: () => '',
    row: (row) => `${writeCompact(selectNode(row, selection))}\n`,
    foot: () => '',
  };
}
