/**
 * The earlier side of a review: the kept review that it is compared with, opened, and for wallets that have no answer or no score in
 * it the rows of other kept reviews.
 */
import { compareRows, findChange, type RowValues, valueIn } from '../compare/compare.ts';
import type { Path } from '../document/path.ts';
import { ListError } from '../errors.ts';
import { shownPath } from '../files/file-error.ts';
import type { Find, FindCompared } from '../row/conditions.ts';
import { META } from '../row/paths/own-names.ts';
import { findIn, type Row } from '../row/row.ts';
import { createTextCounts, textsOf } from '../row/score-texts.ts';
import { type IndexedRun, indexRunOf } from '../runs/index-run.ts';
import type { KeptFile } from '../runs/keep-folder.ts';
import type { ReadFile, ReviewHeader } from '../runs/kept-review.ts';
import { isWalletKey, rowKey } from '../runs/row-index.ts';
import {
  type Carried,
  carryOver,
  type EarlierOptions,
  HAS,
  KINDS,
  type Kind,
  type Lacks,
  whyUseless,
  withScore,
} from './carried.ts';
import { openTrusted } from './open-trusted.ts';

/** The earlier side of a wallet. */
export interface EarlierWallet {
  /** What the review compared with said of it, at least one row: where that was run again for want of an answer, what it said then. */
  readonly rows: readonly Row[];
  /** Its first row in the review compared with. The rows below are this very object, unless they are of another review. */
  readonly own: Row;
  /** What today's row is compared with. */
  readonly row: Row;
  /** The row that has its score, and with it the texts of the score. */
  readonly scored: Row;
  /** The row that has its collateral. */
  readonly valued: Row;
}

export interface EarlierReview {
  readonly file: KeptFile;
  readonly header: ReviewHeader;
  /** Of its bytes, unpacked. */
  readonly sha256: string;
  /** The other kept reviews that rows are from. */
  readonly valuesFrom: readonly ReadFile[];
  /** Whether a text of the score had few values. */
  readonly isFew: (field: string) => boolean;
  keys(): Iterable<string>;
  /** Undefined for a wallet that came. */
  walletOf(key: string): EarlierWallet | undefined;
  close(): void;
}

/**
 * Opens the first of `files` that can be used, and takes from those behind it what it lacks. Files that cannot be used are named,
 * and passed over.
 */
export async function openEarlier(
  files: readonly KeptFile[],
  options: EarlierOptions,
): Promise<EarlierReview | undefined> {
  for (const [i, file] of files.entries()) {
    const lacks: Lacks = new Map();
    const texts = createTextCounts();
    const onRow = (written: Row) => {
      const [key, row] = [rowKey(written), withScore(written, options)];
      const kinds = KINDS.filter((kind) => !HAS[kind](row));
      if (isWalletKey(key) && kinds.length > 0) lacks.set(key, kinds);
      texts.observe(textsOf(row.document));
    };
    const run = await tryOpen(file, { ...options, onRow });
    if (!run) continue;
    const carried = await carryOver(files.slice(i + 1), lacks, { file, run, options });
    return earlierOf({ file, run, carried, isFew: texts.isFew, options });
  }
  return undefined;
}

interface Usable extends EarlierOptions {
  readonly onRow: (row: Row) => void;
}

/** The rows of a kept review; undefined, with a warning, for one that cannot be used. */
async function tryOpen(file: KeptFile, options: Usable): Promise<IndexedRun | undefined> {
  const { context, onRow } = options;
  const passOver = (why: string) => {
    context.report.warn(`the kept review ${shownPath(file.path)} is passed over: ${why}`);
    return undefined;
  };
  try {
    const plain = await openTrusted(file, options);
    const run = await indexRunOf(plain, { host: context, report: { info: context.report.info, warn() {} }, onRow });
    const why = whyUseless(run, options);
    if (why === undefined) return run;
    run.close();
    return passOver(why);
  } catch (error) {
    if (error instanceof ListError) return passOver(error.message);
    throw error;
  }
}

interface Opened {
  readonly file: KeptFile;
  readonly run: IndexedRun;
  readonly carried: Carried;
  readonly isFew: (field: string) => boolean;
  readonly options: EarlierOptions;
}

function earlierOf({ file, run, carried, isFew, options }: Opened): EarlierReview {
  const { index, review: header } = run;
  if (!header) throw new TypeError('a review without its first line is passed over');
  return {
    file,
    header,
    sha256: run.end()?.fileSha256 ?? '',
    valuesFrom: carried.from,
    isFew,
    keys: index.keys,
    walletOf(key) {
      const written = index.rowsOf(key).map((row) => withScore(row, options));
      const [own] = written;
      if (!own) return undefined;
      const row = carried.rows.answer.get(key)?.() ?? own;
      const rows = carried.fromRunAgain.has(key) ? [row] : written;
      const other = (kind: Kind) => (HAS[kind](row) ? row : (carried.rows[kind].get(key)?.() ?? row));
      return { rows, own, row, scored: other('score'), valued: other('collateral') };
    },
    close() {
      carried.close();
      run.close();
    },
  };
}

/** The value of an earlier row at a path: what is in `defi_score`, and the score, as they were when there was one. */
function findEarlier({ row, scored, valued }: EarlierWallet, scorePath: Path | undefined): Find {
  const homes = ['defi_score', scorePath?.[0]];
  return (path) => {
    const isOfScore = homes.includes(path[0]) || (path[0] === META && path[1] === 'score');
    return findIn(isOfScore ? scored : path[0] === 'total_collateral_usd' ? valued : row)(path);
  };
}

/** A wallet has changed when one of these has. */
const COMPARED_PATHS: readonly Path[] = [[META, 'status'], [META, 'score'], ['total_collateral_usd']];

const valuesOf = (find: Find): RowValues => COMPARED_PATHS.map((path) => valueIn(find(path)));

/** What conditions on change ask of a row. @param before undefined for a wallet that came */
export function findCompared(row: Row, before: EarlierWallet | undefined, scorePath: Path | undefined): FindCompared {
  const now = findIn(row);
  const old = before && findEarlier(before, scorePath);
  const { change } = compareRows(old && valuesOf(old), valuesOf(now));
  return findChange(now, { change, old });
}
