/** A lock file that is there: what it says, who holds it as far as can be seen from here, and how it is removed. */
import { constants, fstatSync, lstatSync, openSync, readSync, rmSync } from 'node:fs';
import type { Host } from '../context.ts';
import { LockedError } from '../errors.ts';
import { visible } from '../text/escape.ts';
import { closeQuietly } from './close-file.ts';
import { fileError, shownPath, systemCode } from './file-error.ts';
import { identityOfProcess, type ProcessHost, stillRuns, UNKNOWN } from './process-identity.ts';

/** For how long nobody believes that a holder is gone without a sign of life, milliseconds. */
const STALE_MS = 60_000;

export interface LockFile {
  readonly text: string;
  /** When its holder last gave a sign of life, by the clock of the disk, milliseconds since 1970. */
  readonly signOfLife: number;
}

/** No lock is longer, in bytes: a host name has 255 at most. Of what is none, no more is needed to tell. */
const MAX_LOCK_BYTES = 512;

export function readLock(path: string): LockFile | undefined {
  let fd: number | undefined;
  try {
    // A dangling symbolic link would be neither there nor free, a FIFO would be read for ever.
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
 * What there is of a lock whose text did not get to the disk: its beginning, or nothing, where the disk was full or its maker
 * killed, and NULs where power failed. Nobody holds it: a lock is taken only when it can be read back whole.
 */
export const isTorn = ({ text }: Pick<LockFile, 'text'>) =>
  BEGINNING.test(text.replace(/\0+$/, '')) && !HOLDER.test(text);

/** A lock that stays torn this long is left as it is by its maker. */
const TORN_CHECKS = 10;
const TORN_CHECK_MS = 10;

/** The lock once it has all its text; torn when its maker did not get that far; undefined when it is gone. */
export async function readWritten(path: string, host: Pick<Host, 'sleep'>): Promise<LockFile | undefined> {
  let found = readLock(path);
  for (let check = 0; found && isTorn(found) && check < TORN_CHECKS; check++) {
    await host.sleep(TORN_CHECK_MS);
    found = readLock(path);
  }
  return found;
}

/** Removes the lock that was found; not one that is another by now, or whose holder has given a sign of life since. */
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
 * Who holds the lock at `path`, as far as can be seen from here: `left` by a run that is gone, `unknown` when it is no lock
 * of riskcli's, or gone by now. Changes nothing.
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

/** The process whose own file is at `path`, if it still runs; a file that is none, or silent for long, is not believed. */
export function runningHolder(path: string, now: number, host: ProcessHost): string | undefined {
  const found = readLock(path);
  const [, pid] = HOLDER.exec(found?.text ?? '') ?? [];
  if (!found || pid === undefined || Math.abs(now - found.signOfLife) > STALE_MS) return undefined;
  return heldBy(path, found, now, host) && pid;
}

/**
 * Why the lock cannot be had; undefined when its holder is gone: whoever can see it looks; for all others its silence tells.
 * `now` is by the clock of the disk.
 */
export function heldBy(path: string, found: LockFile, now: number, host: ProcessHost): LockedError | undefined {
  const own = identityOfProcess(host);
  const [, holder = '', started = '', name, space = UNKNOWN] = HOLDER.exec(found.text) ?? [];
  // A sign of life from the future is one from before the clock was set.
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
  // Of a holder on this host one thing more is sure: it has not outlived the system.
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
/** What a lock of today begins with, wherever it was cut short. */
const BEGINNING = /^(?:\d+(?: (?:(?:\d+|-)(?: (?:\S+(?: (?:\S+(?: [0-9a-f]{0,11})?)?)?)?)?)?)?)?$/;
