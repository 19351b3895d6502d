/** Where the rows of a review go: they are judged beside the earlier ones, compared, and kept. */
import { basename, resolve } from 'node:path';
import { formatPath } from '../../document/path.ts';
import { ExitCode, gravest } from '../../errors.ts';
import type { Sink } from '../../files/sink.ts';
import { answersBase } from '../../list-run/answers.ts';
import { exitCodes, type ListOutcome } from '../../list-run/outcome.ts';
import type { OpenedList } from '../../list-run/run-list.ts';
import type { DigestedSource } from '../../lists/digest.ts';
import { type EarlierReview, findCompared, openEarlier } from '../../review/earlier.ts';
import { leftOpenBy } from '../../review/left-open.ts';
import { type Review, reviewOf, whyNotCompared } from '../../review/review.ts';
import { namesThen } from '../../review/same-rules.ts';
import type { JudgedRows } from '../../row/judged-rows.ts';
import { chooseLabel } from '../../row/label.ts';
import type { Row } from '../../row/row.ts';
import { asksForChange } from '../../row/rules.ts';
import { createTextCounts, textsOf } from '../../row/score-texts.ts';
import { bareName, comparable, type KeptFile, keptFiles, removeTorn } from '../../runs/keep-folder.ts';
import { createKeptSink, type KeptSink } from '../../runs/kept-file.ts';
import type { ReviewHeader } from '../../runs/kept-review.ts';
import { rowKey } from '../../runs/row-index.ts';
import { visibleName } from '../../secrets/withhold.ts';
import { VERSION } from '../../version.ts';
import { openOutput } from './output.ts';
import type { ReviewRun } from './review-options.ts';

export interface ReviewSource extends DigestedSource {
  /** Whether its name is that of a file, and not of a pipe. */
  readonly isNamed: boolean;
}

export interface Kept {
  readonly review: Review;
  readonly file: KeptFile;
}

interface Opening {
  readonly judged: JudgedRows;
  readonly source: ReviewSource;
  /** Called when the review is in its folder. */
  readonly onKept: (kept: Kept) => void;
}

/** Opens where the rows of a review go: they are judged, beside the earlier ones, and kept; -o may take them as well. */
export async function openReview(
  list: OpenedList,
  run: ReviewRun,
  { judged, source, onKept }: Opening,
): Promise<Sink<Row, ListOutcome>> {
  const { options, settings, context } = run;
  const { folder, since, begun } = options;
  const scorePath = settings.get('score').value;
  removeTorn(folder, context.uid);
  const files = keptFiles(folder, begun);
  const base = await answersBase(run);
  const candidates = comparable(files, since, begun);
  const earlier = await openEarlier(candidates, { context, scorePath, base });
  const texts = createTextCounts();
  let kept: KeptSink | undefined;
  let rows: Sink<Row> | undefined;
  const close = async () => {
    earlier?.close();
    await kept?.close();
    await rows?.close();
  };
  try {
    const header = headerOf(run, { list, source, base, earlier });
    kept = createKeptSink(folder, header, context);
    rows = await openOutput(run, judged.columns, list);
    const [into, out] = [kept, rows];
    const asks = options.rules.some(({ when }) => asksForChange(when));
    const names = namesThen(options.rules, earlier?.header.rules ?? []);
    return {
      row(row) {
        const then = asks || row.warning !== undefined ? earlier?.walletOf(rowKey(row)) : undefined;
        const find = asks && earlier ? findCompared(row, then, scorePath) : undefined;
        const found = judged.judge(row, find, leftOpenBy(row, then, names));
        texts.observe(textsOf(found.document));
        return into.row(found)?.then(() => out?.row(found)) ?? out?.row(found);
      },
      flush: async () => out?.flush(),
      async end(outcome) {
        if (outcome.stop || judged.paths.missing()) return;
        context.signal().throwIfAborted();
        await into.flush();
        const review = await reviewOf({
          ...{ header, earlier, scorePath, rows: into.index, isFew: texts.isFew, signal: context.signal() },
          rowCount: Object.values(outcome.counts).reduce((sum, count) => sum + count, 0),
          notCompared: whyNotCompared(files, candidates),
          folder: basename(resolve(folder)),
        });
        await out?.end({ counts: outcome.counts });
        await into.end(lastLineOf(outcome, { review, run, earlier }));
        onKept({ review, file: into.file });
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** What is known only when all rows are. */
function lastLineOf(
  outcome: ListOutcome,
  {
    review,
    run,
    earlier,
  }: { readonly review: Review; readonly run: ReviewRun; readonly earlier: EarlierReview | undefined },
) {
  const codes = new Set(exitCodes(outcome, run.options.accept));
  if (review.isAlarm) codes.add(ExitCode.matched);
  return {
    ...{ ended: run.context.now(), counts: outcome.counts, exitCode: gravest(codes) },
    valuesFrom: earlier?.valuesFrom ?? [],
  };
}

function headerOf(
  { options, settings }: ReviewRun,
  {
    list: { first },
    source,
    base: baseUrl,
    earlier,
  }: {
    readonly list: OpenedList;
    readonly source: ReviewSource;
    readonly base: string;
    readonly earlier: EarlierReview | undefined;
  },
): ReviewHeader {
  const { list, policy, policySha256, rules, exceptions, accept, label, sinceText, begun } = options;
  const scorePath = settings.get('score').value;
  const inputs = first.map(({ input }) => input);
  return {
    list: { name: source.isNamed ? visibleName(basename(list)) : '', sha256: source.sha256() },
    policy: policy === undefined ? undefined : { name: visibleName(basename(policy)), sha256: policySha256 },
    ...{ rules, exceptions, accept: [...accept], label, labelColumn: chooseLabel(inputs, label) },
    since: sinceText,
    score: scorePath && formatPath(scorePath),
    ...{ baseUrl, environment: settings.environment.value, version: VERSION, begun },
    compared: earlier && { name: bareName(earlier.file), sha256: earlier.sha256 },
    carriedFrom: [],
  };
}
