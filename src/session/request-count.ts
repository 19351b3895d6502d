/**
 * How many requests this machine has sent with a key in the UTC month: the length of a file to
 * which every request appends a byte right before it is sent. Many processes may count at once: an
 * append loses nothing, needs no lock and cannot be torn. Processes that share a budget may each
 * read the count before the others have added to it, and so send a request or two too many.
 */
import { accessSync, constants, fstatSync, openSync, readdirSync, rmSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Context } from '../context.ts';
import { IoError } from '../errors.ts';
import { closeQuietly, ignoreErrors } from '../files/close-file.ts';
import { systemReason } from '../files/file-error.ts';
import { makeOwnFolder, requireStateFolder, stateVariable } from '../settings/folders.ts';
import { month } from '../text/when.ts';

/** Opens no file until something is counted. */
export class RequestCount {
  private counting: { readonly name: string; readonly fd: number } | undefined;

  /**
   * @param keyName the key's name in file names
   * @param folder the state folder; undefined if there is none that only this user can write
   */
  constructor(
    private readonly keyName: string,
    private readonly folder: string | undefined,
    private readonly context: Context,
  ) {}

  /** Requests of the current month, those of this run included. */
  read(): number {
    return this.folder === undefined ? 0 : fileSize(join(this.folder, this.nameNow()));
  }

  /**
   * Counts one more, unless all processes have already sent `allowed` this month.
   * @returns whether it may be sent
   * @throws IoError when there is such a limit and it cannot be counted
   */
  reserve(allowed: number | undefined): boolean {
    const count = () => writeSync(this.open(this.nameNow()), '.');
    if (allowed === undefined) ignoreErrors(count);
    else if (this.read() >= allowed) return false;
    else countOrThrow(count, this.context);
    return true;
  }

  /** May be called twice. */
  close(): void {
    closeQuietly(this.counting?.fd);
    this.counting = undefined;
  }

  /** The name of the current month's file; the month may change during a run. */
  private nameNow(): string {
    return `requests-${this.keyName}-${month(this.context.now())}`;
  }

  /** @throws when it cannot be written */
  private open(name: string): number {
    if (this.counting?.name === name) return this.counting.fd;
    this.close();
    const { folder, context } = this;
    if (folder === undefined) throw new Error('there is no state folder');
    makeOwnFolder(folder, context);
    const fd = openSync(join(folder, name), 'a', 0o600);
    this.counting = { name, fd };
    if (fstatSync(fd).size === 0) removeOlder(folder, name);
    return fd;
  }
}

/**
 * Checks, before a key is read, that requests can be counted: a limit that nobody counts is none.
 * @throws IoError when there is no folder for the counts, or it cannot be written
 */
export function requireCounting(context: Context): void {
  countOrThrow(() => {
    const folder = requireStateFolder(context);
    makeOwnFolder(folder, context);
    accessSync(folder, constants.W_OK);
  }, context);
}

/** Calls `count`. @throws IoError when it fails */
function countOrThrow(count: () => void, context: Context): void {
  try {
    count();
  } catch (cause) {
    const reason = cause instanceof IoError ? cause.message : systemReason(cause);
    const hint = `set ${stateVariable(context)} to a folder of your own with room for a file`;
    throw new IoError(`requests cannot be counted, as monthly-requests requires: ${reason}`, {
      cause,
      hint,
      isResumable: true,
    });
  }
}

/** The size of the file at `path` in bytes; 0 if there is none. */
function fileSize(path: string): number {
  let size = 0;
  ignoreErrors(() => {
    size = statSync(path).size;
  });
  return size;
}

/** Removes the counts of earlier months, of all keys. */
function removeOlder(folder: string, name: string): void {
  const current = name.slice(-'2030-01'.length);
  for (const file of readdirSync(folder)) {
    const [, counted] = /^requests-[0-9a-f]{32}-(\d{4}-\d{2})$/.exec(file) ?? [];
    if (counted !== undefined && counted < current) rmSync(join(folder, file), { force: true });
  }
}
