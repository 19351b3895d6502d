/**
 * The one way in which a file is replaced: output, settings, learned state, a mended journal. The new content is written
 * beside the old one, under a name that nobody can foresee and that must not exist yet, so that nobody can put a link in
 * its way; then it takes the old one's place, mode and owner in one step. Errors are the system's: callers say what the
 * file is for.
 */
import {
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsync,
  lstatSync,
  openSync,
  readdirSync,
  renameSync,
  type Stats,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Host } from '../context.ts';
import { crypto, randomHex } from '../host/builtin.ts';
import { closeQuietly, quietly } from './close-file.ts';
import { isDiskFull } from './file-error.ts';
import { pointsAt } from './identity.ts';
import { isDenied, retryWhileInUse } from './in-use.ts';
import { identityOfProcess, type ProcessHost, stillRuns, UNKNOWN } from './process-place.ts';

export interface AtomicFile {
  /** Every byte of it has left for the kernel when this returns. @throws once it has thrown, the same again. */
  write(content: string | Uint8Array): void;
  /** Brings the whole content to the disk, where nothing is in place yet. @throws as commit does */
  sync(): Promise<void>;
  /** Puts the new content in place, safe against a power cut. @throws what a write has thrown: the content is torn then. */
  commit(): Promise<void>;
  /** What was there before stays. Harmless after a commit and when called twice; never throws. */
  discard(): void;
}

export type AtomicHost = ProcessHost & Pick<Host, 'platform' | 'sleep'>;

export interface AtomicOptions {
  /** Its process is in the name of the new file, so that it can be told who left it. */
  readonly host: AtomicHost;
  /** Permission bits; by default those of the old file, else what the umask leaves. */
  readonly mode?: number | undefined;
  /** Called when the disk is full: lets go of what was kept free there. @returns whether a write may now fit */
  readonly makeRoom?: (() => boolean) | undefined;
}

/** Opens a new file that is to take the place of `path`, and tidies away what killed processes left of earlier ones. */
export function createAtomicFile(path: string, { host, mode, makeRoom }: AtomicOptions): AtomicFile {
  const old = regularAt(path);
  const bits = mode ?? (old && old.mode & 0o777);
  const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;
  const temporary = temporaryPath(path, host);
  const fd = openSync(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, bits ?? 0o666);
  sweep(path, { host, now: fstatSync(fd).mtimeMs });
  return finish({ fd, temporary, path, old, mode: bits, host, makeRoom });
}

/** Opens an empty file beside `path` that is gone with the process: no name leads to it, or on Windows only while it is open. */
export function openNameless(path: string, host: AtomicHost): number {
  const { O_RDWR, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;
  const temporary = temporaryPath(path, host);
  const fd = openSync(temporary, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
  quietly(() => unlinkSync(temporary));
  // What runs have left that were killed between these two.
  sweep(path, { host, now: fstatSync(fd).mtimeMs });
  return fd;
}

/** Takes over a whole new file at `temporary`, a `temporaryPath` that somebody else has written. */
export function adoptAtomicFile(path: string, adopted: Adopted): AtomicFile {
  const fd = openSync(adopted.temporary, constants.O_RDWR | constants.O_NOFOLLOW);
  return finish({ ...adopted, fd, path, old: regularAt(path) });
}

type Adopted = Pick<Replacement, 'temporary' | 'host'> & { readonly mode: number };

interface Replacement {
  readonly fd: number;
  readonly temporary: string;
  readonly path: string;
  /** What is replaced. */
  readonly old: Stats | undefined;
  readonly mode: number | undefined;
  readonly host: AtomicHost;
  readonly makeRoom?: AtomicOptions['makeRoom'];
}

const fsyncAsync = promisify(fsync);

function finish(file: Replacement): AtomicFile {
  const { fd, temporary, path, makeRoom = () => false } = file;
  let isSettled = false;
  let size = 0;
  let failed: { readonly error: unknown } | undefined;
  let isSynced = false;
  const checkWhole = () => {
    if (failed) throw failed.error;
  };
  const sync = async () => {
    checkWhole();
    if (isSynced) return;
    applyOwnerAndMode(file);
    await fsyncAsync(fd);
    isSynced = true;
  };
  return {
    write(content) {
      checkWhole();
      const bytes = typeof content === 'string' ? Buffer.from(content) : content;
      for (;;) {
        try {
          writeFully(fd, bytes, size);
          size += bytes.length;
          return;
        } catch (error) {
          if (isDiskFull(error) && makeRoom()) continue;
          failed = { error };
          throw error;
        }
      }
    },
    sync,
    async commit() {
      await sync();
      await replaceTarget(file);
      isSettled = true;
      // The content is on the disk, so nothing that close could say matters now.
      closeQuietly(fd);
      await syncFolder(dirname(path));
    },
    discard() {
      if (isSettled) return;
      isSettled = true;
      if (pointsAt(temporary, fd)) quietly(() => unlinkSync(temporary));
      closeQuietly(fd);
    },
  };
}

async function replaceTarget({ fd, temporary, path, host }: Replacement): Promise<void> {
  const replace = () => {
    if (!pointsAt(temporary, fd)) throw new Error('the new file beside it was removed or replaced meanwhile');
    renameSync(temporary, path);
  };
  await retryWhileInUse(replace, host).catch((cause: unknown) => {
    // Whoever may write beside it and may not replace it has been kept out by another program, whatever the code says.
    if (host.platform !== 'win32' || !isDenied(cause)) throw cause;
    throw Object.assign(new Error('it is in use', { cause }), { code: 'EBUSY' });
  });
}

/** Gives the new file the owner of the old one, where that is allowed, and its mode. */
function applyOwnerAndMode({ fd, old, mode }: Replacement): void {
  const own = fstatSync(fd);
  if (old && (old.uid !== own.uid || old.gid !== own.gid)) {
    // Only root may give a file away; a group of ours may have it.
    if (!quietly(() => fchownSync(fd, old.uid, old.gid))) quietly(() => fchownSync(fd, own.uid, old.gid));
  }
  if (mode !== undefined) fchmodSync(fd, mode);
}

/** Writes all of `content`: at `offset`, in bytes, or where the last write has ended. */
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

/** Gives the file at `path` the name `other`, which nothing else must have. */
export const giveName = (path: string, other: string): void => renameSync(path, other);

/** Makes a rename durable. Some file systems cannot sync a folder; the files in it are whole without it. */
export async function syncFolder(folder: string): Promise<void> {
  let fd: number | undefined;
  try {
    fd = openSync(folder, constants.O_RDONLY);
    await fsyncAsync(fd);
  } catch {
    // As above.
  } finally {
    if (fd !== undefined) closeQuietly(fd);
  }
}

/** Leaves room for the rest of a temporary's name within the 255 bytes of most file systems, four bytes a character. */
const MAX_NAME_LENGTH = 50;
const DIGEST_LENGTH = 16;

/** How the temporaries of `path` begin: with its name or, where that is long, with its beginning and a digest that no other name shares. */
function startOfName(path: string): string {
  const name = basename(path);
  const characters = [...name];
  if (characters.length <= MAX_NAME_LENGTH) return `.${name}.`;
  const beginning = characters.slice(0, MAX_NAME_LENGTH - DIGEST_LENGTH - 1).join('');
  return `.${beginning}~${digest(name, DIGEST_LENGTH)}.`;
}

const digest = (text: string, length: number) =>
  crypto().createHash('sha256').update(text).digest('hex').slice(0, length);

/**
 * Beside `path`, `.name.PID-PLACE.RANDOM.tmp`: its end is not the file's own, since every `*.prom` in a folder is read by
 * others; PLACE stands for the pid namespace in which PID means something.
 */
export function temporaryPath(path: string, host: ProcessHost): string {
  const name = `${startOfName(path)}${host.pid}-${targetHash(host)}.${randomHex(8)}.tmp`;
  return join(dirname(path), name);
}

function targetHash(own: ProcessHost): string {
  const { host, space } = identityOfProcess(own);
  return digest(`${host} ${space}`, 8);
}

/** Behind the start of the name; conf puts its own temporaries behind the name that it was given. */
const TEMPORARY = /^(\d+)-([0-9a-f]{8})\.[0-9a-f]{16}\.tmp(?:\.tmp-[0-9a-f]+)?$/;
/** No run writes to a file for so long: milliseconds. */
const STALE_MS = 7 * 24 * 3_600_000;

interface Sweep {
  readonly host: ProcessHost;
  /** By the clock of the disk, milliseconds since 1970. */
  readonly now: number;
}

/**
 * Removes the temporaries of `path` whose writers are gone: those of this place whose pid nobody has, and those whose writers
 * cannot be seen once they are old, or older than the boot of this host.
 */
function sweep(path: string, { host, now }: Sweep): void {
  const start = startOfName(path);
  const isAbandoned = judgeTemporaries({ host, now });
  quietly(() => {
    for (const name of readdirSync(dirname(path))) {
      const left = join(dirname(path), name);
      if (name.startsWith(start) && isAbandoned(left, name.slice(start.length))) quietly(() => unlinkSync(left));
    }
  });
}

/** The temporaries in `folder`, of whatever file, whose writers are gone; none where it cannot be listed. */
export function leftOverTemporaries(folder: string, host: ProcessHost & Pick<Host, 'now'>): readonly string[] {
  const isAbandoned = judgeTemporaries({ host, now: host.now() });
  try {
    return readdirSync(folder).flatMap((name) => {
      const [, rest = ''] = /^\..+?\.(\d+-.*)$/.exec(name) ?? [];
      const path = join(folder, name);
      return isAbandoned(path, rest) ? [path] : [];
    });
  } catch {
    return [];
  }
}

/** Says of a file, and of what its name is behind the start, whether it is a temporary whose writer is gone. */
function judgeTemporaries({ host, now }: Sweep): (path: string, rest: string) => boolean {
  const [here, canSee] = [targetHash(host), identityOfProcess(host).space !== UNKNOWN];
  return (path, rest) => {
    const [, writer, place] = TEMPORARY.exec(rest) ?? [];
    if (writer === undefined) return false;
    const silentMs = now - (lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? now);
    return place === here && canSee
      ? !stillRuns({ pid: Number(writer), started: UNKNOWN, silentMs }, host)
      : silentMs > (place === here ? Math.min(STALE_MS, host.uptime()) : STALE_MS);
  };
}

/** Removes all temporaries of `path`. Only for the holder of the lock under which alone they are made. */
export function removeTemporaries(path: string): void {
  const start = startOfName(path);
  quietly(() => {
    for (const name of readdirSync(dirname(path))) {
      if (!name.startsWith(start) || !TEMPORARY.test(name.slice(start.length))) continue;
      quietly(() => unlinkSync(join(dirname(path), name)));
    }
  });
}
