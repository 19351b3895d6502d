/** Temporary files that no name leads to: they are gone with the process, whatever ends it, and nobody else can open them. */
import { mkdtempSync, openSync, rmdirSync, rmSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { Host } from '../context.ts';
import { fileError } from './file-error.ts';

export interface TemporaryFile {
  /** Open for reading and appending. */
  readonly fd: number;
  /** What the file is called in messages. */
  readonly name: string;
  readonly hint: string;
}

/**
 * Opens an empty one. `hint` is what helps when there is no room.
 * @throws IoError when none can be made.
 */
export function openTemporaryFile({ temporaryFolder }: Pick<Host, 'temporaryFolder'>, hint: string): TemporaryFile {
  const parent = temporaryFolder();
  let folder: string | undefined;
  try {
    folder = mkdtempSync(join(parent, 'riskcli-'));
    const path = join(folder, 'rows');
    const fd = openSync(path, 'ax+', 0o600);
    unlinkSync(path);
    rmdirSync(folder);
    return { fd, name: `the temporary file in ${parent}`, hint };
  } catch (cause) {
    if (folder !== undefined) removeQuietly(folder);
    throw fileError(`no temporary file can be created in ${parent}`, { cause, hint });
  }
}

function removeQuietly(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {
    // What is told is why it could not be made.
  }
}
