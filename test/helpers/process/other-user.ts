/** A user without an entry in the password file, a home or a right to write. */
import { spawnSync } from 'node:child_process';
import { BINARY } from './binary.ts';

export const OTHER_USER = { uid: 54_321, gid: 54_321 };

/** Whether that user can be had here: it takes root, and a node and a tree that others can read. */
export function canBeOtherUser(): boolean {
  if (process.getuid?.() !== 0) return false;
  const script = 'test -x "$1" && test -r "$2"';
  return spawnSync('/bin/sh', ['-c', script, 'sh', process.execPath, BINARY], { ...OTHER_USER, cwd: '/' }).status === 0;
}
