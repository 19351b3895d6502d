/**
 * Sorts more lines than memory holds, by an external merge sort: sorted runs on disk are merged at the end. It is stable: lines
 * with equal keys stay in the order in which they were added. With `top` only that many are kept. As long as the lines fit in
 * memory, no file is made.
 */
import type { Host } from '../../context.ts';
import { type LongTexts, openLongTexts } from '../records/long-texts.ts';
import { type ByteBlock, createByteBlock } from './byte-block.ts';
import { type FilePart, type LineFile, openLineFile } from './line-file.ts';
import { type KeyOrder, mergeRuns, type RunEntry, writeRun } from './sort-runs.ts';

export interface SorterOptions<Key> {
  readonly order: KeyOrder<Key>;
  readonly top?: number | undefined;
  /** Bytes of lines and keys that may be in memory. */
  readonly room?: number;
}

const ROOM = 8 * 1024 * 1024;
/** Bytes of an entry besides its line and the text of its key. */
const ENTRY_SIZE = 200;
/** Cutting to --top sorts all entries, which --top 1 would do for each row. */
const MIN_ENTRIES_TO_CUT = 1_000;

export class Sorter<Key> {
  private readonly top: number;
  private readonly room: number;
  private readonly order: KeyOrder<Key>;
  private readonly block: ByteBlock;
  private readonly longTexts: LongTexts;
  private held: RunEntry<Key>[] = [];
  private keyLengths = 0;
  /** The last of the first `top` so far: what does not come before it is dropped. */
  private last: RunEntry<Key> | undefined;
  private file: LineFile | undefined;
  private readonly runs: FilePart[] = [];

  constructor(
    private readonly host: Pick<Host, 'temporaryFolder'>,
    { order, top = Number.POSITIVE_INFINITY, room = ROOM }: SorterOptions<Key>,
  ) {
    this.order = order;
    this.top = top;
    this.room = room;
    this.block = createByteBlock(room);
    this.longTexts = openLongTexts(host);
  }

  /** Adds a line, which must not contain a newline; it is made only if it may be kept. @throws IoError when the disk is full */
  add(key: Key, line: () => string): void {
    if (this.last && this.order.compare(key, this.last.key) >= 0) return;
    // A copy: a substring would keep the whole answer in memory.
    const json = JSON.stringify(key);
    this.held.push({ key: JSON.parse(json), keyLength: json.length, ...this.block.add(line()) });
    this.keyLengths += json.length;
    if (this.size() < this.room && this.held.length < Math.max(2 * this.top, MIN_ENTRIES_TO_CUT)) return;
    this.cut();
    if (this.size() >= this.room / 2) this.spill();
  }

  /** The lines in order, at most `top`. To be called once, when all have been added. @throws IoError */
  async *sorted(): AsyncGenerator<string> {
    const { block, order, longTexts, file, runs, top } = this;
    this.cut();
    if (file) yield* mergeRuns({ file, runs, memory: { entries: this.held, block, order, longTexts }, top });
    else for (const entry of this.held) yield block.bytes(entry).toString();
  }

  close(): void {
    this.file?.close();
    this.longTexts.close();
  }

  private size(): number {
    return this.block.size + this.keyLengths + this.held.length * ENTRY_SIZE;
  }

  /** Sorts the entries in memory and keeps the first `top`. Of later lines only those before the last one matter. */
  private cut(): void {
    this.held.sort((a, b) => this.order.compare(a.key, b.key));
    if (this.held.length < this.top) return;
    this.held.length = this.top;
    this.keyLengths = this.held.reduce((sum, { keyLength }) => sum + keyLength, 0);
    this.last = this.held.at(-1);
    this.block.keep(this.held);
  }

  private spill(): void {
    const { block, order, longTexts } = this;
    this.file ??= openLineFile(this.host);
    this.runs.push(writeRun(this.file, { entries: this.held, block, order, longTexts }));
    this.held = [];
    this.keyLengths = 0;
    block.keep(this.held);
  }
}
