/**
 * A file that can be read more than once and at any position: a regular file as it is, or a copy of
 * a pipe or of a packed file. The copy disappears with the process.
 */
import { readSync } from 'node:fs';
import type { Host } from '../context.ts';
import { openTemporaryFile } from '../files/temporary-file.ts';
import { GZIP, unpack } from './container.ts';
import {
  type ListSource,
  type OpenedSource,
  openedFile,
  openSource,
  type PlainFile,
  unreadableList,
} from './source.ts';

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
export const openPlainFile = async (file: string, host: PlainFileHost): Promise<PlainFile> =>
  unpacked(await openSource(file, host), host);

/** The same for a regular file that is already open; closing the result closes that file. */
export const plainFile = (
  fd: number,
  names: Pick<ListSource, 'name' | 'unquotedName'>,
  host: PlainFileHost,
): Promise<PlainFile> => unpacked(openedFile(fd, names), host);

async function unpacked(source: OpenedSource, host: PlainFileHost): Promise<PlainFile> {
  if (source.fd !== undefined && !isPacked(source)) return source;
  return copyToFile(source, (await unpack(source.read())).bytes, host);
}

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

async function copyToFile(source: ListSource, content: ReturnType<ListSource['read']>, host: PlainFileHost) {
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
