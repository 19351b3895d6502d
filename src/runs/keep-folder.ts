/** The folder of a list's kept reviews: which there are, and with which one a review is compared. */
import { readdirSync, rmdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { IoError, UsageError } from '../errors.ts';
import { quietly } from '../files/close-file.ts';
import { asFileError, shownPath, systemCode } from '../files/file-error.ts';
import { makeFolder } from '../files/make-folder.ts';
import { removeTemporariesIn } from '../files/temporaries.ts';
import { DAY_MS } from '../text/when.ts';

export interface KeptFile {
  readonly name: string;
  readonly path: string;
  /** The second in its name, milliseconds since 1970. */
  readonly begun: number;
}

const NAME = /^(\d{4}-\d\d-\d\d)T(\d\d)(\d\d)(\d\d)Z\.jsonl(?:\.gz)?$/;

/** The kept reviews in `folder` that began before `before`, the newest first; none where it does not exist. */
export function keptFiles(folder: string, before = Number.POSITIVE_INFINITY): readonly KeptFile[] {
  return namesIn(folder)
    .flatMap((name): KeptFile[] => {
      const [, day, hour, minute, second] = NAME.exec(name) ?? [];
      const begun = Date.parse(`${day}T${hour}:${minute}:${second}Z`);
      return begun < before ? [{ name, path: join(folder, name), begun }] : [];
    })
    .sort((one, other) => other.begun - one.begun);
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return [];
    if (systemCode(error) === 'ENOTDIR') throw notAFolder(folder);
    throw asFileError(error, `the folder ${shownPath(folder)} cannot be read`, { hint: 'make it readable' });
  }
}

/** Removes what killed reviews have left of files that were not whole; for the holder of the folder's lock. */
export const removeTorn = (folder: string, uid: number | undefined): void =>
  removeTemporariesIn(folder, (name) => NAME.test(name), uid);

const notAFolder = (folder: string) =>
  new UsageError(`${shownPath(folder)} is not a folder`, { hint: 'name a folder with --keep DIR' });

/**
 * Makes the folder, for its owner alone.
 * @returns what removes it again, if it was made now and holds nothing
 * @throws UsageError when it is none; IoError when another user's, or it cannot be made
 */
export function makeKeepFolder(folder: string, uid: number | undefined): () => void {
  try {
    const isNew = makeFolder(folder);
    const stats = statSync(folder);
    if (uid === undefined || stats.uid === uid || stats.uid === 0)
      return () => void (isNew && quietly(() => rmdirSync(folder)));
  } catch (error) {
    if (['EEXIST', 'ENOTDIR'].includes(systemCode(error) ?? '')) throw notAFolder(folder);
    throw asFileError(error, `the folder ${shownPath(folder)} cannot be made`, {
      hint: 'make its folder writable, or keep reviews elsewhere with --keep DIR',
    });
  }
  throw new IoError(`the folder ${shownPath(folder)} belongs to another user`, {
    hint: 'name another with --keep DIR',
  });
}

/** What --since says: how long ago, or up to which moment; milliseconds. */
export type Since = { readonly ago: number } | { readonly until: number };

export const USUAL_SINCE: Since = { ago: 7 * DAY_MS };

/** Of how much of the wanted age a review must at least be. */
const OLD_ENOUGH = 0.75;

/** The reviews with which one that begins at `now` may be compared, the best first. */
export function comparable(files: readonly KeptFile[], since: Since, now: number): readonly KeptFile[] {
  if ('until' in since) return files.filter(({ begun }) => begun <= since.until);
  const { ago } = since;
  const distance = ({ begun }: KeptFile) => Math.abs(now - begun - ago);
  return files
    .filter(({ begun }) => now - begun >= OLD_ENOUGH * ago)
    .sort((one, other) => distance(one) - distance(other));
}

const HOUR_MS = 3_600_000;

/** The --since that takes a review that began at `begun`: `3d`, `20h`, `5m`. */
export function sinceThatTakes(begun: number, now: number): string {
  const age = Math.max(now - begun, 60_000);
  if (age >= DAY_MS) return `${Math.round(age / DAY_MS)}d`;
  return age >= HOUR_MS ? `${Math.round(age / HOUR_MS)}h` : `${Math.round(age / 60_000)}m`;
}
