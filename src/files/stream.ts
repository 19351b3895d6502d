/**
 * Writes to a stream without loss: waits until the bytes are written, and distinguishes a full disk
 * from a reader that is gone.
 */
import { fstatSync } from 'node:fs';
import type { OutputStream } from '../context.ts';
import { ReaderGoneError } from '../errors.ts';
import { fileError, systemCode } from './file-error.ts';
import { writeFully } from './fully.ts';

/**
 * Resolves when `text` was handed to the kernel, so that a slow reader slows the writer.
 * @throws ReaderGoneError when nobody reads any more, IoError when the stream cannot be written
 */
export const writeAll = (stream: OutputStream, text: string | Uint8Array) => writeTo(stream)(text);

/** A function that writes to `stream` as writeAll does. */
export function writeTo(stream: OutputStream): (text: string | Uint8Array) => Promise<void> {
  const file = regularFile(stream);
  if (file !== undefined) return async (text) => writeFile(file, text);
  return (text) =>
    new Promise((resolve, reject) => {
      stream.write(text, (error) => (error ? reject(writeFault(error)) : resolve()));
    });
}

/** The descriptor behind `stream` when that is a regular file. */
export function regularFile(stream: OutputStream & { readonly fd?: unknown }): number | undefined {
  if (typeof stream.fd !== 'number' || stream.isTTY) return undefined;
  try {
    return fstatSync(stream.fd).isFile() ? stream.fd : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Node's stream for a file takes a short write (disk nearly full, size limit) for a complete one
 * and loses the rest.
 */
function writeFile(fd: number, text: string | Uint8Array): void {
  try {
    writeFully(fd, text);
  } catch (error) {
    throw writeFault(error);
  }
}

/** Errors of a pipe whose reader is gone: EPIPE, on Windows EOF; a socket may be reset. */
const READER_GONE = ['EPIPE', 'EOF', 'ECONNRESET', 'ERR_STREAM_DESTROYED'];

export const isReaderGone = (error: unknown) => READER_GONE.includes(systemCode(error) ?? '');

function writeFault(cause: unknown): Error {
  if (isReaderGone(cause)) return new ReaderGoneError();
  return fileError('standard output cannot be written', {
    cause,
    hint: 'free up disk space or redirect the output elsewhere, then run the same command again',
    isResumable: true,
  });
}
