/**
 * The parts of an Office file, which is a zip archive. Its directory is at its end, so the packed
 * file is held in memory; a part is unpacked as it is read, and never to more bytes than the
 * directory announces.
 */
import { crc32 } from 'node:zlib';
import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl';
import { quoted } from '../../secrets/redact.ts';
import { ListSyntaxError } from '../syntax-error.ts';

/** A part of the archive, by the name that other parts call it. */
export interface Archive {
  readonly names: readonly string[];
  /** Bytes of the packed file. */
  readonly size: number;
  /** Whether it has the part `name`, whatever the case of its letters. */
  has(name: string): boolean;
  /**
   * The bytes of the part `name`.
   * @throws ListSyntaxError when it is missing, or unpacks to more than `maxBytes`; at its end,
   * when its length or its CRC-32 is not that of the directory
   */
  read(name: string, maxBytes?: number): AsyncGenerator<Uint8Array>;
}

export const MB = 1024 * 1024;
/** Bytes of a packed workbook. A million rows of nine columns have about 90 MB. */
const MAX_FILE_BYTES = 256 * MB;
/** Bytes of an unpacked part; only sheets and their texts are larger. */
const MAX_PART_BYTES = 64 * MB;

/** @throws ListSyntaxError when `bytes` are no whole zip archive */
export async function openArchive(bytes: AsyncIterable<Uint8Array>): Promise<Archive> {
  const file = await allOf(bytes);
  const entries = new Map<string, Entry>();
  let zip: ZipFile;
  try {
    zip = await fromBufferPromise(file);
    for await (const entry of zip.eachEntry()) entries.set(entry.fileName.toLowerCase(), entry);
  } catch {
    throw torn('it ends too early, or was changed', 'workbook or zip archive');
  }
  return {
    names: [...entries.keys()],
    size: file.length,
    has: (name: string): boolean => entries.has(name.toLowerCase()),
    read(name: string, maxBytes = MAX_PART_BYTES): AsyncGenerator<Uint8Array> {
      const entry = entries.get(name.toLowerCase());
      if (!entry) throw torn(`it has no part ${quoted(name)}`);
      return unpackEntry(entry, zip, maxBytes);
    },
  };
}

async function allOf(bytes: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of bytes) {
    size += chunk.length;
    if (size > MAX_FILE_BYTES) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}

async function* unpackEntry(entry: Entry, zip: ZipFile, maxBytes: number): AsyncGenerator<Uint8Array> {
  if (entry.isEncrypted()) throw new ListSyntaxError('the workbook has a password', AS_PLAIN);
  if (!entry.canDecodeFileData()) throw torn();
  if (entry.uncompressedSize > maxBytes) throw tooLarge();
  const stream = await zip.openReadStreamPromise(entry).catch(() => {
    throw torn();
  });
  let checksum = 0;
  try {
    // An error of the stream is one of the data; what its reader throws ends it without one.
    for await (const bytes of stream.on('error', () => {})) {
      checksum = crc32(bytes, checksum);
      yield bytes;
    }
  } catch {
    throw torn();
  } finally {
    stream.destroy();
  }
  // yauzl compares only the length.
  if (checksum !== entry.crc32) throw torn();
}

export const AS_CSV = 'save the sheet as "CSV UTF-8" and use that file';
const AS_PLAIN = { hint: `save it without a password, or ${AS_CSV}` };

/** Also used for archives that no program would write. */
export const torn = (what = 'it ends too early, or was changed', kind = 'workbook') =>
  new ListSyntaxError(`the ${kind} is damaged: ${what}`, {
    hint: `download or save it again; if that does not help, ${AS_CSV}`,
  });

export const tooLarge = (what = 'it holds more data than a workbook is read to') =>
  new ListSyntaxError(`the workbook is too large: ${what}`, { hint: AS_CSV });
