/**
 * The only way in which a file is replaced: output, settings, learned state, a pruned journal. The
 * new content is written beside the old one, under an unpredictable name that must not exist yet,
 * so that nobody can plant a link there; then it takes the old one's place, mode and owner in one
 * step. Errors are the system's, unless a caller says what the file is for.
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
} from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import type { Host } from '../context.ts';
import { closeQuietly, ignoreErrors } from './close-file.ts';
import { cannotSync, REPLACED, systemCode } from './file-error.ts';
import { writeFully } from './fully.ts';
import { pointsAt } from './identity.ts';
import { isDenied, retryWhileInUse } from './in-use.ts';
import { temporaryPath } from './temporaries.ts';

export type AtomicHost = Pick<Host, 'platform' | 'sleep'>;

export interface AtomicOptions {
  readonly host: AtomicHost;
  /** Permission bits; by default those of the old file, else what the umask leaves. */
  readonly mode?: number | undefined;
  /**
   * Makes the error that is thrown in place of the system's; this function and the file's methods
   * throw no other.
   */
  readonly fault?: (cause: unknown) => unknown;
}

/** Opens a new file that is to replace `path`. */
export function createAtomicFile(path: string, { host, mode, fault = (cause) => cause }: AtomicOptions): AtomicFile {
  try {
    const old = regularAt(path);
    const bits = mode ?? (old && old.mode & 0o777);
    const { O_RDWR, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;
    const temporary = temporaryPath(path);
    const fd = openSync(temporary, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, bits ?? 0o666);
    return new AtomicFile({ fd, temporary, path, old, mode: bits, host, fault });
  } catch (cause) {
    throw fault(cause);
  }
}

/**
 * Takes over the complete new file at `temporary`, a `temporaryPath` that something else (conf) has
 * written.
 */
export function adoptAtomicFile(path: string, adopted: Adopted): AtomicFile {
  const fd = openSync(adopted.temporary, constants.O_RDWR | constants.O_NOFOLLOW);
  return new AtomicFile({ ...adopted, fd, path, old: regularAt(path), fault: (cause) => cause });
}

type Adopted = Pick<NewFile, 'temporary' | 'host'> & { readonly mode: number };

interface NewFile {
  readonly fd: number;
  readonly temporary: string;
  readonly path: string;
  /** The file that is replaced. */
  readonly old: Stats | undefined;
  readonly mode: number | undefined;
  readonly host: AtomicHost;
  readonly fault: (cause: unknown) => unknown;
}

/**
 * Taken from node:fs at each call, as all other calls are, so that a test can put a fault in its
 * place.
 */
const fsyncAsync = (fd: number) => promisify(fsync)(fd);

/** A new file, until it takes the place of the old one. */
export class AtomicFile {
  private size = 0;
  private failed: { readonly error: unknown } | undefined;
  private isSettled = false;

  constructor(private readonly file: NewFile) {}

  /** Open for reading what was written, until it is in place. */
  get fd(): number {
    return this.file.fd;
  }

  /** Hands all of `content` to the kernel. @throws the same error again once it has failed */
  write(content: string | Uint8Array): undefined {
    if (this.failed) throw this.failed.error;
    const bytes = typeof content === 'string' ? Buffer.from(content) : content;
    try {
      writeFully(this.file.fd, bytes, this.size);
      this.size += bytes.length;
    } catch (cause) {
      this.failed = { error: this.file.fault(cause) };
      throw this.failed.error;
    }
  }

  /**
   * Puts the new content in place, safe against a power cut.
   * @param check called right before the rename; if it throws, the old file stays in place
   * @throws what an earlier write has thrown, since the content is incomplete then; also when the
   * folder cannot be synced, although the new content is in place
   */
  async commit(check: () => void = () => {}): Promise<void> {
    if (this.failed) throw this.failed.error;
    const { file } = this;
    try {
      applyOwnerAndMode(file);
      await fsyncAsync(file.fd);
      await replaceTarget(file, check);
      this.isSettled = true;
      // The content is on the disk, so an error of close does not matter.
      closeQuietly(file.fd);
      await syncFolder(dirname(file.path));
    } catch (cause) {
      throw file.fault(cause);
    }
  }

  /** Leaves the old file in place. Harmless after a commit and when called twice; never throws. */
  discard(): void {
    const { fd, temporary } = this.file;
    if (this.isSettled) return;
    this.isSettled = true;
    if (pointsAt(temporary, fd)) ignoreErrors(() => unlinkSync(temporary));
    closeQuietly(fd);
  }
}

async function replaceTarget({ fd, temporary, path, host }: NewFile, check: () => void): Promise<void> {
  const replace = () => {
    if (!pointsAt(temporary, fd)) throw Object.assign(new Error(REPLACED), { code: REPLACED });
    check();
    renameSync(temporary, path);
  };
  await retryWhileInUse(replace, host).catch((cause: unknown) => {
    // The folder is writable, so whatever the code says, the reason is that another program has the
    // file open.
    if (host.platform !== 'win32' || !isDenied(cause)) throw cause;
    throw Object.assign(new Error('it is in use', { cause }), { code: 'EBUSY' });
  });
}

/** Gives the new file the mode of the old one and, where that is allowed, its owner. */
function applyOwnerAndMode({ fd, old, mode }: NewFile): void {
  const own = fstatSync(fd);
  if (old && (old.uid !== own.uid || old.gid !== own.gid)) {
    // Only root may change the owner; the group may be set to one of ours.
    if (!ignoreErrors(() => fchownSync(fd, old.uid, old.gid))) ignoreErrors(() => fchownSync(fd, own.uid, old.gid));
  }
  if (mode !== undefined) fchmodSync(fd, mode);
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
