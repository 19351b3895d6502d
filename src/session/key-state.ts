/**
 * What riskcli learns of a key between runs: its limit as last seen, and how many requests this machine has sent in the
 * UTC month. Nothing here is needed: it may be deleted at any time, and where it cannot be written nobody is told.
 * The limit is one small file, written in one go; the last wins. What was sent is counted in request-count.ts.
 */
import { constants, fstatSync, ftruncateSync, openSync, readFileSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { sha3_256 } from '@noble/hashes/sha3.js';
import type { Host } from '../context.ts';
import { closeQuietly } from '../files/close-file.ts';
import { believableLimit, believableRemaining, MAX_RESET_MS } from '../service/pacing/rate-limit.ts';
import { makeOwnFolder, refuseForeignFolder, stateFolder } from '../settings/folders.ts';
import { once } from '../settings/once.ts';
import { RequestCount, type StateFolder, sizeOf } from './request-count.ts';

/** The limit as one answer told it; times in milliseconds since 1970. */
export interface LearnedLimit {
  /** Requests a second. */
  readonly limit: number;
  readonly remaining?: number;
  readonly resetAt?: number;
  readonly learnedAt: number;
}

export type KeyState = ReturnType<typeof openKeyState>;

type StateHost = Pick<Host, 'env' | 'home' | 'platform' | 'uid' | 'now'>;

/** Opens no file before it is asked for something. `origin` is the service's (RFC 6454). */
export function openKeyState(host: StateHost, { key, origin }: { readonly key: string; readonly origin: string }) {
  const name = once(() => keyName(key, origin));
  const folder = openFolder(host);
  const count = new RequestCount(folder, host.now, () => `requests-${name()}`);
  const limit = openLimit(folder, () => `limit-${name()}.json`);
  return {
    /** The limit as an earlier run learned it; undefined when none did, or the file is not what riskcli writes. */
    learned: limit.read,
    /** Requests sent with this key from this machine in the UTC month of now, those of this run included. */
    sentThisMonth: () => count.read(),
    reserve: (allowed?: number) => count.reserve(allowed),
    /** Keeps what an answer told, the newest only. The first one is written at once, the last one by `close`. */
    learn: limit.learn,
    close(): void {
      count.close();
      limit.write();
    },
  };
}

function openFolder(host: StateHost): StateFolder {
  const folder = once(() => ownFolder(host));
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
 * The state folder; undefined where somebody else could have put files into it, or links. riskcli makes it for one user: a
 * group that can write it is too much already, and then its files need not be judged one by one.
 */
function ownFolder(host: StateHost): string | undefined {
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

/**
 * A name that only this key has, and that tells nothing about it: 128 bits of SHA-3, which needs no HMAC around it. It is
 * not node's own, since node:crypto takes 4 ms to load.
 */
function keyName(key: string, origin: string): string {
  const hash = sha3_256(Buffer.from(`riskcli ${origin} ${key}`));
  return Buffer.from(hash).toString('hex', 0, 16);
}

/** Every limit takes as many bytes, so that a short one leaves nothing of a longer one; riskcli writes no other length. */
const LIMIT_BYTES = 256;

/**
 * In host, by one call: a reader finds the old, the new, or after a crash what it does not believe. A new file to be put in
 * its place would cost a run with one request more than all else that it leaves behind.
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

/** Fit for a number of requests and for a date. */
function isAmount(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= 8.64e15;
}
