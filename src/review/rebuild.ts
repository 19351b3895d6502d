/**
 * What a kept review says, computed again from its file and from those that it was compared with.
 */
import type { Context } from '../context.ts';
import { parsePath } from '../document/parse-path.ts';
import { shownPath } from '../files/file-error.ts';
import type { PlainFile } from '../lists/plain-file.ts';
import { createTextCounts, textsOf } from '../row/score-texts.ts';
import { indexRun } from '../runs/index-run.ts';
import type { RunOptions } from '../runs/open-run.ts';
import { type KeptFile, unpackedName } from '../runs/review-folder.ts';
import type { ReadFile, ReviewEnd, ReviewHeader } from '../runs/review-lines.ts';
import type { EarlierReview } from './earlier.ts';
import { openEarlier } from './open-earlier.ts';
import { type NotCompared, type Review, reviewOf, whyNotCompared } from './review.ts';

export interface KeptReview {
  readonly review: Review;
  readonly header: ReviewHeader;
  readonly end: ReviewEnd;
}

interface RebuildOptions {
  readonly context: Context;
  readonly report: RunOptions['report'];
  /** The kept reviews beside it, the newest first. */
  readonly files: readonly KeptFile[];
  /** The name of their folder. */
  readonly folder: string | undefined;
}

/**
 * @returns undefined for what is no kept review, and for one that is torn. @throws as indexRun does
 */
export async function rebuildReview(plain: PlainFile, options: RebuildOptions): Promise<KeptReview | undefined> {
  const { context, report, folder } = options;
  const texts = createTextCounts();
  const run = await indexRun(plain, {
    host: context,
    report,
    onRow: ({ document }) => texts.observe(textsOf(document)),
  });
  const [header, end] = [run.review, run.end()];
  let earlier: EarlierReview | undefined;
  try {
    if (!header || !end) return undefined;
    const compared = await comparedThen(header, end, options);
    earlier = compared.earlier;
    const review = await reviewOf({
      ...compared,
      header,
      rows: run.index,
      rowCount: run.rows,
      hasFewValues: texts.hasFewValues,
      scorePath: scorePathOf(header),
      folder,
      signal: context.signal(),
    });
    return { review, header, end };
  } finally {
    earlier?.close();
    run.close();
  }
}

const scorePathOf = ({ score }: ReviewHeader) => (score === undefined ? undefined : parsePath(score));

/**
 * The review that it was compared with, if it is still there, packed or not, and those that values
 * were taken from.
 */
async function comparedThen(
  header: ReviewHeader,
  end: ReviewEnd,
  { context, files }: RebuildOptions,
): Promise<{ readonly earlier: EarlierReview | undefined; readonly notCompared: NotCompared }> {
  const { compared, begun, baseUrl } = header;
  const older = files.filter((file) => file.begun < begun);
  if (!compared) return { earlier: undefined, notCompared: whyNotCompared(older) };
  const notCompared: NotCompared = { kind: 'gone', file: compared.name };
  const fileOf = (one: ReadFile) => older.find((file) => unpackedName(file) === unpackedName(one));
  const base = fileOf(compared);
  if (!base) return { earlier: undefined, notCompared };
  const others = end.valuesFrom.flatMap((one) => fileOf(one) ?? []);
  const scorePath = scorePathOf(header);
  const earlier = await openEarlier([base, ...others], { context, scorePath, base: baseUrl, trustsAll: true });
  if (earlier?.file !== base) {
    earlier?.close();
    return { earlier: undefined, notCompared };
  }
  reportChangedFiles([compared, ...end.valuesFrom], earlier, context);
  return { earlier, notCompared };
}

/** Files that are not what they were when the review was compared with them. */
function reportChangedFiles(
  wanted: readonly ReadFile[],
  { file, sha256, valuesFrom }: EarlierReview,
  { report }: Context,
): void {
  const read = [{ name: file.name, sha256 }, ...valuesFrom];
  for (const one of wanted) {
    const now = read.find((other) => unpackedName(other) === unpackedName(one));
    if (!now) report.info(`values were taken from ${shownPath(one.name)}, which is gone, or no longer has them`);
    else if (one.sha256 !== undefined && one.sha256 !== now.sha256)
      report.info(`${shownPath(one.name)} has changed since this review was compared with it`);
  }
}
