/**
 * The folder of a list's kept reviews: which there are, and with which one a review is compared.
 */
import { readdirSync, rmdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../errors.ts';
import { ignoreErrors } from '../files/close-file.ts';
import { asFileError, shownPath, systemCode } from '../files/file-error.ts';
import { refuseUntrustedFolder } from '../files/file-trust.ts';
import { absolutePath } from '../files/identity.ts';
import { makeFolder } from '../files/make-folder.ts';
import { removeTemporariesIn } from '../files/temporaries.ts';
import { DAY_MS, SECOND_MS, timeIn } from '../text/when.ts';

export interface KeptFile {
  readonly name: string;
  readonly path: string;
  /** The second in its name, milliseconds since 1970. */
  readonly begun: number;
}

const NAME = /^(\d{4}-\d\d-\d\d)T(\d\d)(\d\d)(\d\d)Z\.jsonl(?:\.gz)?$/;

/** The name of a kept review without `.gz`, if it is packed. */
export const unpackedName = ({ name }: Pick<KeptFile, 'name'>): string => name.replace(/\.gz$/, '');

/**
 * The kept reviews in `folder` that began before `before`, the newest first; none where it does not
 * exist.
 */
export function keptFiles(folder: string, before = Number.POSITIVE_INFINITY): readonly KeptFile[] {
  return reviewNames(folder)
    .flatMap((name): KeptFile[] => {
      const [, day, hour, minute, second] = NAME.exec(name) ?? [];
      const begun = timeIn(`${day}T${hour}:${minute}:${second}Z`);
      return begun < before ? [{ name, path: join(folder, name), begun }] : [];
    })
    .sort((one, other) => other.begun - one.begun);
}

function reviewNames(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return [];
    if (systemCode(error) === 'ENOTDIR') throw notAFolder(folder);
    throw asFileError(error, `the folder ${shownPath(folder)} cannot be read`, { hint: 'make it readable' });
  }
}

/** Removes the temporary files of reviews that were killed; for the holder of the folder's lock. */
export const removeUnfinished = (folder: string, uid: number | undefined): void =>
  removeTemporariesIn(folder, (name) => NAME.test(name), uid);

const notAFolder = (folder: string) =>
  new UsageError(`${shownPath(folder)} is not a folder`, { hint: 'name a folder with --keep DIR' });

const ELSEWHERE = 'keep reviews elsewhere with --keep DIR';

/**
 * Makes the folder, for its owner alone.
 * @returns what removes it again, if it was made now and holds nothing
 * @throws UsageError when it is none; IoError when another user owns it, can write it or has put a
 * link on the way, or when it cannot be made
 */
export function makeKeepFolder(folder: string, uid: number | undefined): () => void {
  try {
    refuseUntrustedFolder(absolutePath(folder), { uid, elsewhere: ELSEWHERE });
    const isNew = makeFolder(folder);
    if (!statSync(folder).isDirectory()) throw notAFolder(folder);
    return () => void (isNew && ignoreErrors(() => rmdirSync(folder)));
  } catch (error) {
    if (['EEXIST', 'ENOTDIR'].includes(systemCode(error) ?? '')) throw notAFolder(folder);
    throw asFileError(error, `the folder ${shownPath(folder)} cannot be made`, {
      hint: `make its folder writable, or ${ELSEWHERE}`,
    });
  }
}

/**
 * The name of a review that begins at `begun`: of that second, or of the next one that no review
 * has. @throws IoError
 */
export function freeName(folder: string, begun: number): string {
  const taken = new Set(reviewNames(folder).map((name) => unpackedName({ name })));
  const nameAt = (at: number) => `${new Date(at).toISOString().slice(0, 19).replaceAll(':', '')}Z.jsonl`;
  let at = begun;
  while (taken.has(nameAt(at))) at += SECOND_MS;
  return nameAt(at);
}

/** What --since says: how long ago, or up to which moment; milliseconds. */
export type Since = { readonly ago: number } | { readonly until: number };

export const USUAL_SINCE: Since = { ago: 7 * DAY_MS };

/** The smallest share of the wanted age that will do. */
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
