/**
 * What is remembered of the reviews of a list (reviews-file.ts): when the last whole one ended and with what it was compared, and
 * since when each wallet is listed.
 */
import { realpathSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { DAY_MS } from '../text/when.ts';
import {
  createReviewsWriter,
  type PastReviews,
  type ReviewsFileOptions,
  readReviews,
  reviewsPath,
} from './reviews-file.ts';
import { createWalletIndex, type WalletIndex } from './wallet-index.ts';

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

/** For so long it is known who was listed. */
const KEPT_MS = 400 * DAY_MS;

/**
 * Opens what is remembered of the list, to compare what is listed at the time `at` with that. Only for the holder of the
 * journal's lock.
 * @throws IoError when it cannot be believed or read; the signal's reason.
 */
export async function openReviewMemory(options: ReviewsFileOptions & { readonly at: number }): Promise<ReviewMemory> {
  const path = reviewsPath(options);
  const index = createWalletIndex();
  /** By the number of the wallet: since when it is listed, and since when it no longer is, as in its line. */
  const [from, left] = [createNumbers(), createNumbers()];
  const past = await readReviews(path, {
    ...options,
    onWallet(read, number) {
      const [id, since, until] = read();
      index.add(id);
      from.set(number, since);
      if (until !== 0) left.set(number, until);
    },
  });
  // A clock that was set back does not put this review before the last one.
  const now = Math.max(options.at, past ? past.endedAt + 1 : 0);
  const writer = createReviewsWriter(path, options);
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
      await readReviews(path, {
        ...options,
        onWallet(read, number) {
          if (from.at(number) === NOTED) return;
          const [id, listedSince, until, label] = read();
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
