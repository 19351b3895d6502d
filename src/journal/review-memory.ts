/**
 * What is remembered of the reviews of a list, in a file beside the journal, `JOURNAL.review-DIGEST`: when the last whole one
 * ended and with what it was compared, and since when each wallet is listed. A journal may serve several lists, so each has a
 * file of its own. It is replaced in one step under the journal's lock: whatever stops a review, the last whole one counts.
 *
 *     {"riskcli_reviews":1,"list":"holders.csv"}
 *     ["0x...",1794816000000,0,"Customer 15"]
 *     {"ended_at":"2026-11-16T08:00:00.000Z",...,"crc":"1c291ca3"}
 */
import { constants, readdirSync, realpathSync, unlinkSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { crc32 } from 'node:zlib';
import { IoError } from '../errors.ts';
import { type AtomicFile, type AtomicHost, createAtomicFile } from '../files/atomic-file.ts';
import { closeQuietly } from '../files/close-file.ts';
import { fileError, shownPath, systemCode } from '../files/file-error.ts';
import { BLOCK_BYTES, createTextBlock } from '../files/text-block.ts';
import { crypto } from '../host/builtin.ts';
import { DAY_MS, isoTime } from '../text/when.ts';
import { MAKE_ROOM, NEWLINE, openRegular } from './journal-file.ts';
import { eachLine } from './journal-records.ts';
import { createWalletIndex, type WalletIndex } from './wallet-index.ts';

/** What is known of the reviews of a list. Times are milliseconds since 1970. */
export interface PastReviews {
  /** When the last whole one ended. */
  readonly endedAt: number;
  /** When the first one ended that had the same baseline as the last. */
  readonly begunAt: number;
  /** As of when that was; undefined where there was nothing to compare with. */
  readonly baseline: number | undefined;
  /** What the last one judged by, and how many rows were no wallets. */
  readonly judged: Judged;
  /** The same of the one that the last was compared with. */
  readonly baselineJudged: Judged | undefined;
}

export interface Judged {
  /** A digest of rules and exceptions. */
  readonly rules: string;
  readonly invalid: number;
}

interface MemoryOptions {
  /** Of the journal. */
  readonly journal: string;
  /** What the list is called, seen from the journal. */
  readonly list: string;
  readonly host: AtomicHost;
  readonly uid?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Told, in a line, that what was remembered is damaged, and counts for nothing. */
  readonly onDamage: (told: string) => void;
}

/** A wallet of a list. */
export interface Listed {
  readonly id: string;
  readonly label: string | undefined;
}

export interface ReviewMemory {
  /** Undefined where no review of this list has ended so far. */
  readonly past: PastReviews | undefined;
  /** The wallets that are known, as numbers. */
  readonly index: WalletIndex;
  /** Takes note of a wallet that is listed. @returns since when; undefined when it was noted before */
  list(wallet: Listed): number | undefined;
  /** Whether the wallet was listed at the time `since`. Before anything is noted. */
  wasListed(id: string, since: number): boolean;
  /** To be called when all that are listed were noted: hands on those that no longer are and were at the time `since`. */
  leave(since: number, onLeaver: (leaver: Listed) => void): Promise<void>;
  /** This review is whole: it counts from now on. @throws IoError */
  commit(past: PastReviews): Promise<void>;
  /** Forgets what was noted. Harmless after a commit. */
  discard(): void;
}

/** A wallet, since when it is listed, and since when it no longer is; 0 where it still is. */
type Line = readonly [id: string, from: number, left: number, label: string | null];

const VERSION = 1;
/** For so long it is known who was listed. */
const KEPT_MS = 400 * DAY_MS;

/**
 * Opens what is remembered of the list, to compare what is listed at the time `at` with that. Only for the holder of the
 * journal's lock.
 * @throws IoError when it cannot be believed or read; the signal's reason.
 */
export async function openReviewMemory(options: MemoryOptions & { readonly at: number }): Promise<ReviewMemory> {
  const path = pathOf(options);
  const index = createWalletIndex();
  /** By the number of the wallet: since when it is listed, and since when it no longer is, as in its line. */
  const [from, left] = [createNumbers(), createNumbers()];
  const past = await readMemory(path, {
    ...options,
    onWallet([id, since, until]) {
      const number = index.add(id);
      from.set(number, since);
      if (until !== 0) left.set(number, until);
    },
  });
  // A clock that was set back does not put this review before the last one.
  const now = Math.max(options.at, past ? past.endedAt + 1 : 0);
  const writer = createWriter(path, options);
  return {
    past,
    index,
    list({ id, label }) {
      const number = index.add(id);
      const listedSince = from.at(number);
      if (listedSince === NOTED) return undefined;
      const since = past && listedSince !== 0 && left.at(number) === 0 ? listedSince : now;
      from.set(number, NOTED);
      writer.line([id, since, 0, label ?? null]);
      return since;
    },
    wasListed(id, since) {
      const number = index.find(id);
      const [came, went] = [from.at(number), left.at(number)];
      return came !== 0 && came <= since && (went === 0 || went > since);
    },
    async leave(since, onLeaver) {
      if (!past) return;
      await readMemory(path, {
        ...options,
        onWallet([id, listedSince, until, label]) {
          if (from.at(index.find(id)) === NOTED) return;
          const leftAt = until || now;
          if (now - leftAt < KEPT_MS) writer.line([id, listedSince, leftAt, label]);
          if (leftAt > since && listedSince <= since) onLeaver({ id, label: label ?? undefined });
        },
      });
    },
    commit: writer.commit,
    discard: writer.discard,
  };
}

/** Stands for the time since when a wallet is listed that was noted. */
const NOTED = -1;

/** Numbers in a block. */
const BLOCK = 16_384;

/** Numbers by number, 0 where none was set: eight bytes each, in blocks, since an array that grows is there twice. */
function createNumbers() {
  const blocks: (Float64Array | undefined)[] = [];
  return {
    at: (number: number) => blocks[Math.floor(number / BLOCK)]?.[number % BLOCK] ?? 0,
    set(number: number, value: number): void {
      const place = Math.floor(number / BLOCK);
      const block = blocks[place] ?? new Float64Array(BLOCK);
      blocks[place] = block;
      block[number % BLOCK] = value;
    },
  };
}

/** What a list is called that lies beside the journal or elsewhere: the same when the folder of both is moved. */
export function listNameFor(list: string, journal: string): string {
  if (list === '-') return list;
  const real = (path: string) => join(realPath(dirname(resolve(path))), basename(path));
  return relative(dirname(real(journal)), real(list));
}

function realPath(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}

const pathOf = ({ journal, list }: Pick<MemoryOptions, 'journal' | 'list'>) =>
  `${journal}.review-${crypto().createHash('sha256').update(list).digest('hex').slice(0, 12)}`;

interface Reading extends Pick<MemoryOptions, 'uid' | 'signal' | 'onDamage'> {
  readonly onList?: (list: string) => void;
  readonly onWallet: (line: Line) => void;
}

/** Reads the file at `path`; undefined where there is none, or none that counts. @throws IoError; the signal's reason. */
async function readMemory(path: string, reading: Reading): Promise<PastReviews | undefined> {
  let fd: number;
  try {
    fd = openRegular({ path, uid: reading.uid }, constants.O_RDONLY);
  } catch (error) {
    if (error instanceof IoError && systemCode(error.cause) === 'ENOENT') return undefined;
    throw error;
  }
  try {
    return await readLines(fd, reading);
  } catch (error) {
    if (!(error instanceof DamageError)) throw error;
    reading.onDamage(`what ${shownPath(path)} remembers of earlier reviews is damaged: this one counts as the first`);
    return undefined;
  } finally {
    closeQuietly(fd);
  }
}

class DamageError extends Error {}

async function readLines(fd: number, { signal, onList, onWallet }: Reading): Promise<PastReviews | undefined> {
  let checksum = 0;
  let past: PastReviews | undefined;
  await eachLine(fd, {
    signal,
    onLine(bytes, { line }) {
      const value = parsed(bytes);
      if (line === 1) {
        const list = listIn(value);
        onList?.(list);
      } else if (Array.isArray(value)) onWallet(value as unknown as Line);
      else past = pastIn(value, checksum);
      checksum = bytes ? crc32(NEWLINE, crc32(bytes, checksum)) : 0;
    },
  });
  if (!past) throw new DamageError();
  return past;
}

function parsed(bytes: Buffer | undefined): unknown {
  try {
    return JSON.parse(bytes?.toString() ?? '');
  } catch {
    throw new DamageError();
  }
}

function listIn(head: unknown): string {
  const { riskcli_reviews: version, list } = (head ?? {}) as { riskcli_reviews?: unknown; list?: unknown };
  if (version === VERSION && typeof list === 'string') return list;
  if (typeof version !== 'number' || version <= VERSION) throw new DamageError();
  throw new IoError('earlier reviews of this list were made by a newer version of riskcli', { hint: 'update riskcli' });
}

interface End extends Readonly<Record<string, unknown>> {
  readonly ended_at: string;
  readonly begun_at: string;
  readonly baseline: string | null;
  readonly judged: Judged;
  readonly baseline_judged: Judged | null;
  readonly crc: string;
}

const hex = (checksum: number) => checksum.toString(16).padStart(8, '0');

function pastIn(end: unknown, checksum: number): PastReviews {
  const { ended_at: ended, begun_at: begun, baseline, judged, baseline_judged: before, crc } = end as End;
  if (crc !== hex(checksum)) throw new DamageError();
  return {
    endedAt: Date.parse(ended),
    begunAt: Date.parse(begun),
    baseline: baseline === null ? undefined : Date.parse(baseline),
    judged,
    baselineJudged: before ?? undefined,
  };
}

/** Writes the file anew; it is begun with the first line, and nothing is in place before it is committed. */
function createWriter(path: string, { host, list }: Pick<MemoryOptions, 'host' | 'list'>) {
  let file: AtomicFile | undefined;
  let checksum = 0;
  const block = createTextBlock();
  const guarded = <T>(work: () => T): T => {
    try {
      return work();
    } catch (cause) {
      throw fault(path, cause);
    }
  };
  function flush(): void {
    const bytes = block.take();
    checksum = crc32(bytes, checksum);
    file?.write(bytes);
  }
  function begin(): void {
    file = createAtomicFile(path, { host, mode: 0o600 });
    block.add(`${JSON.stringify({ riskcli_reviews: VERSION, list })}\n`);
  }
  return {
    line(line: Line): void {
      guarded(() => {
        if (!file) begin();
        block.add(`${JSON.stringify(line)}\n`);
        if (block.size >= BLOCK_BYTES) flush();
      });
    },
    async commit({ endedAt, begunAt, baseline, judged, baselineJudged }: PastReviews): Promise<void> {
      guarded(() => {
        if (!file) begin();
        flush();
        const end: End = {
          ended_at: new Date(endedAt).toISOString(),
          begun_at: new Date(begunAt).toISOString(),
          baseline: isoTime(baseline),
          judged,
          baseline_judged: baselineJudged ?? null,
          crc: hex(checksum),
        };
        file?.write(`${JSON.stringify(end)}\n`);
      });
      await file?.commit().catch((cause: unknown) => {
        throw fault(path, cause);
      });
    },
    discard: () => file?.discard(),
  };
}

const fault = (path: string, cause: unknown) =>
  fileError(`${shownPath(path)}, which remembers the review, cannot be written`, { cause, ...MAKE_ROOM });

const SUFFIX = /^\.review-[0-9a-f]{12}$/;

/** What is remembered of the reviews of every list that the journal serves. */
function memoriesOf(journal: string): readonly string[] {
  const [folder, name] = [dirname(journal), basename(journal)];
  const names = readdirSync(folder).filter((entry) => entry.startsWith(name) && SUFFIX.test(entry.slice(name.length)));
  return names.sort().map((entry) => join(folder, entry));
}

/**
 * Forgets that the wallets for which `isErased` holds were ever listed; what is damaged goes as a whole. Only for the holder of
 * the journal's lock. @throws IoError; the signal's reason.
 */
export async function eraseFromMemories(
  journal: string,
  erasing: Pick<MemoryOptions, 'host' | 'uid' | 'signal'> & { readonly isErased: (id: string) => boolean },
): Promise<void> {
  for (const path of memoriesOf(journal)) await eraseFrom(path, erasing);
}

async function eraseFrom(
  path: string,
  { isErased, ...options }: Parameters<typeof eraseFromMemories>[1],
): Promise<void> {
  let writer: ReturnType<typeof createWriter> | undefined;
  try {
    const past = await readMemory(path, {
      ...options,
      onDamage() {},
      onList(list) {
        writer = createWriter(path, { ...options, list });
      },
      onWallet: (line) => void (isErased(line[0]) || writer?.line(line)),
    });
    if (past) await writer?.commit(past);
    else unlinkSync(path);
  } finally {
    writer?.discard();
  }
}
