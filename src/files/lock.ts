/**
 * A lock file that says who holds it, `pid start host/pid-space nonce`; node has no flock. It is
 * made with `wx`, so only one process succeeds. A lock whose holder is gone is taken over by
 * exactly one of the processes that find it. If they can see that the holder has ended, they take
 * it over at once. If they cannot, as from another host or container, they wait until the holder,
 * which rewrites its lock every few seconds, has been silent for a minute. A holder that can be
 * seen to run keeps its lock, however silent.
 *
 * Anybody can delete a lock, and the lock of a machine that was asleep may have been taken over. So
 * before it writes, a holder checks that the lock is still its own, and stops when it is not (as
 * restic does, internal/restic/lock.go).
 */
import { constants, existsSync, fstatSync, openSync, readSync, renameSync, rmSync, writeSync } from 'node:fs';
import type { Host } from '../context.ts';
import { IoError, LockedError } from '../errors.ts';
import { randomHex } from '../host/random.ts';
import { visible } from '../text/escape.ts';
import { closeQuietly, ignoreErrors } from './close-file.ts';
import { fileError, shownPath, systemCode } from './file-error.ts';
import { writeFully } from './fully.ts';
import { retryWhileInUse } from './in-use.ts';
import { type HolderHost, holderPlace, isVisible, processStart, UNKNOWN } from './lock-holder.ts';
import { openRegular } from './open-regular.ts';

export type LockHost = HolderHost & Pick<Host, 'monotonic' | 'sleep'>;

/** How often a holder rewrites its lock, milliseconds. */
const HEARTBEAT_MS = 5_000;
/** How long a check of the lock is valid, milliseconds: each answer asks for one. */
const CHECK_MS = 50;

/** A lock that this process holds. */
export class Lock {
  private isOurs = true;
  private checkedAt: number;
  private readonly heartbeat: NodeJS.Timeout;

  /**
   * @param own the text of the lock
   * @param madeAt when it was made, milliseconds since 1970, by the clock of the disk, which may be
   * a server's
   */
  constructor(
    private readonly path: string,
    readonly own: string,
    readonly madeAt: number,
    private readonly host: LockHost,
  ) {
    this.checkedAt = host.monotonic();
    this.heartbeat = setInterval(() => ignoreErrors(() => renewLock(path, own)), HEARTBEAT_MS).unref();
  }

  /** Whether it is still ours; a check up to `maxAgeMs` old counts. */
  isHeld(maxAgeMs = CHECK_MS): boolean {
    const { path, own, host } = this;
    if (!this.isOurs || host.monotonic() - this.checkedAt < maxAgeMs) return this.isOurs;
    this.checkedAt = host.monotonic();
    this.isOurs = isStillOurs(path, own);
    return this.isOurs;
  }

  /** @throws LockedError when it is not ours any more */
  check(maxAgeMs?: number): void {
    if (!this.isHeld(maxAgeMs)) throw lostError(this.path);
  }

  /**
   * Removes the lock file if it is still ours; if it cannot be removed, it is taken over later.
   * Never throws.
   */
  release(): void {
    clearInterval(this.heartbeat);
    if (this.isHeld(0)) ignoreErrors(() => rmSync(this.path));
  }
}

/** How often to try again while other locks appear and disappear. */
const TRIES = 100;

/**
 * Takes the lock at `path` without waiting.
 * @throws LockedError when another process holds it, IoError when the file cannot be made or read
 */
export function takeLock(path: string, host: LockHost): Promise<Lock> {
  return retryWhileInUse(() => takeLockOnce(path, host), host);
}

async function takeLockOnce(path: string, host: LockHost): Promise<Lock> {
  const own = `${host.pid} ${processStart(host.pid, host)} ${holderPlace(host)} ${randomHex(6)}`;
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const madeAt = createLock(path, own);
    if (madeAt !== undefined) {
      await removeAbandonedClaim(path, host);
      return new Lock(path, own, madeAt, host);
    }
    const found = await readWritten(path, host);
    const taken = found && (await takeOver(path, found, host));
    if (taken) return taken;
  }
  throw new IoError(`the lock ${shownPath(path)} cannot be created`, { hint: 'choose a file in another folder' });
}

/** @returns when it was made, by the clock of the disk; undefined when it is not ours */
function createLock(path: string, own: string): number | undefined {
  let fd: number | undefined;
  try {
    fd = openSync(path, 'wx', 0o600);
    writeFully(fd, own);
    const { mtimeMs } = fstatSync(fd);
    // If this process was halted before it wrote, another may have taken over the empty lock.
    return readLock(path)?.text === own ? mtimeMs : undefined;
  } catch (cause) {
    if (systemCode(cause) === 'EEXIST') return undefined;
    if (fd !== undefined) ignoreErrors(() => rmSync(path));
    if (cause instanceof IoError) throw cause;
    throw fileError(`the lock ${shownPath(path)} cannot be created`, {
      cause,
      hint: 'make its folder writable, or choose a file in another folder',
    });
  } finally {
    closeQuietly(fd);
  }
}

function isStillOurs(path: string, own: string): boolean {
  try {
    return readLock(path)?.text === own;
  } catch {
    // One call that fails, as on a network drive, must not end a run.
    return true;
  }
}

/**
 * Rewriting sets its time by the clock of the disk. A lock that is no longer ours is not touched.
 */
function renewLock(path: string, own: string): void {
  const fd = openSync(path, constants.O_RDWR | constants.O_NOFOLLOW);
  try {
    if (readLockText(fd) === own) writeSync(fd, own, 0);
  } finally {
    closeQuietly(fd);
  }
}

const lostError = (path: string) =>
  new LockedError(`the lock ${shownPath(path)} was deleted, replaced or taken over while this run held it`, {
    hint: 'answers up to then are kept; when no other run is using the journal, run the same command again to resume',
    isResumable: true,
  });

interface LockFile {
  readonly text: string;
  /** When its holder last rewrote it, by the clock of the disk, milliseconds since 1970. */
  readonly lastHeartbeat: number;
}

/** The longest lock, in bytes: a host name has 255 at most. */
const MAX_LOCK_BYTES = 512;

function readLock(path: string): LockFile | undefined {
  let fd: number | undefined;
  try {
    fd = openRegular(path);
    // The clock is that of the disk.
    return { text: readLockText(fd), lastHeartbeat: fstatSync(fd).mtimeMs };
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

function readLockText(fd: number): string {
  const bytes = Buffer.alloc(MAX_LOCK_BYTES);
  return bytes.toString('utf8', 0, readSync(fd, bytes, 0, MAX_LOCK_BYTES, 0));
}

/**
 * Takes over a lock whose holder is gone. Only one process at a time may do so: a slow one would
 * take the lock that a faster one has just taken. The claim to do so is a lock too, so that it can
 * be taken over in turn, and becomes the lock by its name.
 * @returns undefined when the lock has changed meanwhile
 * @throws LockedError when its holder may run
 */
async function takeOver(path: string, found: LockFile, host: LockHost): Promise<Lock | undefined> {
  const refusal = refusalToTake(path, found, host);
  if (refusal?.patienceMs === Number.POSITIVE_INFINITY) throw refusal.error;
  const claim = await takeLockOnce(`${path}.claim`, host);
  try {
    // A time in the future is from before the clock was set back.
    const silentMs = Math.abs(claim.madeAt - found.lastHeartbeat);
    if (refusal && silentMs <= refusal.patienceMs) throw refusal.error;
    const now = readLock(path);
    if (now?.text !== found.text || now.lastHeartbeat !== found.lastHeartbeat) return undefined;
    moveClaim(`${path}.claim`, path);
    return new Lock(path, claim.own, claim.madeAt, host);
  } finally {
    claim.release();
  }
}

/** Removes the claim of a process that was killed while it held one. */
async function removeAbandonedClaim(path: string, host: LockHost): Promise<void> {
  if (!existsSync(`${path}.claim`)) return;
  const claim = await takeLockOnce(`${path}.claim`, host).catch(() => undefined);
  claim?.release();
}

function moveClaim(claim: string, path: string): void {
  try {
    renameSync(claim, path);
  } catch (cause) {
    throw fileError(`the lock ${shownPath(path)}, which no run holds any more, cannot be taken over`, {
      cause,
      hint: 'make its folder writable, or delete it, and run the same command again',
      isResumable: true,
    });
  }
}

/** How long a holder that cannot be seen may be silent before it counts as gone, milliseconds. */
const STALE_MS = 60_000;

const HOLDER = /^(\d+) (\d+|-) (\S+) [0-9a-f]{12}$/;
/**
 * A lock that was not written to its end, because its maker was killed or the disk was full; NULs
 * are left by a power cut.
 */
const UNWRITTEN = /^(?:\d+(?: .*)?)?\0*$/;
const isUnwritten = ({ text }: LockFile) => UNWRITTEN.test(text) && !HOLDER.test(text);

/**
 * The pause between two looks at an unwritten lock, milliseconds. After ten of them it may be taken
 * over.
 */
const WRITING_MS = 10;

/** The lock when its maker has written it, or has had the time to. */
async function readWritten(path: string, host: LockHost): Promise<LockFile | undefined> {
  let found = readLock(path);
  for (let check = 0; found && isUnwritten(found) && check < 10; check++) {
    await host.sleep(WRITING_MS);
    found = readLock(path);
  }
  return found;
}

/**
 * Why it cannot be taken, unless its holder has been silent for longer than `patienceMs`; undefined
 * when the holder is seen to be gone.
 */
function refusalToTake(path: string, found: LockFile, host: LockHost) {
  if (isUnwritten(found)) return undefined;
  const [, pid, started, place = ''] = HOLDER.exec(found.text) ?? [];
  const refusal = (who: string, hint: string, patienceMs = Number.POSITIVE_INFINITY) => ({
    error: new LockedError(`${who} holds ${shownPath(path)}`, { hint, isResumable: true }),
    patienceMs,
  });
  const wait = 'wait until it ends, then run the same command again';
  const later =
    `${wait}; if it was killed, its lock is taken over after a minute: do not delete ` +
    `${shownPath(path)} while it may run`;
  if (pid === undefined) {
    const hint = `if nothing needs it, delete ${shownPath(path)} and run the same command again`;
    return refusal('something other than riskcli', hint);
  }
  if (isVisible(place, host)) {
    if (!host.isRunning(Number(pid))) return undefined;
    const now = processStart(Number(pid), host);
    if (now !== UNKNOWN && started !== UNKNOWN) {
      return now === started ? refusal(`another run (process ${pid})`, wait) : undefined;
    }
  }
  return refusal(`a run on host ${visible(place.split('/')[0] ?? '')} (process ${pid})`, later, STALE_MS);
}

/** The work of `withLock` takes milliseconds: a holder of 10 s is stuck. */
const PAUSE_MS = 25;
const ATTEMPTS = 400;

/**
 * Calls `work` under the lock at `path`, after waiting for other holders. A process may be halted
 * at any moment and lose its lock, so `work` gets the lock, to check it right before it replaces a
 * file.
 * @throws LockedError when another process keeps the lock, the reason of `host.signal` when aborted
 * first
 */
export async function withLock<T>(
  path: string,
  host: LockHost & Pick<Host, 'random' | 'signal'>,
  work: (lock: Lock) => T | Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const lock = await takeLock(path, host).catch((error: unknown) => {
      if (!(error instanceof LockedError) || attempt === ATTEMPTS) throw error;
      return undefined;
    });
    if (lock) {
      try {
        return await work(lock);
      } finally {
        lock.release();
      }
    }
    await host.sleep(PAUSE_MS * (0.5 + host.random()), host.signal());
  }
}
