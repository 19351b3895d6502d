/**
 * Sorts more lines than memory holds: they are sorted in runs, which wait on disk and are merged at the end (an external
 * merge sort). The order is stable: lines whose keys are level stay in the order in which they were added. With `top`
 * only that many are kept, and as long as they fit in memory no file is made.
 */
import type { Host } from '../../context.ts';
import { type ByteBlock, type BytePlace, createByteBlock } from './byte-block.ts';
import { type LineFile, linesIn, NEWLINE, openLineFile, type Part } from './line-file.ts';

export interface Sorter<Key> {
  /** How many lines were added. */
  readonly count: number;
  /** Adds a line, which must hold no newline; it is made only if it may be kept. @throws IoError when there is no room. */
  add(key: Key, line: () => string): void;
  /** The lines in order, at most `top`. To be called once, when all have been added. @throws IoError */
  sorted(): AsyncIterable<string>;
  close(): void;
}

export interface SorterOptions<Key> {
  /** Below 0 when `a` comes first, 0 when they are level. Keys must survive JSON. */
  readonly compare: (a: Key, b: Key) => number;
  readonly top?: number | undefined;
  /** Bytes of lines and keys that may be in memory. */
  readonly room?: number;
}

/** A line that waits in memory, and where its bytes are in the block. */
interface Entry<Key> extends BytePlace {
  readonly key: Key;
}

const ROOM = 8 * 1024 * 1024;
/** What an entry takes besides its line; a key is small. */
const ENTRY_SIZE = 200;
/** Cutting sorts: not for each row of --top 1. */
const FEWEST_TO_CUT = 1_000;

export function createSorter<Key>(
  host: Pick<Host, 'temporaryFolder'>,
  { compare, top = Number.POSITIVE_INFINITY, room = ROOM }: SorterOptions<Key>,
): Sorter<Key> {
  const byKey = (a: Entry<Key>, b: Entry<Key>) => compare(a.key, b.key);
  const block = createByteBlock(room);
  let held: Entry<Key>[] = [];
  let last: Entry<Key> | undefined;
  let count = 0;
  let file: LineFile | undefined;
  const runs: Part[] = [];

  /** Leaves the first `top` of those held, in order. Of what is added later only what comes before the last one matters. */
  function cut(): void {
    held.sort(byKey);
    if (held.length < top) return;
    held.length = top;
    last = held.at(-1);
    block.keep(held);
  }

  function spill(): void {
    file ??= openLineFile(host);
    runs.push(writeRun(file, { entries: held, block }));
    held = [];
    block.keep(held);
  }

  const size = () => block.size + held.length * ENTRY_SIZE;

  return {
    get count() {
      return count;
    },
    add(key, line) {
      count += 1;
      if (last && compare(key, last.key) >= 0) return;
      // A copy: a string cut out of an answer would keep all of the answer alive.
      held.push({ key: JSON.parse(JSON.stringify(key)), ...block.add(line()) });
      if (size() < room && held.length < Math.max(2 * top, FEWEST_TO_CUT)) return;
      cut();
      if (size() >= room / 2) spill();
    },
    sorted() {
      cut();
      // What is in memory came last, and needs no room on disk any more.
      const memory = readMemory({ entries: held, block });
      return mergeRuns([...readersOf<Key>(runs, file), memory], { compare, top });
    },
    close: () => file?.close(),
  };
}

interface Held<Key> {
  readonly entries: readonly Entry<Key>[];
  readonly block: Pick<ByteBlock, 'bytes'>;
}

/** Lines are put together up to about this many bytes for one call of the system. */
const PIECE_BYTES = 256 * 1024;
const LINE_END = Buffer.of(NEWLINE);
/** Stands in no JSON without white space, which a key is. */
const TAB = '\t';

/** On a line the key, a tab and the line itself. */
function writeRun(file: LineFile, { entries, block }: Held<unknown>): Part {
  const from = file.size;
  let piece: Buffer[] = [];
  let size = 0;
  for (const entry of entries) {
    piece.push(Buffer.from(JSON.stringify(entry.key) + TAB), block.bytes(entry), LINE_END);
    size += entry.to - entry.from;
    if (size < PIECE_BYTES) continue;
    file.append(Buffer.concat(piece));
    piece = [];
    size = 0;
  }
  file.append(Buffer.concat(piece));
  return { from, to: file.size };
}

interface Line<Key> {
  readonly key: Key;
  readonly line: string;
}

/** The lines of a run, one after the other. */
interface RunReader<Key> {
  /** The next one of what is in memory. */
  next(): Line<Key> | undefined;
  /** The first one of what is read now; undefined at the end of the run. */
  readOn(): Promise<Line<Key> | undefined>;
}

/** What all runs together may read at once, and a run at least and at most, bytes. */
const READ_AT_ONCE = { together: 8 * 1024 * 1024, least: 16 * 1024, most: 256 * 1024 };

function readersOf<Key>(runs: readonly Part[], file: LineFile | undefined): RunReader<Key>[] {
  if (!file) return [];
  const { together, least, most } = READ_AT_ONCE;
  const chunk = Math.max(least, Math.min(most, Math.floor(together / runs.length)));
  return runs.map((run) => readRun<Key>(file.read(run, chunk)));
}

function readRun<Key>(blocks: AsyncGenerator<Buffer>): RunReader<Key> {
  let lines: Iterator<string, unknown> = [].values();
  const next = () => {
    const { value, done } = lines.next();
    if (done) return undefined;
    const tab = value.indexOf(TAB);
    return { key: JSON.parse(value.slice(0, tab)), line: value.slice(tab + 1) };
  };
  return {
    next,
    async readOn() {
      const { value, done } = await blocks.next();
      if (done) return undefined;
      lines = linesIn(value);
      return next();
    },
  };
}

function readMemory<Key>({ entries, block }: Held<Key>): RunReader<Key> {
  let at = 0;
  const next = () => {
    const entry = entries[at++];
    return entry && { key: entry.key, line: block.bytes(entry).toString() };
  };
  return { next, readOn: async () => next() };
}

interface Cursor<Key> extends Line<Key> {
  /** Which run: of level keys the earlier one comes first. */
  readonly run: number;
  readonly rest: RunReader<Key>;
}

type Merge<Key> = Pick<SorterOptions<Key>, 'compare'> & { readonly top: number };

/** Takes the first line of the run that has the first one, again and again. */
async function* mergeRuns<Key>(runs: readonly RunReader<Key>[], { compare, top }: Merge<Key>): AsyncGenerator<string> {
  const heap: Cursor<Key>[] = [];
  const isBefore = (a: Cursor<Key>, b: Cursor<Key>) => (compare(a.key, b.key) || a.run - b.run) < 0;
  for (const [run, rest] of runs.entries()) {
    const entry = await rest.readOn();
    if (entry) heap.push({ ...entry, run, rest });
  }
  for (let i = heap.length >> 1; i >= 0; i--) siftDown(heap, { at: i, isBefore });
  let left = top;
  for (let first = heap[0]; first && left > 0; first = heap[0]) {
    yield first.line;
    left -= 1;
    const entry = first.rest.next() ?? (await first.rest.readOn());
    const last = entry ? { ...entry, run: first.run, rest: first.rest } : heap.pop();
    if (!entry && heap.length === 0) return;
    if (last) heap[0] = last;
    siftDown(heap, { at: 0, isBefore });
  }
}

interface Sift<T> {
  readonly at: number;
  readonly isBefore: (a: T, b: T) => boolean;
}

/** Moves the item at `at` of a binary heap down to where both below it come later. */
function siftDown<T>(heap: T[], { at, isBefore }: Sift<T>): void {
  for (let here = at; ; ) {
    let least = here;
    for (const below of [2 * here + 1, 2 * here + 2]) {
      const candidate = heap[below];
      const first = heap[least];
      if (candidate !== undefined && first !== undefined && isBefore(candidate, first)) least = below;
    }
    if (least === here) return;
    [heap[here], heap[least]] = [heap[least] as T, heap[here] as T];
    here = least;
  }
}
