/** What a kept review says, computed again from its file and from those that it was compared with. */
import type { Context } from '../context.ts';
import { parsePath } from '../document/parse-path.ts';
import { shownPath } from '../files/file-error.ts';
import type { PlainFile } from '../lists/plain-file.ts';
import { createTextCounts, textsOf } from '../row/score-texts.ts';
import { indexRunOf } from '../runs/index-run.ts';
import { bareName, type KeptFile } from '../runs/keep-folder.ts';
import type { ReadFile, ReviewEnd, ReviewHeader } from '../runs/kept-review.ts';
import type { RunOptions } from '../runs/open-run.ts';
import { type EarlierReview, openEarlier } from './earlier.ts';
import { type ComparedWith, type Review, reviewOf, whyNotCompared } from './review.ts';

export interface KeptReview {
  readonly review: Review;
  readonly header: ReviewHeader;
  readonly end: ReviewEnd;
}

interface KeptOptions {
  readonly context: Context;
  readonly report: RunOptions['report'];
  /** The kept reviews beside it, the newest first. */
  readonly files: readonly KeptFile[];
  /** The name of their folder. */
  readonly folder: string | undefined;
}

/** @returns undefined for what is no kept review, and for one that is torn. @throws as indexRunOf does */
export async function readKept(plain: PlainFile, options: KeptOptions): Promise<KeptReview | undefined> {
  const { context, report, folder } = options;
  const texts = createTextCounts();
  const run = await indexRunOf(
    { ...plain, close() {} },
    {
      host: context,
      report,
      onRow: ({ document }) => texts.observe(textsOf(document)),
    },
  );
  const [header, end] = [run.review, run.end()];
  let earlier: EarlierReview | undefined;
  try {
    if (!header || !end) return undefined;
    const scorePath = header.score === undefined ? undefined : parsePath(header.score);
    const found = await comparedThen(header, end, options);
    earlier = found.earlier;
    const reviewed = {
      header,
      rows: run.index,
      rowCount: run.rows,
      isFew: texts.isFew,
      scorePath,
      folder,
      signal: context.signal(),
    };
    return { review: await reviewOf({ ...reviewed, ...found }), header, end };
  } finally {
    earlier?.close();
    run.close();
  }
}

/** The review that it was compared with, if it is still there, packed or not, and those that values were taken from. */
async function comparedThen(
  header: ReviewHeader,
  end: ReviewEnd,
  { context, files }: KeptOptions,
): Promise<{ readonly earlier: EarlierReview | undefined; readonly notCompared: ComparedWith }> {
  const { compared, begun, baseUrl: base, score } = header;
  const older = files.filter((file) => file.begun < begun);
  if (!compared) return { earlier: undefined, notCompared: whyNotCompared(older) };
  const notCompared: ComparedWith = { kind: 'gone', file: compared.name };
  const wanted = [compared, ...end.valuesFrom, ...header.carriedFrom];
  const found = wanted.flatMap((one) => older.find((file) => bareName(file) === bareName(one)) ?? []);
  const [first] = found;
  if (!first || bareName(first) !== bareName(compared)) return { earlier: undefined, notCompared };
  const scorePath = score === undefined ? undefined : parsePath(score);
  const earlier = await openEarlier(found, { context, scorePath, base, trustsAll: true });
  if (earlier?.file !== first) {
    earlier?.close();
    return { earlier: undefined, notCompared };
  }
  reportChanges(wanted, earlier, context);
  return { earlier, notCompared };
}

/** Files that are not what they were when the review was compared with them. */
function reportChanges(wanted: readonly ReadFile[], { file, sha256, valuesFrom }: EarlierReview, { report }: Context) {
  const read = [{ name: file.name, sha256 }, ...valuesFrom];
  for (const one of wanted) {
    const now = read.find((other) => bareName(other) === bareName(one));
    if (!now) report.info(`values were taken from ${shownPath(one.name)}, which is gone, or no longer has them`);
    else if (one.sha256 !== undefined && one.sha256 !== now.sha256)
      report.info(`${shownPath(one.name)} has changed since this review was compared with it`);
  }
}
