/**
 * The journal: answers that stay, so that the same command again goes on where it was stopped. A header line says which
 * service they come from; then a line a record. The end of the file can be torn, by a kill or a full disk, and is dropped
 * without a word. Lines that are damaged otherwise are dropped too, and said; what their checksums vouch for is kept.
 */
import {
  constants,
  copyFileSync,
  fstatSync,
  ftruncateSync,
  lstatSync,
  openSync,
  readSync,
  type Stats,
  statSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { IoError, RiskcliError, UsageError } from '../errors.ts';
import { createAtomicFile } from '../files/atomic-file.ts';
import { closeQuietly } from '../files/close-file.ts';
import { fileError, shownPath, systemCode } from '../files/file-error.ts';
import { isWritable, refuseUntrusted } from '../files/file-trust.ts';
import { type LockHost, takeLock } from '../files/lock.ts';
import { visible } from '../text/escape.ts';
import { eachLine } from './journal-lines.ts';
import { readHead } from './record.ts';
import { type AnswerStore, createPlaces, openStore, type RecordPlaces, writeWhole } from './store.ts';

export interface JournalOptions {
  /** Which service the answers come from: `journalBase(url)`, or SANDBOX_BASE. */
  readonly base: string;
  /** Which answers may be reused, milliseconds since 1970; others are asked for again. By default all. */
  readonly answered?: { readonly from: number; readonly until: number } | undefined;
  /** Whether wallets that were refused for good are not asked for again. */
  readonly keepsRefusals?: boolean;
  /** Gives up reading a long journal. */
  readonly signal?: AbortSignal;
  /** Whose the file may be besides root's; undefined, as on Windows, judges no owners and modes. */
  readonly uid?: number | undefined;
  /** Told what was dropped of a damaged journal, in a line. */
  readonly onDamage?: (told: string) => void;
}

/** Every sandbox gives the same answers, on whatever port it is. */
export const SANDBOX_BASE = 'sandbox';

/** The base URL as a journal knows it: origin and path prefix, without a final slash. */
export function journalBase(url: URL): string {
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

const VERSION = 1;
const MAGIC = '{"riskcli_journal":';

interface OpenOptions extends JournalOptions {
  readonly path: string;
  readonly host: LockHost;
}

/**
 * Opens or makes the journal at `path`, locked against other runs until it is closed.
 * @throws LockedError; UsageError when it belongs to another base URL; IoError when its header is damaged, when it is
 * newer, no journal, not to be believed, or cannot be used; the signal's reason. In all of these cases the file is as
 * it was.
 */
export async function openJournal(path: string, options: Omit<OpenOptions, 'path'>): Promise<AnswerStore> {
  judgeFolder(path, options);
  const lock = await takeLock(`${path}.lock`, options.host);
  try {
    return await open({ ...options, path }, lock.release);
  } catch (error) {
    lock.release();
    throw error instanceof RiskcliError || systemCode(error) === undefined ? error : cannotOpen(path, error);
  }
}

async function open(options: OpenOptions, release: () => void): Promise<AnswerStore> {
  const { path } = options;
  let { fd, isNew } = openOrMake(options);
  try {
    let scanned = await scan(fd, options);
    if (scanned.damage.lines > 0) {
      const aside = await mend(fd, options);
      closeQuietly(fd);
      fd = openRegular(options, APPENDING);
      const { damage } = scanned;
      scanned = await scan(fd, options);
      options.onDamage?.(damageTold(path, { damage, aside, kept: scanned.places.size }));
    }
    const { places, end } = scanned;
    const file = { fd, path, isNew, name: `the journal ${shownPath(path)}`, hint: MAKE_ROOM };
    if (fstatSync(fd).size > end) ftruncateSync(fd, end);
    const header = Buffer.from(headerLine(options.base));
    if (end === 0) writeWhole(file, header, 0);
    return openStore({ ...file, places, size: end || header.length, release });
  } catch (error) {
    closeQuietly(fd);
    throw error;
  }
}

const MAKE_ROOM = 'free up disk space or choose another place with --journal, then run the same command again';

/**
 * Which wallets the journal at `path` holds; none when there is no such file. Changes and locks nothing.
 * @throws the same as openJournal, but for LockedError.
 */
export async function readJournal(path: string, options: JournalOptions): Promise<Pick<RecordPlaces, 'has' | 'size'>> {
  let fd: number;
  try {
    judgeFolder(path, options);
    fd = openRegular({ ...options, path }, constants.O_RDONLY);
  } catch (error) {
    if (error instanceof IoError && systemCode(error.cause) === 'ENOENT') return createPlaces();
    throw error;
  }
  try {
    return (await scan(fd, { ...options, path })).places;
  } finally {
    closeQuietly(fd);
  }
}

const APPENDING = constants.O_RDWR | constants.O_APPEND;

function openOrMake(options: OpenOptions): { readonly fd: number; readonly isNew: boolean } {
  const { O_CREAT, O_EXCL, O_NOFOLLOW } = constants;
  try {
    const fd = openSync(options.path, APPENDING | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
    return { fd, isNew: true };
  } catch (cause) {
    if (systemCode(cause) !== 'EEXIST') throw cannotOpen(options.path, cause);
    return { fd: openRegular(options, APPENDING), isNew: false };
  }
}

/** Opens a regular file that can be believed, and nothing else: another name of it would move the lock away from it. */
function openRegular(options: Pick<OpenOptions, 'path' | 'uid'>, flags: number): number {
  const { path } = options;
  let fd: number | undefined;
  try {
    if (lstatSync(path, { throwIfNoEntry: false })?.isFile() === false) throw new Error('it is not a regular file');
    fd = openSync(path, flags | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    refuseStrange(fd, options);
    return fd;
  } catch (cause) {
    if (fd !== undefined) closeQuietly(fd);
    throw cause instanceof IoError ? cause : cannotOpen(path, cause);
  }
}

/** @throws IoError for a journal into which somebody else could have put answers, or which has a second name. */
function refuseStrange(fd: number, { path, uid }: Pick<OpenOptions, 'path' | 'uid'>): void {
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
function judgeFolder(path: string, { uid }: JournalOptions): void {
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

function cannotOpen(path: string, cause: unknown): IoError {
  const hint = 'with --journal, choose a file in a folder that you can write to';
  return fileError(`the journal ${shownPath(path)} cannot be opened`, { cause, hint });
}

const headerLine = (base: string) => `${JSON.stringify({ riskcli_journal: VERSION, base_url: base })}\n`;

interface Damage {
  readonly lines: number;
  /** Sizes in bytes, newlines included. */
  readonly bytes: number;
}

interface Scanned {
  readonly places: RecordPlaces;
  /** Bytes up to the end of the last whole line; what follows is torn. 0 when not even the header is whole. */
  readonly end: number;
  readonly damage: Damage;
}

type ScanOptions = JournalOptions & Pick<OpenOptions, 'path'>;

async function scan(fd: number, options: ScanOptions): Promise<Scanned> {
  const { answered, keepsRefusals = true, signal, path } = options;
  const places = createPlaces();
  const damage = { lines: 0, bytes: 0 };
  checkMagic(fd, path);
  const end = await readLines(fd, {
    path,
    signal,
    onLine(bytes, place) {
      if (place.line === 1) return checkHeader(bytes?.toString() ?? '', options);
      const head = bytes && readHead(bytes);
      if (!head) {
        damage.lines += 1;
        damage.bytes += place.length + 1;
        return;
      }
      if (head.isRefusal && !keepsRefusals) return;
      if (answered && (head.answeredAt < answered.from || head.answeredAt > answered.until)) return;
      places.set(head.id, place);
    },
  });
  return { places, end, damage };
}

function readLines(fd: number, { path, ...reader }: Parameters<typeof eachLine>[1] & { readonly path: string }) {
  return eachLine(fd, reader).catch((cause: unknown) => {
    if (systemCode(cause) === undefined || cause instanceof RiskcliError) throw cause;
    throw fileError(`the journal ${shownPath(path)} cannot be read`, { cause, hint: ASIDE });
  });
}

/**
 * Puts the whole records of a damaged journal in its place, after a copy of it was made.
 * @returns the path of the copy.
 */
async function mend(fd: number, { path, host, signal }: OpenOptions): Promise<string> {
  const aside = copyAside(path);
  const whole = createAtomicFile(path, { host });
  try {
    await readLines(fd, {
      path,
      signal,
      onLine(bytes, { line }) {
        if (bytes && (line === 1 || readHead(bytes))) whole.write(Buffer.concat([bytes, NEWLINE]));
      },
    });
    await whole.commit();
  } catch (cause) {
    if (cause instanceof RiskcliError || systemCode(cause) === undefined) throw cause;
    throw fileError(`the damaged journal ${shownPath(path)} cannot be mended`, { cause, hint: MAKE_ROOM });
  } finally {
    whole.discard();
  }
  return aside;
}

const NEWLINE = Buffer.from('\n');

/** A copy of `path` beside it, under the first number that is free. */
function copyAside(path: string): string {
  for (let number = 1; ; number++) {
    const aside = `${path}.damaged-${number}`;
    try {
      copyFileSync(path, aside, constants.COPYFILE_EXCL);
      return aside;
    } catch (cause) {
      if (systemCode(cause) === 'EEXIST') continue;
      throw fileError(`the damaged journal ${shownPath(path)} cannot be copied`, { cause, hint: MAKE_ROOM });
    }
  }
}

interface Mended {
  readonly damage: Damage;
  readonly aside: string;
  readonly kept: number;
}

function damageTold(path: string, { damage, aside, kept }: Mended): string {
  const lines = damage.lines === 1 ? '1 damaged line' : `${damage.lines} damaged lines`;
  const answers = kept === 1 ? '1 answer' : `${kept} answers`;
  return `dropped ${lines} (${damage.bytes} bytes) from the journal ${shownPath(path)} and kept ${answers}; the original is saved as ${shownPath(aside)}`;
}

/** A file that is no journal must not lose its last line as torn. Its beginning may be cut short by its end. */
function checkMagic(fd: number, path: string): void {
  const bytes = Buffer.alloc(MAGIC.length);
  const begin = bytes.toString('latin1', 0, readSync(fd, bytes, 0, bytes.length, 0));
  if (MAGIC.startsWith(begin)) return;
  throw new IoError(`${shownPath(path)} is not a riskcli journal`, { hint: 'choose another file with --journal' });
}

function checkHeader(text: string, at: ScanOptions): void {
  const { riskcli_journal: version, base_url: base } = parseHeader(text) ?? {};
  if (typeof version === 'number' && version > VERSION) {
    throw new IoError(`the journal ${shownPath(at.path)} was written by a newer version of riskcli`, {
      hint: 'update riskcli, or choose another file with --journal',
    });
  }
  if (version !== VERSION || typeof base !== 'string') {
    throw new IoError(`the journal ${shownPath(at.path)} is damaged in line 1`, {
      code: 'journal_damaged',
      hint: ASIDE,
    });
  }
  if (base === at.base) return;
  throw new UsageError(
    `the journal ${shownPath(at.path)} holds answers from ${visible(base)}, not from ${visible(at.base)}`,
    {
      code: 'journal_base_url',
      hint: 'choose another file with --journal, or use the base URL it was made with',
    },
  );
}

function parseHeader(text: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

const ASIDE = 'move it away and run the same command again, which asks for its wallets again';
