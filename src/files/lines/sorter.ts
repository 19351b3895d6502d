/**
 * Sorts more lines than memory holds: they are sorted in runs, which wait on disk and are merged at the end (an external
 * merge sort). The order is stable: lines whose keys are level stay in the order in which they were added. With `top`
 * only that many are kept, and as long as they fit in memory no file is made.
 */
import type { Host } from '../../context.ts';
import { openLongTexts } from '../records/long-texts.ts';
import { createByteBlock } from './byte-block.ts';
import { type LineFile, openLineFile, type Part } from './line-file.ts';
import { type Entry, type KeyOrder, mergeRuns, writeRun } from './sort-runs.ts';

export interface Sorter<Key> {
  /** Adds a line, which must hold no newline; it is made only if it may be kept. @throws IoError when there is no room. */
  add(key: Key, line: () => string): void;
  /** The lines in order, at most `top`. To be called once, when all have been added. @throws IoError */
  sorted(): AsyncIterable<string>;
  close(): void;
}

export interface SorterOptions<Key> {
  readonly order: KeyOrder<Key>;
  readonly top?: number | undefined;
  /** Bytes of lines and keys that may be in memory. */
  readonly room?: number;
}

const ROOM = 8 * 1024 * 1024;
/** What an entry takes besides its line and the text of its key. */
const ENTRY_SIZE = 200;
/** Cutting sorts: not for each row of --top 1. */
const MIN_ENTRIES_TO_CUT = 1_000;

export function createSorter<Key>(
  host: Pick<Host, 'temporaryFolder'>,
  { order, top = Number.POSITIVE_INFINITY, room = ROOM }: SorterOptions<Key>,
): Sorter<Key> {
  const byKey = (a: Entry<Key>, b: Entry<Key>) => order.compare(a.key, b.key);
  const block = createByteBlock(room);
  const longTexts = openLongTexts(host);
  let held: Entry<Key>[] = [];
  let keyLengths = 0;
  let last: Entry<Key> | undefined;
  let file: LineFile | undefined;
  const runs: Part[] = [];

  /** Leaves the first `top` of those held, in order. Of what is added later only what comes before the last one matters. */
  function cut(): void {
    held.sort(byKey);
    if (held.length < top) return;
    held.length = top;
    keyLengths = held.reduce((sum, { keyLength }) => sum + keyLength, 0);
    last = held.at(-1);
    block.keep(held);
  }

  function spill(): void {
    file ??= openLineFile(host);
    runs.push(writeRun(file, { entries: held, block, order, longTexts }));
    held = [];
    keyLengths = 0;
    block.keep(held);
  }

  const size = () => block.size + keyLengths + held.length * ENTRY_SIZE;

  return {
    add(key, line) {
      if (last && order.compare(key, last.key) >= 0) return;
      // A copy: a string cut out of an answer would keep all of the answer alive.
      const json = JSON.stringify(key);
      held.push({ key: JSON.parse(json), keyLength: json.length, ...block.add(line()) });
      keyLengths += json.length;
      if (size() < room && held.length < Math.max(2 * top, MIN_ENTRIES_TO_CUT)) return;
      cut();
      if (size() >= room / 2) spill();
    },
    async *sorted() {
      cut();
      if (!file) {
        for (const entry of held) yield block.bytes(entry).toString();
        return;
      }
      yield* mergeRuns({ file, runs, memory: { entries: held, block, order, longTexts }, top });
    },
    close() {
      file?.close();
      longTexts.close();
    },
  };
}
