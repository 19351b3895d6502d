/**
 * Which file a name or a descriptor refers to, by device and inode: a name may be a link, or be
 * spelled differently on a file system that ignores case. They are bigints, since those of Windows
 * exceed 2^53.
 */
import { type BigIntStats, fstatSync, lstatSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { Host } from '../context.ts';
import { IoError } from '../errors.ts';
import { shownPath } from './file-error.ts';

export type Identity = Pick<BigIntStats, 'dev' | 'ino'>;

/**
 * On Windows some versions of node give no device, or 64 bits of it, for the name of a file, and 32
 * for its descriptor (libuv 1.49 and 1.50, pull request 4698). Elsewhere no device is 0 or has more
 * than 32 bits.
 */
export const isSameFile = (a: Identity, b: Identity) =>
  a.ino === b.ino && (a.dev === 0n || b.dev === 0n || BigInt.asUintN(32, a.dev) === BigInt.asUintN(32, b.dev));

/** The identity of the file that is open as `fd`. */
export const identityOf = (fd: number): Identity => fstatSync(fd, { bigint: true });

/**
 * Whether `path` still names the file that is open as `fd`: another file there must not be touched.
 */
export function pointsAt(path: string, fd: number): boolean {
  try {
    return isSameFile(lstatSync(path, { bigint: true }), identityOf(fd));
  } catch {
    return false;
  }
}

/**
 * `path` from the root on. Throws an IoError where it is relative and the current folder has been
 * deleted.
 */
export function absolutePath(path: string): string {
  try {
    return resolve(path);
  } catch (cause) {
    const hint = 'change to another folder, or give absolute paths';
    throw new IoError(`${shownPath(path)} cannot be found: the current folder has been deleted`, { cause, hint });
  }
}

/**
 * The canonical path of `path`, also when nothing is there yet. Most file systems of macOS and
 * Windows ignore case, and how an accent is composed.
 */
export function canonicalPath(path: string, { platform }: Pick<Host, 'platform'>): string {
  let canonical = absolutePath(path);
  try {
    canonical = join(realpathSync(dirname(canonical)), basename(canonical));
  } catch {
    // Its folder is not there.
  }
  return platform === 'darwin' || platform === 'win32' ? canonical.normalize('NFC').toLowerCase() : canonical;
}
