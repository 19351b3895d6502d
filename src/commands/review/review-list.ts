/**
 * A review: a list run whose rows go into a kept file, which is compared with an earlier one, and
 * the letter about it.
 */
import { join } from 'node:path';
import { ExitCode, FindingError, RiskcliError } from '../../errors.ts';
import { shownPath } from '../../files/file-error.ts';
import type { JournalUse } from '../../list-run/answers.ts';
import { concludeList } from '../../list-run/conclusion.ts';
import { dryRun } from '../../list-run/dry-run.ts';
import { type ListInput, listInput, reportRemarks } from '../../list-run/input.ts';
import { runList } from '../../list-run/run-list.ts';
import { withDigest } from '../../lists/digest.ts';
import { repeatable } from '../../lists/plain-file.ts';
import { openSource } from '../../lists/source.ts';
import { weakerRules } from '../../output/review/letter.ts';
import type { Review } from '../../review/review.ts';
import type { Row } from '../../row/row.ts';
import { type JudgedRows, judgeRows } from '../../rules/judged-rows.ts';
import { countsWords, isAlarm, matchedError, ruleNote } from '../../rules/rule-counts.ts';
import { makeKeepFolder } from '../../runs/review-folder.ts';
import { type Kept, openReview, type ReviewSource } from './open-review.ts';
import { checkOutput, printReview, writeReviewPage } from './output.ts';
import type { ReviewRun } from './review-options.ts';
import { seed } from './seed.ts';

/** Reviews that end so are kept, and need no line on stderr where there is no news. */
const ROUTINE_EXITS: readonly number[] = [ExitCode.rows, ExitCode.temporary, ExitCode.untrusted, ExitCode.matched];

export async function reviewList(run: ReviewRun): Promise<undefined> {
  const { options, context } = run;
  // What can be read only once is copied: a list is counted before anything is paid, and its hash
  // is of what was read.
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

interface Prepared {
  readonly source: ReviewSource;
  readonly input: ListInput;
  readonly judged: JudgedRows;
  readonly journal: JournalUse;
}

async function reviewInto(run: ReviewRun, prepared: Prepared): Promise<undefined> {
  const { options, settings, context } = run;
  const { input, judged, journal } = prepared;
  const { maxRequests, rate, concurrency } = options;
  await checkOutput(run);
  let kept: Kept | undefined;
  const end = await runList({
    settings,
    context,
    input,
    maxRequests,
    rate,
    concurrency,
    paths: judged.paths,
    journal: { ...journal, removes: () => kept !== undefined },
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
    ...options,
    format: 'table',
    context,
    journal: journal.path,
    isQuiet,
    judged: kept ? { paths: { missing: () => undefined }, alarm: () => kept && alarmOf(kept.review) } : judged,
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
  // A letter says so itself.
  if (isQuiet || options.format === 'json') for (const text of weakerRules(review)) context.report.warn(text);
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

/** A folder is the history of one list. */
function reportStranger({ comparedWith, common, wallets }: Review, { options, context }: ReviewRun): void {
  if (comparedWith.kind !== 'review' || common * 2 >= wallets) return;
  const other = shownPath(comparedWith.list || 'standard input');
  context.report.info(
    `${shownPath(options.list)} has fewer than half of its wallets in common with ${other}, with ` +
      'which it is compared; a folder is the history of one list: see --keep',
  );
}
