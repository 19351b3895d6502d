/**
 * Texts that are too long for memory while rows are sorted: they are in a temporary file that disappears with the process. Two
 * of them are compared piece by piece.
 */
import type { Host } from '../../context.ts';
import { openTemporaryFile, type TemporaryFile } from '../temporary-file.ts';
import { type RecordLocation, readFully } from './block-reader.ts';

export interface LongTexts {
  /** Adds a text, as UTF-8. @throws IoError when the disk is full */
  keep(bytes: Uint8Array): RecordLocation;
  /** @throws IoError */
  read(location: RecordLocation): string;
  /** Adds a text that is to be compared. @throws IoError when the disk is full */
  keepComparable(text: string): RecordLocation;
  /** Below 0 when the text at `a` comes first by its UTF-16 units, 0 when both are the same. @throws IoError */
  compare(a: RecordLocation, b: RecordLocation): number;
  /** May be called twice. */
  close(): void;
}

/** UTF-16 units that are written, and bytes that are read, at once. */
const PIECE = 64 * 1024;

/** The file is made when the first text is added. */
export function openLongTexts(host: Pick<Host, 'temporaryFolder'>): LongTexts {
  let file: TemporaryFile | undefined;
  let size = 0;
  function append(bytes: Uint8Array): void {
    file ??= openTemporaryFile(host);
    file.write(bytes, size);
    size += bytes.length;
  }
  function bytesAt(offset: number, bytes: Buffer): Buffer {
    if (!file) throw new TypeError('nothing was kept');
    return readFully(file, bytes, offset);
  }
  const [one, other] = [Buffer.allocUnsafe(PIECE), Buffer.allocUnsafe(PIECE)];
  return {
    keep(bytes) {
      const offset = size;
      append(bytes);
      return { offset, length: bytes.length };
    },
    read: ({ offset, length }) => bytesAt(offset, Buffer.allocUnsafe(length)).toString('utf8'),
    keepComparable(text) {
      const offset = size;
      // With the upper byte of each unit first, the order of the bytes is that of the units.
      for (let at = 0; at < text.length; at += PIECE)
        append(Buffer.from(text.slice(at, at + PIECE), 'utf16le').swap16());
      return { offset, length: 2 * text.length };
    },
    compare(a, b) {
      const piece = ({ offset, length }: RecordLocation, at: number, buffer: Buffer) =>
        bytesAt(offset + at, buffer.subarray(0, Math.min(PIECE, length - at)));
      for (let at = 0; at < a.length && at < b.length; at += PIECE) {
        const order = Buffer.compare(piece(a, at, one), piece(b, at, other));
        if (order !== 0) return order;
      }
      return a.length - b.length;
    },
    close: () => file?.close(),
  };
}
