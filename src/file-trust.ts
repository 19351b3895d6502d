/**
 * Whether a file or folder can be believed: only this user, or root, must have been able to write it. Whoever else could
 * may have put forged answers into it, or an address to send keys to.
 */
import type { Stats } from 'node:fs';
import { IoError } from './errors.ts';
import { shownPath } from './file-error.ts';

export interface TrustRules {
  /** What was found; for a file that is open, of its descriptor, so that nobody can change it in between. */
  readonly stats: Stats;
  /** Whose it may be besides root's; undefined, as on Windows, leaves owners unjudged. */
  readonly uid: number | undefined;
  /** What else helps when it belongs to another user: 'use RISKCLI_CONFIG_DIR'. */
  readonly elsewhere: string;
}

/** @throws IoError when somebody else can write what is at `path`, or owns it. */
export function refuseUntrusted(path: string, { stats, uid, elsewhere }: TrustRules): void {
  refuseWritable(path, stats);
  if (isForeign(stats, uid)) {
    throw new IoError(`${shownPath(path)} belongs to another user`, { hint: `make it your own, or ${elsewhere}` });
  }
}

/** @throws IoError when others than its owner can write what is at `path`. */
export function refuseWritable(path: string, stats: Stats): void {
  if (!isWritable(stats)) return;
  throw new IoError(`${shownPath(path)} can be written by others (mode ${octal(stats.mode)})`, {
    hint: 'look at what it holds, then run chmod go-w on it',
  });
}

/**
 * Whether others can write it. A group that can write a folder can only put files of its own there, which are refused for
 * their owner; and in a sticky folder (/tmp) nobody can replace ours.
 */
export function isWritable(stats: Stats): boolean {
  return stats.isDirectory() ? (stats.mode & 0o1002) === 0o0002 : (stats.mode & 0o0022) !== 0;
}

/** Whether it belongs to neither `uid` nor root. */
export function isForeign(stats: Stats, uid: number | undefined): boolean {
  return uid !== undefined && stats.uid !== uid && stats.uid !== 0;
}

/** A mode as chmod takes it. */
export const octal = (mode: number) => (mode & 0o777).toString(8).padStart(4, '0');
