/**
 * What is remembered of the reviews of a list (reviews-file.ts): when the last complete one ended, what it was compared with, and
 * since when each wallet is listed.
 */
import { realpathSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { absolutePath } from '../files/identity.ts';
import { DAY_MS } from '../text/when.ts';
import { NumberList } from './locations.ts';
import { type PastReviews, type ReviewsFileOptions, ReviewsWriter, readReviews, reviewsPath } from './reviews-file.ts';
import { WalletIndex } from './wallet-index.ts';

export interface Listed {
  readonly id: string;
  readonly label: string | undefined;
}

/** How long a wallet that is no longer listed is remembered. */
const KEPT_MS = 400 * DAY_MS;

/** Marks a wallet as listed in this review, in place of its time. */
const NOTED = -1;

/**
 * Opens what is remembered of the list, for a review at the time `at`. Only for the holder of the journal's lock.
 * @throws IoError when it cannot be trusted or read; the signal's reason
 */
export async function openReviewMemory(options: MemoryOptions): Promise<ReviewMemory> {
  const path = reviewsPath(options);
  const known = { index: new WalletIndex(), from: new NumberList(Float64Array), left: new NumberList(Float64Array) };
  const past = await readReviews(path, {
    ...options,
    onWallet(read, number) {
      const [id, since, until] = read();
      known.index.add(id);
      known.from.set(number, since);
      if (until !== 0) known.left.set(number, until);
    },
  });
  return new ReviewMemory(path, past, known, options);
}

type MemoryOptions = ReviewsFileOptions & { readonly at: number };

/** The known wallets by number: since when each is listed, and since when it no longer is, as in ListedLine. */
export class ReviewMemory {
  private readonly now: number;
  private readonly writer: ReviewsWriter;

  constructor(
    private readonly path: string,
    /** Undefined when no review of this list has been completed. */
    readonly past: PastReviews | undefined,
    private readonly known: { readonly index: WalletIndex; readonly from: NumberList; readonly left: NumberList },
    private readonly options: MemoryOptions,
  ) {
    // Even if the clock was set back, this review is after the last one.
    this.now = Math.max(options.at, past ? past.endedAt + 1 : 0);
    this.writer = new ReviewsWriter(path, options);
  }

  get index(): WalletIndex {
    return this.known.index;
  }

  /** Notes a listed wallet. @returns since when it is listed; undefined when it was noted before in this review */
  list({ id, label }: Listed): number | undefined {
    const { index, from, left } = this.known;
    const number = index.add(id);
    const listedSince = from.at(number);
    if (listedSince === NOTED) return undefined;
    const since = this.past && listedSince !== 0 && left.at(number) === 0 ? listedSince : this.now;
    from.set(number, NOTED);
    this.writer.line([id, since, 0, label ?? null]);
    return since;
  }

  /** Whether the wallet was listed at the time `since`. To be called before any wallet is noted. */
  wasListed(id: string, since: number): boolean {
    const { index, from, left } = this.known;
    const number = index.find(id);
    const [came, went] = [from.at(number), left.at(number)];
    return came !== 0 && came <= since && (went === 0 || went > since);
  }

  /** Calls `onLeaver` for wallets listed at `since` but no longer. To be called when all listed wallets were noted. */
  async findLeavers(since: number, onLeaver: (leaver: Listed) => void): Promise<void> {
    const { past, path, options, known, now, writer } = this;
    if (!past) return;
    await readReviews(path, {
      ...options,
      onWallet(read, number) {
        if (known.from.at(number) === NOTED) return;
        const [id, listedSince, until, label] = read();
        const leftAt = until || now;
        if (now - leftAt < KEPT_MS) writer.line([id, listedSince, leftAt, label]);
        if (leftAt > since && listedSince <= since) onLeaver({ id, label: label ?? undefined });
      },
    });
  }

  /** Stores this review as the last complete one. @throws IoError */
  commit(past: PastReviews): Promise<void> {
    return this.writer.commit(past);
  }

  /** Drops what was noted. Harmless after a commit. */
  discard(): void {
    this.writer.discard();
  }
}

/** The name of a list, relative to the journal: the same when the folder of both is moved. */
export function listNameFor(list: string, journal: string): string {
  if (list === '-') return list;
  const real = (path: string) => join(realPath(dirname(absolutePath(path))), basename(path));
  return relative(dirname(real(journal)), real(list));
}

function realPath(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}
