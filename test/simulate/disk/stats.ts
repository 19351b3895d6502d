/** What stat(2) says of a file, in numbers or in bigints: as much of it as the program looks at. */
import type { Inode } from './tree.ts';

const TYPE = { file: 0o100000, folder: 0o040000 } as const;
const FOLDER_SIZE = 4_096;
const DEVICE = 0x801;

const no = () => false;
const isNothingElse = { isSymbolicLink: no, isFIFO: no, isSocket: no, isCharacterDevice: no, isBlockDevice: no };

function numbersOf({ kind, mode, nlink, uid, gid, ino, content, mtime }: Inode) {
  const size = kind === 'file' ? content.size : FOLDER_SIZE;
  return { dev: DEVICE, ino, mode: TYPE[kind] | mode, nlink, uid, gid, size, mtimeMs: mtime };
}

export function statsOf(inode: Inode, isBig = false) {
  const { kind } = inode;
  const numbers = numbersOf(inode);
  const values = isBig ? Object.entries(numbers).map(([name, value]) => [name, BigInt(Math.floor(value))]) : [];
  return {
    ...(isBig ? Object.fromEntries(values) : numbers),
    ...isNothingElse,
    isFile: () => kind === 'file',
    isDirectory: () => kind === 'folder',
  };
}
