/**
 * What riskcli remembers of a key between runs: its limit as last seen, and how many requests this machine has sent in the UTC
 * month. It may be deleted at any time, and is silently skipped where it cannot be written. The limit is a small file, written in
 * one call; the last run wins. request-count.ts counts the requests.
 */
import { createHash } from 'node:crypto';
import { constants, fstatSync, ftruncateSync, openSync, readFileSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Host } from '../context.ts';
import { closeQuietly } from '../files/close-file.ts';
import { believableLimit, believableRemaining, MAX_RESET_MS } from '../service/pacing/rate-limit.ts';
import { makeOwnFolder, refuseForeignFolder, stateFolder } from '../settings/folders.ts';
import { once } from '../settings/once.ts';
import { RequestCount, type StateFolder, sizeOf } from './request-count.ts';

/** The limit as an answer reported it; times in milliseconds since 1970. */
export interface LearnedLimit {
  /** Requests a second. */
  readonly limit: number;
  readonly remaining?: number;
  readonly resetAt?: number;
  readonly learnedAt: number;
}

export type KeyState = ReturnType<typeof openKeyState>;

type StateHost = Pick<Host, 'env' | 'home' | 'platform' | 'uid' | 'now'>;

/** Opens no file until a method is called. `origin` is the service's (RFC 6454). */
export function openKeyState(host: StateHost, { key, origin }: { readonly key: string; readonly origin: string }) {
  const name = once(() => keyName(key, origin));
  const folder = openFolder(host);
  const count = new RequestCount(folder, host.now, () => `requests-${name()}`);
  const limit = openLimit(folder, () => `limit-${name()}.json`);
  return {
    /** The limit that an earlier run has learned; undefined when none has, or the file is not valid. */
    learned: limit.read,
    /** Requests sent with this key from this machine in the current UTC month, those of this run included. */
    sentThisMonth: () => count.read(),
    reserve: (allowed?: number) => count.reserve(allowed),
    /** Remembers the newest limit. The first one is written at once, the last one by `close`. */
    learn: limit.learn,
    close(): void {
      count.close();
      limit.write();
    },
  };
}

function openFolder(host: StateHost): StateFolder {
  const folder = once(() => usableStateFolder(host));
  const make = once((): void => {
    const own = folder();
    if (own !== undefined) makeOwnFolder(own, host);
  });
  let isUsable = true;
  return {
    path(file) {
      const own = folder();
      return own === undefined ? undefined : join(own, file);
    },
    quietly(write) {
      const own = folder();
      if (!isUsable || own === undefined) return;
      try {
        make();
        write(own);
      } catch {
        isUsable = false;
      }
    },
  };
}

/**
 * The state folder; undefined if another user could have put files or links into it, a group that can write it included: so its
 * files need not be checked one by one.
 */
export function usableStateFolder(host: Omit<StateHost, 'now'>): string | undefined {
  const folder = stateFolder(host);
  if (folder === undefined || host.platform === 'win32') return folder;
  try {
    refuseForeignFolder(folder, host);
    const { mode = 0 } = statSync(folder, { throwIfNoEntry: false }) ?? {};
    return mode & 0o022 ? undefined : folder;
  } catch {
    return undefined;
  }
}

function openLimit(folder: StateFolder, name: () => string) {
  let newest: LearnedLimit | undefined;
  let written: LearnedLimit | undefined;
  const path = () => folder.path(name());
  function write(): void {
    const target = path();
    if (!newest || newest === written || !target) return;
    const text = JSON.stringify(newest);
    written = newest;
    folder.quietly(() => writeLimit(target, text));
  }
  return {
    read: (): LearnedLimit | undefined => newest ?? readLimit(path()),
    learn(limit: LearnedLimit): void {
      newest = limit;
      if (!written) write();
    },
    write,
  };
}

/** A name that is unique to this key and reveals nothing about it: 128 bits of SHA-3, which needs no HMAC. */
function keyName(key: string, origin: string): string {
  return createHash('sha3-256').update(`riskcli ${origin} ${key}`).digest('hex').slice(0, 32);
}

/** The length of every file with a limit: so a short limit leaves nothing of a longer one, and other lengths are not valid. */
const LIMIT_BYTES = 256;

/**
 * Overwrites the file in one call: a reader finds the old limit, the new one, or after a crash something invalid. An atomic
 * replacement would cost a run with one request more than everything else it writes.
 */
function writeLimit(path: string, text: string): void {
  const { O_CREAT, O_WRONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  const fd = openSync(path, O_CREAT | O_WRONLY | O_NOFOLLOW | O_NONBLOCK, 0o600);
  try {
    if (!fstatSync(fd).isFile()) return;
    writeSync(fd, `${text.padEnd(LIMIT_BYTES - 1)}\n`);
    ftruncateSync(fd, LIMIT_BYTES);
  } finally {
    closeQuietly(fd);
  }
}

function readLimit(path: string | undefined): LearnedLimit | undefined {
  const size = sizeOf(path);
  if (path === undefined || size !== LIMIT_BYTES) return undefined;
  try {
    const { limit, remaining, resetAt, learnedAt }: Readonly<Record<string, unknown>> =
      JSON.parse(readFileSync(path, 'utf8')) ?? {};
    if (!isAmount(limit) || believableLimit(limit) === undefined || !isAmount(learnedAt)) return undefined;
    return {
      limit,
      learnedAt,
      ...(isAmount(remaining) && believableRemaining(remaining, limit) !== undefined && { remaining }),
      ...(isAmount(resetAt) && resetAt - learnedAt <= MAX_RESET_MS && { resetAt }),
    };
  } catch {
    return undefined;
  }
}

/** Whether `value` can be a number of requests or a time. */
function isAmount(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= 8.64e15;
}
