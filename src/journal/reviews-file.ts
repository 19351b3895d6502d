/**
 * The file beside a journal in which the reviews of a list are remembered, `JOURNAL.review-DIGEST`: the wallets, then when the last
 * complete review ended and what it was compared with. A journal may serve several lists, so each has its own file. It is
 * replaced in one step under the journal's lock: if a review is stopped, the last complete one counts.
 *
 *     {"riskcli_reviews":1,"list":"holders.csv"}
 *     ["0x...",1794816000000,0,"Customer 15"]
 *     {"ended_at":"2026-11-16T08:00:00.000Z",...,"crc":"1c291ca3"}
 */
import { constants, unlinkSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { IoError } from '../errors.ts';
import { type AtomicFile, type AtomicHost, createAtomicFile } from '../files/atomic-file.ts';
import { closeQuietly } from '../files/close-file.ts';
import { asFileError, fileError, shownPath, systemCode } from '../files/file-error.ts';
import { BLOCK_BYTES, createTextBlock } from '../files/text-block.ts';
import { crypto } from '../host/builtin.ts';
import { isoTime } from '../text/when.ts';
import { filesBeside, MAKE_ROOM, NEWLINE, openRegular } from './journal-file.ts';
import { eachLine } from './journal-records.ts';
import { checksumText } from './record.ts';

/** What is known of the reviews of a list. Times are milliseconds since 1970. */
export interface PastReviews {
  /** When the last complete one ended. */
  readonly endedAt: number;
  /** When the first one ended that had the same baseline as the last. */
  readonly begunAt: number;
  /** The time of that baseline; undefined when there was nothing to compare with. */
  readonly baseline: number | undefined;
  /** The rules of the last one, and how many rows were not wallets. */
  readonly judged: JudgedRules;
  /** The same for the review that the last one was compared with. */
  readonly baselineJudged: JudgedRules | undefined;
}

export interface JudgedRules {
  /** A digest of rules and exceptions. */
  readonly rules: string;
  readonly invalid: number;
}

export interface ReviewsFileOptions {
  readonly journal: string;
  /** The name of the list, relative to the journal. */
  readonly list: string;
  readonly host: AtomicHost;
  readonly uid?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called with a warning when the file is damaged and ignored. */
  readonly onDamage: (warning: string) => void;
}

/** A wallet, since when it is listed, and since when it no longer is (0 if it still is); milliseconds since 1970. */
export type ListedLine = readonly [id: string, from: number, left: number, label: string | null];

const VERSION = 1;

export const reviewsPath = ({ journal, list }: Pick<ReviewsFileOptions, 'journal' | 'list'>) =>
  `${journal}.review-${crypto().createHash('sha256').update(list).digest('hex').slice(0, 12)}`;

interface ReviewsReader extends Pick<ReviewsFileOptions, 'uid' | 'signal' | 'onDamage'> {
  readonly onList?: (list: string) => void;
  /** Called for each wallet, with its number from 0; its line is parsed only when `line` is called. */
  readonly onWallet: (line: () => ListedLine, number: number) => void;
}

/** Reads the file at `path`; undefined if there is none, or it is damaged. @throws IoError; the signal's reason */
export async function readReviews(path: string, reading: ReviewsReader): Promise<PastReviews | undefined> {
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
    if (!(error instanceof DamageError)) throw cannotBeRead(path, error);
    reading.onDamage(`what ${shownPath(path)} remembers of earlier reviews is damaged: this one counts as the first`);
    return undefined;
  } finally {
    closeQuietly(fd);
  }
}

class DamageError extends Error {}

const cannotBeRead = (path: string, error: unknown) =>
  asFileError(error, `${shownPath(path)}, which remembers earlier reviews, cannot be read`, {
    hint: 'run the same command again',
    isResumable: true,
  });

async function readLines(fd: number, { signal, onList, onWallet }: ReviewsReader): Promise<PastReviews | undefined> {
  let checksum = 0;
  let past: PastReviews | undefined;
  await eachLine(fd, {
    signal,
    onLine(bytes, { line }) {
      if (line === 1) {
        const list = listIn(parsed(bytes));
        onList?.(list);
      } else if (bytes?.[0] === BRACKET) onWallet(() => parsed(bytes) as ListedLine, line - 2);
      else past = pastIn(parsed(bytes), checksum);
      checksum = bytes ? crc32(NEWLINE, crc32(bytes, checksum)) : 0;
    },
  });
  if (!past) throw new DamageError();
  return past;
}

/** The first byte of a wallet's line. */
const BRACKET = '['.charCodeAt(0);

function parsed(bytes: Buffer | undefined): unknown {
  try {
    return JSON.parse(String(bytes));
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

interface ReviewEnd extends Readonly<Record<string, unknown>> {
  readonly ended_at: string;
  readonly begun_at: string;
  readonly baseline: string | null;
  readonly judged: JudgedRules;
  readonly baseline_judged: JudgedRules | null;
  readonly crc: string;
}

function pastIn(end: unknown, checksum: number): PastReviews {
  const { ended_at: ended, begun_at: begun, baseline, judged, baseline_judged: before, crc } = end as ReviewEnd;
  if (crc !== checksumText(checksum)) throw new DamageError();
  return {
    endedAt: Date.parse(ended),
    begunAt: Date.parse(begun),
    baseline: baseline === null ? undefined : Date.parse(baseline),
    judged,
    baselineJudged: before ?? undefined,
  };
}

function endOf({ endedAt, begunAt, baseline, judged, baselineJudged }: PastReviews, checksum: number): ReviewEnd {
  return {
    ended_at: new Date(endedAt).toISOString(),
    begun_at: new Date(begunAt).toISOString(),
    baseline: isoTime(baseline),
    judged,
    baseline_judged: baselineJudged ?? null,
    crc: checksumText(checksum),
  };
}

/** Writes the file again; it is opened with the first line, and put in place by `commit`. */
export class ReviewsWriter {
  private file: AtomicFile | undefined;
  private checksum = 0;
  private readonly block = createTextBlock();

  constructor(
    private readonly path: string,
    private readonly options: Pick<ReviewsFileOptions, 'host' | 'list'>,
  ) {}

  /** @throws IoError */
  line(line: ListedLine): void {
    this.guarded(() => {
      const file = this.begin();
      this.block.add(`${JSON.stringify(line)}\n`);
      if (this.block.size >= BLOCK_BYTES) this.flush(file);
    });
  }

  /** @throws IoError */
  async commit(past: PastReviews): Promise<void> {
    const file = this.guarded(() => {
      const begun = this.begin();
      this.flush(begun);
      begun.write(`${JSON.stringify(endOf(past, this.checksum))}\n`);
      return begun;
    });
    await file.commit().catch((cause: unknown) => {
      throw this.fault(cause);
    });
  }

  discard(): void {
    this.file?.discard();
  }

  private begin(): AtomicFile {
    if (this.file) return this.file;
    const { host, list } = this.options;
    this.file = createAtomicFile(this.path, { host, mode: 0o600 });
    this.block.add(`${JSON.stringify({ riskcli_reviews: VERSION, list })}\n`);
    return this.file;
  }

  private flush(file: AtomicFile): void {
    const bytes = this.block.take();
    this.checksum = crc32(bytes, this.checksum);
    file.write(bytes);
  }

  private guarded<T>(work: () => T): T {
    try {
      return work();
    } catch (cause) {
      throw this.fault(cause);
    }
  }

  private fault(cause: unknown): IoError {
    return fileError(`${shownPath(this.path)}, which remembers the review, cannot be written`, { cause, ...MAKE_ROOM });
  }
}

const SUFFIX = /^\.review-[0-9a-f]{12}$/;

/**
 * Removes the wallets for which `isErased` holds from the memory of reviews; a damaged file is removed as a whole. Only for the
 * holder of the journal's lock. @throws IoError; the signal's reason
 */
export async function eraseFromMemories(
  journal: string,
  erasing: Pick<ReviewsFileOptions, 'host' | 'uid' | 'signal'> & { readonly isErased: (id: string) => boolean },
): Promise<void> {
  for (const path of filesBeside(journal, SUFFIX)) await eraseFrom(path, erasing);
}

async function eraseFrom(
  path: string,
  { isErased, ...options }: Parameters<typeof eraseFromMemories>[1],
): Promise<void> {
  let writer: ReviewsWriter | undefined;
  try {
    const past = await readReviews(path, {
      ...options,
      onDamage() {},
      onList(list) {
        writer = new ReviewsWriter(path, { ...options, list });
      },
      onWallet(read) {
        const line = read();
        if (!isErased(line[0])) writer?.line(line);
      },
    });
    if (past) await writer?.commit(past);
    else unlinkSync(path);
  } finally {
    writer?.discard();
  }
}
