/**
 * Where output goes: standard output, a device, or a file that is replaced in one step. A reader of the file sees the old
 * content or the whole new one, and a run that fails or is stopped leaves the old one unchanged.
 */
// node:fs loads its promises when they are first used, which takes 2 ms.
import { type BigIntStats, constants, promises as files, fstatSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Host } from '../context.ts';
import { IoError, ReaderGoneError } from '../errors.ts';
import { quoted } from '../secrets/withhold.ts';
import { type AtomicHost, type AtomicOptions, createAtomicFile } from './atomic-file.ts';
import { releaseFifo } from './close-file.ts';
import { systemCode, systemReason } from './file-error.ts';
import { isForeign } from './file-trust.ts';
import { isSameFile } from './identity.ts';
import { isReaderGone, openStdout, regularFile } from './stream.ts';

export interface Target {
  /** `-o` as typed, `-` for standard output. */
  readonly output: string;
  /** Whether what is written becomes visible only with `commit`. */
  readonly isReplacement: boolean;
  /** Writes text, or its UTF-8; resolves when more may be written, so that a slow reader slows the writer. */
  write(text: string | Uint8Array): Promise<void>;
  /** Syncs what was written, when all of it was. `commit` calls it if it was not called before. */
  sync(): Promise<void>;
  /** Puts the new content in place, safe against a power cut. */
  commit(): Promise<void>;
  /** Whether the new content of a replacement is in place. */
  readonly isInPlace?: boolean;
  /** Gives up: the old content stays. Harmless after `commit` and when called twice; never throws. */
  discard(): Promise<void>;
}

export interface TargetOptions {
  /** `-o` as typed; undefined and `-` are standard output. */
  readonly output?: string | undefined;
  /** Files that must not be written, such as the wallet list: paths, `-` for standard input, or descriptors. */
  readonly forbidden?: readonly (string | number)[];
  /** Permission bits of the new file; by default those of the old one, else what the umask leaves. */
  readonly mode?: number | undefined;
}

/** The signal ends the wait for the reader of a FIFO. */
export type TargetHost = Pick<Host, 'stdout' | 'signal' | 'uid'> & AtomicHost;

/** Opens the target, writes `text` and commits. @throws as its methods do */
export async function writeTarget(
  text: string,
  { host, ...options }: TargetOptions & { readonly host: TargetHost },
): Promise<void> {
  const target = await openTarget(options, host);
  try {
    await target.write(text);
    await target.commit();
  } finally {
    await target.discard();
  }
}

/**
 * Opens the target. All of its methods but `discard` throw, as this does, an IoError when the system refuses, and a
 * ReaderGoneError when the reader of a pipe has left.
 */
export async function openTarget(options: TargetOptions, host: TargetHost): Promise<Target> {
  const { output = '-', mode } = options;
  const found = await checkTarget(options, host);
  if (output === '-') return openStdout(host);
  if (found && isStream(found)) return openStream(output, found, found.isFIFO() ? host.signal() : undefined);
  return openReplacement(output, { host, mode });
}

/**
 * Checks that the target may be written; a run calls this before it makes anything.
 * @returns what is there now; undefined when nothing is
 * @throws IoError when it must not be written, or cannot be
 */
export async function checkTarget(
  { output = '-', forbidden = [] }: TargetOptions,
  { stdout, uid }: Pick<Host, 'stdout' | 'uid'>,
): Promise<BigIntStats | undefined> {
  if (output === '-') {
    const file = regularFile(stdout);
    // Output appended to the list that is being read would be read as input, endlessly.
    if (file !== undefined) await checkForbidden('standard output', fstatSync(file, { bigint: true }), forbidden);
    return undefined;
  }
  const found = await statTarget(output, uid);
  if (found && isStream(found)) return found;
  if (found) await checkReplaceable(output, found, forbidden);
  await files.access(dirname(output), constants.W_OK).catch((error: unknown) => {
    throw outputFault(output, error);
  });
  return found;
}

const isStream = (found: BigIntStats) => found.isFIFO() || found.isCharacterDevice() || found.isSocket();

/**
 * What is at `path`; undefined when nothing is. Follows a link only where the system provides streams as links.
 * @throws IoError for a FIFO of another user, who could read what is written, or block a run of root
 */
async function statTarget(path: string, uid: number | undefined): Promise<BigIntStats | undefined> {
  const found = await files.lstat(path, { bigint: true }).catch((error: unknown) => {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw outputFault(path, error);
  });
  if (found && (found.isFIFO() || found.isSocket()) && isForeign(found, uid)) {
    throw new IoError(`${quoted(path)} is a FIFO of another user`, { hint: 'move it away, or choose another file' });
  }
  if (!found?.isSymbolicLink() || !/^\/(dev|proc)\//.test(path) || isForeign(found, uid)) return found;
  const target = await files.stat(path, { bigint: true }).catch(() => undefined);
  return target && isStream(target) ? target : found;
}

async function checkReplaceable(
  path: string,
  found: BigIntStats,
  forbidden: readonly (string | number)[],
): Promise<void> {
  const refuse = (what: string, hint: string) => new IoError(`${quoted(path)} is ${what}`, { hint });
  if (found.isSymbolicLink()) throw refuse('a symbolic link', 'give the file it points to, or -o - for stdout');
  if (found.isDirectory()) throw refuse('a directory', 'give a file in it');
  if (!found.isFile()) throw refuse('not a regular file', 'choose another file');
  await checkForbidden(quoted(path), found, forbidden);
  await files.access(path, constants.W_OK).catch((error: unknown) => {
    throw outputFault(path, error);
  });
}

async function checkForbidden(
  name: string,
  found: BigIntStats,
  forbidden: readonly (string | number)[],
): Promise<void> {
  for (const other of forbidden) {
    const read = await statOf(other === '-' ? STDIN : other).catch(() => undefined);
    if (read && isSameFile(read, found)) {
      throw new IoError(`${name} is a file that this run reads`, { hint: 'write to another file' });
    }
  }
}

const STDIN = 0;

async function statOf(file: string | number): Promise<BigIntStats> {
  return typeof file === 'number' ? fstatSync(file, { bigint: true }) : files.stat(file, { bigint: true });
}

async function openStream(path: string, found: BigIntStats, signal: AbortSignal | undefined): Promise<Target> {
  const handle = await openToWrite(path, signal);
  if (!isSameFile(await handle.stat({ bigint: true }), found)) {
    await handle.close();
    throw new IoError(`${quoted(path)} was replaced while it was being opened`, { hint: 'choose another file' });
  }
  let closing: Promise<void> | undefined;
  const close = () => {
    closing ??= handle.close();
    return closing;
  };
  return {
    output: path,
    isReplacement: false,
    write: (text) =>
      handle.writeFile(text).catch((error: unknown) => {
        throw isReaderGone(error) ? new ReaderGoneError() : outputFault(path, error);
      }),
    sync: close,
    commit: close,
    discard: () => close().catch(() => {}),
  };
}

async function openToWrite(path: string, signal: AbortSignal | undefined): Promise<files.FileHandle> {
  signal?.throwIfAborted();
  let release = () => {};
  const stop = () => {
    release = releaseFifo(path);
  };
  signal?.addEventListener('abort', stop);
  // Without O_CREAT and O_TRUNC: something else may be there by now.
  const handle = await files
    .open(path, constants.O_WRONLY)
    .catch((error: unknown) => {
      throw outputFault(path, error);
    })
    .finally(() => {
      signal?.removeEventListener('abort', stop);
      release();
    });
  if (!signal?.aborted) return handle;
  await handle.close();
  throw signal.reason;
}

function openReplacement(path: string, options: AtomicOptions): Target {
  const guard = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      throw outputFault(path, error);
    }
  };
  const fail = (error: unknown) => {
    throw outputFault(path, error);
  };
  const file = guard(() => createAtomicFile(path, options));
  return {
    output: path,
    isReplacement: true,
    async write(text) {
      guard(() => file.write(text));
    },
    sync: () => file.sync().catch(fail),
    commit: () => file.commit().catch(fail),
    get isInPlace() {
      return file.isInPlace;
    },
    discard: async () => file.discard(),
  };
}

function outputFault(path: string, cause: unknown): IoError {
  const reason = systemCode(cause) === 'ENOENT' ? 'its folder does not exist' : systemReason(cause);
  return new IoError(`${quoted(path)} cannot be written: ${reason}`, {
    hint: 'fix this or choose another file, then run the same command again',
    isResumable: true,
    cause,
  });
}
