/**
 * A file that can be read more than once and at any position: a regular file as it is, or a copy of
 * a pipe or of a packed file. The copy disappears with the process.
 */
import { openSync, read, readSync } from 'node:fs';
import { promisify } from 'node:util';
import type { Host } from '../context.ts';
import { closeQuietly } from '../files/close-file.ts';
import { openTemporaryFile } from '../files/temporary-file.ts';
import { GZIP, unpack } from './container.ts';
import { type ListSource, openSource, unreadableList } from './source.ts';

export interface PlainFile extends ListSource {
  readonly fd: number;
}

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
  if (!source.isRegular) return copyToFile(source, (await unpack(source.read())).bytes, host);
  const { name } = source;
  let fd: number;
  try {
    fd = openSync(file, 'r');
  } catch (error) {
    throw unreadableList(name, error);
  }
  return plainFile(fd, source, host);
}

/** The same for a regular file that is already open; closing the result closes that file. */
export async function plainFile(
  fd: number,
  names: Pick<ListSource, 'name' | 'unquotedName'>,
  host: PlainFileHost,
): Promise<PlainFile> {
  let isOpen = true;
  const opened = openedFile(fd, names, () => {
    if (isOpen) closeQuietly(fd);
    isOpen = false;
  });
  return isPacked(opened) ? copyToFile(opened, (await unpack(opened.read())).bytes, host) : opened;
}

function openedFile(
  fd: number,
  { name, unquotedName }: Pick<ListSource, 'name' | 'unquotedName'>,
  close: () => void,
): PlainFile {
  return {
    ...{ fd, name, unquotedName, isRegular: true, close },
    async *read() {
      for (let at = 0; ; ) {
        const bytes = await readBlock(fd, at).catch((error: unknown) => {
          throw unreadableList(name, error);
        });
        if (bytes.length === 0) return;
        at += bytes.length;
        yield bytes;
      }
    },
  };
}

const readFileAt = promisify(read);

/** Bytes that are read at once. */
const BLOCK_BYTES = 64 * 1024;

/** Not by a stream, which closes the descriptor when its reader leaves early. */
async function readBlock(fd: number, at: number): Promise<Uint8Array> {
  const block = Buffer.allocUnsafe(BLOCK_BYTES);
  const { bytesRead } = await readFileAt(fd, block, 0, block.length, at);
  return block.subarray(0, bytesRead);
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
