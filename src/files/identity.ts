/**
 * Which file a name or a descriptor leads to, by device and inode: a name alone may be a link, or be spelled in another way
 * on a file system that knows no case. They are bigints, since those of Windows are beyond 2^53.
 */
import { type BigIntStats, fstatSync, lstatSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { Host } from '../context.ts';

export type Identity = Pick<BigIntStats, 'dev' | 'ino'>;

export const isSameFile = (a: Identity, b: Identity) => a.ino === b.ino && mayShareDevice(a.dev, b.dev);

/**
 * On Windows some versions of node tell no device, or 64 bits of it, by the name of a file, and 32 by its descriptor (libuv 1.49
 * and 1.50: its pull request 4698). The number of a file is told alike. Elsewhere no device is 0 or has more than 32 bits.
 */
function mayShareDevice(a: bigint, b: bigint): boolean {
  return a === 0n || b === 0n || BigInt.asUintN(32, a) === BigInt.asUintN(32, b);
}

/** Which file is open as `fd`. */
export const identityOf = (fd: number): Identity => fstatSync(fd, { bigint: true });

/** Whether `path` is still a name of the file that is open as `fd`: what else may be there is not ours to touch. */
export function pointsAt(path: string, fd: number): boolean {
  try {
    return isSameFile(lstatSync(path, { bigint: true }), identityOf(fd));
  } catch {
    return false;
  }
}

/**
 * The path of what `path` names, also where nothing is there yet. The file systems of macOS and Windows mostly take names that
 * differ in case, or in how an accent is composed, for one.
 */
export function canonicalPath(path: string, { platform }: Pick<Host, 'platform'>): string {
  const canonical = realPath(resolve(path));
  return platform === 'darwin' || platform === 'win32' ? canonical.normalize('NFC').toLowerCase() : canonical;
}

function realPath(absolute: string): string {
  try {
    return join(realpathSync(dirname(absolute)), basename(absolute));
  } catch {
    return absolute;
  }
}
