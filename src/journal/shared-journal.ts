/**
 * The journal of a run with several outputs is named after the first. Its header names the others in its folder, so that a run
 * with one of them alone finds it and pays for nothing twice.
 */
import { constants, readdirSync, readSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { RiskcliError } from '../errors.ts';
import { closeQuietly } from '../files/close-file.ts';
import { openRegular } from './journal-file.ts';
import { parseHeader } from './journal-records.ts';

/** What the header of the journal at `path` says of `outputs`, which are files: those in its folder that it is not named after. */
export function othersBeside(path: string, outputs: readonly string[]): readonly string[] {
  const isBeside = (output: string) => dirname(resolve(output)) === dirname(resolve(path));
  return outputs.filter((output) => isBeside(output) && `${output}.journal` !== path).map((output) => basename(output));
}

/** The journal in the folder of `output` whose header names it; undefined where there is none that can be believed. */
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

/** No header is longer. */
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
    // One that is not ours, or cannot be read, belongs to nobody's output.
    if (error instanceof RiskcliError || (error as NodeJS.ErrnoException).code !== undefined) return [];
    throw error;
  } finally {
    closeQuietly(fd);
  }
}
