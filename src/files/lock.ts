/**
 * A lock file that says who holds it, `pid start-time host pid-space nonce`; node has no flock. It is a hard link to a
 * file that is already written, so it never exists without its holder's name. A lock left behind is taken over, by
 * exactly one of those who find it: at once by processes that can see that its holder is gone, by all others when its
 * holder, who rewrites it every few seconds, has not done so for a minute.
 *
 * Anybody can delete a lock, and a holder that was halted for more than a minute may wake up to find that another host has
 * taken it over. So a holder looks whether the lock is still its own, and stops when it is not (as restic does,
 * internal/restic/lock.go). Its own file, which the lock is a link to, stays beside the lock as long as it runs: whoever takes
 * the lock after it was deleted can see there that the earlier holder has not ended.
 */
import { constants, fstatSync, linkSync, lstatSync, openSync, readdirSync, readSync, rmSync, writeSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Host } from '../context.ts';
import { IoError, LockedError } from '../errors.ts';
import { randomHex } from '../host/builtin.ts';
import { visible } from '../text/escape.ts';
import { writeFully } from './atomic-file.ts';
import { closeQuietly } from './close-file.ts';
import { fileError, shownPath, systemCode } from './file-error.ts';
import { pointsAt } from './identity.ts';
import { retryWhileInUse } from './in-use.ts';
import { identityOfProcess, ownStart, type ProcessHost, stillRuns, UNKNOWN } from './process-place.ts';

export interface Lock {
  /** Aborts with a LockedError once the lock was seen to be no longer ours. A holder looks at each of its signs of life. */
  readonly lost: AbortSignal;
  /** Whether it is still ours, as of so long ago at most: 50 ms by default, so that it may be asked for each answer. */
  isHeld(maxAgeMs?: number): boolean;
  /** @throws LockedError when it is not. */
  check(): void;
  /** The process that has lost this lock to us and still runs; undefined when there is none. */
  formerHolder(): string | undefined;
  /** Removes the lock file, if it is still ours; one that cannot be removed is soon stale. Never throws. */
  release(): void;
}

export type LockHost = ProcessHost & Pick<Host, 'monotonic' | 'platform' | 'sleep'>;

/** A folder in which a lock comes and goes more often than this is no folder to work in. */
const TRIES = 1_000;

/**
 * Takes the lock at `path`, at once or not at all.
 * @throws LockedError when somebody else holds it, IoError when the file cannot be made or read.
 */
export function takeLock(path: string, host: LockHost): Promise<Lock> {
  return retryWhileInUse(() => take(path, host), host);
}

async function take(path: string, host: LockHost): Promise<Lock> {
  const nonce = randomHex(6);
  const { host: name, space } = identityOfProcess(host);
  const own = `${host.pid} ${ownStart(host)} ${name} ${space} ${nonce}`;
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const draft = `${path}.${nonce}${DRAFT}`;
    const { fd, madeAt } = make(path, { own, draft });
    if (fd !== undefined) return hold(path, { fd, own, draft, madeAt, host });
    const found = await readWritten(path, host);
    if (found === undefined) continue;
    if (found.text === own) {
      // Made, and for a moment not to be read.
      removeIf(path, found);
      continue;
    }
    if (!isTorn(found)) refuseUnlessStale(path, { found, now: madeAt, host });
    // Only one process at a time may remove this holder's lock: otherwise a slow one would remove the lock of whoever
    // was faster. The claim is a lock like any other, so it can be taken over too.
    const claim = await takeLock(`${path}.${isTorn(found) ? UNNAMED : found.text.slice(-nonce.length)}`, host);
    try {
      removeIf(path, found);
    } finally {
      claim.release();
    }
  }
  throw new IoError(`the lock ${shownPath(path)} cannot be created`, { hint: 'choose a file in another folder' });
}

/** How often a holder gives a sign of life, and for how long nobody believes that it is gone without one; milliseconds. */
const SIGN_OF_LIFE_MS = 5_000;
const STALE_MS = 60_000;

/** For how long a look at the lock is believed, milliseconds. */
const LOOK_MS = 50;

interface Holding {
  readonly fd: number;
  readonly own: string;
  readonly draft: string;
  /** By the clock of the disk, milliseconds since 1970. */
  readonly madeAt: number;
  readonly host: LockHost;
}

function hold(path: string, { fd, own, draft, madeAt, host }: Holding): Lock {
  const lost = new AbortController();
  let lookedAt = host.monotonic();
  const isOurs = () => pointsAt(path, fd) && !isOverwritten(fd, own);
  function look(): boolean {
    lookedAt = host.monotonic();
    // Twice: one call that fails, as on a network drive, must not end a run.
    if (!lost.signal.aborted && !isOurs() && !isOurs()) lost.abort(lostError(path));
    return !lost.signal.aborted;
  }
  // Rewriting it sets its time by the clock of the disk, which may be that of a server. What somebody has put in its place, or
  // has written over it, is not touched.
  const signs = setInterval(() => look() && quietly(() => writeSync(fd, own, 0)), SIGN_OF_LIFE_MS).unref();
  const isHeld = (maxAgeMs = LOOK_MS) => (host.monotonic() - lookedAt < maxAgeMs ? !lost.signal.aborted : look());
  const formerHolder = () => tidy(path, { own: draft, now: madeAt, host });
  formerHolder();
  return {
    lost: lost.signal,
    isHeld,
    check() {
      if (!isHeld()) lost.signal.throwIfAborted();
    },
    formerHolder,
    release() {
      clearInterval(signs);
      const isOwn = look();
      closeQuietly(fd);
      quietly(() => rmSync(draft, { force: true }));
      if (isOwn) quietly(() => removeIf(path, { text: own }));
    },
  };
}

function isOverwritten(fd: number, own: string): boolean {
  try {
    return readText(fd) !== own;
  } catch {
    // It is where it was; that is all that can be said.
    return false;
  }
}

const lostError = (path: string) =>
  new LockedError(`the lock ${shownPath(path)} was deleted, replaced or taken over while this run held it`, {
    hint: 'what was paid for is kept; when no other run is using the journal, run the same command again to continue',
    isResumable: true,
  });

function quietly(work: () => unknown): void {
  try {
    work();
  } catch {
    // A lock that can be neither refreshed nor removed becomes stale; what else is left is in nobody's way.
  }
}

/** What is done under `withLock` takes milliseconds: who holds the lock for 10 s is stuck. */
const PAUSE_MS = 25;
const ATTEMPTS = 400;

/**
 * Calls `work` while the lock at `path` is ours, after waiting for others.
 * @throws IoError when somebody else keeps the lock, the reason of `host.signal` when aborted first.
 */
export async function withLock<T>(
  path: string,
  host: LockHost & Pick<Host, 'random' | 'signal'>,
  work: () => T | Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const lock = await takeLock(path, host).catch((error: unknown) => {
      if (!(error instanceof LockedError)) throw error;
      if (attempt === ATTEMPTS) throw new IoError(error.message, { hint: error.hint, cause: error });
      return undefined;
    });
    if (lock) {
      try {
        return await work();
      } finally {
        lock.release();
      }
    }
    await host.sleep(PAUSE_MS * (0.5 + host.random()), host.signal());
  }
}

interface Made {
  /** The lock's own descriptor; undefined when the lock is not ours. */
  readonly fd: number | undefined;
  /** What the clock of the disk showed, milliseconds since 1970. */
  readonly madeAt: number;
}

/** Tries to make the lock file. The draft stays when the lock is ours. */
function make(path: string, { own, draft }: { readonly own: string; readonly draft: string }): Made {
  let fd: number | undefined;
  let madeAt = 0;
  let isOurs = false;
  try {
    const draftFd = writeNew(draft, own);
    madeAt = fstatSync(draftFd).mtimeMs;
    fd = linkDraft(path, { own, draft, draftFd });
    // A process that sleeps while its lock is empty may be taken for dead.
    isOurs = fd !== undefined && read(path)?.text === own;
  } catch (cause) {
    if (cause instanceof IoError) throw cause;
    if (systemCode(cause) !== 'EEXIST') {
      throw fileError(`the lock ${shownPath(path)} cannot be created`, {
        cause,
        hint: 'make its folder writable, or choose a file in another folder',
      });
    }
  } finally {
    if (!isOurs) {
      if (fd !== undefined) closeQuietly(fd);
      quietly(() => rmSync(draft, { force: true }));
    }
  }
  return { fd: isOurs ? fd : undefined, madeAt };
}

interface Draft {
  readonly own: string;
  readonly draft: string;
  /** Its descriptor. */
  readonly draftFd: number;
}

/** The lock's descriptor; undefined when another lock is there. */
function linkDraft(path: string, { own, draft, draftFd }: Draft): number | undefined {
  try {
    linkSync(draft, path);
    return draftFd;
  } catch (error) {
    closeQuietly(draftFd);
    // ENOENT: whoever took the lock has tidied our draft away. Anything else: there are no hard links here (FAT, some
    // network drives), and the lock is empty for a moment.
    return ['EEXIST', 'ENOENT'].includes(systemCode(error) ?? '') ? undefined : writeNew(path, own);
  }
}

/** A new file with `text` in it, open. @throws EEXIST, whatever stands there. */
function writeNew(path: string, text: string): number {
  const fd = openSync(path, 'wx+', 0o600);
  try {
    // A full disk may take a part of it, and no fault is told before the rest.
    writeFully(fd, text);
    return fd;
  } catch (error) {
    closeQuietly(fd);
    quietly(() => rmSync(path, { force: true }));
    throw error;
  }
}

/**
 * Behind the lock's name: drafts (holders' own files), and the claims of those who took over. None of them matters once the
 * lock is taken, but the draft of a holder that has lost it.
 */
const DRAFT = '.new';
const UNNAMED = 'unnamed';
const LEFT_OVER = new RegExp(`^(?:\\.(?:[0-9a-f]{12}|${UNNAMED}))+(?:\\${DRAFT})?$`);
const HOLDERS_OWN = new RegExp(`^\\.[0-9a-f]{12}\\${DRAFT}$`);

interface Tidying {
  /** The path of our own draft. */
  readonly own: string;
  /** By the clock of the disk, milliseconds since 1970. */
  readonly now: number;
  readonly host: ProcessHost;
}

/** Removes what processes that were killed have left, where that is allowed. @returns an earlier holder that still runs. */
function tidy(path: string, { own, now, host }: Tidying): string | undefined {
  const [folder, name] = [dirname(path), basename(path)];
  let former: string | undefined;
  quietly(() => {
    for (const entry of readdirSync(folder)) {
      const left = join(folder, entry);
      if (left === own || !entry.startsWith(name) || !LEFT_OVER.test(entry.slice(name.length))) continue;
      const runs = HOLDERS_OWN.test(entry.slice(name.length)) ? holderOf(left, { now, host }) : undefined;
      former ??= runs;
      // Somebody who lives may be faster.
      if (!runs) quietly(() => rmSync(left));
    }
  });
  return former;
}

/** The process whose draft is at `path`, if it still runs; a file that is none, or silent for long, is not believed. */
function holderOf(path: string, { now, host }: Pick<Tidying, 'now' | 'host'>): string | undefined {
  const found = read(path);
  const [, pid] = HOLDER.exec(found?.text ?? '') ?? [];
  if (!found || pid === undefined || Math.abs(now - found.signOfLife) > STALE_MS) return undefined;
  return isHeldBy(path, { found, now, host }) ? pid : undefined;
}

function isHeldBy(path: string, judgement: Judgement): boolean {
  try {
    refuseUnlessStale(path, judgement);
    return false;
  } catch {
    return true;
  }
}

interface Found {
  readonly text: string;
  /** When its holder last gave a sign of life, by the clock of the disk, milliseconds since 1970. */
  readonly signOfLife: number;
}

/** No lock is longer, in bytes: a host name has 255 at most. Of what is none, no more is needed to tell. */
const MAX_LOCK_BYTES = 512;

function read(path: string): Found | undefined {
  let fd: number | undefined;
  try {
    // A dangling symbolic link would be neither there nor free, a FIFO would be read for ever.
    if (lstatSync(path, { throwIfNoEntry: false })?.isFile() === false) throw new Error('it is not a regular file');
    fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    return { text: readText(fd), signOfLife: fstatSync(fd).mtimeMs };
  } catch (cause) {
    if (systemCode(cause) === 'ENOENT') return undefined;
    throw fileError(`the lock ${shownPath(path)} cannot be read`, {
      cause,
      hint: 'delete it if riskcli is not running',
    });
  } finally {
    if (fd !== undefined) closeQuietly(fd);
  }
}

function readText(fd: number): string {
  const bytes = Buffer.alloc(MAX_LOCK_BYTES);
  return bytes.toString('utf8', 0, readSync(fd, bytes, 0, MAX_LOCK_BYTES, 0));
}

/**
 * What there is of a lock whose text did not get to the disk: its beginning, or nothing, where the disk was full or its maker
 * killed, and NULs where power failed. Nobody holds it: a lock is taken only when it can be read back whole.
 */
const isTorn = ({ text }: Pick<Found, 'text'>) => BEGINNING.test(text.replace(/\0+$/, '')) && !HOLDER.test(text);

/** A lock that stays torn this long is left as it is by its maker. */
const TORN_CHECKS = 10;
const TORN_CHECK_MS = 10;

/** The lock once it has all its text; torn when its maker did not get that far; undefined when it is gone. */
async function readWritten(path: string, host: Pick<Host, 'sleep'>): Promise<Found | undefined> {
  let found = read(path);
  for (let check = 0; found && isTorn(found) && check < TORN_CHECKS; check++) {
    await host.sleep(TORN_CHECK_MS);
    found = read(path);
  }
  return found;
}

/** Removes the lock that was found; not one that is another by now, or whose holder has given a sign of life since. */
function removeIf(path: string, found: Pick<Found, 'text'> & Partial<Found>): void {
  const now = read(path);
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
    const found = read(path);
    if (found && isTorn(found)) return 'left';
    if (!found || !HOLDER.test(found.text)) return 'unknown';
    refuseUnlessStale(path, { found, now: host.now(), host });
    return 'left';
  } catch (error) {
    return error instanceof LockedError ? 'held' : 'unknown';
  }
}

interface Judgement {
  readonly found: Found;
  /** By the clock of the disk. */
  readonly now: number;
  readonly host: ProcessHost;
}

/** @throws LockedError unless the holder is gone: whoever can see it looks; for all others its silence tells. */
function refuseUnlessStale(path: string, { found, now, host }: Judgement): void {
  const own = identityOfProcess(host);
  const [, holder = '', started = '', name, space = UNKNOWN] = HOLDER.exec(found.text) ?? [];
  // A sign of life from the future is one from before the clock was set.
  const silentMs = Math.abs(now - found.signOfLife);
  if (name === own.host && space === own.space && space !== UNKNOWN) {
    if (!stillRuns({ pid: Number(holder), started, silentMs }, host)) return;
    const orReused = started === UNKNOWN ? `; if process ${holder} is not riskcli, delete ${shownPath(path)}` : '';
    throw new LockedError(`another run (process ${holder}) holds ${shownPath(path)}`, {
      hint: `wait until it ends${orReused}, then run the same command again`,
      isResumable: true,
    });
  }
  if (name === undefined) {
    throw new LockedError(`something that is not riskcli holds ${shownPath(path)}`, {
      hint: `if nothing needs it, delete ${shownPath(path)} and run the same command again`,
      isResumable: true,
    });
  }
  // Of a holder on this host one thing more is sure: it has not outlived the system.
  const longestMs = name === own.host && own.space === UNKNOWN ? Math.min(STALE_MS, host.uptime()) : STALE_MS;
  if (silentMs > longestMs) return;
  const where = name === own.host ? 'a run that is not visible from here' : `a run on host ${visible(name)}`;
  throw new LockedError(`${where} (process ${holder}) holds ${shownPath(path)}`, {
    hint: `wait until it ends, then run the same command again; should it have been killed, its lock is taken over after a minute: do not delete ${shownPath(path)} while it may run`,
    isResumable: true,
  });
}

/** A lock that names no pid space was made by an earlier version. */
const HOLDER = /^(\d+) (\d+|-) (\S+) (?:(\S+) )?[0-9a-f]{12}$/;
/** What a lock of today begins with, wherever it was cut short. */
const BEGINNING = /^(?:\d+(?: (?:(?:\d+|-)(?: (?:\S+(?: (?:\S+(?: [0-9a-f]{0,11})?)?)?)?)?)?)?)?$/;
