/**
 * The only way in which a folder is made: one level after another. Node's recursive mkdir loops for
 * ever, and lets no signal through, if no folder can be made below one that exists: in /proc, on a
 * stale mount, in a deleted working directory.
 */
import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes `path` and what is missing above it, for this user alone.
 * @returns whether `path` was made now
 * @throws the system's error
 */
export function makeFolder(path: string): boolean {
  if (isFolder(path)) return false;
  const parent = dirname(path);
  if (parent !== path) makeFolder(parent);
  try {
    mkdirSync(path, { mode: 0o700 });
    return true;
  } catch (error) {
    // Another process may have made it meanwhile.
    if (isFolder(path)) return false;
    throw error;
  }
}

const isFolder = (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
