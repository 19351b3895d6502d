/** What stat(2) says of a file, as numbers and as bigints. */
import type { Inode } from './tree.ts';

const TYPE = { file: 0o100000, folder: 0o040000, link: 0o120000 } as const;
const BLOCK = 4_096;

/** What both have; a class for each, so that all of one kind have one shape. */
class Kind {
  constructor(private readonly kind: Inode['kind']) {}
  isFile(): boolean {
    return this.kind === 'file';
  }
  isDirectory(): boolean {
    return this.kind === 'folder';
  }
  isSymbolicLink(): boolean {
    return this.kind === 'link';
  }
  isFIFO(): boolean {
    return false;
  }
  isSocket(): boolean {
    return false;
  }
  isCharacterDevice(): boolean {
    return false;
  }
  isBlockDevice(): boolean {
    return false;
  }
}

const linksOf = ({ kind, nlink, entries }: Inode) =>
  kind === 'folder' ? 2 + [...entries.values()].filter((entry) => entry.kind === 'folder').length : nlink;

function sizeOf({ kind, content, target }: Inode): number {
  return kind === 'file' ? content.size : kind === 'folder' ? BLOCK : Buffer.byteLength(target);
}

const DEVICE = 0x801;

export function statsOf(inode: Inode) {
  const { kind, mode, uid, gid, ino, mtime, ctime, birthtime } = inode;
  const size = sizeOf(inode);
  return Object.assign(new Kind(kind), {
    dev: DEVICE,
    mode: TYPE[kind] | mode,
    nlink: linksOf(inode),
    uid,
    gid,
    rdev: 0,
    blksize: BLOCK,
    ino,
    size,
    blocks: 8 * Math.ceil(size / BLOCK),
    atimeMs: mtime,
    mtimeMs: mtime,
    ctimeMs: ctime,
    birthtimeMs: birthtime,
  });
}

const nanoseconds = (ms: number) => BigInt(Math.round(ms * 1_000)) * 1_000n;

export function bigStatsOf(inode: Inode) {
  const { kind, mode, uid, gid, ino, mtime, ctime } = inode;
  return Object.assign(new Kind(kind), {
    dev: BigInt(DEVICE),
    ino: BigInt(ino),
    mode: BigInt(TYPE[kind] | mode),
    nlink: BigInt(linksOf(inode)),
    uid: BigInt(uid),
    gid: BigInt(gid),
    rdev: 0n,
    size: BigInt(sizeOf(inode)),
    mtimeMs: BigInt(Math.floor(mtime)),
    mtimeNs: nanoseconds(mtime),
    ctimeNs: nanoseconds(ctime),
  });
}
