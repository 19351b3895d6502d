/**
 * Temporary files without a name: they disappear with the process, however it ends, and nobody else
 * can open them.
 */
import { mkdtempSync, openSync, rmdirSync, rmSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { Host } from '../context.ts';
import { closeQuietly, ignoreErrors } from './close-file.ts';
import { fileError } from './file-error.ts';
import { readFully, writeFully } from './fully.ts';

/** The usual help where there is no room. */
const MAKE_ROOM = {
  hint: 'make room there or point TMPDIR (on Windows TEMP) elsewhere, then run the same command again',
  isResumable: true,
};

/** Opens an empty one. @throws IoError when none can be made. */
export function openTemporaryFile({ temporaryFolder }: Pick<Host, 'temporaryFolder'>, hint?: string) {
  const parent = temporaryFolder();
  const help = hint === undefined ? MAKE_ROOM : { hint };
  const { fd, folder } = openNameless(parent, help);
  const name = `the temporary file in ${parent}`;
  let [isOpen, end] = [true, 0];
  return {
    /** Open for reading. */
    fd,
    /** The name of the file in messages. */
    name,
    /**
     * Adds `bytes`, all or none, and returns their offset. @throws IoError when there is no room.
     */
    append(bytes: Uint8Array): number {
      try {
        writeFully(fd, bytes, end);
      } catch (cause) {
        throw fileError(`${name} cannot be written`, { cause, ...help });
      }
      end += bytes.length;
      return end - bytes.length;
    },
    /** `length` bytes from `offset` on. @throws IoError */
    read: (offset: number, length: number) => readFully({ fd, name }, Buffer.allocUnsafe(length), offset),
    /** May be called twice. */
    close(): void {
      if (!isOpen) return;
      isOpen = false;
      closeQuietly(fd);
      if (folder !== undefined) removeQuietly(folder);
    },
  };
}

/**
 * @returns also the `folder` to remove when the file is closed; undefined if it is already removed
 */
function openNameless(parent: string, help: { readonly hint: string; readonly isResumable?: boolean }) {
  let folder: string | undefined;
  try {
    folder = mkdtempSync(join(parent, 'riskcli-'));
    const path = join(folder, 'rows');
    const fd = openSync(path, 'wx+', 0o600);
    unlinkSync(path);
    return { fd, folder: isRemoved(folder) ? undefined : folder };
  } catch (cause) {
    if (folder !== undefined) removeQuietly(folder);
    throw fileError(`no temporary file can be created in ${parent}`, { cause, ...help });
  }
}

/**
 * Windows removes the name of an open file only when it is closed, so until then its folder is not
 * empty.
 */
const isRemoved = (folder: string) => ignoreErrors(() => rmdirSync(folder));

/** A virus scanner may have the file open for a moment. */
const AGAIN = { maxRetries: 3, retryDelay: 50 };

/**
 * A folder that cannot be removed is left: the error to report is why the file could not be made.
 */
const removeQuietly = (folder: string) =>
  ignoreErrors(() => rmSync(folder, { recursive: true, force: true, ...AGAIN }));
