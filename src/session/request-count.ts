/**
 * How many requests this machine has sent with a key in the UTC month: the length of a file to which every request appends
 * a byte right before it leaves. Many processes may count at once: an append loses nothing, needs no lock and cannot be
 * torn, and its place in the file says which of the month's requests it is. So lists that run at the same time share a
 * budget to the last request. The file stays open: to count is one system call, with a budget three.
 */
import { constants, fstatSync, lstatSync, openSync, readdirSync, readSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { closeQuietly } from '../files/close-file.ts';
import { month, nextMonth } from '../text/when.ts';

/** The folder of what riskcli learns. */
export interface StateFolder {
  /** The path of a file in it; undefined where there is no such folder. */
  path(file: string): string | undefined;
  /** Makes the folder and calls `write`. The run goes on without it, whatever a disk, a quota or a read-only folder has against it. */
  quietly(write: (folder: string) => void): void;
}

/** A month's count, open. */
interface Counting {
  readonly path: string | undefined;
  /** When the month begins and ends. */
  readonly from: number;
  readonly to: number;
  /** Undefined where nothing can be written. */
  fd: number | undefined;
  /** What could not be written. */
  inMemory: number;
}

export class RequestCount {
  private counting: Counting | undefined;

  /**
   * Opens no file before something is counted.
   * @param prefix what the file of a month is called, without the month.
   */
  constructor(
    private readonly folder: StateFolder,
    private readonly now: () => number,
    private readonly prefix: () => string,
  ) {}

  /** Requests of the month of now, those of this run included. */
  read(): number {
    if (!this.counting) return sizeOf(this.pathOf(this.now()));
    const { path, inMemory } = this.current();
    return sizeOf(path) + inMemory;
  }

  /** Counts one more, unless `allowed` of the month have left, from whatever process; returns whether it may leave. */
  reserve(allowed = Number.POSITIVE_INFINITY): boolean {
    const month = this.current();
    const isFree = this.count(month, allowed);
    // Whoever was halted in between sends in another month, and counts there, too.
    return this.current() === month ? isFree : this.reserve(allowed);
  }

  /** Closing what is closed does nothing. */
  close(): void {
    closeQuietly(this.counting?.fd);
    this.counting = undefined;
  }

  private pathOf(at: number): string | undefined {
    return this.folder.path(`${this.prefix()}-${month(at)}`);
  }

  /** The count of the month of now: a run may go on across its end. */
  private current(): Counting {
    const at = this.now();
    if (this.counting && at >= this.counting.from && at < this.counting.to) return this.counting;
    this.close();
    const date = new Date(at);
    const from = Date.UTC(date.getUTCFullYear(), date.getUTCMonth());
    this.counting = { path: this.pathOf(at), from, to: nextMonth(at), fd: undefined, inMemory: 0 };
    return this.counting;
  }

  private count(month: Counting, allowed: number): boolean {
    const fd = this.open(month);
    const isKept = fd === undefined ? undefined : append(fd, allowed - month.inMemory);
    if (isKept !== undefined) return isKept;
    if (sizeOf(month.path) + month.inMemory >= allowed) return false;
    month.inMemory++;
    return true;
  }

  private open(month: Counting): number | undefined {
    const { path } = month;
    if (path === undefined || month.fd !== undefined || month.inMemory > 0) return month.fd;
    this.folder.quietly((own) => {
      month.fd = openToAppend(path);
      if (fstatSync(month.fd).size === 0) removeOlder(path, own);
    });
    return month.fd;
  }
}

function openToAppend(path: string): number {
  const { O_APPEND, O_CREAT, O_RDWR, O_NOFOLLOW, O_NONBLOCK } = constants;
  const fd = openSync(path, O_APPEND | O_CREAT | O_RDWR | O_NOFOLLOW | O_NONBLOCK, 0o600);
  if (fstatSync(fd).isFile()) return fd;
  closeQuietly(fd);
  throw new Error('not a regular file');
}

const DOT = Buffer.from('.');

/** Whether one more could be appended with no more than `allowed` in all; undefined when it cannot be written. */
function append(fd: number, allowed: number): boolean | undefined {
  try {
    const isLimited = allowed !== Number.POSITIVE_INFINITY;
    if (isLimited && fstatSync(fd).size >= allowed) return false;
    writeSync(fd, DOT);
    return !isLimited || fstatSync(fd).size <= allowed || numberOfLast(fd) <= allowed;
  } catch {
    return undefined;
  }
}

/**
 * Which byte of the file ours is, from 1. An append leaves the position behind it (write(2)), so what can be read from there
 * on was appended later, by others. The byte of one that came too late stays: it is one a process at most.
 */
function numberOfLast(fd: number): number {
  const rest = Buffer.allocUnsafe(4_096);
  for (let later = 0; ; ) {
    const size = fstatSync(fd).size;
    for (let got = 1; got > 0; later += got) got = readSync(fd, rest, 0, rest.length, null);
    if (fstatSync(fd).size === size) return size - later;
  }
}

/** The size of the file at `path` in bytes; 0 when it is no regular file, which riskcli did not write. */
export function sizeOf(path: string | undefined): number {
  try {
    const entry = path === undefined ? undefined : lstatSync(path);
    return entry?.isFile() ? entry.size : 0;
  } catch {
    return 0;
  }
}

/** Removes the counts of earlier months, whatever key they are of: nobody asks for them again. */
function removeOlder(path: string, folder: string): void {
  const current = path.slice(-'2030-01'.length);
  for (const file of readdirSync(folder)) {
    const [, counted] = /^requests-[0-9a-f]{32}-(\d{4}-\d{2})$/.exec(file) ?? [];
    if (counted !== undefined && counted < current) rmSync(join(folder, file), { force: true });
  }
}
