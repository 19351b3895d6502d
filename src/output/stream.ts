/** Writing to a stream so that nothing is lost: waits for the bytes to leave, and tells a full disk from a gone reader. */
import type { OutputStream } from '../context.ts';
import { IoError, ReaderGoneError } from '../errors.ts';

/**
 * Resolves when `text` has left for the kernel, so that a slow reader slows the writer.
 * @throws ReaderGoneError when nobody reads any more, IoError when the stream cannot take it.
 */
export function writeAll(stream: OutputStream, text: string | Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(text, (error) => {
      if (!error) resolve();
      else reject(writeFault(error));
    });
  });
}

function writeFault(error: NodeJS.ErrnoException): Error {
  if (error.code === 'EPIPE' || error.code === 'ERR_STREAM_DESTROYED') return new ReaderGoneError();
  return new IoError(`standard output could not be written (${error.code ?? error.message})`, {
    hint: 'make room or redirect the output elsewhere, then run the same command again',
    cause: error,
  });
}
