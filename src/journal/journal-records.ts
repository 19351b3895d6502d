/** Reads the header and the records of a journal, one by one, and checks their checksums. */
import { existsSync, read, readSync } from 'node:fs';
import { promisify } from 'node:util';
import { IoError } from '../errors.ts';
import { asFileError, shownPath } from '../files/file-error.ts';
import { didYouMean } from '../text/nearest.ts';
import { ASIDE, type JournalFile, withFlag } from './journal-file.ts';
import { type RecordHead, readHead } from './record.ts';

const VERSION = 1;

/** How every journal begins. */
export const JOURNAL_MAGIC = '{"riskcli_journal":';

/** What the first line says. */
export interface JournalHeader {
  /** The base URL of the answers. */
  readonly base: string;
  /** When the review began whose answers these are, milliseconds since 1970; undefined in journals of other lists. */
  readonly begun?: number | undefined;
}

export function headerLine({ base, begun }: JournalHeader): string {
  const since = begun === undefined ? undefined : new Date(begun).toISOString();
  return `${JSON.stringify({ riskcli_journal: VERSION, base_url: base, begun: since })}\n`;
}

/** A record with a valid checksum. `bytes`, its line without the newline, is overwritten when the next one is read. */
export interface JournalRecord {
  readonly head: RecordHead;
  readonly bytes: Buffer;
  readonly location: LineLocation;
}

export interface RecordReader extends Omit<JournalFile, 'uid'> {
  /** Not called when the file ends before its first line does. */
  readonly onHeader?: (header: JournalHeader) => void;
  readonly onRecord: (record: JournalRecord) => void;
  /** Called for each line that is not a valid record. */
  readonly onDamage?: () => void;
}

/**
 * Reads the journal that is open as `fd` from its beginning.
 * @returns bytes up to the end of the last whole line; what follows is torn. 0 when not even the header is whole.
 * @throws IoError for a file that is not a journal, or cannot be read; the signal's reason
 */
export async function eachRecord(fd: number, reader: RecordReader): Promise<number> {
  const { path, signal } = reader;
  await readable(path, checkMagic(fd, reader));
  const lines = {
    signal,
    onLine(bytes, location) {
      if (location.line === 1) {
        reader.onHeader?.(readHeader(String(bytes), reader));
        return;
      }
      const head = bytes && readHead(bytes);
      if (bytes && head) reader.onRecord({ head, bytes, location });
      else reader.onDamage?.();
    },
  } satisfies Parameters<typeof eachLine>[1];
  return readable(path, eachLine(fd, lines));
}

/** The result of `reading`. @throws IoError instead of the system's error */
function readable<T>(path: string, reading: Promise<T>): Promise<T> {
  return reading.catch((error: unknown) => {
    throw asFileError(error, `the journal ${shownPath(path)} cannot be read`, ASIDE);
  });
}

/**
 * Refuses a file that is not a journal, before its last line could be dropped as torn. The magic may be cut short, or followed by
 * NULs, which a power cut leaves for bytes that were not synced. Such a file has no whole line.
 */
async function checkMagic(fd: number, file: JournalFile): Promise<void> {
  const bytes = Buffer.alloc(JOURNAL_MAGIC.length);
  const begin = bytes.toString('latin1', 0, readSync(fd, bytes, 0, bytes.length, 0));
  const [written = ''] = begin.split('\0', 1);
  if (JOURNAL_MAGIC.startsWith(written)) {
    if (written === begin || hasOnlyNuls(fd, written.length)) return;
    throw damagedHeader(file.path);
  }
  const beside = `${file.path}.journal`;
  const hint = existsSync(beside) ? didYouMean([shownPath(beside)]) : `choose another file${withFlag(file)}`;
  throw new IoError(`${shownPath(file.path)} is not a riskcli journal`, { hint });
}

/** Whether all bytes from `offset` to the end of the file are NULs. */
function hasOnlyNuls(fd: number, offset: number): boolean {
  const bytes = Buffer.allocUnsafe(64 * 1024);
  for (let at = offset; ; ) {
    const size = readSync(fd, bytes, 0, bytes.length, at);
    if (size === 0) return true;
    if (bytes.subarray(0, size).some((byte) => byte !== 0)) return false;
    at += size;
  }
}

function readHeader(text: string, file: JournalFile): JournalHeader {
  const { path } = file;
  const { riskcli_journal: version, base_url: base, begun } = parseHeader(text) ?? {};
  if (typeof version === 'number' && version > VERSION) {
    throw new IoError(`the journal ${shownPath(path)} was written by a newer version of riskcli`, {
      hint: `update riskcli, or choose another file${withFlag(file)}`,
    });
  }
  if (version !== VERSION || typeof base !== 'string') throw damagedHeader(path);
  const at = typeof begun === 'string' ? Date.parse(begun) : Number.NaN;
  return { base, begun: Number.isNaN(at) ? undefined : at };
}

const damagedHeader = (path: string) =>
  new IoError(`the journal ${shownPath(path)} is damaged in line 1`, {
    code: 'journal_damaged',
    ...ASIDE,
  });

/** The members of a header, unchecked; undefined for what is not JSON. */
export function parseHeader(text: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

export interface LineLocation {
  readonly offset: number;
  readonly length: number;
  /** The number of the line, from 1. */
  readonly line: number;
}

/** Bytes read at once; of a longer line, twice as many again and again. */
const CHUNK = 256 * 1024;

/** Longer than any record: the body of an answer has at most half of it. */
const LINE_MAX = 32 * 1024 * 1024;

const readAsync = promisify(read);

/**
 * Reads the file that is open as `fd` from its beginning.
 * @returns bytes up to the end of the last whole line; what follows is torn.
 * @throws the system's error; the signal's reason
 */
export async function eachLine(
  fd: number,
  {
    signal,
    onLine,
  }: {
    readonly signal?: AbortSignal | undefined;
    /** Called for each whole line; undefined stands for one that is longer than any record. */
    readonly onLine: (bytes: Buffer | undefined, location: LineLocation) => void;
  },
): Promise<number> {
  let buffer: Buffer = Buffer.allocUnsafe(CHUNK);
  /** Where the current line begins, and how many of its bytes were dropped because it is too long. */
  let [offset, dropped] = [0, 0];
  let filled = 0;
  let line = 0;
  for (;;) {
    signal?.throwIfAborted();
    if (filled === buffer.length && buffer.length < LINE_MAX) buffer = enlarge(buffer);
    else if (filled === buffer.length) [dropped, filled] = [dropped + filled, 0];
    const { bytesRead } = await readAsync(fd, buffer, filled, buffer.length - filled, offset + dropped + filled);
    if (bytesRead === 0) return offset;
    filled += bytesRead;
    const text = buffer.subarray(0, filled);
    let start = 0;
    for (let end = text.indexOf(10); end >= 0; end = text.indexOf(10, start)) {
      line += 1;
      const length = dropped + end - start;
      onLine(dropped > 0 ? undefined : text.subarray(start, end), { offset, length, line });
      offset += length + 1;
      [dropped, start] = [0, end + 1];
    }
    buffer.copyWithin(0, start, filled);
    filled -= start;
  }
}

function enlarge(buffer: Buffer): Buffer {
  const larger = Buffer.allocUnsafe(buffer.length * 2);
  buffer.copy(larger);
  return larger;
}
