/** The folder of a list's kept reviews: which there are, and the name of the next one. */
import { lstatSync, readdirSync, rmdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../errors.ts';
import { ignoreErrors } from '../files/close-file.ts';
import { asFileError, shownPath, systemCode } from '../files/file-error.ts';
import { refuseUntrustedFolder } from '../files/file-trust.ts';
import { absolutePath } from '../files/identity.ts';
import { makeFolder } from '../files/make-folder.ts';
import { removeTemporariesIn } from '../files/temporaries.ts';
import { SECOND_MS, timeIn } from '../text/when.ts';

export interface KeptFile {
  readonly name: string;
  readonly path: string;
  /** The second in its name, milliseconds since 1970. */
  readonly started: number;
}

const NAME = /^(\d{4}-\d\d-\d\d)T(\d\d)(\d\d)(\d\d)Z\.jsonl(?:\.gz)?$/;

/** The name of a kept review without `.gz`, if it is packed. */
export const unpackedName = ({ name }: Pick<KeptFile, 'name'>): string => name.replace(/\.gz$/, '');

/** The kept reviews in `folder`, the newest first; none if it does not exist. */
export function keptFiles(folder: string): readonly KeptFile[] {
  return reviewNames(folder)
    .flatMap((name): KeptFile[] => {
      const [, day, hour, minute, second] = NAME.exec(name) ?? [];
      // NaN for any other name, too.
      const started = timeIn(`${day}T${hour}:${minute}:${second}Z`);
      return Number.isNaN(started) ? [] : [{ name, path: join(folder, name), started }];
    })
    .sort((one, other) => other.started - one.started);
}

function reviewNames(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    // A link to a folder that is gone, as on an unmounted disk, must not pass for an empty folder.
    if (systemCode(error) === 'ENOENT' && !lstatSync(folder, { throwIfNoEntry: false })) return [];
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
 * @throws UsageError when it is not a folder; IoError when another user owns it, can write to it or
 * has put a link on the way, or when it cannot be made
 */
export function createReviewFolder(folder: string, uid: number | undefined): () => void {
  try {
    refuseUntrustedFolder(absolutePath(folder), { uid, alternative: ELSEWHERE });
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
 * The name of a review that started at `started`: of that second, or of the next one that no review
 * has. @throws IoError
 */
export function freeName(folder: string, started: number): string {
  const taken = new Set(reviewNames(folder).map((name) => unpackedName({ name })));
  const nameAt = (at: number) => `${new Date(at).toISOString().slice(0, 19).replaceAll(':', '')}Z.jsonl`;
  let at = started;
  while (taken.has(nameAt(at))) at += SECOND_MS;
  return nameAt(at);
}
