/**
 * Sorts more lines than memory holds: they are sorted in runs, which wait on disk and are merged at the end (an external
 * merge sort). The order is stable: lines whose keys are level stay in the order in which they were added. With `top`
 * only that many are kept, and as long as they fit in memory no file is made.
 */
import type { Host } from '../context.ts';
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

/** Lines wait as bytes, outside the JavaScript heap, where thousands of them would be moved about again and again. */
interface Entry<Key> {
  readonly key: Key;
  readonly line: Buffer;
}

const ROOM = 8 * 1024 * 1024;
/** What an entry takes besides its line; a key is small. */
const ENTRY_SIZE = 200;

export function createSorter<Key>(
  host: Pick<Host, 'temporaryFolder'>,
  { compare, top = Number.POSITIVE_INFINITY, room = ROOM }: SorterOptions<Key>,
): Sorter<Key> {
  const byKey = (a: Entry<Key>, b: Entry<Key>) => compare(a.key, b.key);
  let held: Entry<Key>[] = [];
  let heldSize = 0;
  let last: Entry<Key> | undefined;
  let count = 0;
  let file: LineFile | undefined;
  const runs: Part[] = [];

  /** Leaves the first `top` of those held, in order. Of what is added later only what comes before the last one matters. */
  function cut(): void {
    held.sort(byKey);
    held.length = Math.min(held.length, top);
    if (held.length === top) last = held.at(-1);
    heldSize = held.reduce((size, entry) => size + sizeOf(entry), 0);
  }

  function spill(): void {
    file ??= openLineFile(host);
    runs.push(writeRun(file, held));
    held = [];
    heldSize = 0;
  }

  return {
    get count() {
      return count;
    },
    add(key, line) {
      count += 1;
      if (last && compare(key, last.key) >= 0) return;
      // A copy: a string cut out of an answer would keep all of the answer alive.
      const entry = { key: JSON.parse(JSON.stringify(key)), line: Buffer.from(line()) };
      held.push(entry);
      heldSize += sizeOf(entry);
      if (heldSize < room && held.length < Math.max(2 * top, FEWEST_TO_CUT)) return;
      cut();
      if (heldSize >= room / 2) spill();
    },
    async *sorted() {
      cut();
      if (!file) return yield* inMemory(held);
      spill();
      let left = top;
      for await (const line of mergeRuns({ file, runs, compare })) {
        if (left-- <= 0) return;
        yield line;
      }
    },
    close: () => file?.close(),
  };
}

/** Cutting sorts: not for each row of --top 1. */
const FEWEST_TO_CUT = 1_000;

const sizeOf = ({ line }: Entry<unknown>) => line.length + ENTRY_SIZE;

function* inMemory(entries: readonly Entry<unknown>[]): Generator<string> {
  for (const { line } of entries) yield line.toString();
}

/** Lines are put together up to about this many bytes for one call of the system. */
const BLOCK_BYTES = 256 * 1024;
const LINE_END = Buffer.of(NEWLINE);
/** Stands in no JSON without white space, which a key is. */
const TAB = '\t';

/** On a line the key, a tab and the line itself. */
function writeRun(file: LineFile, entries: readonly Entry<unknown>[]): Part {
  const from = file.size;
  let block: Buffer[] = [];
  let size = 0;
  for (const { key, line } of entries) {
    block.push(Buffer.from(JSON.stringify(key) + TAB), line, LINE_END);
    size += line.length;
    if (size < BLOCK_BYTES) continue;
    file.append(Buffer.concat(block));
    block = [];
    size = 0;
  }
  file.append(Buffer.concat(block));
  return { from, to: file.size };
}

interface Line<Key> {
  readonly key: Key;
  readonly line: string;
}

interface Merge<Key> {
  readonly file: LineFile;
  readonly runs: readonly Part[];
  readonly compare: (a: Key, b: Key) => number;
}

/** What all runs together may read at once, and a run at least and at most, bytes. */
const READ_AT_ONCE = { together: 16 * 1024 * 1024, least: 16 * 1024, most: 256 * 1024 };

interface Cursor<Key> extends Line<Key> {
  /** Which run: of level keys the earlier one comes first. */
  readonly run: number;
  readonly rest: RunReader<Key>;
}

/** Takes the first line of the run that has the first one, again and again. */
async function* mergeRuns<Key>({ file, runs, compare }: Merge<Key>): AsyncGenerator<string> {
  const { together, least, most } = READ_AT_ONCE;
  const chunk = Math.max(least, Math.min(most, Math.floor(together / runs.length)));
  const heap: Cursor<Key>[] = [];
  const isBefore = (a: Cursor<Key>, b: Cursor<Key>) => (compare(a.key, b.key) || a.run - b.run) < 0;
  for (const [run, part] of runs.entries()) {
    const rest = createRunReader<Key>(file.read(part, chunk));
    const entry = await rest.readOn();
    if (entry) heap.push({ ...entry, run, rest });
  }
  for (let i = heap.length >> 1; i >= 0; i--) siftDown(heap, { at: i, isBefore });
  for (let first = heap[0]; first; first = heap[0]) {
    yield first.line;
    const entry = first.rest.next() ?? (await first.rest.readOn());
    const last = entry ? { ...entry, run: first.run, rest: first.rest } : heap.pop();
    if (!entry && heap.length === 0) return;
    if (last) heap[0] = last;
    siftDown(heap, { at: 0, isBefore });
  }
}

interface RunReader<Key> {
  /** The next one of what has been read. */
  next(): Line<Key> | undefined;
  /** The first one of what is read now; undefined at the end of the run. */
  readOn(): Promise<Line<Key> | undefined>;
}

function createRunReader<Key>(blocks: AsyncGenerator<Buffer>): RunReader<Key> {
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
