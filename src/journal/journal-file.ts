/**
 * The file of a journal, whatever it is opened for: whom it must belong to, how it begins, and its records one by one, each
 * held against its checksum.
 */
import { constants, copyFileSync, fstatSync, lstatSync, openSync, readSync, type Stats, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { IoError, RiskcliError } from '../errors.ts';
import { closeQuietly } from '../files/close-file.ts';
import { fileError, shownPath, systemCode } from '../files/file-error.ts';
import { isWritable, refuseUntrusted } from '../files/file-trust.ts';
import { eachLine, type LineLocation } from './journal-lines.ts';
import { type RecordHead, readHead } from './record.ts';

const VERSION = 1;
/** How every journal begins. */
export const JOURNAL_MAGIC = '{"riskcli_journal":';

/** A journal and who may have written it. */
export interface JournalFile {
  readonly path: string;
  /** Whose the file may be besides root's; undefined, as on Windows, judges no owners and modes. */
  readonly uid?: number | undefined;
  /** Gives up reading a long journal. */
  readonly signal?: AbortSignal | undefined;
}

export const MAKE_ROOM = 'free up disk space or choose another place with --journal, then run the same command again';

export const APPENDING = constants.O_RDWR | constants.O_APPEND;

/** Opens a regular file that can be believed, and nothing else: another name of it would move the lock away from it. */
export function openRegular(options: Pick<JournalFile, 'path' | 'uid'>, flags: number): number {
  const { path } = options;
  let fd: number | undefined;
  try {
    if (lstatSync(path, { throwIfNoEntry: false })?.isFile() === false) throw new Error('it is not a regular file');
    fd = openSync(path, flags | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    refuseUnsafeFile(fd, options);
    return fd;
  } catch (cause) {
    if (fd !== undefined) closeQuietly(fd);
    throw cause instanceof IoError ? cause : cannotOpen(path, cause);
  }
}

/** @throws IoError for a journal into which somebody else could have put answers, or which has a second name. */
function refuseUnsafeFile(fd: number, { path, uid }: Pick<JournalFile, 'path' | 'uid'>): void {
  const stats = fstatSync(fd);
  if (stats.nlink > 1) {
    throw new IoError(`the journal ${shownPath(path)} has a second name (a hard link), so two runs could write to it`, {
      hint: 'remove the other link, or choose another file with --journal',
    });
  }
  if (uid === undefined) return;
  refuseUntrusted(path, { stats, uid, elsewhere: 'choose another file with --journal' });
}

/** @throws IoError where everybody can put a journal of theirs in the place of ours. */
export function judgeFolder(path: string, { uid }: Pick<JournalFile, 'uid'>): void {
  const folder = dirname(path);
  let stats: Stats;
  try {
    stats = statSync(folder);
  } catch (cause) {
    throw cannotOpen(path, cause);
  }
  if (uid === undefined || !isWritable(stats)) return;
  throw new IoError(`anyone can write to ${shownPath(folder)}, so a journal there could contain forged answers`, {
    hint: `run chmod o-w ${shownPath(folder)}, or choose a journal in another folder with --journal`,
  });
}

export function cannotOpen(path: string, cause: unknown): IoError {
  const hint = 'with --journal, choose a file in a folder that you can write to';
  return fileError(`the journal ${shownPath(path)} cannot be opened`, { cause, hint });
}

export const headerLine = (base: string) => `${JSON.stringify({ riskcli_journal: VERSION, base_url: base })}\n`;

/**
 * Hands the journal that is there to `use`, open with `flags`.
 * @throws IoError when there is none, or it cannot be believed or used.
 */
export async function withJournal<T>(
  file: JournalFile,
  use: (fd: number) => Promise<T>,
  flags: number = constants.O_RDONLY,
): Promise<T> {
  const fd = openJournalFile(file, flags);
  try {
    return await use(fd);
  } finally {
    closeQuietly(fd);
  }
}

/** Opens the journal that is there. @throws IoError as withJournal does. */
export function openJournalFile(file: JournalFile, flags: number = constants.O_RDONLY): number {
  try {
    judgeFolder(file.path, file);
    return openRegular(file, flags);
  } catch (error) {
    if (!(error instanceof IoError) || systemCode(error.cause) !== 'ENOENT') throw error;
    throw new IoError(`there is no journal ${shownPath(file.path)}`, {
      hint: 'name one that riskcli profile has kept: that of its --journal, or FILE.journal beside its -o FILE',
      cause: error.cause,
    });
  }
}

/** A record whose checksum held. `bytes`, its line without the newline, is overwritten when the next one is read. */
export interface JournalRecord {
  readonly head: RecordHead;
  readonly bytes: Buffer;
  readonly place: LineLocation;
  /** Whether it is in another file, of late answers: `place` then leads nowhere. */
  readonly isLate?: boolean;
}

export interface RecordReader extends Pick<JournalFile, 'path' | 'signal'> {
  /** Told whose answers they are; not when the file ends before that. */
  readonly onHeader?: (base: string) => void;
  readonly onRecord: (record: JournalRecord) => void;
  /** Told where a line is that is no record as it was written. */
  readonly onDamage?: (place: LineLocation) => void;
}

/**
 * Reads the journal that is open as `fd` from its beginning.
 * @returns bytes up to the end of the last whole line; what follows is torn. 0 when not even the header is whole.
 * @throws IoError for what is no journal, or cannot be read; the signal's reason.
 */
export async function eachRecord(fd: number, reader: RecordReader): Promise<number> {
  const { path, signal } = reader;
  if (checkMagic(fd, path) === 'blank') return 0;
  return readLines(fd, {
    path,
    signal,
    onLine(bytes, place) {
      if (place.line === 1) {
        const base = readHeader(bytes?.toString() ?? '', path);
        reader.onHeader?.(base);
        return;
      }
      const head = bytes && readHead(bytes);
      if (bytes && head) reader.onRecord({ head, bytes, place });
      else reader.onDamage?.(place);
    },
  });
}

/** Whether a record begins at `end`, behind the last whole line: what else may be there is room for more. */
export function isTornAt(fd: number, end: number): boolean {
  const first = Buffer.alloc(1);
  return readSync(fd, first, 0, 1, end) === 1 && first.toString('latin1') === RECORD_START;
}

const RECORD_START = '{';

function readLines(fd: number, { path, ...reader }: Parameters<typeof eachLine>[1] & { readonly path: string }) {
  return eachLine(fd, reader).catch((cause: unknown) => {
    if (systemCode(cause) === undefined || cause instanceof RiskcliError) throw cause;
    throw fileError(`the journal ${shownPath(path)} cannot be read`, { cause, hint: ASIDE });
  });
}

export const NEWLINE = Buffer.from('\n');

/** A copy of the journal at `path`, or of what `from` has for it, beside it, under the first number that is free. */
export function copyAside(path: string, from: string = path): string {
  for (let number = 1; ; number++) {
    const aside = `${path}.damaged-${number}`;
    try {
      copyFileSync(from, aside, constants.COPYFILE_EXCL);
      return aside;
    } catch (cause) {
      if (systemCode(cause) === 'EEXIST') continue;
      throw fileError(`the damaged journal ${shownPath(path)} cannot be copied`, { cause, hint: MAKE_ROOM });
    }
  }
}

/**
 * A file that is no journal must not lose its last line as torn. Its beginning may be cut short by its end, or by NULs: a power
 * cut leaves them where the bytes did not get to the disk.
 * @returns `blank` for nothing but the first bytes of a journal and NULs
 */
function checkMagic(fd: number, path: string): 'journal' | 'blank' {
  const bytes = Buffer.alloc(JOURNAL_MAGIC.length);
  const begin = bytes.toString('latin1', 0, readSync(fd, bytes, 0, bytes.length, 0));
  const [written = ''] = begin.split('\0', 1);
  if (JOURNAL_MAGIC.startsWith(written)) {
    if (written === begin) return 'journal';
    if (hasOnlyNuls(fd, written.length)) return 'blank';
    throw damagedHeader(path);
  }
  throw new IoError(`${shownPath(path)} is not a riskcli journal`, { hint: 'choose another file with --journal' });
}

/** Whether there is no other byte from `offset` to the end of the file. */
function hasOnlyNuls(fd: number, offset: number): boolean {
  const bytes = Buffer.allocUnsafe(64 * 1024);
  for (let at = offset; ; ) {
    const size = readSync(fd, bytes, 0, bytes.length, at);
    if (size === 0) return true;
    if (bytes.subarray(0, size).some((byte) => byte !== 0)) return false;
    at += size;
  }
}

/** @returns whose answers the journal holds. */
function readHeader(text: string, path: string): string {
  const { riskcli_journal: version, base_url: base } = parseHeader(text) ?? {};
  if (typeof version === 'number' && version > VERSION) {
    throw new IoError(`the journal ${shownPath(path)} was written by a newer version of riskcli`, {
      hint: 'update riskcli, or choose another file with --journal',
    });
  }
  if (version !== VERSION || typeof base !== 'string') throw damagedHeader(path);
  return base;
}

const damagedHeader = (path: string) =>
  new IoError(`the journal ${shownPath(path)} is damaged in line 1`, { code: 'journal_damaged', hint: ASIDE });

function parseHeader(text: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

const ASIDE = 'move it away and run the same command again, which asks for its wallets again';
