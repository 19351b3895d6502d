/**
 * A lock file that says who holds it, `pid start-time host nonce`; node has no flock. It is a hard link to a file that
 * is already written, so it never exists without its holder's name. A lock left behind by a process that is gone is
 * taken over, by exactly one of those who find it.
 */
import { randomBytes } from 'node:crypto';
import { linkSync, lstatSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { kill } from 'node:process';
import type { Host } from './context.ts';
import { IoError, LockedError } from './errors.ts';
import { fileError, shownPath, systemCode } from './file-error.ts';
import { visible } from './output/escape.ts';

export interface Lock {
  /** Removes the lock file, if it is still ours. */
  release(): void;
}

/**
 * Takes the lock at `path`, at once or not at all.
 * @throws LockedError when somebody else holds it, IoError when the file cannot be made or read.
 */
export async function takeLock(path: string, host: Pick<Host, 'pid' | 'sleep'>): Promise<Lock> {
  const nonce = randomBytes(6).toString('hex');
  const own = `${host.pid} ${statusOf(host.pid)?.started ?? UNKNOWN} ${hostname()} ${nonce}`;
  for (;;) {
    if (make(path, { own, draft: `${path}.${nonce}.new` })) {
      removeLeftOvers(path);
      return { release: () => removeIf(path, own) };
    }
    const found = await readWritten(path, host);
    if (found === undefined) continue;
    if (found !== '') refuseUnlessGone(path, found);
    // Only one process at a time may remove this holder's lock: otherwise a slow one would remove the lock of whoever
    // was faster. The claim is a lock like any other, so it can be taken over too.
    const claim = await takeLock(`${path}.${found.slice(-nonce.length) || UNNAMED}`, host);
    try {
      removeIf(path, found);
    } finally {
      claim.release();
    }
  }
}

/** What is done under `withLock` takes milliseconds: who holds the lock for 10 s is stuck. */
const PAUSE_MS = 25;
const ATTEMPTS = 400;

/**
 * Calls `work` while the lock at `path` is ours, after waiting for others. `work` is synchronous: nothing is awaited
 * under the lock.
 * @throws IoError when somebody else keeps the lock, the reason of `host.signal` when aborted first.
 */
export async function withLock<T>(
  path: string,
  host: Pick<Host, 'pid' | 'sleep' | 'random' | 'signal'>,
  work: () => T,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const lock = await takeLock(path, host).catch((error: unknown) => {
      if (!(error instanceof LockedError)) throw error;
      if (attempt === ATTEMPTS) throw new IoError(error.message, { hint: error.hint, cause: error });
      return undefined;
    });
    if (lock) {
      try {
        return work();
      } finally {
        lock.release();
      }
    }
    await host.sleep(PAUSE_MS * (0.5 + host.random()), host.signal);
  }
}

const NEW_FILE = { flag: 'wx', mode: 0o600 } as const;

/** Whether the lock file was made and is ours. */
function make(path: string, { own, draft }: { readonly own: string; readonly draft: string }): boolean {
  try {
    writeFileSync(draft, own, NEW_FILE);
    try {
      linkSync(draft, path);
    } catch (error) {
      // ENOENT: whoever took the lock has tidied our draft away. Anything else: there are no hard links here (FAT, some
      // network drives), and the lock is empty for a moment.
      if (!['EEXIST', 'ENOENT'].includes(systemCode(error) ?? '')) writeFileSync(path, own, NEW_FILE);
    } finally {
      rmSync(draft, { force: true });
    }
  } catch (cause) {
    if (systemCode(cause) === 'EEXIST') return false;
    throw fileError(`the lock ${shownPath(path)} cannot be made`, {
      cause,
      hint: 'make its folder writable, or name a file in another one',
    });
  }
  // A process that sleeps while its lock is empty may be taken for dead.
  return read(path) === own;
}

/** Behind the lock's name: drafts, and the claims of those who took over. None of them matters once the lock is taken. */
const UNNAMED = 'unnamed';
const LEFT_OVER = new RegExp(`^\\.(?:[0-9a-f]{12}|${UNNAMED})(?:\\.|$)`);

/** Removes what processes that were killed have left, where that is allowed. */
function removeLeftOvers(path: string): void {
  const [folder, name] = [dirname(path), basename(path)];
  try {
    for (const entry of readdirSync(folder)) {
      if (entry.startsWith(name) && LEFT_OVER.test(entry.slice(name.length))) rmSync(join(folder, entry));
    }
  } catch {
    // A folder that may not be listed, or somebody who lives was faster.
  }
}

function read(path: string): string | undefined {
  try {
    // A dangling symbolic link would be neither there nor free, a FIFO would be read for ever.
    if (lstatSync(path, { throwIfNoEntry: false })?.isFile() === false) throw new Error('it is not a regular file');
    return readFileSync(path, 'utf8');
  } catch (cause) {
    if (systemCode(cause) === 'ENOENT') return undefined;
    throw fileError(`the lock ${shownPath(path)} cannot be read`, { cause, hint: 'delete it if no riskcli runs' });
  }
}

/** A lock that stays empty this long was made by a process that was killed, or by one whose power failed. */
const EMPTY_CHECKS = 10;
const EMPTY_CHECK_MS = 10;

/** The lock's text once there is one; '' when its maker did not get that far; undefined when it is gone. */
async function readWritten(path: string, host: Pick<Host, 'sleep'>): Promise<string | undefined> {
  let text = read(path);
  for (let check = 0; text === '' && check < EMPTY_CHECKS; check++) {
    await host.sleep(EMPTY_CHECK_MS);
    text = read(path);
  }
  return text;
}

function removeIf(path: string, text: string): void {
  if (read(path) === text) rmSync(path, { force: true });
}

/** @throws LockedError unless the holder is known to be gone: its pid is free, or a later process has it. */
function refuseUnlessGone(path: string, text: string): void {
  const [, pid = '', started = '', host] = /^(\d+) (\d+|-) (.+) [0-9a-f]{12}$/.exec(text) ?? [];
  if (host === hostname()) {
    if (!isRunning(Number(pid), started)) return;
    throw new LockedError(`another run (process ${pid}) holds ${shownPath(path)}`, {
      hint: 'wait until it has ended, then run the same command again',
    });
  }
  const holder =
    host === undefined ? 'something that is not riskcli' : `a run on host ${visible(host)} (process ${pid})`;
  throw new LockedError(`${holder} holds ${shownPath(path)}`, {
    hint: `if that run has ended, delete ${shownPath(path)} and run the same command again`,
  });
}

/** Stands for the start time where there is no /proc. */
const UNKNOWN = '-';

function isRunning(pid: number, started: string): boolean {
  try {
    kill(pid, 0);
  } catch (error) {
    // EPERM: it runs, as another user.
    if (systemCode(error) !== 'EPERM') return false;
  }
  const now = statusOf(pid);
  return !now || (!/[ZX]/.test(now.state) && (started === UNKNOWN || started === now.started));
}

/** State letter and start time in clock ticks since boot: fields 3 and 22 of proc_pid_stat(5). */
function statusOf(pid: number): { readonly state: string; readonly started: string } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The second field, the program's name in brackets, may itself hold spaces and brackets.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { state: fields[0] ?? '', started: fields[19] ?? UNKNOWN };
  } catch {
    return undefined;
  }
}
