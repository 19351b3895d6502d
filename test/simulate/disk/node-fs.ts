/** node:fs, as far as the program uses it, over the system calls of one process. */
import { constants } from 'node:fs';
import { resolve } from 'node:path';
import type { Caller, Calls } from './calls.ts';
import { statsOf } from './stats.ts';
import type { Inode } from './tree.ts';

const { O_RDONLY, O_WRONLY, O_RDWR, O_CREAT, O_EXCL, O_TRUNC, O_APPEND } = constants;

const FLAGS: Readonly<Record<string, number>> = {
  r: O_RDONLY,
  'r+': O_RDWR,
  w: O_WRONLY | O_CREAT | O_TRUNC,
  wx: O_WRONLY | O_CREAT | O_EXCL,
  'wx+': O_RDWR | O_CREAT | O_EXCL,
  a: O_WRONLY | O_CREAT | O_APPEND,
};

interface StatOptions {
  readonly bigint?: boolean;
  readonly throwIfNoEntry?: boolean;
}

const statsFor = (inode: Inode, options?: StatOptions) => statsOf(inode, options?.bigint);

type Position = number | null | undefined;

const bytesOf = (data: string | NodeJS.ArrayBufferView): Uint8Array =>
  typeof data === 'string' ? Buffer.from(data) : new Uint8Array(data.buffer, data.byteOffset, data.byteLength);

const codeOf = (error: unknown) => (error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined);

const CHUNK = 64 * 1024;
/** What a whole file is read into, piece by piece, by whoever is in the middle of a call. */
const piece = Buffer.alloc(CHUNK);

export type NodeFs = ReturnType<typeof createNodeFs>;

export function createNodeFs(calls: Calls, caller: Caller) {
  function statBy(syscall: 'stat' | 'lstat') {
    return (path: string, options?: StatOptions) => {
      try {
        return statsFor(calls.stat(path, syscall), options);
      } catch (error) {
        if (options?.throwIfNoEntry === false && codeOf(error) === 'ENOENT') return undefined;
        throw error;
      }
    };
  }

  function openSync(path: string, flags: string | number = 'r', mode?: number): number {
    return calls.open(path, typeof flags === 'number' ? flags : (FLAGS[flags] ?? O_RDONLY), mode);
  }

  function part(buffer: NodeJS.ArrayBufferView, offset = 0, length = buffer.byteLength - offset): Uint8Array {
    return bytesOf(buffer).subarray(offset, offset + length);
  }

  function readSync(
    fd: number,
    buffer: NodeJS.ArrayBufferView,
    offset?: number,
    length?: number,
    position?: Position,
  ): number {
    const into = part(buffer, offset, length);
    return into.length === 0 ? 0 : calls.read(fd, into, position ?? undefined);
  }

  /** `(fd, string, position)` or `(fd, bytes, offset, length, position)`. */
  function writeSync(
    fd: number,
    data: string | NodeJS.ArrayBufferView,
    from?: Position,
    length?: number,
    position?: Position,
  ): number {
    if (typeof data === 'string') return calls.write(fd, bytesOf(data), from ?? undefined);
    return calls.write(fd, part(data, from ?? 0, length), position ?? undefined);
  }

  function readAll(fd: number): Buffer {
    const chunks: Buffer[] = [];
    for (;;) {
      const count = calls.read(fd, piece);
      if (count === 0) return Buffer.concat(chunks);
      chunks.push(Buffer.from(piece.subarray(0, count)));
    }
  }

  function withFile<T>(fd: number, use: (fd: number) => T): T {
    try {
      return use(fd);
    } finally {
      calls.close(fd);
    }
  }

  function readFileSync(file: string | number, encoding?: BufferEncoding): Buffer | string {
    const bytes = typeof file === 'number' ? readAll(file) : withFile(calls.open(file, O_RDONLY), readAll);
    return encoding ? bytes.toString(encoding) : bytes;
  }

  function writeFileSync(path: string, data: string, { mode }: { readonly mode?: number } = {}): void {
    withFile(openSync(path, 'w', mode), (fd) => {
      for (let left = bytesOf(data); left.length > 0; ) left = left.subarray(calls.write(fd, left));
    });
  }

  interface RemoveOptions {
    readonly force?: boolean;
    readonly recursive?: boolean;
  }
  function rmSync(path: string, options: RemoveOptions = {}): void {
    try {
      if (calls.stat(path, 'lstat').kind === 'folder') removeFolder(path, options);
      else calls.unlink(path);
    } catch (error) {
      if (!options.force || codeOf(error) !== 'ENOENT') throw error;
    }
  }
  function removeFolder(path: string, options: RemoveOptions): void {
    if (!options.recursive) throw Object.assign(new Error(`Path is a directory: ${path}`), { code: 'ERR_FS_EISDIR' });
    for (const name of calls.readdir(path)) rmSync(`${path}/${name}`, options);
    calls.rmdir(path);
  }

  function existsSync(path: string): boolean {
    try {
      calls.access(path);
      return true;
    } catch (error) {
      if (codeOf(error) === undefined) throw error;
      return false;
    }
  }

  type Callback = (error: unknown, ...values: readonly unknown[]) => void;

  /** Calls back when the call comes to its end; `end` is what happens then. */
  function callBack(callback: Callback, syscall: string, end: () => readonly unknown[]): void {
    caller.later(calls.delay(syscall), () => {
      let values: readonly unknown[];
      try {
        values = end();
      } catch (error) {
        if (codeOf(error) === undefined) throw error;
        return callback(error);
      }
      callback(null, ...values);
    });
  }

  function read(...args: [...Parameters<typeof readSync>, Callback]): void {
    const callback = args.pop() as Callback;
    const [fd, buffer, offset, length, position] = args as unknown as Parameters<typeof readSync>;
    calls.announce('read', calls.pathOf(fd));
    const into = part(buffer, offset, length);
    callBack(callback, 'read', () => {
      const count = into.length && calls.readOpen(calls.takeLate('read', fd), into, position ?? undefined);
      return [count, buffer];
    });
  }

  function syncBy(syscall: 'fsync' | 'fdatasync') {
    return (fd: number, callback: Callback) => {
      let end: () => void;
      try {
        end = calls.sync(fd, syscall);
      } catch (error) {
        if (codeOf(error) === undefined) throw error;
        // A failure to start is reported at the end, too.
        end = () => {
          throw error;
        };
      }
      callBack(callback, syscall, () => {
        end();
        return [undefined];
      });
    };
  }

  /** A function of `promises`: the call is made when its time has come. */
  const promised =
    <A extends unknown[], T>(work: (...args: A) => T) =>
    (...args: A) =>
      new caller.Promise<T>((fulfil, reject) =>
        caller.later(0, () => {
          try {
            fulfil(work(...args));
          } catch (error) {
            if (codeOf(error) === undefined) throw error;
            reject(error);
          }
        }),
      );

  const promises = {
    constants,
    access: promised((path: string) => calls.access(path)),
    lstat: promised((path: string, options?: StatOptions) => statsFor(calls.stat(path, 'lstat'), options)),
    stat: promised((path: string, options?: StatOptions) => statsFor(calls.stat(path, 'stat'), options)),
  };

  return {
    constants,
    promises,
    accessSync: calls.access,
    closeSync: calls.close,
    existsSync,
    fchmodSync: calls.fchmod,
    fchownSync: calls.fchown,
    fdatasync: syncBy('fdatasync'),
    fstatSync: (fd: number, options?: StatOptions) => statsFor(calls.fstat(fd), options),
    fsync: syncBy('fsync'),
    ftruncateSync: (fd: number, size = 0) => calls.ftruncate(fd, size),
    lstatSync: statBy('lstat'),
    mkdirSync: (path: string, { mode = 0o777 }: { readonly mode?: number } = {}) => calls.mkdir(path, mode),
    mkdtempSync: calls.mkdtemp,
    openSync,
    read,
    readFileSync,
    readSync,
    readdirSync: calls.readdir,
    // node's own makes the path plain before it looks.
    realpathSync: (path: string) => calls.realpath(resolve(path)),
    renameSync: calls.rename,
    rmSync,
    rmdirSync: calls.rmdir,
    statSync: statBy('stat'),
    unlinkSync: calls.unlink,
    writeFileSync,
    writeSync,
  };
}
