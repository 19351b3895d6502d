/**
 * Files that are part of the package, printed as they stand: pages, schemas, completion scripts.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { IoError } from '../errors.ts';
import { PACKAGE_ROOT } from '../version.ts';

/** @param path below the package's folder. @throws IoError when the file is missing */
export function readPackageFile(path: string): string {
  try {
    return readFileSync(join(PACKAGE_ROOT, path), 'utf8');
  } catch (cause) {
    throw new IoError(`${path} is missing from riskcli`, { hint: 'install riskcli again', cause });
  }
}
