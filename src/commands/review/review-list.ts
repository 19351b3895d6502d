/** A review: a list run whose rows go into a kept file, compared with an earlier one, and the letter about it. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { basename, join } from 'node:path';
import { formatPath } from '../../document/path.ts';
import { writeCompact } from '../../document/write.ts';
import { ExitCode, FindingError, gravest, RiskcliError } from '../../errors.ts';
import { shownPath } from '../../files/file-error.ts';
import { checkTarget } from '../../files/target.ts';
import { answersBase, type JournalUse, type Seeded } from '../../list-run/answers.ts';
import { concludeList } from '../../list-run/conclusion.ts';
import { dryRun } from '../../list-run/dry-run.ts';
import { openInput } from '../../list-run/input.ts';
import { exitCodes } from '../../list-run/outcome.ts';
import { type RowSink, runList } from '../../list-run/run-list.ts';
import { unreadable } from '../../lists/source.ts';
import { createRowsTarget, type RowsTarget } from '../../output/list/rows-target.ts';
import { createSections } from '../../output/review/collect.ts';
import { type Compared, chooseCompared } from '../../output/review/compared.ts';
import { addLeavers, type ComparedReview } from '../../output/review/leavers.ts';
import { type JudgedRows, judgeRows } from '../../row/judged-rows.ts';
import { chooseLabel } from '../../row/label.ts';
import type { Row } from '../../row/row.ts';
import type { ColumnSelection } from '../../row/row-columns.ts';
import { isAlarm } from '../../row/rule-counts.ts';
import { keptFiles, makeFolder, removeTorn } from '../../runs/keep-folder.ts';
import {
  createKeptWriter,
  endedAt,
  type KeptWriter,
  type ReadFile,
  type ReviewHeader,
} from '../../runs/kept-review.ts';
import { openResults } from '../../runs/open-results.ts';
import { visibleName } from '../../secrets/withhold.ts';
import type { ResolvedRun } from '../../settings/resolve.ts';
import { VERSION } from '../../version.ts';
import { writeReviewPage } from './page-file.ts';
import { printReview } from './print.ts';
import type { ReviewOptions } from './review-options.ts';

export interface ReviewRun extends ResolvedRun {
  readonly options: ReviewOptions;
}

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
    const removeEmpty = makeFolder(folder, context.uid);
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
  readonly input: Awaited<ReturnType<typeof openInput>>;
  readonly judged: JudgedRows;
  readonly journal: JournalUse;
}

async function reviewInto(run: ReviewRun, { input, judged, journal }: Prepared): Promise<undefined> {
  const { options, settings, context } = run;
  const { maxRequests, rate, concurrency } = options;
  const rows = await openRows(run, judged.columns);
  const sink = createSink(run, { judged, rows });
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
      sink,
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
    }
    // Whatever becomes of the page, the letter is printed.
    const page = await writeReviewPage(sink.path(), review, run).then(
      () => undefined,
      (fault: unknown) => ({ fault }),
    );
    if (!isQuiet || options.format === 'json') await printReview(review, options, context);
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
async function seed(store: Seeded, { options, settings, context }: ReviewRun): Promise<void> {
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
    if (results.review?.header.baseUrl !== (await answersBase({ settings }))) return;
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

/** Where -o names a file of rows; the page is made of the kept file. @throws IoError when it cannot be written */
export async function openRows(
  { options, context }: ReviewRun,
  columns: ColumnSelection,
): Promise<RowsTarget | undefined> {
  const { output, rowsFormat: format, list, policy, shape } = options;
  if (output === undefined) return undefined;
  const forbidden = [list, policy].filter((path) => path !== undefined && path !== '-' && path !== '') as string[];
  if (format !== 'html') {
    const view = { ...columns, shape, terminal: undefined };
    return createRowsTarget({ output, forbidden, format, view, context });
  }
  await checkTarget({ output, forbidden }, context);
  return undefined;
}

interface ReviewSink extends RowSink {
  readonly isKept: boolean;
  compared(row: Row): ReturnType<ReturnType<typeof createSections>['compared']>;
  review(): ReturnType<ReturnType<typeof createSections>['end']>;
  reportStranger(): void;
  /** Of the kept file. */
  path(): string;
  close(): Promise<void>;
}

interface Opened extends ComparedReview {
  readonly writer: KeptWriter;
}

/** Takes the rows of a review: into the kept file, into that of -o, and into the sections. */
function createSink(
  run: ReviewRun,
  { judged, rows }: { readonly judged: JudgedRows; readonly rows: RowsTarget | undefined },
): ReviewSink {
  const { options, context } = run;
  let opened: Opened | undefined;
  let review: ReturnType<Opened['sections']['end']> | undefined;
  const isOpen = () => {
    if (!opened) throw new TypeError('a review is opened before its rows');
    return opened;
  };
  return {
    get isKept() {
      return review !== undefined;
    },
    async open(head, first) {
      const label = chooseLabel(
        first.map(({ input }) => input),
        { wanted: options.label },
      );
      opened = await openReview(run, label);
      await rows?.open(head);
    },
    compared: (row) => isOpen().sections.compared(row),
    row(row) {
      const { sections, writer } = isOpen();
      sections.add(row);
      writer.row(row);
      return rows?.row(row);
    },
    flush: () => rows?.flush(),
    async end(outcome) {
      if (outcome.stop || judged.paths.missing()) return;
      context.signal().throwIfAborted();
      const found = isOpen();
      await addLeavers(found, { matches: judged.matches, context });
      await rows?.end({ isStopped: false });
      const codes = new Set(exitCodes(outcome, options.accept));
      if (isAlarm(judged.matches.counts)) codes.add(ExitCode.matched);
      await found.writer.commit({ ended: context.now(), counts: outcome.counts, exitCode: gravest(codes) });
      review = found.sections.end();
    },
    review() {
      if (!review) throw new TypeError('a review that was stopped has nothing to say');
      return review;
    },
    path: () => join(options.folder, isOpen().writer.name),
    reportStranger: () => reportStranger(isOpen(), { run, review }),
    async close() {
      opened?.writer.discard();
      await rows?.close();
    },
  };
}

async function openReview(run: ReviewRun, label: string | undefined): Promise<Opened> {
  const { options, settings, context } = run;
  const { folder, since, begun } = options;
  const judging = { ...options, scorePath: settings.get('score').value, base: await answersBase(run) };
  removeTorn(folder, context.uid);
  const files = keptFiles(folder, begun);
  const compared = await chooseCompared(files, { since, begun }, { judging, context });
  const header = await headerOf(run, compared, { label, base: judging.base });
  const sections = createSections({ header, comparedWith: compared.with, earlier: compared.run?.rows });
  return { sections, writer: createKeptWriter(folder, header, context), compared, judging };
}

async function headerOf(
  { options, settings }: ReviewRun,
  compared: Compared,
  { label: labelColumn, base }: { readonly label: string | undefined; readonly base: string },
): Promise<ReviewHeader> {
  const { list, policy, rules, exceptions, accept, label, sinceText, begun } = options;
  const { run } = compared;
  const scorePath = settings.get('score').value;
  return {
    list: list === '-' ? { name: '', sha256: undefined } : await digestOf(list),
    policy: policy === undefined ? undefined : await digestOf(policy),
    rules,
    exceptions,
    accept: [...accept],
    label,
    labelColumn,
    since: sinceText,
    score: scorePath && formatPath(scorePath),
    baseUrl: base,
    environment: settings.environment.value,
    version: VERSION,
    begun,
    compared: run && compared.with.kind === 'review' ? { name: compared.with.file, sha256: run.sha256 } : undefined,
    carriedFrom: compared.carriedFrom ?? [],
  };
}

async function digestOf(path: string): Promise<ReadFile> {
  const digest = createHash('sha256');
  try {
    for await (const bytes of createReadStream(path)) digest.update(bytes);
  } catch (error) {
    throw unreadable(shownPath(path), error);
  }
  return { name: visibleName(basename(path)), sha256: digest.digest('hex') };
}

/** A folder is the history of one list. */
function reportStranger(
  { compared }: Opened,
  {
    run: { options, context },
    review,
  }: { readonly run: ReviewRun; readonly review: ReturnType<Opened['sections']['end']> | undefined },
): void {
  const { run } = compared;
  if (!run || !review) return;
  const common = [...run.rows.values()].filter((text) => text === '').length;
  if (common * 2 >= review.wallets) return;
  const other = shownPath(run.header.list.name || 'standard input');
  context.report.info(
    `${shownPath(options.list)} has fewer than half of its wallets in common with ${other}, with which it is compared; a folder is the history of one list: see --keep`,
  );
}
