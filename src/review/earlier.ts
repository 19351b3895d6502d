/**
 * The earlier side of a review: the kept review that it is compared with, opened, and for wallets that lack an answer or a value in
 * it the rows of other kept reviews.
 */
import { type ComparedValues, compareRows, findChange, presentValue } from '../compare/compare.ts';
import type { Path } from '../document/path.ts';
import { ListError } from '../errors.ts';
import type { PlainFile } from '../lists/plain-file.ts';
import type { Find, FindCompared } from '../row/conditions.ts';
import { META } from '../row/paths/own-names.ts';
import { findIn, type Row } from '../row/row.ts';
import { createTextCounts, textsOf } from '../row/score-texts.ts';
import { type IndexedRun, indexRun } from '../runs/index-run.ts';
import { openKept, reportPassedOver } from '../runs/open-kept.ts';
import type { KeptFile } from '../runs/review-folder.ts';
import type { ReadFile } from '../runs/review-lines.ts';
import { isWalletKey } from '../runs/row-index.ts';
import {
  CARRIED_VALUES,
  type Carried,
  type CarriedValue,
  carryOver,
  type EarlierOptions,
  earlierReading,
  HAS,
  type Lacks,
  type UsableReview,
  usableReview,
} from './carried.ts';

/** A row with which today's is compared. */
export interface EarlierRow {
  readonly row: Row;
  /** Whether it is from another review than the one compared with. */
  readonly isCarried: boolean;
}

/** The earlier side of a wallet: the row that has its answer, the one with its score and the texts of that, and so on. */
export interface EarlierWallet extends Readonly<Record<CarriedValue, EarlierRow>> {
  /** What the review compared with said of it; where that was run again for want of an answer, what it said then. */
  readonly rows: readonly Row[];
  /** Its first row in the review compared with. */
  readonly own: Row;
}

export interface EarlierReview extends UsableReview {
  readonly file: KeptFile;
  /** The other kept reviews that rows are from. */
  readonly valuesFrom: readonly ReadFile[];
  /** Whether a text of the score had few values. */
  readonly hasFewValues: (field: string) => boolean;
  walletKeys(): Iterable<string>;
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
    const opened = await tryOpen(file, options);
    if (!opened) continue;
    const carried = await carryOver(files.slice(i + 1), opened.lacks, { file, header: opened.review.header, options });
    return earlierReview(file, opened, carried);
  }
  return undefined;
}

interface OpenedReview {
  readonly plain: PlainFile;
  readonly run: IndexedRun;
  readonly review: UsableReview;
  readonly lacks: Lacks;
  readonly hasFewValues: (field: string) => boolean;
}

/** A kept review, read through; undefined, with a warning, for one that cannot be used. */
async function tryOpen(file: KeptFile, options: EarlierOptions): Promise<OpenedReview | undefined> {
  const { context } = options;
  let plain: PlainFile | undefined;
  let opened: OpenedReview | undefined;
  try {
    plain = await openKept(file, options);
    opened = await readReview(plain, options);
  } catch (error) {
    if (!(error instanceof ListError)) throw error;
    reportPassedOver(file, error.message, context);
  } finally {
    if (!opened) plain?.close();
  }
  return opened;
}

/** @throws ListError when it cannot be used */
async function readReview(plain: PlainFile, options: EarlierOptions): Promise<OpenedReview> {
  const lacks: Lacks = new Map();
  const texts = createTextCounts();
  const run = await indexRun(plain, {
    ...earlierReading(options),
    report: { info: options.context.report.info, warn() {} },
    onRow(row, key) {
      const lacking = CARRIED_VALUES.filter((value) => !HAS[value](row));
      if (isWalletKey(key) && lacking.length > 0) lacks.set(key, lacking);
      texts.observe(textsOf(row.document));
    },
  });
  try {
    return { plain, run, review: usableReview(run, options), lacks, hasFewValues: texts.hasFewValues };
  } catch (error) {
    run.close();
    throw error;
  }
}

function earlierReview(file: KeptFile, opened: OpenedReview, carried: Carried): EarlierReview {
  const { plain, run, review, hasFewValues } = opened;
  return {
    file,
    ...review,
    valuesFrom: carried.from,
    hasFewValues,
    walletKeys: run.index.walletKeys,
    walletOf(key) {
      const written = run.index.rowsOf(key);
      const [own] = written;
      if (!own) return undefined;
      const rowWith = (value: CarriedValue, instead: EarlierRow): EarlierRow => {
        const row = HAS[value](instead.row) ? undefined : carried.rowWith(value, key);
        return row ? { row, isCarried: true } : instead;
      };
      const answer = rowWith('answer', { row: own, isCarried: false });
      return {
        rows: carried.isFromRunAgain(key) ? [answer.row] : written,
        own,
        answer,
        score: rowWith('score', answer),
        collateral: rowWith('collateral', answer),
        'complete answer': rowWith('complete answer', answer),
      };
    },
    close() {
      carried.close();
      run.close();
      plain.close();
    },
  };
}

/** The value of an earlier row at a path; what is in `defi_score`, and the score, as they were when there was one. */
function findEarlier({ answer, score, collateral }: EarlierWallet, scorePath: Path | undefined): Find {
  const scoreHomes = ['defi_score', scorePath?.[0]];
  return (path) => {
    const isOfScore = scoreHomes.includes(path[0]) || (path[0] === META && path[1] === 'score');
    const { row } = isOfScore ? score : path[0] === 'total_collateral_usd' ? collateral : answer;
    return findIn(row)(path);
  };
}

/** A wallet has changed when one of these has. */
const COMPARED_PATHS: readonly Path[] = [[META, 'status'], [META, 'score'], ['total_collateral_usd']];

const valuesFoundBy = (find: Find): ComparedValues => COMPARED_PATHS.map((path) => presentValue(find(path)));

/** What conditions on change ask of a row. @param before undefined for a wallet that came */
export function findCompared(row: Row, before: EarlierWallet | undefined, scorePath: Path | undefined): FindCompared {
  const now = findIn(row);
  const old = before && findEarlier(before, scorePath);
  const { change } = compareRows(old && valuesFoundBy(old), valuesFoundBy(now));
  return findChange(now, { change, old });
}
