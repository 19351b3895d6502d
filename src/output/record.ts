/** Flat records, and the texts of their columns and values. */
import type { Node } from '../document/node.ts';
import { cellText } from '../document/write.ts';

/** A `Node` is written as it is: a number from the service keeps its spelling. */
export type RecordValue = string | number | boolean | null | Node;
export type FlatRecord = Readonly<Record<string, RecordValue>>;

/** Iterated as often as the format needs; no record is kept. */
export type Records = Iterable<FlatRecord> | AsyncIterable<FlatRecord>;

export async function columnsOfAll(records: Records): Promise<readonly string[]> {
  const names = new Set<string>();
  for await (const record of records) for (const name of Object.keys(record)) names.add(name);
  return [...names];
}

export const plain = (value: RecordValue | undefined) =>
  typeof value === 'object' ? cellText(value ?? undefined) : String(value ?? '');
