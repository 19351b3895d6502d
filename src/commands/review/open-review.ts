/** The sink of a review: each row is judged, stepped on from the earlier reviews, and kept. */
import { basename } from 'node:path';
import { formatPath, type Path } from '../../document/path.ts';
import { ExitCode } from '../../errors.ts';
import type { Sink } from '../../files/sink.ts';
import { answersBase } from '../../list-run/answers.ts';
import type { ListOutcome } from '../../list-run/outcome.ts';
import type { OpenedList } from '../../list-run/run-list.ts';
import type { DigestedSource } from '../../lists/digest.ts';
import { closeRemoved, isAlarming, type ReviewTerms, reviewRow } from '../../review/alarms.ts';
import { EarlierReviews, reviewLookup } from '../../review/earlier.ts';
import { chooseLabel } from '../../row/label.ts';
import type { Row } from '../../row/row.ts';
import { ExceptionIndex } from '../../rules/judge.ts';
import type { RowJudge } from '../../rules/row-judge.ts';
import { conditionsOf } from '../../rules/rules.ts';
import { rowKey } from '../../runs/index-run.ts';
import type { KeptReviews, OpenedReview } from '../../runs/kept-reviews.ts';
import { createKeptSink, type KeptSink } from '../../runs/kept-sink.ts';
import { type KeptFile, removeUnfinished, unpackedName } from '../../runs/review-folder.ts';
import type { ReviewHeader } from '../../runs/review-lines.ts';
import { visibleName } from '../../secrets/redact.ts';
import { isoDay } from '../../text/when.ts';
import { VERSION } from '../../version.ts';
import { checkRowsOutput } from './output.ts';
import type { ReviewRun } from './review-options.ts';

interface Opening {
  readonly list: OpenedList;
  readonly judged: RowJudge;
  /** `isNamed`: whether its name is that of a file, and not of a pipe. */
  readonly source: DigestedSource & { readonly isNamed: boolean };
  readonly reviews: KeptReviews;
  /** Called when the review is in its folder. */
  readonly onKept: (file: KeptFile) => void;
}

export async function openReview(opening: Opening, run: ReviewRun): Promise<Sink<Row, ListOutcome>> {
  const { options, settings, context } = run;
  const { folder, since, now } = options;
  const { list, judged, reviews } = opening;
  await checkRowsOutput(list, judged.columns, run);
  removeUnfinished(folder, context.uid);
  const scorePath = settings.get('score').value;
  const earlier = await EarlierReviews.open(reviews, { host: context, scorePath, since, now });
  try {
    const header = headerOf(opening, run, await answersBase(run), earlier);
    const kept = createKeptSink(folder, header, context);
    return reviewSink(kept, earlier, opening, run);
  } catch (error) {
    earlier.close();
    throw error;
  }
}

function reviewSink(
  kept: KeptSink,
  earlier: EarlierReviews,
  { list, judged, onKept }: Opening,
  run: ReviewRun,
): Sink<Row, ListOutcome> {
  const { options, context } = run;
  const terms = termsOf(run, kept.file, earlier);
  const column = walletColumn(list);
  /** The wallets of today's list, with the texts that are not wallets. */
  let distinct = 0;
  let isAlarm = false;
  function keptRow(row: Row): Row {
    const key = rowKey(row, column);
    if (earlier.addListed(key)) distinct += 1;
    const wallet = earlier.walletOf(key);
    const find = reviewLookup(row, wallet, terms.scorePath);
    const judgedRow = judged.judge(row, find);
    const whole = { ...judgedRow, kept: reviewRow({ row: judgedRow, find }, wallet, terms) };
    isAlarm ||= isAlarming(whole);
    return whole;
  }
  async function keepRemoved(): Promise<void> {
    for (const key of earlier.removed()) {
      context.signal().throwIfAborted();
      const wallet = earlier.walletOf(key);
      const removed = closeRemoved(wallet, terms);
      isAlarm ||= removed.closed.some(({ level }) => level === 'alarm');
      await kept.row({ ...earlier.nameOf(wallet), ...removed });
    }
  }
  // What an earlier review asked for was not mistyped: if no answer has it today, its rules cannot
  // be judged.
  const known = [terms.state, terms.base]
    .flatMap((review) => review?.rules ?? [])
    .flatMap(({ when }) => conditionsOf(when).map(({ path }) => formatPath(path)));
  return {
    row: (row) => kept.row(keptRow(row)),
    flush: () => undefined,
    async end(outcome) {
      if (outcome.stop || judged.paths.missingPathsError((path: Path) => known.includes(formatPath(path)))) return;
      context.signal().throwIfAborted();
      await keepRemoved();
      const { counts } = outcome;
      const isLacking = (['failed', 'invalid'] as const).some((one) => counts[one] > 0 && !options.accept.has(one));
      const exitCode = isAlarm ? ExitCode.matched : isLacking ? ExitCode.rows : ExitCode.ok;
      await kept.end({ ended: context.now(), distinct, counts, exitCode });
      onKept(kept.file);
    },
    async close() {
      earlier.close();
      await kept.close();
    },
  };
}

function termsOf({ options, settings }: ReviewRun, file: KeptFile, { state, base }: EarlierReviews): ReviewTerms {
  const scorePath = settings.get('score').value;
  const { rules, exceptions, accept, now } = options;
  const termsIn = (kept: OpenedReview | undefined) =>
    kept && { day: isoDay(kept.file.started), rules: kept.header.rules, scorePathText: kept.header.score };
  return {
    day: isoDay(file.started),
    rules,
    exceptions: exceptions && new ExceptionIndex(exceptions, now),
    accept,
    scorePath,
    scorePathText: scorePath && formatPath(scorePath),
    state: termsIn(state),
    base: termsIn(base),
  };
}

const walletColumn = ({ head }: OpenedList) => head?.columns?.[head.walletColumn ?? -1];

function headerOf(
  { list, source }: Opening,
  { options, settings }: ReviewRun,
  baseUrl: string,
  earlier: EarlierReviews,
): ReviewHeader {
  const { policy, label } = options;
  const scorePath = settings.get('score').value;
  const inputs = list.first.map(({ input }) => input);
  const { kind = 'lines', columns = [], delimiter = ',', bom = false, sheet } = list.head ?? {};
  const name = source.isNamed ? visibleName(basename(options.list)) : '';
  return {
    list: { name, sha256: source.sha256(), kind, columns, column: walletColumn(list), delimiter, bom, sheet },
    policy: policy === undefined ? undefined : { name: visibleName(basename(policy)), sha256: options.policySha256 },
    rules: options.rules,
    exceptions: options.exceptions,
    accept: [...options.accept],
    label,
    labelColumn: chooseLabel(inputs, label),
    since: options.sinceText,
    score: scorePath && formatPath(scorePath),
    baseUrl,
    environment: settings.environment.value,
    version: VERSION,
    started: options.now,
    base: earlier.base && {
      name: unpackedName(earlier.base.file),
      started: earlier.base.file.started,
      is_oldest: earlier.isBaseYoungerThanSince,
      score: earlier.base.header.score,
      rules: earlier.base.header.rules,
    },
  };
}
