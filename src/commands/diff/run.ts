/** `riskcli diff`: both runs are read, then compared wallet by wallet, and the rows are written as they are found. */
import type { Context } from '../../context.ts';
import { UsageError } from '../../errors.ts';
import { openTarget, type Target } from '../../files/target.ts';
import { type ChangeCounts, compareRuns } from '../../results/compare.ts';
import { createFinder } from '../../results/comparison.ts';
import { openResults } from '../../results/open-results.ts';
import type { Results } from '../../results/result.ts';
import { createValueWatch, warnOfUnseen } from '../../row/unseen-values.ts';
import { grouped } from '../../text/words.ts';
import { checkPaths, chooseColumns } from './columns.ts';
import { createGate } from './gate.ts';
import { type DiffFlags, type DiffOptions, diffOptions } from './options.ts';
import { createDiffOutput } from './output.ts';
import { readRun } from './read-run.ts';

interface Run {
  readonly options: DiffOptions;
  readonly context: Context;
  /** What is to be closed at the end. */
  readonly closers: (() => unknown)[];
}

export async function runDiff(flags: DiffFlags, context: Context): Promise<undefined> {
  const run: Run = { options: diffOptions(flags, context), context, closers: [] };
  try {
    const { older, newer, output } = run.options;
    const target = await openTarget({ output, forbidden: [older, newer] }, context);
    run.closers.push(target.discard);
    await diffInto(target, run);
  } finally {
    for (const close of run.closers.reverse()) await close();
  }
}

async function diffInto(target: Target, run: Run): Promise<void> {
  const { options, context, closers } = run;
  const { older, newer } = { older: await open(options.older, run), newer: await open(options.newer, run) };
  if (options.isScoreTyped && !older.readsScorePath && !newer.readsScorePath) {
    throw new UsageError('--score has no effect: both files are csv, whose scores were found when they were written', {
      hint: 'leave it out, or write them anew with riskcli profile --score PATH',
    });
  }
  const columns = chooseColumns([older, newer], run);
  const names = columns.map(({ name }) => name);
  const finder = createFinder(names, { marks: options.rules.length > 0 });
  checkPaths(options, finder);
  const reading = { columns, options, context, closers };
  const [before, current] = [await readRun(older, reading), await readRun(newer, reading)];
  const gate = createGate(options, finder);
  const output = await createDiffOutput(target, { options, names, finder, context });
  closers.push(output.close);
  const signal = context.signal();
  const { counts, rows } = compareRuns(before.snapshot, current.snapshot, { all: options.all, signal });
  const values = createValueWatch({ rules: options.rules, where: options.shape.where });
  for await (const row of rows) {
    const judged = gate.judge(row);
    values.observe(finder.in(judged));
    await output.row(judged);
  }
  await output.end({ isStopped: false });
  await target.commit();
  context.report.hint(countsLine(counts));
  warnOfUnseen(values.unseen(), context.report);
  const end = before.missing ?? current.missing ?? gate.error();
  if (end) throw end;
}

async function open(file: string, { options, context, closers }: Run): Promise<Results> {
  const { walletFormat: format, scorePath } = options;
  const results = await openResults(file, { host: context, format, scorePath, onDamage: context.report.warn });
  closers.push(results.close);
  return results;
}

const countsLine = ({ changed, added, removed, same }: ChangeCounts) =>
  `${grouped(changed)} changed, ${grouped(added)} added, ${grouped(removed)} removed, ${grouped(same)} same`;
