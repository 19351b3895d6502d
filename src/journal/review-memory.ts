/**
 * What is remembered of the reviews of a list (reviews-file.ts): when the last whole one ended and with what it was compared, and
 * since when each wallet is listed.
 */
import { realpathSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { DAY_MS } from '../text/when.ts';
import { NumberList } from './locations.ts';
import { type PastReviews, type ReviewsFileOptions, ReviewsWriter, readReviews, reviewsPath } from './reviews-file.ts';
import { WalletIndex } from './wallet-index.ts';

/** A wallet of a list. */
export interface Listed {
  readonly id: string;
  readonly label: string | undefined;
}

/** For so long it is known who was listed. */
const KEPT_MS = 400 * DAY_MS;

/** Stands for the time since when a wallet is listed that was noted. */
const NOTED = -1;

/**
 * Opens what is remembered of the list, to compare what is listed at the time `at` with that. Only for the holder of the
 * journal's lock.
 * @throws IoError when it cannot be believed or read; the signal's reason.
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

/** The wallets that are known, as numbers, and by these: since when each is listed, and since when it no longer is, as in its line. */
interface KnownWallets {
  readonly index: WalletIndex;
  readonly from: NumberList;
  readonly left: NumberList;
}

export class ReviewMemory {
  private readonly now: number;
  private readonly writer: ReviewsWriter;

  constructor(
    private readonly path: string,
    /** Undefined where no review of this list has ended so far. */
    readonly past: PastReviews | undefined,
    private readonly known: KnownWallets,
    private readonly options: MemoryOptions,
  ) {
    // A clock that was set back does not put this review before the last one.
    this.now = Math.max(options.at, past ? past.endedAt + 1 : 0);
    this.writer = new ReviewsWriter(path, options);
  }

  get index(): WalletIndex {
    return this.known.index;
  }

  /** Takes note of a wallet that is listed. @returns since when; undefined when it was noted before */
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

  /** Whether the wallet was listed at the time `since`. Before anything is noted. */
  wasListed(id: string, since: number): boolean {
    const { index, from, left } = this.known;
    const number = index.find(id);
    const [came, went] = [from.at(number), left.at(number)];
    return came !== 0 && came <= since && (went === 0 || went > since);
  }

  /** To be called when all that are listed were noted: hands on those that no longer are and were at the time `since`. */
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

  /** This review is whole: it counts from now on. @throws IoError */
  commit(past: PastReviews): Promise<void> {
    return this.writer.commit(past);
  }

  /** Forgets what was noted. Harmless after a commit. */
  discard(): void {
    this.writer.discard();
  }
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
