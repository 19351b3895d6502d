/** Where the rows of a review go: into the kept file, into that of -o, and into the sections of the letter. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { basename, join } from 'node:path';
import { formatPath } from '../../document/path.ts';
import { ExitCode, gravest } from '../../errors.ts';
import { shownPath } from '../../files/file-error.ts';
import type { Sink } from '../../files/sink.ts';
import { checkTarget } from '../../files/target.ts';
import { answersBase } from '../../list-run/answers.ts';
import { exitCodes, type ListOutcome } from '../../list-run/outcome.ts';
import type { OpenedList } from '../../list-run/run-list.ts';
import { unreadable } from '../../lists/source.ts';
import { listRows } from '../../output/list/list-rows.ts';
import { createSections } from '../../output/review/collect.ts';
import { type Compared, chooseCompared } from '../../output/review/compared.ts';
import { addLeavers, type ComparedReview } from '../../output/review/leavers.ts';
import { openRows } from '../../output/rows/open-rows.ts';
import { runFacts } from '../../output/rows/row-format.ts';
import type { JudgedRows } from '../../row/judged-rows.ts';
import { chooseLabel } from '../../row/label.ts';
import type { Row } from '../../row/row.ts';
import type { ColumnSelection } from '../../row/row-columns.ts';
import { isAlarm } from '../../row/rule-counts.ts';
import { keptFiles, removeTorn } from '../../runs/keep-folder.ts';
import { createKeptWriter, type KeptWriter, type ReadFile, type ReviewHeader } from '../../runs/kept-review.ts';
import { visibleName } from '../../secrets/withhold.ts';
import { VERSION } from '../../version.ts';
import type { ReviewRun } from './review-options.ts';

/** Files that must not be written. */
const filesRead = ({ list, policy }: ReviewRun['options']) =>
  [list, policy].filter((path) => path !== undefined && path !== '-' && path !== '') as string[];

/** @throws IoError when the file of -o cannot be written */
export async function checkOutput({ options, context }: ReviewRun): Promise<void> {
  const { output } = options;
  if (output !== undefined) await checkTarget({ output, forbidden: filesRead(options) }, context);
}

/** Where -o names a file of rows; the page is made of the kept file. @throws IoError when it cannot be written */
export async function openOutput(
  { options, settings, context }: ReviewRun,
  columns: ColumnSelection,
  { head, rows }: Pick<OpenedList, 'head' | 'rows'>,
): Promise<Sink<Row> | undefined> {
  const { output, rowsFormat: format, list, rules } = options;
  if (output === undefined || format === 'html') return undefined;
  const run = runFacts([list], context, { rules, isSynthetic: settings.isSandbox });
  const to = { output, forbidden: filesRead(options), format, rows, run, context };
  return openRows(listRows({ ...columns, head }), to);
}

interface ReviewSink extends Sink<Row, ListOutcome> {
  /** Called when the list can be read and nothing was sent. */
  open(list: OpenedList): Promise<void>;
  readonly isKept: boolean;
  compared(row: Row): ReturnType<ReturnType<typeof createSections>['compared']>;
  review(): ReturnType<ReturnType<typeof createSections>['end']>;
  /** Tells of a folder that is the history of another list. */
  reportStranger(): void;
  /** Of the kept file. */
  path(): string;
}

interface Opened extends ComparedReview {
  readonly writer: KeptWriter;
}

/** Takes the rows of a review: into the kept file, into that of -o, and into the sections. */
export function createSink(run: ReviewRun, judged: JudgedRows): ReviewSink {
  const { options, context } = run;
  let rows: Sink<Row> | undefined;
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
    async open(list) {
      const label = chooseLabel(
        list.first.map(({ input }) => input),
        { wanted: options.label },
      );
      opened = await openReview(run, label);
      rows = await openOutput(run, judged.columns, list);
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
      await addLeavers(found, { counts: judged.counts, context });
      await rows?.end({ counts: outcome.counts });
      const codes = new Set(exitCodes(outcome, options.accept));
      if (isAlarm(judged.counts)) codes.add(ExitCode.matched);
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
