/**
 * A lock file that says who holds it, `pid start-time host pid-space nonce`; node has no flock. It is a hard link to a file that
 * is already written, so it never exists without its holder's name. An abandoned lock is taken over by exactly one of the
 * processes that find it: at once by those that can see that its holder is gone, by others when the holder, which rewrites it
 * every few seconds, has not done so for a minute.
 *
 * Anybody can delete a lock, and while a holder is halted for more than a minute another host may take it over. So a holder
 * checks whether the lock is still its own, and stops when it is not (as restic does, internal/restic/lock.go). Its draft, to
 * which the lock is a link, stays beside the lock as long as it runs: from it, the next holder of a deleted lock sees that the
 * earlier one has not ended.
 */
import { fstatSync, linkSync, openSync, readdirSync, rmSync, writeSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Host } from '../context.ts';
import { IoError, LockedError } from '../errors.ts';
import { randomHex } from '../host/builtin.ts';
import { writeFully } from './atomic-file.ts';
import { closeQuietly, quietly } from './close-file.ts';
import { fileError, shownPath, systemCode } from './file-error.ts';
import { pointsAt } from './identity.ts';
import { retryWhileInUse } from './in-use.ts';
import { heldBy, isTorn, readLock, readLockText, readWritten, removeUnchanged, runningHolder } from './lock-holder.ts';
import { identityOfProcess, ownStart, type ProcessHost } from './process-identity.ts';

export interface Lock {
  /** Aborts with a LockedError when a check finds that the lock is no longer ours. It is also checked at each rewrite. */
  readonly lost: AbortSignal;
  /** Whether it is still ours; a check up to `maxAgeMs` old counts: 50 ms by default, so that each answer can ask. */
  isHeld(maxAgeMs?: number): boolean;
  /** @throws LockedError when it is not. */
  check(): void;
  /** An earlier holder, from which this lock was taken, that still runs; undefined when there is none. */
  formerHolder(): string | undefined;
  /** Removes the lock file if it is still ours; if it cannot be removed, it soon becomes stale. Never throws. */
  release(): void;
}

export type LockHost = ProcessHost & Pick<Host, 'monotonic' | 'platform' | 'sleep'>;

/** How often taking a lock is tried while others appear and disappear. */
const TRIES = 1_000;

/**
 * Takes the lock at `path` without waiting.
 * @throws LockedError when another process holds it, IoError when the file cannot be made or read
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
    const { fd, madeAt } = make(path, own, draft);
    if (fd !== undefined) return hold(path, { own, draft, fd, madeAt }, host);
    const found = await readWritten(path, host);
    if (found === undefined) continue;
    if (found.text === own) {
      // Ours, but it could not be read back for a moment.
      removeUnchanged(path, found);
      continue;
    }
    const held = isTorn(found) ? undefined : heldBy(path, found, madeAt, host);
    if (held) throw held;
    // Only one process at a time may remove this holder's lock: otherwise a slow one would remove the lock of a faster one. The
    // claim is a lock like any other, so it can be taken over too.
    const claim = await takeLock(`${path}.${isTorn(found) ? UNNAMED : found.text.slice(-nonce.length)}`, host);
    try {
      removeUnchanged(path, found);
    } finally {
      claim.release();
    }
  }
  throw new IoError(`the lock ${shownPath(path)} cannot be created`, { hint: 'choose a file in another folder' });
}

/** How often a holder rewrites its lock, milliseconds. */
const HEARTBEAT_MS = 5_000;

/** How long a check of the lock is valid, milliseconds. */
const CHECK_MS = 50;

/** The lock that is open as `fd`, made when the clock of the disk showed `madeAt`. */
function hold(
  path: string,
  { own, draft, fd, madeAt }: { own: string; draft: string; fd: number; madeAt: number },
  host: LockHost,
): Lock {
  const lost = new AbortController();
  let checkedAt = host.monotonic();
  const isOurs = () => pointsAt(path, fd) && !isOverwritten(fd, own);
  function checkNow(): boolean {
    checkedAt = host.monotonic();
    // Twice: one call that fails, as on a network drive, must not end a run.
    if (!lost.signal.aborted && !isOurs() && !isOurs()) lost.abort(lostError(path));
    return !lost.signal.aborted;
  }
  // Rewriting sets its time by the clock of the disk, which may be that of a server. A lock that was replaced or overwritten is
  // not touched.
  const heartbeat = setInterval(() => checkNow() && quietly(() => writeSync(fd, own, 0)), HEARTBEAT_MS).unref();
  const isHeld = (maxAgeMs = CHECK_MS) => (host.monotonic() - checkedAt < maxAgeMs ? !lost.signal.aborted : checkNow());
  const formerHolder = () => tidy(path, draft, madeAt, host);
  formerHolder();
  return {
    lost: lost.signal,
    isHeld,
    check() {
      if (!isHeld()) lost.signal.throwIfAborted();
    },
    formerHolder,
    release() {
      clearInterval(heartbeat);
      const isOwn = checkNow();
      closeQuietly(fd);
      quietly(() => rmSync(draft));
      // A lock that cannot be removed becomes stale.
      if (isOwn) quietly(() => removeUnchanged(path, { text: own }));
    },
  };
}

function isOverwritten(fd: number, own: string): boolean {
  try {
    return readLockText(fd) !== own;
  } catch {
    // It cannot be read, but it is still in its place.
    return false;
  }
}

const lostError = (path: string) =>
  new LockedError(`the lock ${shownPath(path)} was deleted, replaced or taken over while this run held it`, {
    hint: 'answers up to then are kept; when no other run is using the journal, rerun the same command to resume',
    isResumable: true,
  });

/** The work of `withLock` takes milliseconds: a holder of 10 s is stuck. */
const PAUSE_MS = 25;
const ATTEMPTS = 400;

/**
 * Calls `work` under the lock at `path`, after waiting for other holders.
 * @throws IoError when another process keeps the lock, the reason of `host.signal` when aborted first
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

/**
 * Tries to make the lock file. The draft stays when the lock is ours.
 * @returns its descriptor, undefined when the lock is not ours; and what the clock of the disk showed, milliseconds since 1970
 */
function make(path: string, own: string, draft: string) {
  let fd: number | undefined;
  let madeAt = 0;
  let isOurs = false;
  try {
    const draftFd = writeNew(draft, own);
    madeAt = fstatSync(draftFd).mtimeMs;
    fd = linkDraft(path, own, draft, draftFd);
    // A process that was halted while its lock was empty may be taken for dead.
    isOurs = fd !== undefined && readLock(path)?.text === own;
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
      closeQuietly(fd);
      quietly(() => rmSync(draft));
    }
  }
  return { fd: isOurs ? fd : undefined, madeAt };
}

/** The lock's descriptor; undefined when another lock is there. */
function linkDraft(path: string, own: string, draft: string, draftFd: number): number | undefined {
  try {
    linkSync(draft, path);
    return draftFd;
  } catch (error) {
    closeQuietly(draftFd);
    // ENOENT: the process that took the lock has removed our draft. Anything else: there are no hard links here (FAT, some
    // network drives), so that the lock is empty for a moment.
    return ['EEXIST', 'ENOENT'].includes(systemCode(error) ?? '') ? undefined : writeNew(path, own);
  }
}

/** Makes a file with `text` in it and leaves it open. @throws EEXIST when anything is there */
function writeNew(path: string, text: string): number {
  const fd = openSync(path, 'wx+', 0o600);
  try {
    // A nearly full disk may take part of it without an error.
    writeFully(fd, Buffer.from(text));
    return fd;
  } catch (error) {
    closeQuietly(fd);
    quietly(() => rmSync(path));
    throw error;
  }
}

/**
 * Suffixes of the lock's name: of drafts, and of claims of processes that took over. Once the lock is taken, only the draft of
 * an earlier holder that still runs matters.
 */
const DRAFT = '.new';
const UNNAMED = 'unnamed';
const LEFT_OVER = new RegExp(`^(?:\\.(?:[0-9a-f]{12}|${UNNAMED}))+(?:\\${DRAFT})?$`);
const DRAFT_OF_HOLDER = new RegExp(`^\\.[0-9a-f]{12}\\${DRAFT}$`);

/**
 * Removes what killed processes have left, if that is allowed, except `own`, our draft. `now` is by the clock of the disk.
 * @returns an earlier holder that still runs
 */
function tidy(path: string, own: string, now: number, host: ProcessHost): string | undefined {
  const [folder, name] = [dirname(path), basename(path)];
  let former: string | undefined;
  quietly(() => {
    for (const entry of readdirSync(folder)) {
      const left = join(folder, entry);
      if (left === own || !entry.startsWith(name) || !LEFT_OVER.test(entry.slice(name.length))) continue;
      const runs = DRAFT_OF_HOLDER.test(entry.slice(name.length)) ? runningHolder(left, now, host) : undefined;
      former ??= runs;
      // A running process may be faster.
      if (!runs) quietly(() => rmSync(left));
    }
  });
  return former;
}
