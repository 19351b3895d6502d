/**
 * Texts that wait on disk until somebody asks for one of them, in a temporary file that is gone with the process: what
 * there is too much of for memory, and of which a place is enough to find it again.
 */
import { readSync } from 'node:fs';
import type { Host } from '../context.ts';
import { fileError } from './file-error.ts';
import { openTemporaryFile, type TemporaryFile } from './temporary-file.ts';

/** In bytes. */
export interface RecordPlace {
  readonly offset: number;
  readonly length: number;
}

export interface RecordFile {
  /** @throws IoError when there is no room. */
  append(text: string): RecordPlace;
  /** What was appended there. @throws IoError */
  read(place: RecordPlace): string;
  /** Closing what is closed does nothing. */
  close(): void;
}

/** Bytes that are written at once, and read at once where records are read in their order. */
const BLOCK = 256 * 1024;

/** `hint` is what helps when there is no room, if there is more than usual. @throws IoError when no temporary file can be made. */
export function openRecordFile(host: Pick<Host, 'temporaryFolder'>, hint?: string): RecordFile {
  const file = openTemporaryFile(host, hint);
  const reader = createReader(file);
  const block = Buffer.allocUnsafe(BLOCK);
  let [written, held] = [0, 0];
  function flush(): void {
    file.write(block.subarray(0, held), written);
    written += held;
    held = 0;
  }
  function append(text: string): RecordPlace {
    // UTF-8 takes up to three bytes for a UTF-16 unit.
    if (text.length * 3 > BLOCK - held) flush();
    const offset = written + held;
    if (text.length * 3 <= BLOCK) {
      const length = block.write(text, held);
      held += length;
      return { offset, length };
    }
    const bytes = Buffer.from(text);
    file.write(bytes, written);
    written += bytes.length;
    return { offset, length: bytes.length };
  }
  return {
    append,
    read({ offset, length }) {
      if (offset < written) return reader.read({ offset, length }, written);
      return block.toString('utf8', offset - written, offset - written + length);
    },
    close: file.close,
  };
}

/** Reads ahead as long as records are asked for in their order; elsewhere no more than the record. */
function createReader(file: TemporaryFile) {
  const ahead = Buffer.allocUnsafe(BLOCK);
  /** The part of the file that `ahead` holds. */
  let [from, to] = [0, 0];
  return {
    /** `size` is that of the file, bytes. */
    read({ offset, length }: RecordPlace, size: number): string {
      const end = offset + length;
      if (offset !== to && (offset < from || end > to)) {
        // The next one may be the one behind it.
        [from, to] = [end, end];
        return readFully(file, { bytes: Buffer.allocUnsafe(length), offset }).toString('utf8');
      }
      if (end > to) {
        if (length > BLOCK) return readFully(file, { bytes: Buffer.allocUnsafe(length), offset }).toString('utf8');
        [from, to] = [offset, Math.min(offset + BLOCK, size)];
        readFully(file, { bytes: ahead.subarray(0, to - from), offset });
      }
      return ahead.toString('utf8', offset - from, end - from);
    },
  };
}

function readFully(
  file: TemporaryFile,
  { bytes, offset }: { readonly bytes: Buffer; readonly offset: number },
): Buffer {
  try {
    for (let read = 0; read < bytes.length; ) {
      const got = readSync(file.fd, bytes, read, bytes.length - read, offset + read);
      if (got === 0) throw new Error('it is shorter than it was');
      read += got;
    }
    return bytes;
  } catch (cause) {
    throw fileError(`${file.name} cannot be read`, { cause, hint: 'run the same command again' });
  }
}
