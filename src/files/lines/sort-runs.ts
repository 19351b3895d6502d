/**
 * Sorted runs of lines on disk, and their merge. The merge holds one line and key of each run in memory, so long lines and the
 * rest of long keys are in a separate file: the run has their location.
 */
import type { RecordLocation } from '../records/block-reader.ts';
import type { LongTexts } from '../records/long-texts.ts';
import type { ByteBlock, ByteRange } from './byte-block.ts';
import { type FilePart, type LineFile, linesIn, NEWLINE } from './line-file.ts';

export interface KeyOrder<Key> {
  /**
   * Below 0 when `a` comes first, 0 when they are equal. Keys must survive JSON. For keys that were cut and are equal so far,
   * `compareRests` compares what was cut off, as text.
   */
  compare(a: Key, b: Key, compareRests?: () => number): number;
  /** Cuts a key with a text of more than `length` UTF-16 units: the key with only these, and the rest of the text. */
  cut?(key: Key, length: number): { readonly key: Key; readonly rest: string } | undefined;
}

/** A line in memory: its key, and where its bytes are in the block. */
export interface RunEntry<Key> extends ByteRange {
  readonly key: Key;
  /** UTF-16 units of the key in JSON. */
  readonly keyLength: number;
}

/** A key, cut if it is long. */
interface CutKey<Key> {
  readonly key: Key;
  /** Where the rest of its text is; absent when the key is whole. */
  readonly rest?: RecordLocation;
}

/** UTF-16 units to which the text of a key is cut. */
const KEY_LENGTH = 256;

interface Cutting<Key> {
  readonly order: KeyOrder<Key>;
  readonly longTexts: LongTexts;
}

function cutKey<Key>(key: Key, { order, longTexts }: Cutting<Key>): CutKey<Key> {
  const cut = order.cut?.(key, KEY_LENGTH);
  return cut ? { key: cut.key, rest: longTexts.keepComparable(cut.rest) } : { key };
}

function compareCut<Key>(a: CutKey<Key>, b: CutKey<Key>, { order, longTexts }: Cutting<Key>): number {
  const compareRests = () =>
    a.rest && b.rest ? longTexts.compare(a.rest, b.rest) : Number(Boolean(a.rest)) - Number(Boolean(b.rest));
  return order.compare(a.key, b.key, compareRests);
}

export interface Held<Key> extends Cutting<Key> {
  readonly entries: readonly RunEntry<Key>[];
  readonly block: Pick<ByteBlock, 'bytes'>;
}

/** Lines are collected up to about this many bytes for one system call. */
const PIECE_BYTES = 256 * 1024;
/** A longer line is kept outside its run. */
const MAX_LINE_BYTES = 4 * 1024;
const LINE_END = Buffer.of(NEWLINE);
/** Between key and text: JSON.stringify writes none. */
const TAB = '\t';

/** What precedes the text of a line: its key and, for a long line, its location. */
interface LineHead<Key> extends CutKey<Key> {
  readonly line?: RecordLocation;
}

/** Writes a run: a line each of head, tab and text. */
export function writeRun<Key>(file: LineFile, { entries, block, ...cutting }: Held<Key>): FilePart {
  const from = file.size;
  let piece: Buffer[] = [];
  let size = 0;
  for (const entry of entries) {
    const bytes = block.bytes(entry);
    const isLong = bytes.length > MAX_LINE_BYTES;
    const key = cutKey(entry.key, cutting);
    const head: LineHead<Key> = isLong ? { ...key, line: cutting.longTexts.keep(bytes) } : key;
    const parts = [Buffer.from(JSON.stringify(head) + TAB), ...(isLong ? [] : [bytes]), LINE_END];
    piece.push(...parts);
    size += parts.reduce((sum, { length }) => sum + length, 0);
    if (size < PIECE_BYTES) continue;
    file.append(Buffer.concat(piece));
    piece = [];
    size = 0;
  }
  file.append(Buffer.concat(piece));
  return { from, to: file.size };
}

interface RunLine<Key> extends LineHead<Key> {
  /** Empty for a long line. */
  readonly text: string;
}

/** The lines of a run, one after the other. */
interface RunReader<Key> {
  /** The next line in memory. */
  next(): RunLine<Key> | undefined;
  /** Reads more, and returns its first line; undefined at the end of the run. */
  readOn(): Promise<RunLine<Key> | undefined>;
}

/** Bytes read at once: by all runs together, and by each run at least and at most. */
const READ_AT_ONCE = { together: 8 * 1024 * 1024, min: 16 * 1024, max: 256 * 1024 };

function readersOf<Key>({ runs, file }: Pick<Merge<Key>, 'runs' | 'file'>): RunReader<Key>[] {
  const { together, min, max } = READ_AT_ONCE;
  const chunk = Math.max(min, Math.min(max, Math.floor(together / runs.length)));
  return runs.map((run) => readRun<Key>(file.read(run, chunk)));
}

function readRun<Key>(blocks: AsyncGenerator<Buffer>): RunReader<Key> {
  let lines: Iterator<string, unknown> = [].values();
  const next = () => {
    const { value, done } = lines.next();
    if (done) return undefined;
    const tab = value.indexOf(TAB);
    return { ...JSON.parse(value.slice(0, tab)), text: value.slice(tab + 1) };
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

function readMemory<Key>({ entries, block, ...cutting }: Held<Key>): RunReader<Key> {
  let at = 0;
  const next = () => {
    const entry = entries[at++];
    return entry && { ...cutKey(entry.key, cutting), text: block.bytes(entry).toString() };
  };
  return { next, readOn: async () => next() };
}

interface RunCursor<Key> extends RunLine<Key> {
  /** Which run: of equal keys that of the earlier run comes first. */
  readonly run: number;
  readonly reader: RunReader<Key>;
}

interface Merge<Key> {
  readonly file: LineFile;
  readonly runs: readonly FilePart[];
  /** The last lines, which stay in memory. */
  readonly memory: Held<Key>;
  readonly top: number;
}

/** The lines of all runs in order, at most `top`, by a heap of their first lines. */
export async function* mergeRuns<Key>({ memory, top, ...written }: Merge<Key>): AsyncGenerator<string> {
  const isBefore = (a: RunCursor<Key>, b: RunCursor<Key>) => (compareCut(a, b, memory) || a.run - b.run) < 0;
  const heap = await firstLines([...readersOf<Key>(written), readMemory(memory)]);
  for (let i = heap.length >> 1; i >= 0; i--) siftDown(heap, i, isBefore);
  let left = top;
  for (let first = heap[0]; first && left > 0; first = heap[0]) {
    yield first.line ? memory.longTexts.read(first.line) : first.text;
    left -= 1;
    const { run, reader } = first;
    const entry = reader.next() ?? (await reader.readOn());
    const last = entry ? { ...entry, run, reader } : heap.pop();
    if (!entry && heap.length === 0) return;
    if (last) heap[0] = last;
    siftDown(heap, 0, isBefore);
  }
}

async function firstLines<Key>(readers: readonly RunReader<Key>[]): Promise<RunCursor<Key>[]> {
  const found: RunCursor<Key>[] = [];
  for (const [run, reader] of readers.entries()) {
    const entry = await reader.readOn();
    if (entry) found.push({ ...entry, run, reader });
  }
  return found;
}

/** Moves the item at `at` of a binary heap down until both of its children come later. */
function siftDown<T>(heap: T[], at: number, isBefore: (a: T, b: T) => boolean): void {
  for (let here = at; ; ) {
    let earliest = here;
    for (const below of [2 * here + 1, 2 * here + 2]) {
      const candidate = heap[below];
      const first = heap[earliest];
      if (candidate !== undefined && first !== undefined && isBefore(candidate, first)) earliest = below;
    }
    if (earliest === here) return;
    [heap[here], heap[earliest]] = [heap[earliest] as T, heap[here] as T];
    here = earliest;
  }
}
