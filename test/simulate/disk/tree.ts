/**
 * Folders and names, and which changes of them a power cut undoes. A change (make, link, unlink, rename) is one transaction:
 * it has happened or not. Two models:
 *
 * - `ordered` (ext4 and XFS, with one journal for all): what has happened is a prefix of all changes; a sync of any file or
 *   folder brings all changes before it to the disk.
 * - `reordered` (btrfs, and what POSIX promises): any of them, but for those that an earlier one on the same entry or of the
 *   same file must precede; only a sync of the folder brings its changes to the disk.
 *
 * Source: Pillai and others, "All File Systems Are Not Created Equal", OSDI 2014, table 1 and section 4.4; fsync(2): "Calling
 * fsync() does not necessarily ensure that the entry in the directory containing the file has also reached disk".
 */
import { type Content, emptyContent, tearContent } from './content.ts';
import { type FailedCall, systemError } from './system-error.ts';

export interface Inode {
  readonly kind: 'file' | 'folder' | 'link';
  ino: number;
  mode: number;
  uid: number;
  gid: number;
  nlink: number;
  /** Descriptors. */
  opens: number;
  mtime: number;
  ctime: number;
  readonly birthtime: number;
  readonly content: Content;
  readonly entries: Map<string, Inode>;
  /** Of a folder. */
  parent: Inode | undefined;
  /** Of a link. */
  readonly target: string;
}

export interface User {
  readonly uid: number;
  readonly gid: number;
}

/** A name in a folder, whether something is there or not. */
export interface Spot {
  readonly folder: Inode;
  readonly name: string;
  readonly inode: Inode | undefined;
  /** The path ended with a slash: only a folder will do. */
  readonly wantsFolder: boolean;
}

interface Edit {
  readonly folder: Inode;
  readonly name: string;
  readonly before: Inode | undefined;
  readonly after: Inode | undefined;
}

interface Change {
  readonly number: number;
  readonly edits: readonly Edit[];
}

export type CrashModel = 'ordered' | 'reordered';

/** So many changes wait for a sync at most: the system writes old ones back by itself. */
const MAX_PENDING = 512;
const SLASH = 47;
const MAX_LINKS = 40;
const MAX_NAME = 255;
const MAX_PATH = 4_096;

export const [READ, WRITE, EXECUTE] = [4, 2, 1];

export function mayUse(inode: Inode, { uid, gid }: User, bits: number): boolean {
  if (uid === 0) return (bits & EXECUTE) === 0 || inode.kind === 'folder' || (inode.mode & 0o111) !== 0;
  const shift = uid === inode.uid ? 6 : gid === inode.gid ? 3 : 0;
  return ((inode.mode >> shift) & bits) === bits;
}

export type Tree = ReturnType<typeof createTree>;

export function createTree(random: () => number, now: () => number) {
  const free: number[] = [];
  let lastIno = 1;
  let pending: Change[] = [];
  let [changes, synced] = [0, 0];
  /** Bytes of all files that have a name or a descriptor. */
  let used = 0;

  function makeInode(kind: Inode['kind'], { uid, gid }: User, mode: number, target = ''): Inode {
    const [at, content, entries] = [now(), emptyContent(), new Map<string, Inode>()];
    const own = { kind, mode, uid, gid, content, entries, target, mtime: at, ctime: at, birthtime: at };
    return { ...own, ino: free.pop() ?? ++lastIno, nlink: 0, opens: 0, parent: undefined };
  }

  const root = makeInode('folder', { uid: 0, gid: 0 }, 0o755);
  root.parent = root;

  function letGo(inode: Inode): void {
    if (inode.nlink > 0 || inode.opens > 0) return;
    used -= inode.content.size;
    // As ext4 does: whoever takes a number for a file meets another one.
    free.push(inode.ino);
  }

  function setEntry({ folder, name }: Edit, inode: Inode | undefined): void {
    if (inode) folder.entries.set(name, inode);
    else folder.entries.delete(name);
    if (inode?.kind === 'folder') inode.parent = folder;
  }

  /** Carries out a change of entries, as one. */
  function change(...edits: Edit[]): void {
    const at = now();
    for (const edit of edits) {
      setEntry(edit, edit.after);
      if (edit.after) [edit.after.nlink, edit.after.ctime] = [edit.after.nlink + 1, at];
      edit.folder.mtime = edit.folder.ctime = at;
    }
    for (const { before } of edits) {
      if (!before) continue;
      before.nlink--;
      before.ctime = at;
      letGo(before);
    }
    pending.push({ number: ++changes, edits });
    if (pending.length > MAX_PENDING) pending = pending.slice(MAX_PENDING / 2);
  }

  /** Brings changes to the disk, with all that must precede them. */
  function keep(isMeant: (change: Change) => boolean): void {
    const kept: Change[] = [];
    const done: Change[] = [];
    for (const change of [...pending].reverse()) {
      if (isMeant(change) || done.some((later) => precedes(change, later))) done.push(change);
      else kept.unshift(change);
    }
    pending = kept;
  }

  /** A sync that began after the change number `upTo` has come to its end. */
  function commit(inode: Inode, upTo: number): void {
    synced = Math.max(synced, upTo);
    if (inode.kind !== 'folder' || pending.length === 0) return;
    keep(({ number, edits }) => number <= upTo && edits.some(({ folder }) => folder === inode));
  }

  function survivors(model: CrashModel): readonly Change[] {
    if (model === 'ordered') {
      const certain = pending.filter(({ number }) => number <= synced).length;
      return pending.slice(0, certain + Math.floor(random() * (pending.length - certain + 1)));
    }
    const share = random();
    const lost: Change[] = [];
    return pending.filter((change) => {
      const isThere = random() < share && !lost.some((other) => precedes(other, change));
      if (!isThere) lost.push(change);
      return isThere;
    });
  }

  function crash(model: CrashModel): void {
    const there = survivors(model);
    for (const { edits } of [...pending].reverse())
      for (const edit of [...edits].reverse()) setEntry(edit, edit.before);
    for (const { edits } of there) for (const edit of edits) setEntry(edit, edit.after);
    pending = [];
    recount();
  }

  /** Finds anew what has a name, tears it, and gives no two files one number. */
  function recount(): void {
    const found = new Set<Inode>([root]);
    const numbers = new Set<number>([root.ino]);
    used = 0;
    for (const folder of found) {
      for (const inode of folder.entries.values()) {
        if (inode.kind === 'folder') inode.parent = folder;
        if (!found.has(inode)) {
          [inode.nlink, inode.opens] = [0, 0];
          if (numbers.has(inode.ino)) inode.ino = ++lastIno;
          numbers.add(inode.ino);
          tearContent(inode.content, random);
          used += inode.content.size;
          found.add(inode);
        }
        inode.nlink++;
      }
    }
    free.length = 0;
  }

  return {
    root,
    makeInode,
    change,
    commit,
    crash,
    letGo,
    get used() {
      return used;
    },
    grow(bytes: number) {
      used += bytes;
    },
    get changes() {
      return changes;
    },
    /** What has been done with this file is on the disk. */
    settle: (inode: Inode) =>
      keep(({ edits }) => edits.some(({ before, after }) => before === inode || after === inode)),
  };
}

/** Whether `later` cannot have happened without `earlier`. */
function precedes(earlier: Change, later: Change): boolean {
  return later.edits.some((b) =>
    earlier.edits.some(
      (a) =>
        (a.folder === b.folder && a.name === b.name) ||
        (a.after !== undefined && (a.after === b.after || a.after === b.folder)),
    ),
  );
}

export interface Walk {
  readonly root: Inode;
  readonly from: Inode;
  readonly user: User;
  /** Whether a link at the end of the path is followed. */
  readonly follows: boolean;
  /** What an error says. */
  readonly call: FailedCall;
}

/** Each character takes three bytes at most. */
const isLonger = (text: string, bytes: number) => text.length * 3 > bytes && Buffer.byteLength(text) > bytes;

/** Whether nothing but slashes follows. */
function isOver(path: string, from: number): boolean {
  for (let at = from; at < path.length; at++) if (path.charCodeAt(at) !== SLASH) return false;
  return true;
}

/** Where `path` leads. @throws what the system has against it */
export function locate(path: string, walk: Walk): Spot {
  const fail = (code: string) => systemError(code, walk.call);
  if (path === '') throw fail('ENOENT');
  if (isLonger(path, MAX_PATH - 1)) throw fail('ENAMETOOLONG');
  let links = 0;
  function step(folder: Inode, rest: string, follows: boolean): Spot {
    let at = rest.startsWith('/') ? walk.root : folder;
    const wantsFolder = rest.endsWith('/');
    for (let [begin, end] = [0, 0]; begin < rest.length; begin = end + 1) {
      end = rest.indexOf('/', begin);
      if (end < 0) end = rest.length;
      if (end === begin) continue;
      const name = rest.slice(begin, end);
      const isLast = isOver(rest, end);
      if (at.kind !== 'folder') throw fail('ENOTDIR');
      if (!mayUse(at, walk.user, EXECUTE)) throw fail('EACCES');
      if (isLonger(name, MAX_NAME)) throw fail('ENAMETOOLONG');
      const inode = name === '.' ? at : name === '..' ? at.parent : at.entries.get(name);
      if (inode?.kind === 'link' && (!isLast || follows || wantsFolder)) {
        if (++links > MAX_LINKS) throw fail('ELOOP');
        const target = step(at, inode.target, true);
        if (isLast) return { ...target, wantsFolder: target.wantsFolder || wantsFolder };
        if (!target.inode) throw fail('ENOENT');
        at = target.inode;
        continue;
      }
      if (isLast) {
        if (wantsFolder && inode && inode.kind !== 'folder') throw fail('ENOTDIR');
        return { folder: at, name, inode, wantsFolder };
      }
      if (!inode) throw fail('ENOENT');
      at = inode;
    }
    return { folder: at, name: '.', inode: at, wantsFolder: true };
  }
  return step(walk.from, path, walk.follows);
}
