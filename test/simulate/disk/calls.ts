/**
 * The system calls, as one process makes them: what node:fs gives, without its names and arguments.
 * Each is announced before it has an effect, so that a kill, or another process, may come in
 * between.
 */
import { constants } from 'node:fs';
import { beginSync, endSync, failSync, readContent, truncateContent, writeContent } from './content.ts';
import { type FailedCall, systemError } from './system-error.ts';
import { type Inode, locate, type Spot, type Tree } from './tree.ts';

/** A process, as far as the disk is concerned. */
export interface Caller {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
  /**
   * Calls back in the event loop of the process after `ms` of simulated time; never when it has
   * ended by then.
   */
  later(ms: number, callback: () => void): void;
  /** Lets others run for `ms` in the middle of a call. Throws if it was killed meanwhile. */
  wait?(ms: number): void;
  /** That of its realm. */
  readonly Promise: PromiseConstructor;
}

export interface Faults {
  /** No more bytes than this, of all files together. */
  fullAt?: number | undefined;
  /** The code with which a call fails: `EIO`. */
  fails?: ((call: string, path: string) => string | undefined) | undefined;
  /** How long a call takes, milliseconds. */
  slowMs?: ((call: string) => number) | undefined;
}

export interface DiskState {
  readonly tree: Tree;
  readonly now: () => number;
  readonly random: () => number;
  readonly onCall: (process: Caller, call: string, path: string) => void;
  readonly faults: Faults;
}

export interface OpenFile {
  readonly inode: Inode;
  readonly path: string;
  readonly reads: boolean;
  readonly writes: boolean;
  readonly appends: boolean;
  position: number;
}

const UMASK = 0o022;
const { O_ACCMODE, O_WRONLY, O_RDWR } = { O_ACCMODE: 3, ...constants };
const { O_CREAT, O_EXCL, O_TRUNC, O_APPEND } = constants;
const NAME_CHARACTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
const FIRST_DESCRIPTOR = 3;
export type Calls = ReturnType<typeof createCalls>;

export function createCalls(world: DiskState, caller: Caller) {
  const { tree, faults, now } = world;
  const descriptors: (OpenFile | undefined)[] = [];

  /** Announces a call, and lets the time pass that it takes. */
  function begin(syscall: string, path: string): void {
    world.onCall(caller, syscall, path);
    const ms = faults.slowMs?.(syscall) ?? 0;
    if (ms > 0) caller.wait?.(ms);
  }

  function enter(syscall: string, path: string, dest?: string): void {
    begin(syscall, path);
    refuse({ syscall, path, dest });
  }

  /** Where a fault has the call fail. One by a descriptor, whose path is `path`, names no path. */
  function refuse({ syscall, path, dest }: FailedCall & { path: string }, isOpen = false): void {
    const code = faults.fails?.(syscall, path);
    if (code) throw systemError(code, { syscall, ...(!isOpen && { path, dest }) });
  }

  /** What the descriptor leads to, after the call was announced. */
  function entered(syscall: string, fd: number): OpenFile {
    begin(syscall, pathOf(fd));
    return take(syscall, fd);
  }

  function take(syscall: string, fd: number): OpenFile {
    const open = descriptors[fd - FIRST_DESCRIPTOR];
    if (!open) throw systemError('EBADF', { syscall });
    if (syscall !== 'close') refuse({ syscall, path: open.path }, true);
    return open;
  }

  const pathOf = (fd: number) => descriptors[fd - FIRST_DESCRIPTOR]?.path ?? '';
  const spotOf = (path: string, call: FailedCall) => locate(tree.root, path, call);

  function existing(path: string, syscall: string): Inode {
    const { inode } = spotOf(path, { syscall, path });
    if (!inode) throw systemError('ENOENT', { syscall, path });
    return inode;
  }

  function make(spot: Spot, kind: Inode['kind'], mode: number): Inode {
    const inode = tree.makeInode(kind, caller, mode);
    tree.change({ ...spot, before: undefined, after: inode });
    return inode;
  }

  function truncate(inode: Inode, size: number): void {
    tree.grow(size - inode.content.size);
    truncateContent(inode.content, size);
    inode.mtime = now();
  }

  function open(path: string, flags: number, mode = 0o666): number {
    enter('open', path);
    const fail = (code: string) => systemError(code, { syscall: 'open', path });
    const makes = (flags & O_CREAT) !== 0;
    const spot = spotOf(path, { syscall: 'open', path });
    let { inode } = spot;
    const access = flags & O_ACCMODE;
    const [reads, writes] = [access !== O_WRONLY, access === O_WRONLY || access === O_RDWR];
    if (inode) {
      if ((flags & O_EXCL) !== 0 && makes) throw fail('EEXIST');
      if (inode.kind === 'folder' && (writes || makes)) throw fail('EISDIR');
      if ((flags & O_TRUNC) !== 0) truncate(inode, 0);
    } else {
      if (!makes) throw fail('ENOENT');
      inode = make(spot, 'file', mode & 0o7777 & ~UMASK);
    }
    inode.opens++;
    const file = { inode, path, reads, writes, appends: (flags & O_APPEND) !== 0, position: 0 };
    const at = descriptors.indexOf(undefined);
    if (at < 0) return descriptors.push(file) - 1 + FIRST_DESCRIPTOR;
    descriptors[at] = file;
    return at + FIRST_DESCRIPTOR;
  }

  function drop(fd: number, { inode }: OpenFile): void {
    descriptors[fd - FIRST_DESCRIPTOR] = undefined;
    inode.opens--;
    tree.letGo(inode);
  }

  /** The descriptor is gone, whatever the system says. */
  function close(fd: number): void {
    const file = entered('close', fd);
    drop(fd, file);
    refuse({ syscall: 'close', path: file.path }, true);
  }

  function readOpen(file: OpenFile, into: Uint8Array, position?: number): number {
    if (!file.reads) throw systemError('EBADF', { syscall: 'read' });
    if (file.inode.kind === 'folder') throw systemError('EISDIR', { syscall: 'read' });
    const count = readContent(file.inode.content, into, position ?? file.position);
    if (position === undefined) file.position += count;
    return count;
  }

  /** How many bytes of a write that ends at `end` fit on the disk. */
  function fitting({ content }: Inode, offset: number, length: number): number {
    const growth = Math.max(0, offset + length - content.size);
    const room = Math.max(0, (faults.fullAt ?? Number.POSITIVE_INFINITY) - tree.used);
    return growth <= room ? length : length - (growth - room);
  }

  function writeOpen(file: OpenFile, from: Uint8Array, position?: number): number {
    const { inode } = file;
    if (!file.writes) throw systemError('EBADF', { syscall: 'write' });
    if (from.length === 0) return 0;
    const offset = file.appends ? inode.content.size : (position ?? file.position);
    const length = fitting(inode, offset, from.length);
    if (length <= 0) throw systemError('ENOSPC', { syscall: 'write' });
    const before = inode.content.size;
    writeContent(inode.content, length === from.length ? from : from.subarray(0, length), offset);
    tree.grow(inode.content.size - before);
    inode.mtime = now();
    if (position === undefined) file.position = offset + length;
    return length;
  }

  /** Begins a sync. @returns what ends it; that throws when it has failed */
  function sync(fd: number, syscall: 'fsync' | 'fdatasync'): () => void {
    world.onCall(caller, syscall, pathOf(fd));
    const open = descriptors[fd - FIRST_DESCRIPTOR];
    if (!open) throw systemError('EBADF', { syscall });
    const { inode, path } = open;
    const [layer, upTo] = [beginSync(inode.content), tree.changes];
    return () => {
      try {
        refuse({ syscall, path }, true);
      } catch (error) {
        failSync(inode.content, layer);
        throw error;
      }
      endSync(inode.content, layer);
      tree.commit(inode, upTo);
    };
  }

  function unlink(path: string): void {
    enter('unlink', path);
    const call = { syscall: 'unlink', path };
    const spot = spotOf(path, call);
    if (!spot.inode) throw systemError('ENOENT', call);
    if (spot.inode.kind === 'folder') throw systemError('EISDIR', call);
    tree.change({ ...spot, before: spot.inode, after: undefined });
  }

  /** Of files: the program moves no folder. */
  function rename(path: string, dest: string): void {
    enter('rename', path, dest);
    const call = { syscall: 'rename', path, dest };
    const [from, to] = [spotOf(path, call), spotOf(dest, call)];
    const { inode: moved } = from;
    if (!moved) throw systemError('ENOENT', call);
    if (moved === to.inode) return;
    tree.change({ ...from, before: moved, after: undefined }, { ...to, before: to.inode, after: moved });
  }

  function makeFolder(path: string, mode: number, syscall: 'mkdir' | 'mkdtemp'): void {
    const spot = spotOf(path, { syscall, path });
    if (spot.inode) throw systemError('EEXIST', { syscall, path });
    make(spot, 'folder', mode & 0o7777 & ~UMASK);
  }

  function rmdir(path: string): void {
    enter('rmdir', path);
    const call = { syscall: 'rmdir', path };
    const spot = spotOf(path, call);
    if (!spot.inode) throw systemError('ENOENT', call);
    if (spot.inode.kind !== 'folder') throw systemError('ENOTDIR', call);
    if (spot.inode.entries.size > 0) throw systemError('ENOTEMPTY', call);
    tree.change({ ...spot, before: spot.inode, after: undefined });
  }

  return {
    open,
    close,
    read: (fd: number, into: Uint8Array, position?: number) => readOpen(entered('read', fd), into, position),
    write: (fd: number, from: Uint8Array, position?: number) => writeOpen(entered('write', fd), from, position),
    sync,
    unlink,
    rename,
    rmdir,
    announce: (syscall: string, path: string) => world.onCall(caller, syscall, path),
    /** The rest of a call that was announced and ends later. */
    takeLate: (syscall: 'read' | 'write', fd: number) => take(syscall, fd),
    readOpen,
    writeOpen,
    delay: (syscall: string) => faults.slowMs?.(syscall) ?? 0,
    pathOf,
    fstat: (fd: number) => entered('fstat', fd).inode,
    stat(path: string, syscall: 'stat' | 'lstat'): Inode {
      enter(syscall, path);
      return existing(path, syscall);
    },
    access(path: string): void {
      enter('access', path);
      existing(path, 'access');
    },
    ftruncate(fd: number, size: number): void {
      const { inode, writes } = entered('ftruncate', fd);
      if (!writes) throw systemError('EINVAL', { syscall: 'ftruncate' });
      truncate(inode, size);
    },
    fchmod(fd: number, mode: number): void {
      const { inode } = entered('fchmod', fd);
      inode.mode = mode & 0o7777;
    },
    /** To the one user that there is. */
    fchown: (fd: number) => void entered('fchown', fd),
    mkdir(path: string, mode: number): void {
      enter('mkdir', path);
      makeFolder(path, mode, 'mkdir');
    },
    mkdtemp(prefix: string): string {
      enter('mkdtemp', `${prefix}XXXXXX`);
      for (;;) {
        const name = Array.from(
          { length: 6 },
          () => NAME_CHARACTERS[Math.floor(world.random() * NAME_CHARACTERS.length)],
        );
        const path = `${prefix}${name.join('')}`;
        if (spotOf(path, { syscall: 'mkdtemp', path }).inode) continue;
        makeFolder(path, 0o700, 'mkdtemp');
        return path;
      }
    },
    readdir(path: string): string[] {
      enter('scandir', path);
      const folder = existing(path, 'scandir');
      if (folder.kind !== 'folder') throw systemError('ENOTDIR', { syscall: 'scandir', path });
      return [...folder.entries.keys()].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    },
    realpath(path: string): string {
      enter('realpath', path);
      existing(path, 'realpath');
      return path;
    },
    closeAll(): void {
      for (const [at, file] of descriptors.entries()) if (file) drop(at + FIRST_DESCRIPTOR, file);
    },
    /** After a power cut there is nothing to let go of. */
    forget(): void {
      descriptors.length = 0;
    },
  };
}
