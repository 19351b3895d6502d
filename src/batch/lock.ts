/**
 * A lock file, made with O_EXCL, that says who holds it: process, when that process started, host. Node has no flock.
 * A lock left behind by a process that is gone is taken over, by exactly one of those who find it.
 */
import { readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { kill } from 'node:process';
import type { Host } from '../context.ts';
import { LockedError } from '../errors.ts';
import { visible } from '../output/escape.ts';
import { fileError, shownPath, systemCode } from './file-error.ts';

export interface Lock {
  /** Removes the lock file, if it is still ours. */
  release(): void;
}

interface Holder {
  readonly pid: number;
  /** Start of the process in clock ticks since boot, null where there is no /proc: tells a reused pid. */
  readonly started: string | null;
  readonly host: string;
}

/** A lock is written right after it is made; one that stays empty this long was made by a process killed in between. */
const EMPTY_CHECKS = 10;
const EMPTY_CHECK_MS = 10;

/**
 * Takes the lock at `path`, at once or not at all.
 * @throws LockedError when another process holds it, IoError when the file cannot be made.
 */
export async function acquireLock(path: string, host: Pick<Host, 'pid' | 'sleep'>): Promise<Lock> {
  const own = JSON.stringify({ pid: host.pid, started: startOf(host.pid)?.ticks ?? null, host: hostname() });
  for (;;) {
    if (make(path, own)) return { release: () => remove(path, own) };
    const found = await readWritten(path, host);
    if (found === undefined) continue;
    const holder = found === '' ? undefined : readHolder(found);
    if (found !== '' && (!holder || holder.host !== hostname())) throw foreign(path, holder);
    if (holder && isAlive(holder)) throw held(path, holder);
    // Only one process at a time may remove a lock, and only the very one it found stale: otherwise a slow process
    // would remove the lock of whoever was faster. The guard is a lock like any other, so it can be taken over too.
    const guard = await acquireLock(`${path}.takeover`, host);
    try {
      remove(path, found);
    } finally {
      guard.release();
    }
  }
}

/** Whether the lock file was made and is ours: a process that slept after making it may have been taken for dead. */
function make(path: string, own: string): boolean {
  try {
    writeFileSync(path, own, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false;
    throw fileError(`the lock ${shownPath(path)} could not be made`, {
      cause: error,
      hint: 'name a file in a folder that can be written',
    });
  }
  return read(path) === own;
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw fileError(`the lock ${shownPath(path)} could not be read`, {
      cause: error,
      hint: 'delete it if no other run uses it',
    });
  }
}

/** The lock's text once there is one; '' when its maker did not get that far; undefined when it is gone. */
async function readWritten(path: string, host: Pick<Host, 'sleep'>): Promise<string | undefined> {
  let text = read(path);
  for (let check = 0; text === '' && check < EMPTY_CHECKS; check++) {
    await host.sleep(EMPTY_CHECK_MS);
    text = read(path);
  }
  return text;
}

function remove(path: string, text: string): void {
  if (read(path) === text) unlinkSync(path);
}

function readHolder(text: string): Holder | undefined {
  try {
    const { pid, started, host } = JSON.parse(text) as Partial<Holder>;
    return Number.isInteger(pid) && typeof host === 'string'
      ? { pid: Number(pid), started: started ?? null, host }
      : undefined;
  } catch {
    return undefined;
  }
}

function isAlive(holder: Holder): boolean {
  try {
    kill(holder.pid, 0);
  } catch (error) {
    if (systemCode(error) !== 'EPERM') return false;
  }
  const now = startOf(holder.pid);
  if (!now) return true;
  return now.state !== 'Z' && (holder.started === null || holder.started === now.ticks);
}

/** Fields 3 (state) and 22 (start time) of proc_pid_stat(5); the second field may itself hold spaces and brackets. */
function startOf(pid: number): { readonly state: string; readonly ticks: string } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { state: fields[0] ?? '', ticks: fields[19] ?? '' };
  } catch {
    return undefined;
  }
}

function held(path: string, holder: Holder): LockedError {
  return new LockedError(`another run (process ${holder.pid}) holds ${shownPath(path)}`, {
    hint: 'wait until it has ended, then run the same command again',
  });
}

function foreign(path: string, holder: Holder | undefined): LockedError {
  const by = holder ? `a run on host ${visible(holder.host)} (process ${holder.pid})` : 'something that is not riskcli';
  return new LockedError(`${by} holds ${shownPath(path)}`, {
    hint: `if that run has ended, delete ${shownPath(path)} and run the same command again`,
  });
}
