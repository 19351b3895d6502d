/**
 * Texts on disk, found again by their location, in a temporary file that disappears with the process: for more than memory holds.
 */
import type { Host } from '../../context.ts';
import { openTemporaryFile } from '../temporary-file.ts';
import { BLOCK_BYTES, createBlockReader, type RecordLocation } from './block-reader.ts';

export interface RecordFile {
  /** @throws IoError when there is no room. */
  append(text: string): RecordLocation;
  /** The text at `location`. @throws IoError */
  read(location: RecordLocation): string;
  /** May be called twice. */
  close(): void;
}

/** @param hint for a full disk, if the usual one does not fit. @throws IoError when no temporary file can be made */
export function openRecordFile(host: Pick<Host, 'temporaryFolder'>, hint?: string): RecordFile {
  const file = openTemporaryFile(host, hint);
  const readBlock = createBlockReader(file);
  const block = Buffer.allocUnsafe(BLOCK_BYTES);
  let [written, held] = [0, 0];
  function flush(): void {
    file.write(block.subarray(0, held), written);
    written += held;
    held = 0;
  }
  function append(text: string): RecordLocation {
    // UTF-8 takes up to three bytes for a UTF-16 unit.
    if (text.length * 3 > BLOCK_BYTES - held) flush();
    const offset = written + held;
    if (text.length * 3 <= BLOCK_BYTES) {
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
      if (offset < written) return readBlock({ offset, length }, written).toString('utf8');
      return block.toString('utf8', offset - written, offset - written + length);
    },
    close: file.close,
  };
}
