/** Lines on disk, in a temporary file that disappears with the process: for more lines than memory holds. */
import { read } from 'node:fs';
import { promisify } from 'node:util';
import type { Host } from '../../context.ts';
import { IoError } from '../../errors.ts';
import { fileError } from '../file-error.ts';
import { openTemporaryFile, type TemporaryFile } from '../temporary-file.ts';

/** A part of the file, in bytes; `to` is exclusive. */
export interface FilePart {
  readonly from: number;
  readonly to: number;
}

export interface LineFile {
  /** Bytes in it. */
  readonly size: number;
  /** Adds whole lines, each with its newline. @throws IoError when there is no room. */
  append(bytes: Uint8Array): void;
  /**
   * The whole lines of `part`, with their newlines, as many at a time as `chunk` bytes hold. Each buffer is valid until the next
   * one is requested: it is reused. @throws IoError
   */
  read(part: FilePart, chunk?: number): AsyncGenerator<Buffer>;
  /** May be called twice. */
  close(): void;
}

/** @throws IoError when no temporary file can be made. */
export function openLineFile(host: Pick<Host, 'temporaryFolder'>): LineFile {
  const file = openTemporaryFile(host);
  let size = 0;
  return {
    get size() {
      return size;
    },
    append(bytes) {
      file.write(bytes, size);
      size += bytes.length;
    },
    read: (part, chunk = CHUNK) => linesOf(file, { ...part, chunk }),
    close: file.close,
  };
}

/** Bytes read at once: enough to make a million rows cheap, few enough that a signal is noticed soon. */
const CHUNK = 256 * 1024;
export const NEWLINE = 0x0a;
const RUN_AGAIN = 'run the same command again';
const readChunk = promisify(read);

/**
 * Not node:readline: it keeps reading after its consumer has left, when the descriptor may be closed, and takes U+2028 in a
 * cell for the end of a line.
 */
async function* linesOf(
  file: TemporaryFile,
  { from, to, chunk }: FilePart & { readonly chunk: number },
): AsyncGenerator<Buffer> {
  let buffer = Buffer.allocUnsafe(chunk);
  let begun = 0;
  for (let offset = from; offset < to; ) {
    if (begun === buffer.length) buffer = Buffer.concat([buffer], 2 * begun);
    const length = Math.min(buffer.length - begun, to - offset);
    const { bytesRead } = await readChunk(file.fd, buffer, begun, length, offset).catch((cause: unknown) => {
      throw fileError(`${file.name} cannot be read`, { cause, hint: RUN_AGAIN, isResumable: true });
    });
    if (bytesRead === 0)
      throw new IoError(`${file.name} is shorter than it was`, { hint: RUN_AGAIN, isResumable: true });
    offset += bytesRead;
    const filled = begun + bytesRead;
    const end = buffer.subarray(0, filled).lastIndexOf(NEWLINE) + 1;
    if (end > 0) yield buffer.subarray(0, end);
    buffer.copyWithin(0, end, filled);
    begun = filled - end;
  }
}

/** The lines in `bytes`, which end with a newline, without their newlines. */
export function* linesIn(bytes: Buffer): Generator<string> {
  for (let from = 0; from < bytes.length; ) {
    const to = bytes.indexOf(NEWLINE, from);
    yield bytes.toString('utf8', from, to);
    from = to + 1;
  }
}
