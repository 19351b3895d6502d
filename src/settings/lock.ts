/**
 * A lock file, for the moment in which one of several processes rewrites a file. It is taken by one hard link, so it
 * never exists without the name of its holder in it, and whoever is killed leaves a lock that exactly one other takes
 * over.
 */
import { randomBytes } from 'node:crypto';
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { kill } from 'node:process';
import type { Host } from '../context.ts';
import { IoError } from '../errors.ts';

type Waiter = Pick<Host, 'pid' | 'sleep' | 'random' | 'signal'>;

/** A holder writes within milliseconds: a lock that is held for 10 s is held by something that is stuck. */
const PAUSE_MS = 25;
const ATTEMPTS = 400;

/**
 * Calls `work` while the lock file at `path`, in an existing folder, is ours. `work` is synchronous: nothing is awaited
 * under the lock.
 * @throws IoError when somebody else keeps it, the reason of `context.signal` when aborted first.
 */
export async function withLock<T>(path: string, context: Waiter, work: () => T): Promise<T> {
  const me = ownIdentity(context.pid);
  for (let attempt = 1; !take(path, me); attempt++) {
    if (attempt === ATTEMPTS) {
      throw new IoError(`another program holds ${path}`, { hint: 'if no riskcli runs any more, delete that file' });
    }
    await context.sleep(PAUSE_MS * (0.5 + context.random()), context.signal);
  }
  try {
    return work();
  } finally {
    rmSync(path, { force: true });
  }
}

/** `pid start-time host nonce`: the nonce makes every taking another one. */
function ownIdentity(pid: number): string {
  return [pid, statusOf(pid)?.started ?? '-', hostname(), randomBytes(6).toString('hex')].join(' ');
}

/**
 * Whether the lock is now ours. A dead holder's lock is removed only by the owner of a second lock that bears the
 * nonce of the dead one, and only while the first is still that holder's; so of many who saw it dead one removes it,
 * and nobody removes a lock that was taken since.
 */
function take(path: string, me: string): boolean {
  const holder = read(path);
  if (holder === undefined) return create(path, me);
  if (mayLive(holder)) return false;
  const claim = `${path}.${holder.split(' ').at(-1)}`;
  if (!take(claim, me)) return false;
  if (read(path) === holder) rmSync(path);
  rmSync(claim, { force: true });
  return create(path, me);
}

function read(path: string): string | undefined {
  return unless(['ENOENT'], () => readFileSync(path, 'utf8'));
}

/** False when the lock exists already, or when its holder tidied away our draft. */
function create(path: string, me: string): boolean {
  const draft = `${path}.${randomBytes(6).toString('hex')}.new`;
  writeFileSync(draft, me, { flag: 'wx', mode: 0o600 });
  const made = unless(['EEXIST', 'ENOENT'], () => {
    linkSync(draft, path);
    return true;
  });
  rmSync(draft, { force: true });
  return made ?? false;
}

/** False only when the holder is known to be dead: its pid is free, or belongs to a process that started later. */
function mayLive(holder: string): boolean {
  const [pid, started, host, nonce] = holder.split(' ');
  if (!nonce || host !== hostname()) return true;
  if (unless(['ESRCH'], () => isRunning(Number(pid))) === undefined) return false;
  const status = statusOf(Number(pid));
  return !status || (!/[ZX]/.test(status.state) && (started === '-' || started === status.started));
}

function isRunning(pid: number): boolean {
  // EPERM: it runs, as another user.
  return unless(['EPERM'], () => kill(pid, 0)) ?? true;
}

/** State letter and start time in clock ticks since boot: proc_pid_stat(5); undefined where there is no /proc. */
function statusOf(pid: number): { readonly state: string; readonly started: string } | undefined {
  const text = unless(['ENOENT', 'ESRCH', 'EACCES'], () => readFileSync(`/proc/${pid}/stat`, 'utf8'));
  // The name of the program, in parentheses, may hold anything; state is field 3, start time field 22.
  const fields = text?.slice(text.lastIndexOf(')') + 2).split(' ');
  return fields && { state: fields[0] ?? '', started: fields[19] ?? '-' };
}

/** What `action` returns; undefined when it fails with one of `codes`. */
function unless<T>(codes: readonly string[], action: () => T): T | undefined {
  try {
    return action();
  } catch (error) {
    if (codes.includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
}
