/** What a kept review says, told again from its file. */
import { basename, dirname } from 'node:path';
import type { Context } from '../../context.ts';
import { parsePath } from '../../document/parse-path.ts';
import { readBackRow } from '../../row/make-row.ts';
import { type Row, STATUSES } from '../../row/row.ts';
import { ruleCounts } from '../../row/rule-counts.ts';
import type { EarlierRun } from '../../runs/earlier.ts';
import { type KeptFile, keptFiles } from '../../runs/keep-folder.ts';
import type { ReviewHeader } from '../../runs/kept-review.ts';
import { openResults } from '../../runs/open-results.ts';
import { listLine, type ResultRow, type Results } from '../../runs/result.ts';
import { createSections } from './collect.ts';
import { type Compared, fillFrom, type Judging, tryEarlier, withNothing } from './compared.ts';
import { addLeavers, type ComparedReview } from './leavers.ts';
import type { ReviewSections } from './sections.ts';

interface Retold {
  readonly header: ReviewHeader;
  /** The other kept reviews beside it, the newest first. */
  readonly files: readonly KeptFile[];
  readonly context: Context;
}

/** Reads the rows of a kept review. @param onRow takes each of them */
export async function retell(
  { rows }: Results,
  { onRow, ...about }: Retold & { readonly onRow: (row: Row) => Promise<void> | undefined },
): Promise<ReviewSections> {
  const { sections, compared, judging } = await openSections(about);
  for await (const written of rows) {
    about.context.signal().throwIfAborted();
    const row = judgedRow(written);
    sections.add(row);
    await onRow(row);
  }
  await addLeavers({ sections, compared, judging }, { counts: ruleCounts(judging.rules), context: about.context });
  return sections.end();
}

/** What the file at `path` says, if it is a kept review. */
export async function keptSections(path: string, context: Context): Promise<ReviewSections | undefined> {
  const results = await openResults(path, { host: context, onDamage() {} });
  try {
    const { review } = results;
    const files = keptFiles(dirname(path)).filter(({ name }) => name !== basename(path));
    return review && (await retell(results, { header: review.header, files, context, onRow: () => undefined }));
  } finally {
    results.close();
  }
}

/** With what it found then: a row of a kept review says what it matched. */
function judgedRow(written: ResultRow): Row {
  return {
    ...readBackRow(written, written.node()),
    line: listLine(written),
    matched: written.matched,
    unjudged: written.unjudged,
    excused: written.excused,
    watched: written.watched,
  };
}

async function openSections({ header, files, context }: Retold): Promise<ComparedReview> {
  const accept = new Set(STATUSES.filter((status) => header.accept.includes(status)));
  const scorePath = header.score === undefined ? undefined : parsePath(header.score);
  const { rules, exceptions } = header;
  const judging: Judging = { rules, exceptions, accept, scorePath, base: header.baseUrl };
  const compared = await comparedThen(header, files, { judging, context });
  const sections = createSections({ header, comparedWith: compared.with, earlier: compared.run?.rows });
  return { sections, compared, judging };
}

/** The review that it was compared with, if it is still there, packed or not, and so are those from which values were. */
async function comparedThen(
  { compared, carriedFrom, begun }: ReviewHeader,
  files: readonly KeptFile[],
  about: { readonly judging: Judging; readonly context: Context },
): Promise<Compared> {
  const older = files.filter((file) => file.begun < begun);
  if (!compared) return { with: withNothing(older, begun) };
  const bare = (name: string) => name.replace(/\.gz$/, '');
  const find = (wanted: string) => older.filter(({ name }) => bare(name) === bare(wanted)).slice(0, 1);
  const gone = (name: string): Compared => ({ with: { kind: 'gone', file: name } });
  const [file] = find(compared.name);
  const run: EarlierRun | undefined = file && (await tryEarlier(file, about));
  if (!file || !run || run.sha256 !== compared.sha256) return gone(compared.name);
  const used = (await fillFrom(run, carriedFrom.flatMap(find), about)).map(bare);
  const lost = carriedFrom.find((name) => !used.includes(bare(name)));
  if (lost !== undefined) return gone(lost);
  return { with: { kind: 'review', file: compared.name, begun: run.header.begun }, run, path: file.path };
}
