/**
 * Texts in a temporary file, read back by their location, for more than memory holds. The file disappears with the process.
 */
import type { Host } from '../context.ts';
import { readFully } from './fully.ts';
import { openTemporaryFile } from './temporary-file.ts';

/** In bytes. */
export interface RecordLocation {
  readonly offset: number;
  readonly length: number;
}

/** @throws IoError when no temporary file can be made */
export function openRecordFile(host: Pick<Host, 'temporaryFolder'>) {
  const file = openTemporaryFile(host);
  return {
    /** @throws IoError when there is no room. */
    append(text: string): RecordLocation {
      const bytes = Buffer.from(text);
      return { offset: file.append(bytes), length: bytes.length };
    },
    /** @throws IoError */
    read: ({ offset, length }: RecordLocation) => readFully(file, Buffer.allocUnsafe(length), offset).toString(),
    /** May be called twice. */
    close: file.close,
  };
}
