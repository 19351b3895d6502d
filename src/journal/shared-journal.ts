/**
 * The journal of a run with several outputs is named after the first. Its header names the others in its folder, so that a run
 * with only one of them finds the journal and pays for nothing twice.
 */
import { constants, readdirSync, readSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { RiskcliError } from '../errors.ts';
import { closeQuietly } from '../files/close-file.ts';
import { absolutePath } from '../files/identity.ts';
import { openRegular } from './journal-file.ts';
import { parseHeader } from './journal-records.ts';

/** The `outputs` to name in the header of the journal at `path`: files in its folder after which it is not named. */
export function othersBeside(path: string, outputs: readonly string[]): readonly string[] {
  const isBeside = (output: string) => dirname(absolutePath(output)) === dirname(absolutePath(path));
  return outputs.filter((output) => isBeside(output) && `${output}.journal` !== path).map((output) => basename(output));
}

/** The journal in the folder of `output` whose header names it; undefined if there is none that can be trusted. */
export function journalNaming(output: string, uid: number | undefined): string | undefined {
  const folder = dirname(output);
  const paths = journalsIn(folder).map((name) => join(folder, name));
  return paths.find((path) => outputsIn(path, uid).includes(basename(output)));
}

function journalsIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.journal'))
      .sort();
  } catch {
    // A folder that cannot be listed is reported when the output is written there.
    return [];
  }
}

/** Longer than any header. */
const MAX_HEADER_BYTES = 64 * 1024;

function outputsIn(path: string, uid: number | undefined): readonly unknown[] {
  let fd: number | undefined;
  try {
    fd = openRegular({ path, uid }, constants.O_RDONLY);
    const bytes = Buffer.alloc(MAX_HEADER_BYTES);
    const [line = ''] = bytes.toString('utf8', 0, readSync(fd, bytes, 0, bytes.length, 0)).split('\n', 1);
    const { outputs } = parseHeader(line) ?? {};
    return Array.isArray(outputs) ? outputs : [];
  } catch (error) {
    // One that is not ours, or cannot be read, does not count.
    if (error instanceof RiskcliError || (error as NodeJS.ErrnoException).code !== undefined) return [];
    throw error;
  } finally {
    closeQuietly(fd);
  }
}
