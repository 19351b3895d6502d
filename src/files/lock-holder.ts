/** An existing lock file: what it says, whether its holder still runs, as far as this process can see, and its removal. */
import { constants, fstatSync, lstatSync, openSync, readSync, rmSync } from 'node:fs';
import type { Host } from '../context.ts';
import { LockedError } from '../errors.ts';
import { visible } from '../text/escape.ts';
import { closeQuietly } from './close-file.ts';
import { fileError, shownPath, systemCode } from './file-error.ts';
import { identityOfProcess, type ProcessHost, stillRuns, UNKNOWN } from './process-identity.ts';

/** How long a holder that cannot be seen may be silent before it counts as gone, milliseconds. */
const STALE_MS = 60_000;

export interface LockFile {
  readonly text: string;
  /** When its holder last rewrote it, by the clock of the disk, milliseconds since 1970. */
  readonly signOfLife: number;
}

/** The longest lock, in bytes: a host name has 255 at most. */
const MAX_LOCK_BYTES = 512;

export function readLock(path: string): LockFile | undefined {
  let fd: number | undefined;
  try {
    // A dangling symbolic link would be neither present nor free; a FIFO would block.
    if (lstatSync(path, { throwIfNoEntry: false })?.isFile() === false) throw new Error('it is not a regular file');
    fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    return { text: readLockText(fd), signOfLife: fstatSync(fd).mtimeMs };
  } catch (cause) {
    if (systemCode(cause) === 'ENOENT') return undefined;
    throw fileError(`the lock ${shownPath(path)} cannot be read`, {
      cause,
      hint: 'delete it if riskcli is not running',
    });
  } finally {
    closeQuietly(fd);
  }
}

export function readLockText(fd: number): string {
  const bytes = Buffer.alloc(MAX_LOCK_BYTES);
  return bytes.toString('utf8', 0, readSync(fd, bytes, 0, MAX_LOCK_BYTES, 0));
}

/**
 * Whether the lock's text is incomplete: only its beginning, or nothing, when the disk was full or its maker was killed; NULs
 * after a power cut. Nobody holds it: a lock counts as taken only when it can be read back whole.
 */
export const isTorn = ({ text }: Pick<LockFile, 'text'>) =>
  BEGINNING.test(text.replace(/\0+$/, '')) && !HOLDER.test(text);

/** A lock that stays torn this long was abandoned by its maker. */
const TORN_CHECKS = 10;
const TORN_CHECK_MS = 10;

/** The lock when its text is complete; torn if its maker did not finish; undefined if it is gone. */
export async function readWritten(path: string, host: Pick<Host, 'sleep'>): Promise<LockFile | undefined> {
  let found = readLock(path);
  for (let check = 0; found && isTorn(found) && check < TORN_CHECKS; check++) {
    await host.sleep(TORN_CHECK_MS);
    found = readLock(path);
  }
  return found;
}

/** Removes the lock that was found, unless it was replaced or its holder has rewritten it since. */
export function removeUnchanged(path: string, found: Pick<LockFile, 'text'> & Partial<LockFile>): void {
  const now = readLock(path);
  if (now?.text !== found.text || now.signOfLife !== (found.signOfLife ?? now.signOfLife)) return;
  try {
    rmSync(path, { force: true });
  } catch (cause) {
    throw fileError(`the lock ${shownPath(path)}, which no run holds any more, cannot be removed`, {
      cause,
      hint: 'make its folder writable, or delete it, and run the same command again',
      isResumable: true,
    });
  }
}

/**
 * The state of the lock at `path`, as far as this process can see: `left` by a run that is gone; `unknown` when it is not a lock
 * of riskcli, or does not exist. Changes nothing.
 */
export function lockState(path: string, host: ProcessHost & Pick<Host, 'now'>): 'held' | 'left' | 'unknown' {
  try {
    const found = readLock(path);
    if (found && isTorn(found)) return 'left';
    if (!found || !HOLDER.test(found.text)) return 'unknown';
    return heldBy(path, found, host.now(), host) ? 'held' : 'left';
  } catch {
    return 'unknown';
  }
}

/** The process that owns the draft at `path`, if it still runs; undefined for any other file, and for one silent for long. */
export function runningHolder(path: string, now: number, host: ProcessHost): string | undefined {
  const found = readLock(path);
  const [, pid] = HOLDER.exec(found?.text ?? '') ?? [];
  if (!found || pid === undefined || Math.abs(now - found.signOfLife) > STALE_MS) return undefined;
  return heldBy(path, found, now, host) && pid;
}

/**
 * Why the lock cannot be taken; undefined when its holder is gone. A process that can see the holder looks it up; for others a
 * long silence means that it is gone. `now` is by the clock of the disk.
 */
export function heldBy(path: string, found: LockFile, now: number, host: ProcessHost): LockedError | undefined {
  const own = identityOfProcess(host);
  const [, holder = '', started = '', name, space = UNKNOWN] = HOLDER.exec(found.text) ?? [];
  // A time in the future is from before the clock was set back.
  const silentMs = Math.abs(now - found.signOfLife);
  if (name === own.host && space === own.space && space !== UNKNOWN) {
    if (!stillRuns({ pid: Number(holder), started, silentMs }, host)) return undefined;
    const orReused = started === UNKNOWN ? `; if process ${holder} is not riskcli, delete ${shownPath(path)}` : '';
    return new LockedError(`another run (process ${holder}) holds ${shownPath(path)}`, {
      hint: `wait until it ends${orReused}, then run the same command again`,
      isResumable: true,
    });
  }
  if (name === undefined) {
    return new LockedError(`something other than riskcli holds ${shownPath(path)}`, {
      hint: `if nothing needs it, delete ${shownPath(path)} and run the same command again`,
      isResumable: true,
    });
  }
  // A holder on this host has not outlived the last boot.
  const longestMs = name === own.host && own.space === UNKNOWN ? Math.min(STALE_MS, host.uptime()) : STALE_MS;
  if (silentMs > longestMs) return undefined;
  const where = name === own.host ? 'a run that is not visible from here' : `a run on host ${visible(name)}`;
  return new LockedError(`${where} (process ${holder}) holds ${shownPath(path)}`, {
    hint: `wait until it ends, then run the same command again; if it was killed, its lock is taken over after a minute: do not delete ${shownPath(path)} while it may run`,
    isResumable: true,
  });
}

/** A lock that names no pid space was made by an earlier version. */
const HOLDER = /^(\d+) (\d+|-) (\S+) (?:(\S+) )?[0-9a-f]{12}$/;
/** Any beginning of a lock of this version. */
const BEGINNING = /^(?:\d+(?: (?:(?:\d+|-)(?: (?:\S+(?: (?:\S+(?: [0-9a-f]{0,11})?)?)?)?)?)?)?)?$/;
