/** `riskcli review --as-of WHEN`: a kept review printed as it was. Nothing is sent. */
import { ExitCode, ListError } from '../../errors.ts';
import { shownPath } from '../../files/file-error.ts';
import { createSections } from '../../output/review/collect.ts';
import { readBackRow } from '../../row/make-row.ts';
import { createMatches } from '../../row/matches.ts';
import { parseRowPath } from '../../row/paths/row-path.ts';
import { type Row, STATUSES } from '../../row/row.ts';
import { verdictColumns } from '../../row/row-columns.ts';
import type { EarlierRun } from '../../runs/earlier.ts';
import { type KeptFile, keptFiles } from '../../runs/keep-folder.ts';
import type { ReviewHeader } from '../../runs/kept-review.ts';
import { openResults } from '../../runs/open-results.ts';
import type { ResultRow } from '../../runs/result.ts';
import { isoSeconds } from '../../text/when.ts';
import { type Compared, fillFrom, type Judging, tryEarlier, withNothing } from './compared.ts';
import { writePage } from './page-file.ts';
import { printReview } from './print.ts';
import { addLeavers, openRows, type ReviewRun } from './review-list.ts';

/** @returns the exit code that the review had. @throws ListError where none is that old */
export async function printKept(asOf: number, run: ReviewRun): Promise<ExitCode | undefined> {
  const { options } = run;
  const files = keptFiles(options.folder);
  for (const file of files.filter(({ begun }) => begun <= asOf)) {
    const kept = await openKept(file, run);
    if (!kept) continue;
    return print(file, { files, run });
  }
  const oldest = files.at(-1);
  const message = `${shownPath(options.folder)} has no review from ${isoSeconds(asOf)} or before`;
  throw new ListError(oldest ? `${message}: the oldest is from ${isoSeconds(oldest.begun)}` : message, {
    code: 'no_review',
    hint: oldest ? 'name a later time' : 'riskcli review LIST keeps one',
  });
}

const EXITS = Object.values(ExitCode);

/** Whether the review at `file` is whole; told where it is not. */
async function openKept(file: KeptFile, { context, options }: ReviewRun): Promise<boolean> {
  const judging = { rules: [], exceptions: undefined, accept: options.accept, scorePath: undefined, base: undefined };
  return (await tryEarlier(file, { judging, context })) !== undefined;
}

async function print(
  file: KeptFile,
  { files, run }: { readonly files: readonly KeptFile[]; readonly run: ReviewRun },
): Promise<ExitCode | undefined> {
  const { options, context } = run;
  const results = await openResults(file.path, { host: context, onDamage: context.report.warn });
  try {
    const { review } = results;
    if (!review) throw new TypeError('a kept review was read before');
    const { header } = review;
    const rows = await openRows(run, { verdictColumns: verdictColumns(header) });
    try {
      await rows?.open(undefined);
      const { sections, compared, judging } = await openSections(header, files, run);
      for await (const written of results.rows) {
        context.signal().throwIfAborted();
        const row = judgedRow(written);
        sections.add(row);
        await rows?.row(row);
      }
      const judged = { matches: createMatches(judging) };
      await addLeavers({ sections, compared, judging }, { judged, run });
      await rows?.end({ isStopped: false });
      const told = sections.end();
      await writePage(file.path, told, run);
      await printReview(told, options, context);
    } finally {
      await rows?.close();
    }
    return EXITS.find((code) => code === review.end()?.exitCode);
  } finally {
    results.close();
  }
}

/** With what it found then: a row of a kept review says what it matched. */
function judgedRow(written: ResultRow): Row {
  return {
    ...readBackRow(written, written.node()),
    matched: written.matched,
    unjudged: written.unjudged,
    excused: written.excuses,
  };
}

async function openSections(header: ReviewHeader, files: readonly KeptFile[], { context }: ReviewRun) {
  const accept = new Set(STATUSES.filter((status) => header.accept.includes(status)));
  const scorePath = header.score === undefined ? undefined : parseRowPath(header.score);
  const { rules, exceptions } = header;
  const judging: Judging = { rules, exceptions, accept, scorePath, base: header.baseUrl };
  const compared = await comparedThen(header, files, { judging, context });
  const sections = createSections({ header, comparedWith: compared.with, earlier: compared.run?.rows });
  return { sections, compared, judging };
}

/** The review that it was compared with, if it is still there, packed or not. */
async function comparedThen(
  { compared, begun }: ReviewHeader,
  files: readonly KeptFile[],
  about: { readonly judging: Judging; readonly context: ReviewRun['context'] },
): Promise<Compared> {
  const older = files.filter((file) => file.begun < begun);
  if (!compared) return { with: withNothing(older, begun) };
  const bare = (name: string) => name.replace(/\.gz$/, '');
  const file = older.find(({ name }) => bare(name) === bare(compared.name));
  const run: EarlierRun | undefined = file && (await tryEarlier(file, about));
  if (!file || !run || run.sha256 !== compared.sha256) return { with: { kind: 'gone', file: compared.name } };
  await fillFrom(
    run,
    older.filter((other) => other.begun < file.begun),
    about,
  );
  return { with: { kind: 'review', file: compared.name, begun: run.header.begun }, run, path: file.path };
}
