/**
 * Answers that arrive after a run has lost the lock of its journal, which another run may be writing to by then. They go to a
 * file beside it, `JOURNAL.late-RANDOM`, which has the form of a journal. Commands that read the journal read these files, too;
 * the next run that has the lock moves their answers into the journal and removes them, and so do prune and erase first of all.
 *
 * No answer is lost between the two runs, though neither waits for the other: the one that takes a file in renames it first,
 * and the one that writes looks after each write whether its file still has its name. If not, the answer may have been missed,
 * and is written again to a new file.
 */
import { constants, fdatasyncSync, openSync, readdirSync, unlinkSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { IoError } from '../errors.ts';
import { giveName } from '../files/atomic-file.ts';
import { closeQuietly, quietly } from '../files/close-file.ts';
import { cannotSync, fileError, shownPath, systemCode } from '../files/file-error.ts';
import { pointsAt } from '../files/identity.ts';
import { randomHex } from '../host/builtin.ts';
import type { AnswerStore } from './answer-store.ts';
import { APPENDING, copyAside, type JournalFile, MAKE_ROOM, openRegular, writeWhole } from './journal-file.ts';
import { eachRecord, headerLine, type RecordReader } from './journal-records.ts';
import { createLocations } from './locations.ts';
import { decodeRecord, type RecordHead } from './record.ts';
import { type JournalRecordFile, JournalStore } from './store.ts';

const TAKEN = '.taken';
const LATE = new RegExp(`^\\.late-[0-9a-f]{12}(?:\\${TAKEN})?$`);

/** The files of late answers beside the journal at `path`; none where its folder cannot be listed. */
export function lateFiles(path: string): readonly string[] {
  const [folder, name] = [dirname(path), basename(path)];
  try {
    const names = readdirSync(folder).filter((entry) => entry.startsWith(name) && LATE.test(entry.slice(name.length)));
    return names.sort().map((entry) => join(folder, entry));
  } catch {
    return [];
  }
}

/** Makes a file for late answers to the journal at `path`. @throws IoError */
export function createLateFile({
  path,
  base,
  host,
}: Pick<JournalRecordFile, 'path' | 'host'> & { readonly base: string }): AnswerStore {
  const late = `${path}.late-${randomHex(6)}`;
  const file = { path: late, host, name: `the file ${shownPath(late)} of late answers` };
  const { O_CREAT, O_EXCL, O_NOFOLLOW } = constants;
  let fd: number | undefined;
  try {
    fd = openSync(late, APPENDING | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
    const header = Buffer.from(headerLine({ base }));
    writeWhole({ ...file, fd }, header, 0);
    syncHeader(fd);
    return new JournalStore({
      ...file,
      fd,
      size: header.length,
      locations: createLocations(),
      isNew: true,
      mayBeTaken: true,
    });
  } catch (cause) {
    if (fd !== undefined) {
      if (pointsAt(late, fd)) quietly(() => unlinkSync(late));
      closeQuietly(fd);
    }
    if (cause instanceof IoError) throw cause;
    throw fileError(`${file.name} cannot be created`, { cause, ...MAKE_ROOM });
  }
}

/** Records must not be on the disk before the header, which says whose they are: a power cut could leave NULs in its place. */
function syncHeader(fd: number): void {
  try {
    fdatasyncSync(fd);
  } catch (error) {
    if (!cannotSync(error)) throw error;
  }
}

interface LateReader extends JournalFile {
  /** Told what cannot be believed or read, in a line. */
  readonly onDamage?: ((told: string) => void) | undefined;
}

interface OpenLate {
  readonly path: string;
  readonly fd: number;
}

/** Opens the files of late answers that can be believed: each must be whose the journal has to be. */
function openLate({ path, uid, onDamage }: LateReader): readonly OpenLate[] {
  return lateFiles(path).flatMap((late) => {
    try {
      return [{ path: late, fd: openRegular({ path: late, uid }, constants.O_RDONLY) }];
    } catch (error) {
      // Taken in meanwhile.
      if (error instanceof IoError && systemCode(error.cause) !== 'ENOENT') onDamage?.(leftOut(late, error));
      return [];
    }
  });
}

const leftOut = (path: string, { message }: Error) =>
  `the late answers in ${shownPath(path)} are left out, and the file is left as it is: ${message}`;

/** A record of a late file, and of which service it is. */
interface LateRecord {
  readonly base: string;
  readonly head: RecordHead;
  /** Its line without the newline; overwritten when the next one is read. */
  readonly bytes: Buffer;
}

/** Reads a late file; one that is no journal is told and holds nothing. @returns whether it was read, and its damaged lines. */
async function readLate(
  { fd, path }: OpenLate,
  { signal, onDamage, onRecord }: LateReader & { readonly onRecord: (record: LateRecord) => void },
): Promise<{ readonly isRead: boolean; readonly damagedLines: number }> {
  let base = '';
  let damagedLines = 0;
  try {
    await eachRecord(fd, {
      path,
      signal,
      onHeader(header) {
        base = header.base;
      },
      onRecord: ({ head, bytes }) => onRecord({ base, head, bytes }),
      onDamage() {
        damagedLines += 1;
      },
    });
    return { isRead: true, damagedLines };
  } catch (error) {
    if (!(error instanceof IoError)) throw error;
    onDamage?.(leftOut(path, error));
    return { isRead: false, damagedLines };
  }
}

/**
 * Reads the journal that is open as `fd`, then what late files have that it lacks. An answer that is older than one of the same
 * wallet in the journal is left out: the newest is the last one.
 * @returns and throws as eachRecord does.
 */
export async function eachAnswer(fd: number, reader: RecordReader & JournalFile): Promise<number> {
  const file = { path: reader.path, uid: reader.uid, signal: reader.signal };
  const late = openLate(file);
  try {
    const newest = createNewest();
    for (const opened of late) await readLate(opened, { ...file, onRecord: ({ head }) => newest.expect(head) });
    let base: string | undefined;
    const end = await eachRecord(fd, {
      ...reader,
      onHeader(header) {
        base = header.base;
        reader.onHeader?.(header);
      },
      onRecord(record) {
        newest.observe(record.head);
        reader.onRecord(record);
      },
    });
    for (const opened of late) {
      await readLate(opened, {
        ...file,
        onRecord(record) {
          if (record.base !== base || !newest.isNewer(record.head)) return;
          newest.observe(record.head);
          reader.onRecord({ ...record, location: { offset: 0, length: record.bytes.length, line: 0 }, isLate: true });
        },
      });
    }
    return end;
  } finally {
    for (const opened of late) closeQuietly(opened.fd);
  }
}

/** When the wallets of late answers were answered last, as far as was seen. */
function createNewest() {
  const times = new Map<string, number>();
  return {
    expect: ({ id }: RecordHead) => void times.set(id, Number.NEGATIVE_INFINITY),
    observe({ id, isRefusal, answeredAt }: RecordHead) {
      const before = times.get(id);
      // A refusal takes the place of no answer.
      if (before !== undefined && !isRefusal) times.set(id, Math.max(before, answeredAt));
    },
    isNewer: ({ id, answeredAt }: RecordHead) => answeredAt > (times.get(id) ?? Number.NEGATIVE_INFINITY),
  };
}

interface TakingIn extends LateReader {
  readonly base: string;
  /** Opens the journal to add to it: every answer in it, however old, and no refusals. */
  readonly open: () => Promise<AnswerStore>;
}

/**
 * Takes the late answers into the journal, brings them to the disk and removes their files. Only for the holder of its lock.
 * @throws what the journal cannot be opened or written for; the late files then stay.
 */
export async function takeInLateAnswers(options: TakingIn): Promise<void> {
  if (lateFiles(options.path).length === 0) return;
  const journal = await options.open();
  const late = openLate(options);
  try {
    const done: OpenLate[] = [];
    for (const opened of late) {
      const taken = claim(opened);
      if (taken && (await takeIn(taken, { ...options, journal }))) done.push(taken);
    }
    await journal.sync();
    for (const { path, fd } of done) if (pointsAt(path, fd)) unlinkSync(path);
  } finally {
    for (const { fd } of late) closeQuietly(fd);
    journal.close();
  }
}

/** Gives it another name, so that its writer, should it still run, writes to another one; undefined when it is gone. */
function claim({ path, fd }: OpenLate): OpenLate | undefined {
  if (!pointsAt(path, fd)) return undefined;
  if (path.endsWith(TAKEN)) return { path, fd };
  giveName(path, `${path}${TAKEN}`);
  return { path: `${path}${TAKEN}`, fd };
}

/** Whether all that it has is in the journal now, so that it may go. */
async function takeIn(
  late: OpenLate,
  { journal, ...options }: TakingIn & { readonly journal: AnswerStore },
): Promise<boolean> {
  const { path, base, onDamage } = options;
  let isOurs = true;
  const { isRead, damagedLines } = await readLate(late, {
    ...options,
    onRecord({ base: found, head, bytes }) {
      isOurs &&= found === base;
      const settled = isOurs ? decodeRecord(bytes, head.id) : undefined;
      const known = settled && journal.get(head.id);
      if (settled && (!known || known.answeredAt < settled.answeredAt)) journal.append(head.id, settled);
    },
  });
  if (!isOurs) onDamage?.(`the late answers in ${shownPath(late.path)} are from another base URL, and are left out`);
  if (!isRead || !isOurs) return false;
  if (damagedLines > 0) {
    const aside = copyAside(path, late.path);
    onDamage?.(`damaged late answers of the journal ${shownPath(path)} were dropped; a copy is ${shownPath(aside)}`);
  }
  return true;
}
