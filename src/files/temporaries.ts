/**
 * Names of new files beside the files that they will replace, and the removal of those that killed
 * runs have left.
 */
import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, unlinkSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { randomHex } from '../host/random.ts';
import { ignoreErrors } from './close-file.ts';

/**
 * A longer name is replaced by a digest: the temporary's name must fit into the 255 bytes of most
 * file systems.
 */
const MAX_STEM_LENGTH = 50;

function stemOf(path: string): string {
  const name = basename(path);
  if ([...name].length <= MAX_STEM_LENGTH) return name;
  return createHash('sha256').update(name).digest('hex').slice(0, 16);
}

/**
 * `.NAME.RANDOM.tmp` beside `path`. It does not have the file's ending, since collectors read every
 * `*.prom` in a folder.
 */
export const temporaryPath = (path: string): string => join(dirname(path), `.${stemOf(path)}.${randomHex(8)}.tmp`);

/** conf appends a suffix of its own. */
const TEMPORARY = /^\.(.+)\.[0-9a-f]{16}\.tmp(?:\.tmp-[0-9a-f]+)?$/;

/**
 * Removes the temporaries of `path` that killed runs have left; for the holder of the lock under
 * which they are made.
 */
export function removeTemporaries(path: string, uid: number | undefined): void {
  const stem = stemOf(path);
  removeTemporariesIn(dirname(path), (name) => name === stem, uid);
}

/**
 * The same for all files of `folder` whose names are ours: only regular files that belong to the
 * user `uid`.
 */
export function removeTemporariesIn(folder: string, isOurs: (name: string) => boolean, uid: number | undefined): void {
  ignoreErrors(() => {
    for (const name of readdirSync(folder)) {
      const [, of] = TEMPORARY.exec(name) ?? [];
      if (of === undefined || !isOurs(of)) continue;
      const left = join(folder, name);
      const found = lstatSync(left, { throwIfNoEntry: false });
      if (found?.isFile() && (uid === undefined || found.uid === uid)) ignoreErrors(() => unlinkSync(left));
    }
  });
}
