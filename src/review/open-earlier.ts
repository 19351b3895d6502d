/**
 * Opens the earlier side of a review: the kept review that it is compared with, and behind that
 * other ones, of which only the rows are indexed that have what a wallet lacks.
 */
import type { Path } from '../document/path.ts';
import { ListError } from '../errors.ts';
import { createTextCounts, textsOf } from '../row/score-texts.ts';
import { indexRun } from '../runs/index-run.ts';
import { openKept, reportPassedOver, type TrustOptions } from '../runs/open-kept.ts';
import { openRun, type RunOptions, SILENT } from '../runs/open-run.ts';
import type { KeptFile } from '../runs/review-folder.ts';
import { isWalletKey } from '../runs/row-index.ts';
import type { FileRow, Run } from '../runs/run.ts';
import { utcDay } from '../text/when.ts';
import {
  CARRIED_VALUES,
  type CarriedValue,
  type EarlierReview,
  earlierReview,
  HAS,
  type OpenedReview,
} from './earlier.ts';
import { haveSameRules } from './same-rules.ts';
import { hasStanding } from './standing.ts';

export interface EarlierOptions extends TrustOptions {
  /** The present path of the score, by which earlier answers are read. */
  readonly scorePath: Path | undefined;
  /** The service whose answers are compared. */
  readonly base: string;
}

/** What wallets have not got in the reviews that were read so far. */
type Lacks = Map<string, readonly CarriedValue[]>;

/**
 * Opens the first of `files` that can be used, and takes from those behind it what it lacks. Files
 * that cannot be used are named, and passed over.
 */
export async function openEarlier(
  files: readonly KeptFile[],
  options: EarlierOptions,
): Promise<EarlierReview | undefined> {
  const { context } = options;
  for (const [i, file] of files.entries()) {
    const lacks: Lacks = new Map();
    const texts = createTextCounts();
    const base = await openIndexed(file, options, {
      report: { info: context.report.info, warn() {} },
      onRow(row, key) {
        const lacking = CARRIED_VALUES.filter((value) => !HAS[value](row));
        if (isWalletKey(key) && lacking.length > 0) lacks.set(key, lacking);
        texts.observe(textsOf(row.document));
      },
      onUnusable: (why) => reportPassedOver(file, why, context),
    });
    if (!base) continue;
    const others = lacks.size === 0 ? [] : await otherReviews(files.slice(i + 1), base, options);
    return earlierReview(base, await openOthers(others, lacks, options), texts.hasFewValues);
  }
  return undefined;
}

/**
 * The newest kept review, with the rows for which a rule stood; undefined where it cannot be used.
 */
export const openNewest = (file: KeptFile, options: EarlierOptions): Promise<OpenedReview | undefined> =>
  openIndexed(file, options, { report: SILENT, wants: hasStanding });

interface OpenHow extends Pick<RunOptions, 'report'> {
  readonly onRow?: (row: FileRow, key: string) => void;
  readonly wants?: (row: FileRow, key: string) => boolean;
  readonly onUnusable?: (why: string) => void;
  readonly isRunAgain?: boolean;
}

/** A kept review, read through; undefined for one that cannot be used. */
async function openIndexed(
  file: KeptFile,
  options: EarlierOptions,
  { onUnusable, isRunAgain = false, ...how }: OpenHow,
): Promise<OpenedReview | undefined> {
  const { context: host, scorePath } = options;
  const opened: { close(): void }[] = [];
  const close = () => {
    for (const one of opened) one.close();
  };
  try {
    const plain = await openKept(file, options);
    opened.push(plain);
    const run = await indexRun(plain, { host, scorePath, rescores: true, ...how });
    opened.push(run);
    return { file, ...usableReview(run, options), index: run.index, isRunAgain, close };
  } catch (error) {
    close();
    if (!(error instanceof ListError)) throw error;
    onUnusable?.(error.message);
    return undefined;
  }
}

/**
 * What a kept review that can be compared says of itself, when its rows were read. @throws
 * ListError for another file
 */
function usableReview({ review: header, end }: Pick<Run, 'review' | 'end'>, { base }: EarlierOptions) {
  if (!header) throw new ListError('it is not a kept review');
  if (header.baseUrl !== base) throw new ListError(`its answers are from ${header.baseUrl}`);
  const last = end();
  if (!last) throw new ListError('it is torn: its last line is missing');
  return { header, sha256: last.fileSha256 };
}

type OtherReview = Pick<OpenedReview, 'file' | 'isRunAgain'>;

/**
 * Opens the reviews that have what wallets lack, until none lacks anything. Those that cannot be
 * used are passed over.
 */
async function openOthers(
  others: readonly OtherReview[],
  lacks: Lacks,
  options: EarlierOptions,
): Promise<readonly OpenedReview[]> {
  const opened: OpenedReview[] = [];
  const wants: OpenHow['wants'] = (row, key) => lacks.get(key)?.some((value) => HAS[value](row)) ?? false;
  for (const { file, isRunAgain } of others) {
    if (lacks.size === 0) break;
    const other = await openIndexed(file, options, { report: SILENT, wants, isRunAgain });
    if (!other) continue;
    opened.push(other);
    for (const key of other.index.keys()) {
      const rows = other.index.rowsOf(key);
      const left = (lacks.get(key) ?? []).filter((value) => !rows.some(HAS[value]));
      if (left.length > 0) lacks.set(key, left);
      else lacks.delete(key);
    }
  }
  return opened;
}

/**
 * UTC days of whose reviews a wallet is looked for: many runs of one day must not hide the weeks
 * before.
 */
const MAX_DAYS = 10;

/**
 * The files behind the review compared with, in the order in which they are asked. Reviews after it
 * come last, unless they are the same review, run again: what another look showed, whoever reads
 * the next letter may not have seen.
 */
async function otherReviews(
  files: readonly KeptFile[],
  base: OpenedReview,
  options: EarlierOptions,
): Promise<readonly OtherReview[]> {
  const days = [...new Set([base.file, ...files].map(({ begun }) => utcDay(begun)))].slice(0, MAX_DAYS);
  const [first, last]: [OtherReview[], OtherReview[]] = [[], []];
  for (const file of files) {
    if (!days.includes(utcDay(file.begun))) continue;
    const isLater = file.begun > base.file.begun;
    const isRunAgain = isLater && (await isSameReview(file, base, options));
    (isLater && !isRunAgain ? last : first).push({ file, isRunAgain });
  }
  return [...first, ...last];
}

/**
 * Whether a review was compared with the same one as `base`, by the same rules; false for a file
 * that cannot be used.
 */
async function isSameReview(file: KeptFile, { header }: OpenedReview, options: EarlierOptions): Promise<boolean> {
  try {
    const plain = await openKept(file, options);
    const { review } = await openRun(plain, { host: options.context, report: SILENT }).finally(plain.close);
    return review?.compared?.name === header.compared?.name && haveSameRules(review?.rules ?? [], header.rules);
  } catch (error) {
    if (error instanceof ListError) return false;
    throw error;
  }
}
