/**
 * A file that can be read more than once and at any position: a regular file as it is, or a copy of
 * a pipe or of a packed file. The copy disappears with the process.
 */
import { readSync } from 'node:fs';
import type { Host } from '../context.ts';
import { openTemporaryFile } from '../files/temporary-file.ts';
import { GZIP, unpack } from './container.ts';
import { type ListSource, openedFile, openSource, type PlainFile, unreadableList } from './source.ts';

export type PlainFileHost = Pick<Host, 'stdin' | 'signal' | 'temporaryFolder'>;

/**
 * `source` as it is, if it can be read again; else a copy of its bytes, read to their end. @throws
 * IoError without room for that
 */
export async function repeatable(source: ListSource, host: PlainFileHost): Promise<ListSource> {
  return source.isRegular ? source : copyToFile(source, source.read(), host);
}

/**
 * Opens `file`, a path or `-` for standard input, which is read to its end, and unpacks it. The
 * caller closes it.
 * @throws ListError when it cannot be read; IoError when there is no room for a copy
 */
export async function openPlainFile(file: string, host: PlainFileHost): Promise<PlainFile> {
  const source = await openSource(file, host);
  return source.fd === undefined ? unpackedCopy(source, host) : unpacked(source, host);
}

/** The same for a regular file that is already open; closing the result closes that file. */
export const plainFile = (
  fd: number,
  names: Pick<ListSource, 'name' | 'unquotedName'>,
  host: PlainFileHost,
): Promise<PlainFile> => unpacked(openedFile(fd, names), host);

const unpacked = async (file: PlainFile, host: PlainFileHost): Promise<PlainFile> =>
  isPacked(file) ? unpackedCopy(file, host) : file;

const unpackedCopy = async (source: ListSource, host: PlainFileHost): Promise<PlainFile> =>
  copyToFile(source, (await unpack(source.read())).bytes, host);

/** @throws ListError, after the file is closed, when it cannot be read */
function isPacked({ fd, name, close }: PlainFile): boolean {
  const start = Buffer.alloc(2);
  try {
    readSync(fd, start, 0, 2, 0);
  } catch (error) {
    close();
    throw unreadableList(name, error);
  }
  return start.toString('hex') === GZIP;
}

async function copyToFile(
  source: ListSource,
  content: AsyncIterable<Uint8Array>,
  host: PlainFileHost,
): Promise<PlainFile> {
  const copy = openTemporaryFile(host);
  try {
    for await (const bytes of content) copy.append(bytes);
    return openedFile(copy.fd, source, copy.close);
  } catch (error) {
    copy.close();
    throw error;
  } finally {
    source.close();
  }
}
