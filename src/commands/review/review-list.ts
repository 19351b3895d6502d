/** A review: a list run whose rows go into a kept file, compared with an earlier one, and the letter about it. */
import { join } from 'node:path';
import { writeCompact } from '../../document/write.ts';
import { ExitCode, FindingError, RiskcliError } from '../../errors.ts';
import { answersBase, type JournalUse, type Seeded } from '../../list-run/answers.ts';
import { concludeList } from '../../list-run/conclusion.ts';
import { dryRun } from '../../list-run/dry-run.ts';
import { type ListInput, openInput, tellRemarks } from '../../list-run/input.ts';
import { runList } from '../../list-run/run-list.ts';
import { type JudgedRows, judgeRows } from '../../row/judged-rows.ts';
import { keptFiles, makeKeepFolder } from '../../runs/keep-folder.ts';
import { endedAt } from '../../runs/kept-review.ts';
import { openResults } from '../../runs/open-results.ts';
import { writeReviewPage } from './page-file.ts';
import { printReview } from './print.ts';
import type { ReviewRun } from './review-options.ts';
import { checkOutput, createSink } from './review-sink.ts';

/** Reviews, kept or not, that end so are printed without a word on stderr where there is no news. */
const EVERYDAY: readonly number[] = [ExitCode.rows, ExitCode.temporary, ExitCode.untrusted, ExitCode.matched];

export async function reviewList(run: ReviewRun): Promise<undefined> {
  const { options, context } = run;
  const input = await openInput(options, context);
  try {
    const judged = judgeRows({ ...options, compares: true }, context);
    const { folder, maxAge, begun } = options;
    const path = join(folder, 'unfinished.journal');
    const journal: JournalUse = {
      ...{ path, maxAge, begun, keepsRefusals: false, removes: () => false },
      seed: (store) => seed(store, run),
    };
    if (options.dryRun) {
      return await dryRun({ ...run, input, journal, paths: judged.paths });
    }
    const removeEmpty = makeKeepFolder(folder, context.uid);
    try {
      return await reviewInto(run, { input, judged, journal });
    } finally {
      removeEmpty();
    }
  } finally {
    input.close();
  }
}

interface Prepared {
  readonly input: ListInput;
  readonly judged: JudgedRows;
  readonly journal: JournalUse;
}

async function reviewInto(run: ReviewRun, { input, judged, journal }: Prepared): Promise<undefined> {
  const { options, settings, context } = run;
  const { maxRequests, rate, concurrency } = options;
  await checkOutput(run);
  const sink = createSink(run, judged);
  try {
    const end = await runList({
      settings,
      context,
      input,
      maxRequests,
      rate,
      concurrency,
      journal: { ...journal, removes: () => sink.isKept },
      gates: { evaluate: (row) => judged.evaluate(row, sink.compared(row)), paths: judged.paths },
      async openSink(list) {
        await sink.open(list);
        return sink;
      },
    });
    const isQuiet = options.onlyNews === true && sink.isKept && !sink.review().news;
    const error = concludeList(end, {
      ...options,
      isQuiet,
      format: 'table',
      judged,
      context,
      journal: journal.path,
    });
    if (!sink.isKept) throw error ?? context.signal().reason;
    const review = sink.review();
    const isSilent = isQuiet && error instanceof RiskcliError && EVERYDAY.includes(error.exitCode);
    if (!isQuiet) {
      judged.reportOnRules();
      sink.reportStranger();
      tellRemarks(input.remarks() ?? [], context);
    }
    // Whatever becomes of the page, the letter is printed.
    const page = await writeReviewPage(sink.path(), review, run).then(
      () => undefined,
      (fault: unknown) => ({ fault }),
    );
    if (!isQuiet || options.format === 'json') await printReview(review, run);
    if (page) throw page.fault;
    if (error) throw isSilent ? silenced(error) : error;
    context.signal().throwIfAborted();
  } finally {
    await sink.close();
  }
}

/** The same error with its exit code, and no line. */
function silenced({ message, exitCode, code, hint, counts }: RiskcliError): FindingError {
  return new FindingError(message, { exitCode, code, hint, ...(counts && { counts }), isSilent: true });
}

/** Answers of the newest kept review that are young enough are not paid for again. */
async function seed(store: Seeded, run: ReviewRun): Promise<void> {
  const { options, settings, context } = run;
  const { folder, maxAge, begun } = options;
  const [newest] = keptFiles(folder);
  // No answer of it is younger than its end; a file that says nothing of that is read.
  const ended = newest && endedAt(newest.path);
  if (!newest || (ended !== undefined && Math.abs(begun - ended) > maxAge)) return;
  const results = await openResults(newest.path, {
    host: context,
    scorePath: settings.get('score').value,
    onDamage() {},
  });
  try {
    if (results.review?.header.baseUrl !== (await answersBase(run))) return;
    for await (const { wallet, document, answeredAt = '' } of results.rows) {
      const at = Date.parse(answeredAt);
      if (!wallet || !document || !(Math.abs(begun - at) <= maxAge) || store.has(wallet.id)) continue;
      store.append(wallet.id, { answeredAt: at, text: writeCompact(document) });
    }
  } catch (error) {
    // One that cannot be read is passed over: its answers are asked for again.
    if (!(error instanceof RiskcliError) || error.exitCode !== ExitCode.list) throw error;
  } finally {
    results.close();
  }
}
