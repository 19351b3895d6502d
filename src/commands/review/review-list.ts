/** A review: a list run whose rows go into a kept file, which is compared with an earlier one, and the letter about it. */
import { basename, join, resolve } from 'node:path';
import { formatPath } from '../../document/path.ts';
import { writeCompact } from '../../document/write.ts';
import { ExitCode, FindingError, gravest, ListError, RiskcliError } from '../../errors.ts';
import { shownPath } from '../../files/file-error.ts';
import type { Sink } from '../../files/sink.ts';
import { isAnswerFor } from '../../journal/record.ts';
import { answersBase, type JournalUse, type Seeded } from '../../list-run/answers.ts';
import { concludeList } from '../../list-run/conclusion.ts';
import { dryRun } from '../../list-run/dry-run.ts';
import { type ListInput, listInput, reportRemarks } from '../../list-run/input.ts';
import { exitCodes, type ListOutcome } from '../../list-run/outcome.ts';
import { type OpenedList, runList } from '../../list-run/run-list.ts';
import { type DigestedSource, withDigest } from '../../lists/digest.ts';
import { repeatable } from '../../lists/plain-file.ts';
import { openSource } from '../../lists/source.ts';
import { type EarlierReview, findCompared, openEarlier, openTrusted } from '../../review/earlier.ts';
import { nothingComparable, type Review, reviewOf } from '../../review/review.ts';
import { type JudgedRows, judgeRows } from '../../row/judged-rows.ts';
import { chooseLabel } from '../../row/label.ts';
import type { Row } from '../../row/row.ts';
import { countsWords, isAlarm, matchedError, ruleNote } from '../../row/rule-counts.ts';
import { asksForChange } from '../../row/rules.ts';
import { createTextCounts, textsOf } from '../../row/score-texts.ts';
import { bareName, comparable, type KeptFile, keptFiles, makeKeepFolder, removeTorn } from '../../runs/keep-folder.ts';
import { createKeptSink, endedAt, type KeptSink } from '../../runs/kept-file.ts';
import type { ReviewHeader } from '../../runs/kept-review.ts';
import { openRunOf, SILENT } from '../../runs/open-run.ts';
import { rowKey } from '../../runs/row-index.ts';
import { visibleName } from '../../secrets/withhold.ts';
import { timeIn, utcDay } from '../../text/when.ts';
import { VERSION } from '../../version.ts';
import { checkOutput, openOutput, writeReviewPage } from './output.ts';
import { printReview } from './print.ts';
import type { ReviewRun } from './review-options.ts';

/** Reviews that end so are kept, and need no line on stderr where there is no news. */
const ROUTINE_EXITS: readonly number[] = [ExitCode.rows, ExitCode.temporary, ExitCode.untrusted, ExitCode.matched];

export async function reviewList(run: ReviewRun): Promise<undefined> {
  const { options, context } = run;
  // What can be read only once is copied: a list is counted before anything is paid, and its hash is of what was read.
  const opened = await openSource(options.list, context);
  const source = { ...withDigest(await repeatable(opened, context)), isNamed: opened.isRegular };
  const input = listInput(source, options, context);
  try {
    const judged = judgeRows({ ...options, compares: true }, context);
    const journal = journalOf(run);
    if (options.dryRun) return await dryRun({ ...run, input, journal, paths: judged.paths });
    const removeEmpty = makeKeepFolder(options.folder, context.uid);
    try {
      return await reviewInto(run, { source, input, judged, journal });
    } finally {
      removeEmpty();
    }
  } finally {
    input.close();
  }
}

/** What a stopped review leaves, for the next one. */
const journalOf = (run: ReviewRun): JournalUse => ({
  path: join(run.options.folder, 'unfinished.journal'),
  elsewhere: 'keep reviews elsewhere with --keep DIR',
  maxAge: run.options.maxAge,
  isOneRun: true,
  keepsRefusals: true,
  removes: () => false,
  seed: (store) => seed(store, run),
});

interface ReviewSource extends DigestedSource {
  /** Whether its name is that of a file, and not of a pipe. */
  readonly isNamed: boolean;
}

interface Prepared {
  readonly source: ReviewSource;
  readonly input: ListInput;
  readonly judged: JudgedRows;
  readonly journal: JournalUse;
}

async function reviewInto(run: ReviewRun, prepared: Prepared): Promise<undefined> {
  const { options, settings, context } = run;
  const { input, judged, journal } = prepared;
  const { maxRequests, rate, concurrency, maxAge } = options;
  await checkOutput(run);
  let kept: Kept | undefined;
  const end = await runList({
    ...{ settings, context, input, maxRequests, rate, concurrency },
    journal: { ...journal, removes: () => kept !== undefined },
    // Rows are judged where the earlier ones are.
    gates: { evaluate: (row) => row, paths: judged.paths },
    openSink: (list) =>
      openReview(list, run, {
        ...prepared,
        onKept(found) {
          kept = found;
        },
      }),
  });
  const isQuiet = options.onlyNews === true && kept !== undefined && !kept.review.news;
  const error = concludeList(end, {
    ...{ ...options, isQuiet, format: 'table', context, journal: journal.path, maxAge },
    judged: { paths: judged.paths, alarm: () => (kept ? alarmOf(kept.review) : judged.alarm()) },
    counts: kept?.review.byStatus,
  });
  if (!kept) throw error ?? context.signal().reason;
  await tell(kept, { run, prepared, isQuiet, error });
  context.signal().throwIfAborted();
}

/** The line on stderr counts wallets, as the letter does. */
function alarmOf({ counts, rows, wallets, byStatus }: Review): FindingError | undefined {
  if (!isAlarm(counts)) return undefined;
  const position = ({ wallet, line }: Pick<Row, 'wallet' | 'line'>) => `first ${wallet ?? `line ${line}`}`;
  const counted = Object.values(byStatus).reduce((sum, count) => sum + count, 0);
  const of = rows === counted ? '' : `, wallets ${wallets}, rows ${rows}`;
  return matchedError(`${countsWords(counts, position)}${of}`, ruleNote(counts));
}

interface Telling {
  readonly run: ReviewRun;
  readonly prepared: Prepared;
  readonly isQuiet: boolean;
  readonly error: unknown;
}

/** Prints a review that is kept. Whatever becomes of its page, the letter is printed. */
async function tell(
  { review, file }: Kept,
  { run, prepared: { judged, input }, isQuiet, error }: Telling,
): Promise<void> {
  const { options, context } = run;
  if (!isQuiet) {
    judged.reportOnRules();
    reportStranger(review, run);
    reportRemarks(input.remarks() ?? [], context);
  }
  const fault = await writeReviewPage(file.path, review, run).then(
    () => undefined,
    (cause: unknown) => ({ cause }),
  );
  if (!isQuiet || options.format === 'json') await printReview(review, run);
  if (fault) throw fault.cause;
  const isSilent = isQuiet && error instanceof RiskcliError && ROUTINE_EXITS.includes(error.exitCode);
  if (error) throw isSilent ? silenced(error) : error;
}

/** The same error with its exit code, and no line. */
function silenced({ message, exitCode, code, hint, counts }: RiskcliError): FindingError {
  return new FindingError(message, { exitCode, code, hint, ...(counts && { counts }), isSilent: true });
}

interface Kept {
  readonly review: Review;
  readonly file: KeptFile;
}

interface Opening extends Prepared {
  /** Called when the review is in its folder. */
  readonly onKept: (kept: Kept) => void;
}

/** Opens where the rows of a review go: they are judged, beside the earlier ones, and kept; -o may take them as well. */
async function openReview(
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
  const earlier = await openEarlier(comparable(files, since, begun), { context, scorePath, base });
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
    const asks = earlier && options.rules.some(({ when }) => asksForChange(when));
    return {
      row(row) {
        const find = asks ? findCompared(row, earlier?.walletOf(rowKey(row)), scorePath) : undefined;
        const found = judged.evaluate(row, find);
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
          notCompared: nothingComparable(files),
          folder: basename(resolve(folder)),
        });
        await out?.end({ counts: outcome.counts });
        const codes = new Set(exitCodes(outcome, options.accept));
        if (review.isAlarm) codes.add(ExitCode.matched);
        const { counts } = outcome;
        await into.end({
          ended: context.now(),
          counts,
          exitCode: gravest(codes),
          valuesFrom: earlier?.valuesFrom ?? [],
        });
        onKept({ review, file: into.file });
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
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
    ...{ rules, exceptions, accept: [...accept], label, labelColumn: chooseLabel(inputs, { wanted: label }) },
    since: sinceText,
    score: scorePath && formatPath(scorePath),
    ...{ baseUrl, environment: settings.environment.value, version: VERSION, begun },
    compared: earlier && { name: bareName(earlier.file), sha256: earlier.sha256 },
    carriedFrom: [],
  };
}

/** A folder is the history of one list. */
function reportStranger({ comparedWith, common, wallets }: Review, { options, context }: ReviewRun): void {
  if (comparedWith.kind !== 'review' || common * 2 >= wallets) return;
  const other = shownPath(comparedWith.list || 'standard input');
  context.report.info(
    `${shownPath(options.list)} has fewer than half of its wallets in common with ${other}, with which it is compared; a folder is the history of one list: see --keep`,
  );
}

/**
 * Answers of the newest kept review that are young enough are not paid for again: without --max-age only those of the UTC day on
 * which this one begins.
 */
async function seed(store: Seeded, run: ReviewRun): Promise<void> {
  const { options, settings, context } = run;
  const { folder, maxAge, begun, isMaxAgeTyped } = options;
  const isYoung = (at: number) => Math.abs(begun - at) <= maxAge && (isMaxAgeTyped || utcDay(at) === utcDay(begun));
  const [newest] = keptFiles(folder, begun);
  if (!newest) return;
  try {
    const plain = await openTrusted(newest, { context });
    const results = await openRunOf(plain, {
      host: context,
      scorePath: settings.get('score').value,
      report: SILENT,
    });
    try {
      const ended = endedAt(plain);
      if (ended === undefined || Math.abs(begun - ended) > maxAge) return;
      if (results.review?.baseUrl !== (await answersBase(run))) return;
      for await (const { wallet, document, answeredAt = '' } of results.rows) {
        context.signal().throwIfAborted();
        const [id, at] = [wallet?.toLowerCase(), timeIn(answeredAt)];
        if (id === undefined || !document || !isYoung(at) || store.has(id)) continue;
        const text = writeCompact(document);
        if (isAnswerFor(text, id)) store.append(id, { answeredAt: at, text });
      }
    } finally {
      results.close();
    }
  } catch (error) {
    // One that cannot be used is passed over, which is said where it is compared: its answers are asked for again.
    if (!(error instanceof ListError)) throw error;
  }
}
