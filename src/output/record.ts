/** What a flat record is, and what its columns and values are called. */
import type { Node } from '../document/node.ts';
import { cellText } from '../document/write.ts';

/** A node stands for itself: a number of the service keeps its spelling. */
export type RecordValue = string | number | boolean | null | Node;
export type FlatRecord = Readonly<Record<string, RecordValue>>;

/** Are gone through as often as a format needs it, and none is kept. */
export type Records = Iterable<FlatRecord> | AsyncIterable<FlatRecord>;

export async function columnsOfAll(records: Records): Promise<readonly string[]> {
  const names = new Set<string>();
  for await (const record of records) for (const name of Object.keys(record)) names.add(name);
  return [...names];
}

export const plain = (value: RecordValue | undefined) =>
  typeof value === 'object' ? cellText(value ?? undefined) : String(value ?? '');
