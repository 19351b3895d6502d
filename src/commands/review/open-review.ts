/** Where the rows of a review go: they are judged beside the earlier ones, compared, and kept. */
import { basename, resolve } from 'node:path';
import { formatPath, type Path } from '../../document/path.ts';
import { ExitCode, gravest } from '../../errors.ts';
import type { Sink } from '../../files/sink.ts';
import { answersBase } from '../../list-run/answers.ts';
import { exitCodes, type ListOutcome } from '../../list-run/outcome.ts';
import type { OpenedList } from '../../list-run/run-list.ts';
import type { DigestedSource } from '../../lists/digest.ts';
import { type EarlierReview, findCompared, type OpenedReview } from '../../review/earlier.ts';
import { openEarlier, openNewest } from '../../review/open-earlier.ts';
import { type NotCompared, type Review, reviewOf, whyNotCompared } from '../../review/review.ts';
import { createStanding } from '../../review/standing.ts';
import { chooseLabel } from '../../row/label.ts';
import type { Row } from '../../row/row.ts';
import { createTextCounts, textsOf } from '../../row/score-texts.ts';
import type { JudgedRows } from '../../rules/judged-rows.ts';
import { asksForChange, conditionsOf } from '../../rules/rules.ts';
import { createKeptSink, type KeptSink } from '../../runs/kept-sink.ts';
import { comparable, type KeptFile, keptFiles, removeUnfinished, unpackedName } from '../../runs/review-folder.ts';
import type { ReviewHeader } from '../../runs/review-lines.ts';
import { rowKey } from '../../runs/row-index.ts';
import { visibleName } from '../../secrets/redact.ts';
import { once } from '../../settings/once.ts';
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

/**
 * Opens where the rows of a review go: they are judged, beside the earlier ones, and kept; -o may
 * take them as well.
 */
export async function openReview(
  list: OpenedList,
  run: ReviewRun,
  { judged, source, onKept }: Opening,
): Promise<Sink<Row, ListOutcome>> {
  const { options, settings, context } = run;
  const { folder, since, begun } = options;
  removeUnfinished(folder, context.uid);
  const files = keptFiles(folder, begun);
  const base = await answersBase(run);
  const scorePath = settings.get('score').value;
  const candidates = comparable(files, since, begun);
  const earlier = await openEarlier(candidates, { context, scorePath, base });
  const [newestFile] = files;
  const isOther = newestFile !== undefined && newestFile.name !== earlier?.file.name;
  const newest = isOther ? await openNewest(newestFile, { context, scorePath, base }) : undefined;
  let kept: KeptSink | undefined;
  let rows: Sink<Row> | undefined;
  const close = async () => {
    earlier?.close();
    newest?.close();
    await kept?.close();
    await rows?.close();
  };
  try {
    kept = createKeptSink(folder, headerOf(run, { list, source, base, earlier }), context);
    rows = await openOutput(run, judged.columns, list);
    return {
      ...reviewSink(
        { kept, rows, earlier, newest, notCompared: whyNotCompared(files, candidates), judged, onKept },
        run,
      ),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

interface Parts extends Pick<Opening, 'judged' | 'onKept'> {
  readonly kept: KeptSink;
  /** The file of -o, if that takes rows. */
  readonly rows: Sink<Row> | undefined;
  readonly earlier: EarlierReview | undefined;
  /** The newest kept review, if that is another. */
  readonly newest: OpenedReview | undefined;
  /** Why nothing is compared, where that is so. */
  readonly notCompared: NotCompared;
}

function reviewSink(parts: Parts, run: ReviewRun): Omit<Sink<Row, ListOutcome>, 'close'> {
  const { kept, rows, earlier, newest, notCompared, judged, onKept } = parts;
  const { options, settings, context } = run;
  const scorePath = settings.get('score').value;
  const texts = createTextCounts();
  const asksForChanges = options.rules.some(({ when }) => asksForChange(when));
  const standing = createStanding(options.rules, { earlier, newest });
  // What the review compared with asked for was not mistyped: if no answer has it today, its rules
  // cannot be judged.
  const known = (earlier?.header.rules ?? [])
    .flatMap(({ when }) => conditionsOf(when))
    .map(({ path }) => formatPath(path));
  const isKnown = (path: Path) => known.includes(formatPath(path));
  function judge(row: Row): Row {
    // Of most rows nothing earlier is asked.
    const before = once(() => earlier?.walletOf(rowKey(row), row));
    const find = asksForChanges && earlier ? findCompared(row, before(), scorePath) : undefined;
    return judged.judge(row, find, standing(row, before));
  }
  return {
    row(row) {
      const judgedRow = judge(row);
      texts.observe(textsOf(judgedRow.document));
      return kept.row(judgedRow)?.then(() => rows?.row(judgedRow)) ?? rows?.row(judgedRow);
    },
    flush: async () => rows?.flush(),
    async end(outcome) {
      if (outcome.stop || judged.paths.missing(isKnown)) return;
      context.signal().throwIfAborted();
      await kept.flush();
      const review = await reviewOf({
        header: kept.header,
        rows: kept.index,
        rowCount: Object.values(outcome.counts).reduce((sum, count) => sum + count, 0),
        hasFewValues: texts.hasFewValues,
        earlier,
        notCompared,
        scorePath,
        folder: basename(resolve(options.folder)),
        signal: context.signal(),
      });
      await rows?.end({ counts: outcome.counts });
      await kept.end({
        ended: context.now(),
        counts: outcome.counts,
        exitCode: reviewExitCode(outcome, review, options.accept),
        valuesFrom: earlier?.valuesFrom ?? [],
      });
      onKept({ review, file: kept.file });
    },
  };
}

function reviewExitCode(outcome: ListOutcome, { isAlarm }: Review, accept: ReviewRun['options']['accept']): ExitCode {
  const codes = new Set(exitCodes(outcome, accept));
  if (isAlarm) codes.add(ExitCode.matched);
  return gravest(codes);
}

interface HeaderFacts extends Pick<Opening, 'source'> {
  readonly list: OpenedList;
  readonly base: string;
  readonly earlier: EarlierReview | undefined;
}

function headerOf({ options, settings }: ReviewRun, { list, source, base, earlier }: HeaderFacts): ReviewHeader {
  const { policy, label } = options;
  const scorePath = settings.get('score').value;
  const inputs = list.first.map(({ input }) => input);
  return {
    list: { name: source.isNamed ? visibleName(basename(options.list)) : '', sha256: source.sha256() },
    policy: policy === undefined ? undefined : { name: visibleName(basename(policy)), sha256: options.policySha256 },
    rules: options.rules,
    exceptions: options.exceptions,
    accept: [...options.accept],
    label,
    labelColumn: chooseLabel(inputs, label),
    since: options.sinceText,
    score: scorePath && formatPath(scorePath),
    baseUrl: base,
    environment: settings.environment.value,
    version: VERSION,
    begun: options.begun,
    compared: earlier && { name: unpackedName(earlier.file), sha256: earlier.sha256 },
  };
}
