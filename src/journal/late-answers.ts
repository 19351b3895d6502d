/**
 * Answers that arrive after a run has lost the lock of its journal, to which another run may be writing. They go to a file beside
 * it, `JOURNAL.late-RANDOM`, in the format of a journal. Commands that read the journal also read these files; the next run with
 * the lock moves their answers into the journal and removes them, and so do prune and erase at their start.
 *
 * No answer is lost between the two runs, though neither waits for the other: the run that takes in a file renames it first, and
 * the run that writes checks after each write whether its file still has its name. If not, the answer may have been missed, and
 * is written again to a new file.
 */
import { constants, fdatasyncSync, openSync, unlinkSync } from 'node:fs';
import { IoError } from '../errors.ts';
import { giveName } from '../files/atomic-file.ts';
import { closeQuietly, quietly } from '../files/close-file.ts';
import { cannotSync, fileError, shownPath, systemCode } from '../files/file-error.ts';
import { pointsAt } from '../files/identity.ts';
import { randomHex } from '../host/builtin.ts';
import type { AnswerStore } from './answer-store.ts';
import {
  APPENDING,
  copyAside,
  filesBeside,
  type JournalFile,
  MAKE_ROOM,
  openRegular,
  writeWhole,
} from './journal-file.ts';
import { eachRecord, headerLine, type RecordReader } from './journal-records.ts';
import { createLocations } from './locations.ts';
import { decodeRecord, type RecordHead } from './record.ts';
import { type JournalRecordFile, JournalStore } from './store.ts';

const TAKEN = '.taken';
const LATE = new RegExp(`^\\.late-[0-9a-f]{12}(?:\\${TAKEN})?$`);

/** The files of late answers beside the journal at `path`; none if its folder cannot be listed. */
export function lateFiles(path: string): readonly string[] {
  try {
    return filesBeside(path, LATE);
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

/** The header must be on the disk before any record: a power cut could leave NULs in its place. */
function syncHeader(fd: number): void {
  try {
    fdatasyncSync(fd);
  } catch (error) {
    if (!cannotSync(error)) throw error;
  }
}

interface LateReader extends JournalFile {
  /** Called with a warning about a file that cannot be trusted or read. */
  readonly onDamage?: ((warning: string) => void) | undefined;
}

interface OpenLate {
  readonly path: string;
  readonly fd: number;
}

/** Opens the files of late answers that can be trusted: the owner must be that of the journal. */
function openLate({ path, uid, onDamage }: LateReader): readonly OpenLate[] {
  return lateFiles(path).flatMap((late) => {
    try {
      return [{ path: late, fd: openRegular({ path: late, uid }, constants.O_RDONLY) }];
    } catch (error) {
      // ENOENT: taken in meanwhile.
      if (error instanceof IoError && systemCode(error.cause) !== 'ENOENT') onDamage?.(leftOut(late, error));
      return [];
    }
  });
}

const leftOut = (path: string, { message }: Error) =>
  `the late answers in ${shownPath(path)} are left out, and the file is left as it is: ${message}`;

/** A record of a late file, and the service of the file. */
interface LateRecord {
  readonly base: string;
  readonly head: RecordHead;
  /** Its line without the newline; overwritten when the next one is read. */
  readonly bytes: Buffer;
}

/** Reads a late file; warns of one that is not a journal. @returns whether it was read, and how many lines are damaged */
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
 * Reads the journal that is open as `fd`, then the answers of late files that are newer than those of the same wallet in the
 * journal, so that the last record of a wallet is the newest.
 * @returns and throws as eachRecord does
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

/** The time of the newest answer so far of each wallet with a late answer. */
function createNewest() {
  const times = new Map<string, number>();
  return {
    expect: ({ id }: RecordHead) => void times.set(id, Number.NEGATIVE_INFINITY),
    observe({ id, isRefusal, answeredAt }: RecordHead) {
      const before = times.get(id);
      // A refusal does not replace an answer.
      if (before !== undefined && !isRefusal) times.set(id, Math.max(before, answeredAt));
    },
    isNewer: ({ id, answeredAt }: RecordHead) => answeredAt > (times.get(id) ?? Number.NEGATIVE_INFINITY),
  };
}

interface TakingIn extends LateReader {
  readonly base: string;
  /** Opens the journal for appending, with every answer in it, however old, and no refusals. */
  readonly open: () => Promise<AnswerStore>;
}

/**
 * Moves the late answers into the journal, syncs it and removes their files. Only for the holder of its lock.
 * @throws when the journal cannot be opened or written; the late files then stay
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

/** Renames the file, so that its writer, if it still runs, starts another one; undefined when it is gone. */
function claim({ path, fd }: OpenLate): OpenLate | undefined {
  if (!pointsAt(path, fd)) return undefined;
  if (path.endsWith(TAKEN)) return { path, fd };
  giveName(path, `${path}${TAKEN}`);
  return { path: `${path}${TAKEN}`, fd };
}

/** Whether everything in it is in the journal now, so that it may be removed. */
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
