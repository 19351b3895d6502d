/**
 * Whether a file or folder can be trusted: only this user and root may be able to write it. Anyone
 * else could have put forged answers into it, or an address to send keys to.
 */
import { lstatSync, type Stats, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { IoError } from '../errors.ts';
import { fileError, shownPath } from './file-error.ts';

export interface TrustRules {
  /** From the descriptor if the file is open, so that nobody can exchange the file in between. */
  readonly stats: Stats;
  /**
   * The user who may own it, besides root; undefined, as on Windows, where modes say nothing
   * either, allows all.
   */
  readonly uid: number | undefined;
  /**
   * Whether members of its group may write a folder, true by default: files that they put there are
   * refused because of their owner.
   */
  readonly trustsGroup?: boolean;
  /** The other remedy when it belongs to another user: 'use RISKCLI_CONFIG_DIR'. */
  readonly alternative: string;
}

/** @throws IoError when another user can write what is at `path`, or owns it */
export function refuseUntrusted(path: string, rules: TrustRules): void {
  const { stats, uid, trustsGroup, alternative } = rules;
  if (isWritableByOthers(stats, uid, trustsGroup)) {
    throw new IoError(`${shownPath(path)} is writable by others (mode ${octal(stats.mode)})`, {
      hint: `check its contents and run chmod go-w on it; where its mode cannot be changed, ${alternative}`,
    });
  }
  refuseForeign(path, rules);
}

function refuseForeign(path: string, { stats, uid, alternative }: TrustRules): void {
  if (!isForeign(stats, uid)) return;
  throw new IoError(`${shownPath(path)} belongs to another user`, { hint: `change its owner, or ${alternative}` });
}

/**
 * Checks the folder at `path`, or the one in which it would be made. A symbolic link on the way
 * must have the same owners: another user could point theirs anywhere.
 * @throws IoError when another user owns it, can write it or has put a link on the way
 */
export function refuseUntrustedFolder(path: string, rules: Omit<TrustRules, 'stats'>): void {
  const way = ancestorsOf(path);
  for (const { path: step, stats } of way) {
    if (stats.isSymbolicLink()) refuseForeign(step, { ...rules, stats });
  }
  const last = way.at(-1)?.path ?? path;
  const stats = statIfThere(last, rules.alternative);
  if (!stats) return;
  if (last === path) refuseUntrusted(path, { ...rules, stats });
  else refuseForeign(last, { ...rules, stats });
}

function statIfThere(path: string, alternative: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (cause) {
    throw fileError(`${shownPath(path)} cannot be checked`, { cause, hint: `make it readable, or ${alternative}` });
  }
}

/** The existing folders on the way to `path`, from the root on, `path` included. */
function ancestorsOf(path: string): { readonly path: string; readonly stats: Stats }[] {
  const parent = dirname(path);
  const way = parent === path ? [] : ancestorsOf(parent);
  try {
    return [...way, { path, stats: lstatSync(path) }];
  } catch {
    // It is not there, is not a folder, or may not be read: opening or making the folder will
    // report that.
    return way;
  }
}

/**
 * Whether anyone but the user `uid` can write it. In a sticky folder (/tmp) nobody can replace our
 * files.
 */
export function isWritableByOthers(stats: Stats, uid: number | undefined, trustsGroup = true): boolean {
  if (uid === undefined) return false;
  const { mode } = stats;
  return stats.isDirectory() && trustsGroup ? (mode & 0o1002) === 0o0002 : (mode & 0o0022) !== 0;
}

/** Whether it belongs to neither `uid` nor root. */
export function isForeign(stats: { readonly uid: number | bigint }, uid: number | undefined): boolean {
  return uid !== undefined && ![uid, 0].includes(Number(stats.uid));
}

/** A mode as chmod takes it. */
export const octal = (mode: number) => (mode & 0o777).toString(8).padStart(4, '0');
