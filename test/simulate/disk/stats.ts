/** What stat(2) says of a file, as numbers and as bigints. */
import type { Inode } from './tree.ts';

const TYPE = { file: 0o100000, folder: 0o040000 } as const;
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
    return false;
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

const sizeOf = ({ kind, content }: Inode) => (kind === 'file' ? content.size : BLOCK);

const DEVICE = 0x801;

class Stats extends Kind {
  readonly dev = DEVICE;
  readonly mode;
  readonly nlink;
  readonly uid;
  readonly gid;
  readonly rdev = 0;
  readonly blksize = BLOCK;
  readonly ino;
  readonly size;
  readonly blocks;
  readonly atimeMs;
  readonly mtimeMs;
  readonly ctimeMs;
  readonly birthtimeMs;

  constructor(inode: Inode) {
    super(inode.kind);
    this.mode = TYPE[inode.kind] | inode.mode;
    this.nlink = linksOf(inode);
    this.uid = inode.uid;
    this.gid = inode.gid;
    this.ino = inode.ino;
    this.size = sizeOf(inode);
    this.blocks = 8 * Math.ceil(this.size / BLOCK);
    this.atimeMs = inode.mtime;
    this.mtimeMs = inode.mtime;
    this.ctimeMs = inode.ctime;
    this.birthtimeMs = inode.birthtime;
  }
}

const nanoseconds = (ms: number) => BigInt(Math.round(ms * 1_000)) * 1_000n;

class BigStats extends Kind {
  readonly dev = BigInt(DEVICE);
  readonly ino;
  readonly mode;
  readonly nlink;
  readonly uid;
  readonly gid;
  readonly rdev = 0n;
  readonly size;
  readonly mtimeMs;
  readonly mtimeNs;
  readonly ctimeNs;

  constructor(inode: Inode) {
    super(inode.kind);
    this.ino = BigInt(inode.ino);
    this.mode = BigInt(TYPE[inode.kind] | inode.mode);
    this.nlink = BigInt(linksOf(inode));
    this.uid = BigInt(inode.uid);
    this.gid = BigInt(inode.gid);
    this.size = BigInt(sizeOf(inode));
    this.mtimeMs = BigInt(Math.floor(inode.mtime));
    this.mtimeNs = nanoseconds(inode.mtime);
    this.ctimeNs = nanoseconds(inode.ctime);
  }
}

export const statsOf = (inode: Inode) => new Stats(inode);
export const bigStatsOf = (inode: Inode) => new BigStats(inode);
