/** `riskcli report`: the rows are read once, and written as a page or as Markdown. */
import { basename } from 'node:path';
import type { Context } from '../../context.ts';
import { openTarget, type Target } from '../../files/target.ts';
import { type Collected, createCollector, type Verdict, writtenVerdict } from '../../output/report/figures/collect.ts';
import type { Report } from '../../output/report/report.ts';
import { showReading } from '../../output/terminal/reading.ts';
import { openResults } from '../../results/open-results.ts';
import type { ResultRow, Results } from '../../results/result.ts';
import { parseFieldSelection } from '../../row/fields.ts';
import { readBackRow } from '../../row/make-row.ts';
import { createMatches, type Matches, matchedError, matchedHint, matchedSummary } from '../../row/matches.ts';
import { findIn } from '../../row/row.ts';
import { excuseText } from '../../row/row-columns.ts';
import { isAlarm } from '../../row/rule-counts.ts';
import { createValueWatch, type ValueWatch, warnOfUnseen } from '../../row/unseen-values.ts';
import { visibleName } from '../../secrets/withhold.ts';
import { VERSION } from '../../version.ts';
import { noteExceptions } from '../shared/rules.ts';
import { createView, type View } from '../shared/view.ts';
import { type Baseline, openBaseline } from './baseline.ts';
import { commandLine } from './command-line.ts';
import { type ReportFlags, type ReportFormat, type ReportOptions, reportOptions } from './options.ts';

interface Run {
  readonly options: ReportOptions;
  readonly flags: ReportFlags;
  readonly context: Context;
  readonly view: View;
  readonly matches: Matches;
  readonly values: ValueWatch;
  /** What is to be closed at the end. */
  readonly closers: (() => unknown)[];
}

export async function runReport(flags: ReportFlags, context: Context): Promise<undefined> {
  const options = await reportOptions(flags, context);
  const { file, baseline, output, policy } = options;
  const view = createView({ ...options, selection: parseFieldSelection([]), shape: {} }, context);
  const matches = createMatches(options);
  const values = createValueWatch(options);
  const run: Run = { options, flags, context, view, matches, values, closers: [] };
  const forbidden = [file, baseline, policy].filter((path) => path !== undefined);
  context.engine.keepHeapSmall();
  context.engine.keepYoungHeapSmall();
  const target = await openTarget({ output, forbidden }, context);
  try {
    await writeReport(target, run);
    await target.commit();
  } finally {
    for (const close of run.closers.reverse()) close();
    await target.discard();
  }
  const missing = view.missingFields();
  if (missing) throw missing;
  warnOfUnseen(values.unseen(), context.report);
  noteExceptions({ exceptions: options.exceptions, matches }, context);
  if (isAlarm(matches.counts)) throw matchedError(matchedSummary(matches), matchedHint(matches));
}

async function writeReport(target: Target, run: Run): Promise<void> {
  const { options, flags, context, closers } = run;
  const { file, walletFormat: format, scorePath } = options;
  const results = await openResults(file, { host: context, format, scorePath, onDamage: context.report.warn });
  closers.push(results.close);
  const baseline = options.baseline && (await openBaseline(options.baseline, { ...run, newer: results }));
  const collected = await readRows(results, { ...run, baseline: baseline || undefined });
  const changes = baseline ? await baseline.changes() : undefined;
  // The folder is nobody's business to whom the page is mailed.
  const source = visibleName(basename(results.name));
  const origin = {
    title: visibleName(options.title ?? `Wallet risk report: ${source}`),
    source,
    form: results.form,
    madeAt: new Date(context.now()).toISOString(),
    version: VERSION,
    command: commandLine(flags, context.platform),
  };
  const signal = context.signal();
  for (const piece of await piecesOf({ ...collected, changes, origin }, options.format)) {
    signal.throwIfAborted();
    await target.write(piece);
  }
}

/** Each form is loaded when it is asked for: the page brings its script and its charts. */
async function piecesOf(report: Report, format: ReportFormat): Promise<Iterable<string>> {
  if (format === 'html') return (await import('../../output/report/page/page.ts')).pagePieces(report);
  return (await import('../../output/report/markdown.ts')).markdownPieces(report);
}

type Comparing = Run & { readonly baseline: Baseline | undefined };

async function readRows(
  results: Results,
  { options, context, view, matches, values, baseline }: Comparing,
): Promise<Collected> {
  const { rules, walletFormat: format } = options;
  const collector = createCollector({ format, rules });
  const signal = context.signal();
  const progress = showReading(context);
  const judge = (row: ResultRow): Verdict => {
    const judged = matches.judge(readBackRow(row, row.node()));
    if (judged.document) view.observe(judged);
    values.observe(findIn(judged));
    const { matched = [], unjudged = [], excused = [] } = judged;
    return { matched, unjudged, excused: excused.map((one) => ({ rule: one.rule, text: excuseText(one) })) };
  };
  try {
    for await (const row of results.rows) {
      signal.throwIfAborted();
      const verdict = rules.length === 0 ? writtenVerdict(row) : judge(row);
      collector.add(row, { ...verdict, ...baseline?.compare(row) });
      progress.row();
    }
  } finally {
    progress.done();
  }
  return collector.end();
}
