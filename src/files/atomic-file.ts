/**
 * The only way in which a file is replaced: output, settings, learned state, a mended journal. The new content is written beside
 * the old one, under an unpredictable name that must not exist yet, so that nobody can plant a link there; then it takes the old
 * one's place, mode and owner in one step. Errors are the system's: callers say what the file is for.
 */
import {
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsync,
  lstatSync,
  openSync,
  renameSync,
  type Stats,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import type { Host } from '../context.ts';
import { closeQuietly, quietly } from './close-file.ts';
import { cannotSync, REPLACED, systemCode } from './file-error.ts';
import { pointsAt } from './identity.ts';
import { isDenied, retryWhileInUse } from './in-use.ts';
import { temporaryPath } from './temporaries.ts';

export interface AtomicFile {
  /** Hands all of `content` to the kernel. @throws the same error again once it has failed */
  write(content: string | Uint8Array): void;
  /** Syncs the whole content to the disk, without putting it in place. @throws as commit does */
  sync(): Promise<void>;
  /**
   * Puts the new content in place, safe against a power cut.
   * @throws what a write has thrown, since the content is torn then; the system's error when the folder cannot be synced
   */
  commit(): Promise<void>;
  /** Whether the new content is in place, even if a power cut could still undo the rename. */
  readonly isInPlace: boolean;
  /** Leaves the old file in place. Harmless after a commit and when called twice; never throws. */
  discard(): void;
}

export type AtomicHost = Pick<Host, 'platform' | 'sleep'>;

export interface AtomicOptions {
  readonly host: AtomicHost;
  /** Permission bits; by default those of the old file, else what the umask leaves. */
  readonly mode?: number | undefined;
}

/** Opens a new file that is to replace `path`. */
export function createAtomicFile(path: string, { host, mode }: AtomicOptions): AtomicFile {
  const old = regularAt(path);
  const bits = mode ?? (old && old.mode & 0o777);
  const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;
  const temporary = temporaryPath(path);
  const fd = openSync(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, bits ?? 0o666);
  return new NewFile({ fd, temporary, path, old, mode: bits, host });
}

/** Takes over the complete new file at `temporary`, a `temporaryPath` that something else (conf) has written. */
export function adoptAtomicFile(path: string, adopted: Adopted): AtomicFile {
  const fd = openSync(adopted.temporary, constants.O_RDWR | constants.O_NOFOLLOW);
  return new NewFile({ ...adopted, fd, path, old: regularAt(path) });
}

type Adopted = Pick<Replacement, 'temporary' | 'host'> & { readonly mode: number };

interface Replacement {
  readonly fd: number;
  readonly temporary: string;
  readonly path: string;
  /** The file that is replaced. */
  readonly old: Stats | undefined;
  readonly mode: number | undefined;
  readonly host: AtomicHost;
}

const fsyncAsync = promisify(fsync);

class NewFile implements AtomicFile {
  isInPlace = false;
  private size = 0;
  private failed: { readonly error: unknown } | undefined;
  private isSynced = false;
  private isSettled = false;

  constructor(private readonly file: Replacement) {}

  write(content: string | Uint8Array): void {
    this.checkWhole();
    const bytes = typeof content === 'string' ? Buffer.from(content) : content;
    try {
      writeFully(this.file.fd, bytes, this.size);
      this.size += bytes.length;
    } catch (error) {
      this.failed = { error };
      throw error;
    }
  }

  async sync(): Promise<void> {
    this.checkWhole();
    if (this.isSynced) return;
    applyOwnerAndMode(this.file);
    await fsyncAsync(this.file.fd);
    this.isSynced = true;
  }

  async commit(): Promise<void> {
    await this.sync();
    await replaceTarget(this.file);
    this.isSettled = true;
    this.isInPlace = true;
    // The content is on the disk, so an error of close does not matter.
    closeQuietly(this.file.fd);
    await syncFolder(dirname(this.file.path));
  }

  discard(): void {
    const { fd, temporary } = this.file;
    if (this.isSettled) return;
    this.isSettled = true;
    if (pointsAt(temporary, fd)) quietly(() => unlinkSync(temporary));
    closeQuietly(fd);
  }

  private checkWhole(): void {
    if (this.failed) throw this.failed.error;
  }
}

async function replaceTarget({ fd, temporary, path, host }: Replacement): Promise<void> {
  const replace = () => {
    if (!pointsAt(temporary, fd)) throw Object.assign(new Error(REPLACED), { code: REPLACED });
    renameSync(temporary, path);
  };
  await retryWhileInUse(replace, host).catch((cause: unknown) => {
    // The folder is writable, so the file cannot be replaced because another program has it open, whatever the code says.
    if (host.platform !== 'win32' || !isDenied(cause)) throw cause;
    throw Object.assign(new Error('it is in use', { cause }), { code: 'EBUSY' });
  });
}

/** Gives the new file the owner of the old one, where that is allowed, and its mode. */
function applyOwnerAndMode({ fd, old, mode }: Replacement): void {
  const own = fstatSync(fd);
  if (old && (old.uid !== own.uid || old.gid !== own.gid)) {
    // Only root may change the owner; the group may be set to one of ours.
    if (!quietly(() => fchownSync(fd, old.uid, old.gid))) quietly(() => fchownSync(fd, own.uid, old.gid));
  }
  if (mode !== undefined) fchmodSync(fd, mode);
}

/** Writes all of `content`: at `offset`, in bytes, or at the current position. */
export function writeFully(fd: number, content: string | Uint8Array, offset?: number): void {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  for (let written = 0; written < bytes.length; ) {
    written += writeSync(fd, bytes, written, undefined, offset === undefined ? null : offset + written);
  }
}

function regularAt(path: string): Stats | undefined {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found?.isFile() ? found : undefined;
}

/** Errors of users who may not open the folder, and of Windows, where nobody can. */
const CANNOT_OPEN = ['EACCES', 'EPERM', 'EISDIR'];

/**
 * Makes a rename durable. Some file systems cannot sync a folder; that is ignored.
 * @throws the system's error when the sync fails
 */
export async function syncFolder(folder: string): Promise<void> {
  let fd: number | undefined;
  try {
    fd = openSync(folder, constants.O_RDONLY);
    await fsyncAsync(fd);
  } catch (error) {
    if (!cannotSync(error) && !CANNOT_OPEN.includes(systemCode(error) ?? '')) throw error;
  } finally {
    closeQuietly(fd);
  }
}
