/**
 * How many requests this machine has sent with a key in the UTC month: the length of a file to which every request appends a
 * byte right before it is sent. Many processes may count at once: an append loses nothing, needs no lock and cannot be torn.
 * Several that share a budget may each send what they had looked up before the others counted: a request or two too many.
 */
import { constants, fstatSync, lstatSync, openSync, readdirSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { closeQuietly, quietly } from '../files/close-file.ts';
import { month, nextMonth } from '../text/when.ts';

/** The folder of what riskcli remembers. */
export interface StateFolder {
  /** The path of a file in it; undefined without such a folder. */
  path(file: string): string | undefined;
  /** Makes the folder and calls `write`. Errors, as of a full disk or a read-only folder, are ignored. */
  quietly(write: (folder: string) => void): void;
}

/** The count of a month, while its file is open. */
interface Counting {
  readonly path: string | undefined;
  /** When the month begins and ends, milliseconds since 1970. */
  readonly from: number;
  readonly to: number;
  /** Undefined if the file cannot be written. */
  fd: number | undefined;
  /** Requests that could not be written to the file. */
  inMemory: number;
}

export class RequestCount {
  private counting: Counting | undefined;

  /**
   * Opens no file until something is counted.
   * @param prefix the name of a month's file, without the month
   */
  constructor(
    private readonly folder: StateFolder,
    private readonly now: () => number,
    private readonly prefix: () => string,
  ) {}

  /** Requests of the current month, those of this run included. */
  read(): number {
    const { path, inMemory } = this.current();
    return sizeOf(path) + inMemory;
  }

  /** Counts one more, unless all processes have already sent `allowed` this month. @returns whether it may be sent */
  reserve(allowed = Number.POSITIVE_INFINITY): boolean {
    if (allowed !== Number.POSITIVE_INFINITY && this.read() >= allowed) return false;
    const month = this.current();
    if (!this.append(month)) month.inMemory += 1;
    return true;
  }

  /** May be called twice. */
  close(): void {
    closeQuietly(this.counting?.fd);
    this.counting = undefined;
  }

  private pathOf(at: number): string | undefined {
    return this.folder.path(`${this.prefix()}-${month(at)}`);
  }

  /** The count of the current month, which may change during a run. */
  private current(): Counting {
    const at = this.now();
    if (this.counting && at >= this.counting.from && at < this.counting.to) return this.counting;
    this.close();
    const date = new Date(at);
    const from = Date.UTC(date.getUTCFullYear(), date.getUTCMonth());
    this.counting = { path: this.pathOf(at), from, to: nextMonth(at), fd: undefined, inMemory: 0 };
    return this.counting;
  }

  /** @returns false if the file cannot be written */
  private append(month: Counting): boolean {
    const fd = this.open(month);
    return fd !== undefined && quietly(() => writeSync(fd, '.'));
  }

  private open(month: Counting): number | undefined {
    const { path } = month;
    if (path === undefined || month.fd !== undefined) return month.fd;
    this.folder.quietly((own) => {
      month.fd = openToAppend(path);
      if (fstatSync(month.fd).size === 0) removeOlder(path, own);
    });
    return month.fd;
  }
}

function openToAppend(path: string): number {
  const { O_APPEND, O_CREAT, O_WRONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  const fd = openSync(path, O_APPEND | O_CREAT | O_WRONLY | O_NOFOLLOW | O_NONBLOCK, 0o600);
  if (fstatSync(fd).isFile()) return fd;
  closeQuietly(fd);
  throw new Error('not a regular file');
}

/** The size of the file at `path` in bytes; 0 when it is not a regular file. */
export function sizeOf(path: string | undefined): number {
  try {
    const entry = path === undefined ? undefined : lstatSync(path);
    return entry?.isFile() ? entry.size : 0;
  } catch {
    return 0;
  }
}

/** Removes the counts of earlier months, of all keys. */
function removeOlder(path: string, folder: string): void {
  const current = path.slice(-'2030-01'.length);
  for (const file of readdirSync(folder)) {
    const [, counted] = /^requests-[0-9a-f]{32}-(\d{4}-\d{2})$/.exec(file) ?? [];
    if (counted !== undefined && counted < current) rmSync(join(folder, file), { force: true });
  }
}
