/**
 * Texts on disk, found again by their location, in a temporary file that disappears with the process: for more than memory holds.
 */
import type { Host } from '../context.ts';
import { readFully } from './read-fully.ts';
import { openTemporaryFile } from './temporary-file.ts';

/** In bytes. */
export interface RecordLocation {
  readonly offset: number;
  readonly length: number;
}

export interface RecordFile {
  /** @throws IoError when there is no room. */
  append(text: string): RecordLocation;
  /** The text at `location`. @throws IoError */
  read(location: RecordLocation): string;
  /** May be called twice. */
  close(): void;
}

/** @throws IoError when no temporary file can be made */
export function openRecordFile(host: Pick<Host, 'temporaryFolder'>): RecordFile {
  const file = openTemporaryFile(host);
  let end = 0;
  return {
    append(text) {
      const bytes = Buffer.from(text);
      file.write(bytes, end);
      const location = { offset: end, length: bytes.length };
      end += bytes.length;
      return location;
    },
    read: ({ offset, length }) => readFully(file, Buffer.allocUnsafe(length), offset).toString(),
    close: file.close,
  };
}
