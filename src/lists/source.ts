/**
 * The source of a wallet list: a file, standard input, a FIFO. Only a regular file can be read
 * twice. It is held open, so that the list that is checked is the one that is read.
 */
import { constants, createReadStream, openSync, read } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Socket } from 'node:net';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { crc32 } from 'node:zlib';
import type { Host, InputStream } from '../context.ts';
import { ListError, UsageError } from '../errors.ts';
import { closeQuietly } from '../files/close-file.ts';
import { shownPath, systemCode, systemReason } from '../files/file-error.ts';
import { visibleName } from '../secrets/redact.ts';

export interface ListSource {
  /** Its name in messages: a file in quotes. */
  readonly name: string;
  /** The same without quotes, for rows and reports. */
  readonly unquotedName: string;
  /** Whether `read` may be called again, to check the whole list before anything is paid. */
  readonly isRegular: boolean;
  /**
   * The bytes from the beginning. A pipe ends with the signal's reason when the host's signal
   * aborts.
   * @throws ListError when they cannot be read
   */
  read(): AsyncIterable<Uint8Array>;
  /** Ends the reading, even of a silent pipe, which would keep the process alive. */
  close(): void;
}

/** A file that can be read more than once and at any position. */
export interface PlainFile extends ListSource {
  readonly fd: number;
}

/** A file, or what can be read once. */
export type OpenedSource = PlainFile | (ListSource & { readonly fd?: undefined });

/** Begins the name of the file that Excel keeps beside a workbook. */
const EXCEL_LOCK = '~$';

/**
 * The list in `file`, a path or `-` for standard input; nothing is read yet.
 * @throws ListError for a path that is missing or a directory; UsageError when standard input is a
 * terminal
 */
export async function openSource(file: string, host: Pick<Host, 'stdin' | 'signal'>): Promise<OpenedSource> {
  if (file === '-') return openStandardInput(host);
  const name = shownPath(file);
  if (basename(file).startsWith(EXCEL_LOCK)) {
    throw new ListError(`${name} only says that Excel has the workbook open`, {
      hint: `give the workbook: ${shownPath(join(dirname(file), basename(file).slice(EXCEL_LOCK.length)))}`,
    });
  }
  const stats = await stat(file).catch((error: unknown) => {
    throw unreadableList(name, error);
  });
  if (stats.isDirectory()) throw directory(name);
  const unquotedName = visibleName(file);
  if (stats.isFile()) return openFile(file, { name, unquotedName });
  const open = stats.isFIFO() ? () => openFifo(file) : () => createReadStream(file);
  return { name, unquotedName, isRegular: false, ...createReading(name, host.signal(), open) };
}

function openFile(file: string, names: Pick<ListSource, 'name' | 'unquotedName'>): PlainFile {
  let fd: number;
  try {
    fd = openSync(file, 'r');
  } catch (error) {
    throw unreadableList(names.name, error);
  }
  return openedFile(fd, names);
}

/**
 * The regular file that is open as `fd`. Each complete reading has to give the bytes of the first
 * one, which may since have been followed by others.
 * @param close once, in place of closing `fd`
 */
export function openedFile(
  fd: number,
  { name, unquotedName }: Pick<ListSource, 'name' | 'unquotedName'>,
  close = () => closeQuietly(fd),
): PlainFile {
  let isOpen = true;
  let first: { readonly size: number; readonly checksum: number } | undefined;
  return {
    ...{ fd, name, unquotedName, isRegular: true },
    close() {
      if (isOpen) close();
      isOpen = false;
    },
    async *read() {
      const end = first?.size ?? Number.POSITIVE_INFINITY;
      let size = 0;
      let checksum = 0;
      while (size < end) {
        const bytes = await readBlock(fd, size, end).catch((error: unknown) => {
          throw unreadableList(name, error);
        });
        if (bytes.length === 0) break;
        size += bytes.length;
        checksum = crc32(bytes, checksum);
        yield bytes;
      }
      first ??= { size, checksum };
      if (first.size !== size || first.checksum !== checksum) {
        throw new ListError(`${name} was changed while it was read`, { hint: 'run the same command again' });
      }
    },
  };
}

const readFileAt = promisify(read);

/** Bytes that are read at once. */
const BLOCK_BYTES = 64 * 1024;

/**
 * Not by a stream, which closes the descriptor when its reader leaves early. With an explicit
 * position, also of /dev/stdin, whose descriptor may be a copy that shares it.
 */
async function readBlock(fd: number, at: number, end: number): Promise<Uint8Array> {
  const block = Buffer.allocUnsafe(Math.min(BLOCK_BYTES, end - at));
  const { bytesRead } = await readFileAt(fd, block, 0, block.length, at);
  return block.subarray(0, bytesRead);
}

/**
 * As node reads a pipe on standard input: a file that waits for a writer or for bytes keeps a
 * thread, and with it the process.
 */
const openFifo = (path: string) =>
  new Socket({ fd: openSync(path, constants.O_RDONLY | constants.O_NONBLOCK), readable: true, writable: false });

function openStandardInput(host: Pick<Host, 'stdin' | 'signal'>): ListSource {
  const name = 'standard input';
  const stream = host.stdin();
  if (stream.isTTY) {
    throw new UsageError('standard input is a terminal, not a wallet list', {
      hint: 'pipe a list into riskcli, or give a file with -f FILE',
    });
  }
  return { name, unquotedName: name, isRegular: false, ...createReading(name, host.signal(), () => stream) };
}

function createReading(name: string, signal: AbortSignal, open: () => InputStream): Pick<ListSource, 'read' | 'close'> {
  const closing = new AbortController();
  const stopping = AbortSignal.any([signal, closing.signal]);
  async function* read() {
    signal.throwIfAborted();
    if (closing.signal.aborted) return;
    let stream: InputStream | undefined;
    const stop = () => stream?.destroy?.();
    stopping.addEventListener('abort', stop);
    try {
      stream = open();
      for await (const chunk of stream) yield typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
      signal.throwIfAborted();
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      if (!closing.signal.aborted) throw unreadableList(name, error);
    } finally {
      stopping.removeEventListener('abort', stop);
    }
  }
  return { read, close: () => closing.abort() };
}

const directory = (name: string) => new ListError(`${name} is a directory`, { hint: 'give a file with a wallet list' });

/** Why a file cannot be read, to be thrown; `name` as it is shown. */
export function unreadableList(name: string, error: unknown): unknown {
  const code = systemCode(error);
  if (code === undefined) return error;
  if (code === 'EISDIR') return directory(name);
  return new ListError(`${name} cannot be read: ${systemReason(error)}`, {
    hint: 'name a file that can be read, or - for standard input',
    cause: error,
  });
}
