/**
 * The journal: answers that stay, so that the same command again goes on where it was stopped. A header line says which
 * service they come from; then a line a record. Only the end of the file can be torn, by a kill or a full disk, and is
 * dropped; any other damage is not ours to repair.
 */
import { closeSync, constants, fstatSync, ftruncateSync, lstatSync, openSync, read } from 'node:fs';
import { promisify } from 'node:util';
import type { Host } from '../context.ts';
import { IoError, UsageError } from '../errors.ts';
import { fileError, shownPath, systemCode } from '../file-error.ts';
import { takeLock } from '../lock.ts';
import { visible } from '../output/escape.ts';
import { readHead } from './record.ts';
import { type AnswerStore, createPlaces, openStore, type RecordPlaces, writeWhole } from './store.ts';

export interface JournalOptions {
  /** Which service the answers come from: `journalBase(url)`, or SANDBOX_BASE. */
  readonly base: string;
  /** Milliseconds since 1970; what was answered before is asked again. */
  readonly notBefore?: number;
  /** Gives up reading a long journal. */
  readonly signal?: AbortSignal;
}

/** Every sandbox gives the same answers, on whatever port it is. */
export const SANDBOX_BASE = 'sandbox';

/** The base URL as a journal knows it: origin and path prefix, without a final slash. */
export function journalBase(url: URL): string {
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

const VERSION = 1;
const MAGIC = '{"riskcli_journal":';
/** Bytes read at once: enough to make a million lines cheap, little enough to notice a signal in between. */
const CHUNK = 1024 * 1024;
/** No record is longer: the body of an answer has at most half of it. */
const LINE_MAX = 32 * 1024 * 1024;

/**
 * Opens or makes the journal at `path`, locked against other runs until it is closed.
 * @throws LockedError; UsageError when it belongs to another base URL; IoError when it is damaged, newer, no journal,
 * or cannot be used; the signal's reason. In all of these cases the file is as it was.
 */
export async function openJournal(
  path: string,
  options: JournalOptions & { readonly host: Pick<Host, 'pid' | 'sleep'> },
): Promise<AnswerStore> {
  const { O_RDWR, O_APPEND, O_CREAT } = constants;
  const lock = await takeLock(`${path}.lock`, options.host);
  try {
    const fd = openRegular(path, O_RDWR | O_APPEND | O_CREAT);
    const { places, end } = await scan(fd, { ...options, path });
    const file = {
      fd,
      path,
      name: `the journal ${shownPath(path)}`,
      hint: 'make room or name another place with --journal, then run the same command again',
    };
    if (fstatSync(fd).size > end) ftruncateSync(fd, end);
    const header = Buffer.from(headerLine(options.base));
    if (end === 0) writeWhole(file, header, 0);
    return openStore({ ...file, places, size: end || header.length, release: lock.release });
  } catch (error) {
    lock.release();
    throw error;
  }
}

/**
 * Which wallets the journal at `path` holds; none when there is no such file. Changes and locks nothing.
 * @throws the same as openJournal, but for LockedError.
 */
export async function readJournal(path: string, options: JournalOptions): Promise<Pick<RecordPlaces, 'has' | 'size'>> {
  let fd: number;
  try {
    fd = openRegular(path, constants.O_RDONLY);
  } catch (error) {
    if (error instanceof IoError && systemCode(error.cause) === 'ENOENT') return createPlaces();
    throw error;
  }
  try {
    return (await scan(fd, { ...options, path })).places;
  } finally {
    closeSync(fd);
  }
}

/** Opens a regular file and nothing else: a symbolic link would move the lock away from what it guards. */
function openRegular(path: string, flags: number): number {
  const hint = 'name a regular file in a folder that can be written with --journal';
  try {
    if (lstatSync(path, { throwIfNoEntry: false })?.isFile() === false) throw new Error('it is not a regular file');
    return openSync(path, flags | constants.O_NOFOLLOW, 0o600);
  } catch (cause) {
    throw fileError(`the journal ${shownPath(path)} cannot be opened`, { cause, hint });
  }
}

const headerLine = (base: string) => `${JSON.stringify({ riskcli_journal: VERSION, base_url: base })}\n`;

interface Scanned {
  readonly places: RecordPlaces;
  /** Bytes up to the end of the last whole line; what follows is torn. 0 when not even the header is whole. */
  readonly end: number;
}

const readAsync = promisify(read);

/** Reads the whole file in a buffer that holds a chunk, or the longest line. */
async function scan(fd: number, options: JournalOptions & { readonly path: string }): Promise<Scanned> {
  const places = createPlaces();
  let buffer: Buffer = Buffer.allocUnsafe(CHUNK);
  let filled = 0;
  let offset = 0;
  let line = 0;
  for (;;) {
    options.signal?.throwIfAborted();
    if (filled === buffer.length) buffer = enlarge(buffer, { ...options, line: line + 1 });
    const { bytesRead } = await readAsync(fd, buffer, filled, buffer.length - filled, offset + filled).catch(
      (cause) => {
        throw fileError(`the journal ${shownPath(options.path)} cannot be read`, { cause, hint: ASIDE });
      },
    );
    filled += bytesRead;
    if (line === 0) checkMagic(buffer.toString('latin1', 0, Math.min(filled, MAGIC.length)), options.path);
    if (bytesRead === 0) return { places, end: offset };
    const text = buffer.subarray(0, filled);
    let start = 0;
    for (let end = text.indexOf(10); end >= 0; end = text.indexOf(10, start)) {
      line += 1;
      takeLine(text.subarray(start, end), { ...options, places, line, offset: offset + start });
      start = end + 1;
    }
    buffer.copyWithin(0, start, filled);
    filled -= start;
    offset += start;
  }
}

interface Line extends JournalOptions {
  readonly path: string;
  /** From 1. */
  readonly line: number;
}

function takeLine(bytes: Buffer, at: Line & { readonly places: RecordPlaces; readonly offset: number }): void {
  if (at.line === 1) {
    checkHeader(bytes.toString(), at);
    return;
  }
  const head = readHead(bytes);
  if (!head) throw damaged(at);
  if (head.answeredAt >= (at.notBefore ?? Number.NEGATIVE_INFINITY)) {
    at.places.set(head.id, { offset: at.offset, length: bytes.length });
  }
}

/** A file that is no journal must not lose its last line as torn. `begin` may be cut short by the end of the file. */
function checkMagic(begin: string, path: string): void {
  if (MAGIC.startsWith(begin)) return;
  throw new IoError(`${shownPath(path)} is not a journal of riskcli`, { hint: 'name another file with --journal' });
}

function checkHeader(text: string, at: Line): void {
  const { riskcli_journal: version, base_url: base } = parseHeader(text) ?? {};
  if (typeof version === 'number' && version > VERSION) {
    throw new IoError(`the journal ${shownPath(at.path)} was written by a newer riskcli`, {
      hint: 'update riskcli, or name another file with --journal',
    });
  }
  if (version !== VERSION || typeof base !== 'string') throw damaged(at);
  if (base === at.base) return;
  throw new UsageError(
    `the journal ${shownPath(at.path)} holds answers of ${visible(base)}, not of ${visible(at.base)}`,
    {
      code: 'journal_base_url',
      hint: 'name another file with --journal, or use the base URL that it was made with',
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

function enlarge(buffer: Buffer, at: Line): Buffer {
  if (buffer.length >= LINE_MAX) throw damaged(at);
  const larger = Buffer.allocUnsafe(buffer.length * 2);
  buffer.copy(larger);
  return larger;
}

const ASIDE = 'move it away and run the same command again: its wallets are then asked anew';

function damaged({ path, line }: Line): IoError {
  return new IoError(`the journal ${shownPath(path)} is damaged in line ${line}`, {
    code: 'journal_damaged',
    hint: ASIDE,
  });
}
