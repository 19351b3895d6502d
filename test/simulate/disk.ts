/**
 * A disk in memory that can do to the program what real ones do: forget at a power cut what was not
 * synced, tear it by sectors, undo names, be full at any byte, fail and be slow. Nothing in it is
 * left to chance but by `random`. What it keeps and what it loses is said in disk/content.ts and
 * disk/tree.ts; that it is otherwise like a real one is held by disk.test.ts.
 */
import { type Caller, type Calls, createCalls, type DiskState, type Faults } from './disk/calls.ts';
import { truncateContent, writeContent } from './disk/content.ts';
import { createNodeFs, type NodeFs } from './disk/node-fs.ts';
import { type CrashModel, createTree, type Inode, locate, type Spot } from './disk/tree.ts';

export type { Caller, CrashModel, Faults };

export interface DiskOptions {
  /** Of the disk's clock, milliseconds since 1970. */
  readonly now: () => number;
  /**
   * Called before each call takes effect. It may throw, which prevents the effect, or run other
   * processes.
   */
  readonly onCall: (process: Caller, call: string, path: string) => void;
}

export interface Disk {
  readonly faults: Faults;
  /** node:fs for `process`; `promises` is a member. */
  fsFor(process: Caller): NodeFs;
  /** Closes the files of an ended process. */
  end(process: Caller): void;
  /** The power is cut: all processes have ended, and what was not synced may be lost. */
  crash(model?: CrashModel): void;
  /** The regular files, by path. */
  files(): Map<string, Buffer>;
  /** The regular file at `path`; undefined where there is none. */
  read(path: string): Buffer | undefined;
  /** Changes made by users: not announced, and synced at once. */
  write(path: string, bytes: string | Uint8Array, options?: Partial<Pick<Inode, 'mode' | 'uid' | 'gid'>>): void;
  remove(path: string): void;
  mkdir(path: string, options?: Partial<Pick<Inode, 'mode' | 'uid' | 'gid'>>): void;
  /** Bytes of all files that have a name or a descriptor. */
  readonly used: number;
}

const ROOT = { uid: 0, gid: 0 };
const USER = { uid: 1_000, gid: 1_000 };

export function createDisk(random: () => number, { now, onCall }: DiskOptions): Disk {
  const tree = createTree(random, now);
  const faults: Faults = {};
  const world: DiskState = { tree, now, random, onCall, faults };
  const running = new Map<Caller, { readonly calls: Calls; readonly fs: NodeFs }>();

  const spotOf = (path: string): Spot => locate(tree.root, path, { syscall: 'open', path });

  function made(path: string, kind: 'file' | 'folder', { mode, ...owner }: Pick<Inode, 'mode' | 'uid' | 'gid'>): Inode {
    const spot = spotOf(path);
    if (spot.inode) return spot.inode;
    const inode = tree.makeInode(kind, owner, mode);
    tree.change({ ...spot, before: undefined, after: inode });
    tree.settle(inode);
    return inode;
  }

  const contentOf = ({ content }: Inode) => Buffer.from(content.bytes.subarray(0, content.size));

  function* filesIn(folder: Inode, path: string): Generator<[string, Buffer]> {
    for (const [name, inode] of folder.entries) {
      if (inode.kind === 'folder') yield* filesIn(inode, `${path}/${name}`);
      if (inode.kind === 'file') yield [`${path}/${name}`, contentOf(inode)];
    }
  }

  return {
    faults,
    fsFor(process) {
      const known = running.get(process);
      if (known) return known.fs;
      const calls = createCalls(world, process);
      const fs = createNodeFs(calls, process);
      running.set(process, { calls, fs });
      return fs;
    },
    end(process) {
      running.get(process)?.calls.closeAll();
      running.delete(process);
    },
    crash(model = random() < 0.5 ? 'ordered' : 'reordered') {
      for (const { calls } of running.values()) calls.forget();
      running.clear();
      tree.crash(model);
    },
    files: () => new Map(filesIn(tree.root, '')),
    read(path) {
      try {
        const { inode } = spotOf(path);
        return inode?.kind === 'file' ? contentOf(inode) : undefined;
      } catch {
        // There is no such folder.
        return undefined;
      }
    },
    write(path, bytes, { mode = 0o644, uid = USER.uid, gid = USER.gid } = {}) {
      const inode = made(path, 'file', { mode, uid, gid });
      const { content } = inode;
      const text = typeof bytes === 'string' ? Buffer.from(bytes) : bytes;
      tree.grow(text.length - content.size);
      truncateContent(content, 0);
      writeContent(content, text, 0);
      content.layers = [{ size: text.length, old: new Map() }];
      inode.mtime = now();
    },
    remove(path) {
      const spot = spotOf(path);
      if (!spot.inode) return;
      tree.change({ ...spot, before: spot.inode, after: undefined });
      tree.settle(spot.inode);
    },
    mkdir(path, { mode = 0o755, uid = USER.uid, gid = USER.gid } = {}) {
      const names = path.split('/').filter((name) => name !== '');
      for (let i = 1; i <= names.length; i++) {
        const owner = i === names.length ? { mode, uid, gid } : { mode: 0o755, ...ROOT };
        made(`/${names.slice(0, i).join('/')}`, 'folder', owner);
      }
    },
    get used() {
      return tree.used;
    },
  };
}
