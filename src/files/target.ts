/**
 * The target of output: standard output, or a file that is replaced in one step. A reader of the
 * file sees the old content or the whole new one, and a run that fails or is stopped leaves the old
 * one unchanged.
 */
// node:fs loads its promises when they are first used, which takes 2 ms.
import { type BigIntStats, constants, promises as files, fstatSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Host } from '../context.ts';
import { IoError } from '../errors.ts';
import { quoted } from '../secrets/redact.ts';
import { type AtomicHost, createAtomicFile } from './atomic-file.ts';
import { systemCode, systemReason } from './file-error.ts';
import { canonicalPath, isSameFile } from './identity.ts';
import { regularFile, writeTo } from './stream.ts';

/** An AtomicFile is one. */
export interface Target {
  /** Resolves when more may be written, so that a slow reader slows the writer. */
  write(text: string | Uint8Array): Promise<void> | undefined;
  /** Puts the new content in place, safe against a power cut. */
  commit(): Promise<void>;
  /**
   * Gives up, so the old content stays. Harmless after `commit` and when called twice; never
   * throws.
   */
  discard(): void;
}

/** Paths, `-` for standard input, or descriptors. */
type Forbidden = readonly (string | number)[];

export interface TargetOptions {
  /** `-o` as typed; undefined and `-` are standard output. */
  readonly output?: string | undefined;
  /** Files that must not be written, such as the wallet list. */
  readonly forbidden?: Forbidden;
  /**
   * Permission bits of the new file; by default those of the old one, else what the umask leaves.
   */
  readonly mode?: number | undefined;
}

export type TargetHost = Pick<Host, 'stdout'> & AtomicHost;

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
    target.discard();
  }
}

/**
 * Opens the target. All of its methods but `discard` throw, as this does, an IoError when the
 * system refuses, and a ReaderGoneError when the reader of standard output has left.
 */
export async function openTarget(options: TargetOptions, host: TargetHost): Promise<Target> {
  const { output = '-', mode } = options;
  await checkTarget(options, host);
  if (output !== '-') return createAtomicFile(output, { host, mode, fault: (cause) => outputFault(output, cause) });
  return { write: writeTo(host.stdout), commit: async () => {}, discard() {} };
}

/**
 * Checks that the target may be written; a run calls this before it makes anything.
 * @returns what is there now; undefined when nothing is
 * @throws IoError when it must not be written, or cannot be
 */
export async function checkTarget(
  { output = '-', forbidden = [] }: TargetOptions,
  { stdout, platform }: Pick<Host, 'stdout' | 'platform'>,
): Promise<BigIntStats | undefined> {
  if (output === '-') {
    const file = regularFile(stdout);
    // Output appended to the list that is being read would be read as input, endlessly.
    if (file !== undefined) await checkForbidden('standard output', fstatSync(file, { bigint: true }), forbidden);
    return undefined;
  }
  const found = await files.lstat(output, { bigint: true }).catch((error: unknown) => {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw outputFault(output, error);
  });
  if (found) await checkReplaceable(output, found, forbidden);
  else checkNotMade(output, forbidden, platform);
  await files.access(dirname(output), constants.W_OK).catch((error: unknown) => {
    throw outputFault(output, error);
  });
  return found;
}

async function checkReplaceable(path: string, found: BigIntStats, forbidden: Forbidden): Promise<void> {
  const refuse = (what: string, hint: string) => new IoError(`${quoted(path)} is ${what}`, { hint });
  if (found.isSymbolicLink()) throw refuse('a symbolic link', 'give the file it points to, or -o - for stdout');
  if (found.isDirectory()) throw refuse('a directory', 'give a file in it');
  if (!found.isFile()) throw refuse('not a regular file', 'give another name, or -o - for stdout');
  await checkForbidden(quoted(path), found, forbidden);
  await files.access(path, constants.W_OK).catch((error: unknown) => {
    throw outputFault(path, error);
  });
}

async function checkForbidden(name: string, found: BigIntStats, forbidden: Forbidden): Promise<void> {
  for (const other of forbidden) {
    const read = await statInput(other === '-' ? STDIN : other).catch(() => undefined);
    if (read && isSameFile(read, found)) throw forbiddenError(name);
  }
}

/** Like checkForbidden, for a file that the run has not made yet: its journal. */
function checkNotMade(path: string, forbidden: Forbidden, platform: Host['platform']): void {
  const canonical = canonicalPath(path, { platform });
  for (const other of forbidden) {
    if (typeof other !== 'string' || other === '-') continue;
    if (canonicalPath(other, { platform }) === canonical) throw forbiddenError(quoted(path));
  }
}

const forbiddenError = (name: string) =>
  new IoError(`${name} is a file that this run reads`, { hint: 'write to another file' });

const STDIN = 0;

async function statInput(file: string | number): Promise<BigIntStats> {
  return typeof file === 'number' ? fstatSync(file, { bigint: true }) : files.stat(file, { bigint: true });
}

function outputFault(path: string, cause: unknown): IoError {
  const reason = systemCode(cause) === 'ENOENT' ? 'its folder does not exist' : systemReason(cause);
  return new IoError(`${quoted(path)} cannot be written: ${reason}`, {
    hint: 'fix this or choose another file, then run the same command again',
    isResumable: true,
    cause,
  });
}
