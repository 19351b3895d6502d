/** Reads the header and the records of a journal one by one, and checks each. */
import { existsSync, read, readSync } from 'node:fs';
import { promisify } from 'node:util';
import { IoError } from '../errors.ts';
import { asFileError, shownPath } from '../files/file-error.ts';
import { jsonMembers } from '../text/json.ts';
import { didYouMean } from '../text/nearest.ts';
import { alternativeHint, type JournalOptions, MOVE_ASIDE } from './journal-file.ts';
import { decodeRecord, type JournalRecord } from './record.ts';

const JOURNAL_VERSION = 1;

/** The first bytes of every journal. */
const JOURNAL_MAGIC = '{"riskcli_journal":';

/** The members of the first line. */
export interface JournalHeader {
  /** The base URL of the answers. */
  readonly baseUrl: string;
}

export const journalHeaderLine = ({ baseUrl }: JournalHeader): string =>
  `${JSON.stringify({ riskcli_journal: JOURNAL_VERSION, base_url: baseUrl })}\n`;

/** A whole line of a journal. */
export type JournalLine = {
  /** The offset of the next line, in bytes: the rest after the last whole line is torn. */
  readonly end: number;
} & (
  | { readonly kind: 'header'; readonly header: JournalHeader }
  | { readonly kind: 'damage' }
  | {
      readonly kind: 'record';
      readonly record: JournalRecord;
      /** Where it begins, in bytes. */
      readonly offset: number;
      /** The line without its newline, overwritten when the next one is read. */
      readonly bytes: Buffer;
    }
);

/**
 * The whole lines of the journal that is open as `fd`, the header first; none if not even the
 * header is whole.
 * @throws IoError for a file that is not a journal, or cannot be read; the signal's reason
 */
export async function* journalLines(fd: number, file: JournalOptions): AsyncGenerator<JournalLine> {
  let isFirst = true;
  try {
    checkMagic(fd, file);
    for await (const lines of readWholeLines(fd, file.signal)) {
      for (const { bytes, offset, end } of lines) {
        const record = bytes && decodeRecord(bytes);
        if (isFirst) yield { kind: 'header', header: readJournalHeader(bytes, file), end };
        else if (bytes && record) yield { kind: 'record', record, offset, bytes, end };
        else yield { kind: 'damage', end };
        isFirst = false;
      }
    }
  } catch (error) {
    throw asFileError(error, `the journal ${shownPath(file.path)} cannot be read`, MOVE_ASIDE);
  }
}

/**
 * Rejects a file that is not a journal before its last line could be dropped as torn. A journal's
 * magic may be cut short, or followed by the NULs that a power cut leaves in place of unsynced
 * bytes; such a file has no whole line.
 */
function checkMagic(fd: number, file: JournalOptions): void {
  const bytes = Buffer.alloc(JOURNAL_MAGIC.length);
  const begin = bytes.toString('latin1', 0, readSync(fd, bytes, 0, bytes.length, 0));
  const [written = ''] = begin.split('\0', 1);
  if (JOURNAL_MAGIC.startsWith(written)) {
    if (written === begin || hasOnlyNuls(fd, written.length)) return;
    throw damagedHeader(file.path);
  }
  const beside = `${file.path}.journal`;
  const hint = existsSync(beside) ? didYouMean([shownPath(beside)]) : alternativeHint(file);
  throw new IoError(`${shownPath(file.path)} is not a riskcli journal`, { hint });
}

/** Whether all bytes from the offset `start` to the end of the file are NULs. */
function hasOnlyNuls(fd: number, start: number): boolean {
  const bytes = Buffer.allocUnsafe(64 * 1024);
  for (let offset = start; ; ) {
    const size = readSync(fd, bytes, 0, bytes.length, offset);
    if (size === 0) return true;
    if (bytes.subarray(0, size).some((byte) => byte !== 0)) return false;
    offset += size;
  }
}

/** @param bytes the first line; undefined for one that is longer than any header */
function readJournalHeader(bytes: Buffer | undefined, file: JournalOptions): JournalHeader {
  const { path } = file;
  const { riskcli_journal: version, base_url: baseUrl } = jsonMembers(bytes ? bytes.toString() : '');
  if (typeof version === 'number' && version > JOURNAL_VERSION) {
    throw new IoError(`the journal ${shownPath(path)} was written by a newer version of riskcli`, {
      hint: `update riskcli, or ${alternativeHint(file)}`,
    });
  }
  if (version !== JOURNAL_VERSION || typeof baseUrl !== 'string') throw damagedHeader(path);
  return { baseUrl };
}

const damagedHeader = (path: string) =>
  new IoError(`the journal ${shownPath(path)} is damaged in line 1`, {
    code: 'journal_damaged',
    ...MOVE_ASIDE,
  });

interface RawLine {
  /** Without the newline; undefined for a line that is longer than any record. */
  readonly bytes: Buffer | undefined;
  readonly offset: number;
  readonly end: number;
}

/** Bytes read at once; doubled until a longer line fits. */
const CHUNK = 256 * 1024;

/** Longer than any record: the body of an answer has at most half of it. */
const MAX_LINE_BYTES = 32 * 1024 * 1024;

const readAsync = promisify(read);

/**
 * The whole lines of the file that is open as `fd`, as many together as were read at once.
 * @throws the system's error; the signal's reason
 */
async function* readWholeLines(fd: number, signal: AbortSignal | undefined): AsyncGenerator<readonly RawLine[]> {
  let buffer: Buffer = Buffer.allocUnsafe(CHUNK);
  /** Where the current line begins in the file. */
  let offset = 0;
  /** How many of its bytes were dropped because it is too long. */
  let dropped = 0;
  /** How many bytes the buffer holds, from the first one that was not dropped. */
  let filled = 0;
  for (;;) {
    signal?.throwIfAborted();
    if (filled === buffer.length && buffer.length < MAX_LINE_BYTES) buffer = enlarge(buffer);
    else if (filled === buffer.length) {
      dropped += filled;
      filled = 0;
    }
    const { bytesRead } = await readAsync(fd, buffer, filled, buffer.length - filled, offset + dropped + filled);
    if (bytesRead === 0) return;
    filled += bytesRead;
    const text = buffer.subarray(0, filled);
    const lines: RawLine[] = [];
    let start = 0;
    for (let newline = text.indexOf(10); newline >= 0; newline = text.indexOf(10, start)) {
      const end = offset + dropped + newline - start + 1;
      lines.push({ bytes: dropped > 0 ? undefined : text.subarray(start, newline), offset, end });
      offset = end;
      dropped = 0;
      start = newline + 1;
    }
    yield lines;
    buffer.copyWithin(0, start, filled);
    filled -= start;
  }
}

function enlarge(buffer: Buffer): Buffer {
  const larger = Buffer.allocUnsafe(buffer.length * 2);
  buffer.copy(larger);
  return larger;
}
