/** node:fs, as far as the program uses it, over the system calls of one process. */
import { constants } from 'node:fs';
import { resolve } from 'node:path';
import type { Caller, Calls } from './calls.ts';
import { bigStatsOf, statsOf } from './stats.ts';
import type { Inode } from './tree.ts';

const { O_RDONLY, O_WRONLY, O_RDWR, O_CREAT, O_EXCL, O_TRUNC, O_APPEND } = constants;

const FLAGS: Readonly<Record<string, number>> = {
  r: O_RDONLY,
  'r+': O_RDWR,
  w: O_WRONLY | O_CREAT | O_TRUNC,
  wx: O_WRONLY | O_CREAT | O_EXCL,
  'w+': O_RDWR | O_CREAT | O_TRUNC,
  'wx+': O_RDWR | O_CREAT | O_EXCL,
  a: O_WRONLY | O_CREAT | O_APPEND,
  ax: O_WRONLY | O_CREAT | O_APPEND | O_EXCL,
  'a+': O_RDWR | O_CREAT | O_APPEND,
};

type Flags = string | number;
const flagsOf = (flags: Flags | undefined) => (typeof flags === 'number' ? flags : (FLAGS[flags ?? 'r'] ?? O_RDONLY));

type Encoding =
  | BufferEncoding
  | { readonly encoding?: BufferEncoding | null; readonly flag?: Flags }
  | null
  | undefined;
const encodingOf = (options: Encoding) => (typeof options === 'string' ? options : options?.encoding);
const decoded = (bytes: Buffer, options: Encoding) => {
  const encoding = encodingOf(options);
  return encoding ? bytes.toString(encoding) : bytes;
};

interface StatOptions {
  readonly bigint?: boolean;
  readonly throwIfNoEntry?: boolean;
}

const shown = (inode: Inode, options?: StatOptions) => (options?.bigint ? bigStatsOf(inode) : statsOf(inode));

type Position = number | bigint | null | undefined;
const positionOf = (position: Position) =>
  position === null || position === undefined || position < 0 ? undefined : Number(position);

const bytesOf = (data: string | NodeJS.ArrayBufferView): Uint8Array =>
  typeof data === 'string' ? Buffer.from(data) : new Uint8Array(data.buffer, data.byteOffset, data.byteLength);

function codeOf(error: unknown): string | undefined {
  return error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
}

const CHUNK = 64 * 1024;
/** What a whole file is read into, piece by piece, by whoever is in the middle of a call. */
const piece = Buffer.alloc(CHUNK);

// biome-ignore lint/suspicious/noExplicitAny: functions of any arguments, whose last is a callback
type Work<T> = (...args: any[]) => () => T;

export type NodeFs = ReturnType<typeof createNodeFs>;

export function createNodeFs(calls: Calls, caller: Caller) {
  const statSync = (path: string, options?: StatOptions) => found(path, 'stat', options);
  const lstatSync = (path: string, options?: StatOptions) => found(path, 'lstat', options);
  function found(path: string, syscall: 'stat' | 'lstat', options?: StatOptions) {
    try {
      return shown(calls.stat(path, syscall), options);
    } catch (error) {
      if (options?.throwIfNoEntry === false && codeOf(error) === 'ENOENT') return undefined;
      throw error;
    }
  }
  const openSync = (path: string, flags?: Flags, mode?: number) => calls.open(path, flagsOf(flags), mode ?? undefined);

  type Offset = number | null | { readonly offset?: number; readonly length?: number; readonly position?: Position };
  function readSync(
    fd: number,
    buffer: NodeJS.ArrayBufferView,
    at?: Offset,
    length?: number,
    position?: Position,
  ): number {
    const { part, from } = readArguments(buffer, at, length, position);
    return part.length === 0 ? 0 : calls.read(fd, part, from);
  }
  function readArguments(buffer: NodeJS.ArrayBufferView, at?: Offset, length?: number, position?: Position) {
    const options = typeof at === 'object' && at !== null ? at : { offset: at ?? 0, length, position };
    const offset = options.offset ?? 0;
    const size = options.length ?? buffer.byteLength - offset;
    return { part: bytesOf(buffer).subarray(offset, offset + size), from: positionOf(options.position) };
  }

  function writeSync(
    fd: number,
    data: string | NodeJS.ArrayBufferView,
    a?: Position,
    b?: unknown,
    c?: Position,
  ): number {
    const bytes = bytesOf(data);
    // (fd, string, position) or (fd, bytes, offset, length, position).
    if (typeof data === 'string') return calls.write(fd, bytes, positionOf(a));
    const offset = Number(a ?? 0);
    const length = typeof b === 'number' ? b : bytes.length - offset;
    const part = offset === 0 && length === bytes.length ? bytes : bytes.subarray(offset, offset + length);
    return calls.write(fd, part, positionOf(c));
  }

  function readAll(fd: number): Buffer {
    const chunks: Buffer[] = [];
    for (;;) {
      const count = calls.read(fd, piece);
      if (count === 0) return chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);
      chunks.push(Buffer.from(piece.subarray(0, count)));
    }
  }
  function writeFully(fd: number, bytes: Uint8Array): void {
    for (let left = bytes; left.length > 0; ) left = left.subarray(calls.write(fd, left));
  }
  function withFile<T>(
    path: string,
    flags: number,
    { mode, use }: { mode?: number | undefined; use: (fd: number) => T },
  ): T {
    const fd = calls.open(path, flags, mode);
    try {
      return use(fd);
    } finally {
      calls.close(fd);
    }
  }
  function readFileSync(file: string | number, options?: Encoding) {
    const bytes = typeof file === 'number' ? readAll(file) : withFile(file, O_RDONLY, { use: readAll });
    return decoded(bytes, options);
  }
  type WriteOptions = { readonly mode?: number; readonly flag?: Flags } | BufferEncoding;
  function writeFileSync(path: string, data: string | NodeJS.ArrayBufferView, options?: WriteOptions): void {
    const { mode, flag } = typeof options === 'object' ? options : {};
    withFile(path, flagsOf(flag ?? 'w'), { mode, use: (fd) => writeFully(fd, bytesOf(data)) });
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
  function mkdirSync(path: string, options?: number | { readonly mode?: number; readonly recursive?: boolean }): void {
    const { mode = 0o777, recursive = false } = typeof options === 'number' ? { mode: options } : (options ?? {});
    const names = path.split('/').filter((name) => name !== '');
    for (let i = 1; recursive && i < names.length; i++) {
      const above = `/${names.slice(0, i).join('/')}`;
      makeIfAbsent(above, mode);
    }
    if (recursive) makeIfAbsent(path, mode);
    else calls.mkdir(path, mode);
  }
  /** As node does, also where another process makes the folder meanwhile. */
  function makeIfAbsent(path: string, mode: number): void {
    if (existsSync(path)) return;
    try {
      calls.mkdir(path, mode);
    } catch (error) {
      if (codeOf(error) !== 'EEXIST' || !statSync(path)?.isDirectory()) throw error;
    }
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
  /** A function with a callback. `begin` happens at once; what it returns happens when the call comes to its end. */
  function asynchronous<T>(syscall: string, begin: Work<T>, results: (value: T) => unknown[] = (value) => [value]) {
    // biome-ignore lint/suspicious/noExplicitAny: as above
    return (...args: any[]) => {
      const callback = args.pop();
      const end = begin(...args);
      caller.later(calls.delay(syscall), () => {
        let value: T;
        try {
          value = end();
        } catch (error) {
          if (codeOf(error) === undefined) throw error;
          return callback(error);
        }
        callback(null, ...results(value));
      });
    };
  }
  /** A call whose whole effect comes at its end; a failure to begin is told there, too. */
  const late = <T>(work: () => T) => work;

  interface ReadResult {
    readonly bytesRead: number;
    readonly buffer: NodeJS.ArrayBufferView;
  }
  const read = asynchronous<ReadResult>(
    'read',
    (fd: number, buffer: NodeJS.ArrayBufferView, at?: Offset, length?: number, position?: Position) => {
      calls.announce('read', calls.pathOf(fd));
      const { part, from } = readArguments(buffer, at, length, position);
      return late(() => ({ bytesRead: part.length && calls.readOpen(calls.takeLate('read', fd), part, from), buffer }));
    },
    ({ bytesRead, buffer }) => [bytesRead, buffer],
  );
  const syncing = (syscall: 'fsync' | 'fdatasync') =>
    asynchronous<void>(syscall, (fd: number) => {
      try {
        return calls.sync(fd, syscall);
      } catch (error) {
        if (codeOf(error) === undefined) throw error;
        return () => {
          throw error;
        };
      }
    });

  /** A function of `promises`: the call is made when its time has come. */
  const promised =
    // biome-ignore lint/suspicious/noExplicitAny: as above
      <A extends any[], T>(work: (...args: A) => T) =>
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
    lstat: promised((path: string, options?: StatOptions) => shown(calls.stat(path, 'lstat'), options)),
    stat: promised((path: string, options?: StatOptions) => shown(calls.stat(path, 'stat'), options)),
  };

  return {
    constants,
    promises,
    accessSync: calls.access,
    closeSync: calls.close,
    existsSync,
    fchmodSync: calls.fchmod,
    fchownSync: calls.fchown,
    fdatasync: syncing('fdatasync'),
    fstatSync: (fd: number, options?: StatOptions) => shown(calls.fstat(fd), options),
    fsync: syncing('fsync'),
    ftruncateSync: (fd: number, size = 0) => calls.ftruncate(fd, size),
    lstatSync,
    mkdirSync,
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
    statSync,
    unlinkSync: calls.unlink,
    writeFileSync,
    writeSync,
  };
}
