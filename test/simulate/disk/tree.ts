/**
 * Folders and names, and which changes of them a power cut undoes. A change (make, link, unlink,
 * rename) is one transaction: it has happened or not. Two models:
 *
 * - `ordered` (ext4 and XFS, with one journal for all): what has happened is a prefix of all
 *   changes; a sync of any file or folder brings all changes before it to the disk.
 * - `reordered` (btrfs, and what POSIX promises): any of them, but for those that an earlier one on
 *   the same entry or of the same file must precede; only a sync of the folder brings its changes
 *   to the disk.
 *
 * Source: Pillai and others, "All File Systems Are Not Created Equal", OSDI 2014, table 1 and
 * section 4.4; fsync(2): "Calling fsync() does not necessarily ensure that the entry in the
 * directory containing the file has also reached disk".
 */
import { type Content, emptyContent, tearContent } from './content.ts';
import { type FailedCall, systemError } from './system-error.ts';

export interface Inode {
  readonly kind: 'file' | 'folder';
  ino: number;
  mode: number;
  uid: number;
  gid: number;
  nlink: number;
  /** Descriptors. */
  opens: number;
  mtime: number;
  readonly content: Content;
  readonly entries: Map<string, Inode>;
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

export type Tree = ReturnType<typeof createTree>;

export function createTree(random: () => number, now: () => number) {
  const free: number[] = [];
  let lastIno = 1;
  let pending: Change[] = [];
  let [changes, synced] = [0, 0];
  /** Bytes of all files that have a name or a descriptor. */
  let used = 0;

  function makeInode(kind: Inode['kind'], { uid, gid }: User, mode: number): Inode {
    const [content, entries] = [emptyContent(), new Map<string, Inode>()];
    const own = { kind, mode, uid, gid, content, entries, mtime: now() };
    return { ...own, ino: free.pop() ?? ++lastIno, nlink: 0, opens: 0 };
  }

  const root = makeInode('folder', { uid: 0, gid: 0 }, 0o755);

  function letGo(inode: Inode): void {
    if (inode.nlink > 0 || inode.opens > 0) return;
    used -= inode.content.size;
    // As ext4 does: whoever takes a number for a file meets another one.
    free.push(inode.ino);
  }

  function setEntry({ folder, name }: Edit, inode: Inode | undefined): void {
    if (inode) folder.entries.set(name, inode);
    else folder.entries.delete(name);
  }

  /** Carries out a change of entries, as one. */
  function change(...edits: Edit[]): void {
    for (const edit of edits) {
      setEntry(edit, edit.after);
      if (edit.after) edit.after.nlink++;
      edit.folder.mtime = now();
    }
    for (const { before } of edits) {
      if (!before) continue;
      before.nlink--;
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

/** Where `path` leads, of plain names from the root. @throws what the system has against it */
export function locate(root: Inode, path: string, call: FailedCall): Spot {
  const names = path.split('/').filter((name) => name !== '');
  const last = names.pop();
  if (last === undefined) return { folder: root, name: '.', inode: root };
  let folder = root;
  for (const name of names) {
    const next = folder.entries.get(name);
    if (!next) throw systemError('ENOENT', call);
    if (next.kind !== 'folder') throw systemError('ENOTDIR', call);
    folder = next;
  }
  return { folder, name: last, inode: folder.entries.get(last) };
}
