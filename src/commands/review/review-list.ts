/**
 * A review: a list run whose rows go into a kept file. Everything that is printed is then read from
 * that file.
 */
import { join } from 'node:path';
import type { Context } from '../../context.ts';
import { writeCompact } from '../../document/write.ts';
import { ExitCode, FindingError, graverError, IoError, RiskcliError } from '../../errors.ts';
import { shownPath } from '../../files/file-error.ts';
import { isAnswerFor } from '../../journal/record.ts';
import { answersBase } from '../../list-run/answers.ts';
import { concludeList, countsByStatus, reportReuse } from '../../list-run/conclusion.ts';
import { dryRun } from '../../list-run/dry-run.ts';
import { type ListInput, listInput, reportRemarks } from '../../list-run/input.ts';
import type { JournalUse, Seeded } from '../../list-run/journal-use.ts';
import { type ListEnd, runList } from '../../list-run/run-list.ts';
import { withDigest } from '../../lists/digest.ts';
import { repeatable } from '../../lists/plain-file.ts';
import { openSource } from '../../lists/source.ts';
import { dayText } from '../../output/review/wallet-words.ts';
import { type Review, type RuleFigures, readReview } from '../../review/read-review.ts';
import { RowJudge } from '../../rules/row-judge.ts';
import { KeptReviews, type OpenedReview } from '../../runs/kept-reviews.ts';
import { openRun, SILENT } from '../../runs/open-run.ts';
import { createReviewFolder, type KeptFile } from '../../runs/review-folder.ts';
import { commandLine, quoted } from '../../secrets/redact.ts';
import { isoSeconds, timeIn, utcDay } from '../../text/when.ts';
import { counted, countWords, groupDigits } from '../../text/words.ts';
import { openReview } from './open-review.ts';
import { checkOutput, printReview, writeOutput } from './output.ts';
import type { ReviewRun } from './review-options.ts';

export async function reviewList(run: ReviewRun): Promise<undefined> {
  const { options, settings, context } = run;
  const { folder, now, maxRequests, rate, concurrency } = options;
  // What can be read only once is copied: a list is counted before anything is paid, and its hash
  // is of what was read.
  const opened = await openSource(options.list, context);
  const source = { ...withDigest(await repeatable(opened, context)), isNamed: opened.isRegular };
  const input = listInput(source, options, context);
  let reviews: KeptReviews | undefined;
  let file: KeptFile | undefined;
  // The folder is read under the lock of the journal.
  const openReviews = async () => {
    reviews ??= new KeptReviews({ folder, context, baseUrl: await answersBase(run) });
    return reviews;
  };
  // What a stopped review leaves for the next one.
  const journal: JournalUse = {
    path: join(folder, 'unfinished.journal'),
    alternative: 'keep reviews elsewhere with --keep DIR',
    maxAge: options.maxAge,
    isOneRun: true,
    keepsRefusals: true,
    removes: () => file !== undefined,
    seed: async (store) => seed(store, await openReviews(), run),
  };
  try {
    const judged = new RowJudge({ ...options, compares: true, started: now }, context);
    const { paths } = judged;
    if (options.dryRun) return await dryRun({ ...run, input, journal, paths });
    const removeEmpty = createReviewFolder(folder, context.uid);
    try {
      await checkOutput(run);
      const end = await runList({
        ...{ settings, context, input, maxRequests, rate, concurrency, paths, journal },
        async openSink(list) {
          const onKept = (kept: KeptFile) => {
            file = kept;
          };
          return openReview({ list, judged, source, reviews: await openReviews(), onKept }, run);
        },
      });
      if (!file) {
        const facts = { ...options, format: 'table', context, journal: journal.path, judged } as const;
        throw concludeList(end, facts) ?? context.signal().reason;
      }
      await reportKept(file, end, run, { judged, input });
    } finally {
      removeEmpty();
    }
  } finally {
    reviews?.close();
    input.close();
  }
}

/**
 * Adds the answers of the newest kept review that are young enough: without --max-age only those of
 * the UTC day on which this one started. Those of a file that was modified are requested again.
 */
async function seed(store: Seeded, reviews: KeptReviews, { options, context }: ReviewRun): Promise<void> {
  const { maxAge, now, isMaxAgeTyped } = options;
  const isYoung = (at: number) => Math.abs(now - at) <= maxAge && (isMaxAgeTyped || utcDay(at) === utcDay(now));
  await reviews.firstUsable(reviews.files, async (kept) => {
    // No answer is younger than the end of the review.
    if (kept.isModified || !isYoung(kept.end.ended)) return kept;
    const { rows } = await openRun(kept.plain, { host: context, report: SILENT });
    for await (const { wallet, document, answeredAt = '' } of rows) {
      context.signal().throwIfAborted();
      const [id, at] = [wallet?.toLowerCase(), timeIn(answeredAt)];
      if (id === undefined || !document || !isYoung(at) || store.has(id)) continue;
      const text = writeCompact(document);
      if (isAnswerFor(text, id)) store.append(id, { answeredAt: at, text });
    }
    return kept;
  });
}

interface Reported {
  readonly judged: RowJudge;
  readonly input: ListInput;
}

/** Prints a review from its kept file, and throws what decides the exit code. */
async function reportKept(file: KeptFile, end: ListEnd, run: ReviewRun, { judged, input }: Reported): Promise<void> {
  const { options, context } = run;
  const reviews = new KeptReviews({ folder: options.folder, context, trustsAll: true });
  try {
    const kept = await reviews.firstUsable([file], async (opened) => opened);
    if (!kept) throw new IoError(`the review ${shownPath(file.path)} was changed`, { hint: 'run it again' });
    const review = await readReview(kept, context);
    const isQuiet = options.onlyNews === true && !review.news;
    warnOfOtherList(review, run);
    if (isQuiet) warnOfLostRules(review, context);
    else {
      reportReuse(end, { context });
      judged.reportOnRules();
      reportRemarks(input.remarks() ?? [], context);
    }
    const faults = [...end.faults];
    const note = (error: unknown) => void faults.push(error);
    // Neither fault keeps the other from being tried.
    await writeOutput(kept, review, run).catch(note);
    if (!isQuiet) await printReview(review, run).catch(note);
    const fault = faults.reduce(graverError, undefined);
    if (fault) throw afterKept(fault, kept, run);
    context.signal().throwIfAborted();
    const finding = findingOf(kept, review, end, isQuiet);
    if (finding) throw finding;
  } finally {
    reviews.close();
  }
}

/** A fault after the review was kept: the letter can be printed again. */
function afterKept(fault: unknown, { file }: OpenedReview, { options, context }: ReviewRun): unknown {
  if (!(fault instanceof RiskcliError)) return fault;
  const { message, exitCode, code, hint } = fault;
  const list = options.list === '-' ? ['--keep', options.folder] : [options.list];
  const command = ['riskcli', 'review', ...list, '--as-of', isoSeconds(file.started)];
  const again = `the review is kept: ${commandLine(command, context.platform)} prints it again`;
  return new FindingError(message, { exitCode, code, hint: [hint, again].filter(Boolean).join('; '), cause: fault });
}

/** The error of a kept review, for its exit code; undefined for 0. */
function findingOf({ end: { exitCode } }: OpenedReview, { counts }: Review, end: ListEnd, isSilent: boolean) {
  const { failed, invalid } = counts;
  const asked = failed === 1 ? 'the failed wallet is' : `the ${groupDigits(failed)} failed wallets are`;
  const hint = failed > 0 ? `run it again today: only ${asked} asked` : undefined;
  const about = { hint, counts: countsByStatus(end), isSilent };
  if (exitCode === ExitCode.ok) return undefined;
  if (exitCode === ExitCode.matched) {
    return new FindingError(matchedWords(counts), { exitCode, code: 'fail_if', ...about });
  }
  const lacking = countWords([
    ['failed', failed],
    ['invalid', invalid],
  ]);
  return new FindingError(`some rows have no answer (${lacking})`, { exitCode: ExitCode.rows, code: 'rows', ...about });
}

/** Why the exit code is 10, with the counts. */
function matchedWords({ open, new: opened, not_judged: notJudged }: Review['counts']): string {
  const counts = countWords([
    ['open', open, true],
    ['new', opened, true],
    ['not judged', notJudged],
  ]);
  if (open > 0) return `alarms are open (${counts})`;
  return notJudged > 0 ? `some wallets cannot be judged (${counts})` : `an alarm left with its wallet (${counts})`;
}

/** A folder is the history of one list. */
function warnOfOtherList({ counts, base }: Review, { options, context }: ReviewRun): void {
  const { wallets } = counts;
  if (!base || (base.common * 2 >= wallets && base.common * 2 >= base.wallets)) return;
  context.report.warn(
    `${shownPath(options.list)} has ${counted(wallets, 'wallet')}, and the list of ${base.day} had ` +
      `${groupDigits(base.wallets)}: only ${groupDigits(base.common)} are on both; a folder is the history of one list, ` +
      'see --keep',
  );
}

/** Warns of alarm rules that the base had, where no letter is printed whose head says so. */
function warnOfLostRules({ base, rules, day }: Review, { report }: Context): void {
  const isLost = ({ change, level }: RuleFigures) =>
    change === 'now watch' || (change === 'removed' && level === 'alarm');
  const lost = rules.filter(isLost).map(({ name }) => quoted(name));
  if (!base || lost.length === 0) return;
  const isLeft = rules.some((rule) => rule.level === 'alarm' && !isLost(rule));
  report.warn(
    `since the review of ${dayText(base.day, { day })} ${lost.join(', ')} ` +
      `${lost.length === 1 ? 'is no longer an alarm rule' : 'are no longer alarm rules'}` +
      `${isLeft ? '' : ', and no other is left'}`,
  );
}
