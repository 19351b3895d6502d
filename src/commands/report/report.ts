/** `riskcli report`: the figures of what earlier runs wrote, in the terminal or as a page. */
import { chooseFormat } from '../../cli/choose-format.ts';
import { command, type Options } from '../../cli/command.ts';
import { text, value } from '../../cli/flag.ts';
import { REPORT_FORMATS } from '../../cli/formats.ts';
import type { Context } from '../../context.ts';
import { UsageError } from '../../errors.ts';
import { openTarget, type Target } from '../../files/target.ts';
import { type Collected, createCollector } from '../../output/report/figures/collect.ts';
import { writtenVerdict } from '../../output/report/figures/tally.ts';
import type { Baseline, Report } from '../../output/report/report.ts';
import { verdictOf, writeReport } from '../../output/report/report-output.ts';
import { showReading } from '../../output/terminal/progress.ts';
import { parseOperand } from '../../row/conditions.ts';
import { createFieldWatch, type Field, missingFieldsError, parseFieldSelection } from '../../row/fields.ts';
import { readBackRow } from '../../row/make-row.ts';
import { FIELD_PATHS, formatRowPath } from '../../row/paths/own-names.ts';
import { openResults } from '../../runs/open-results.ts';
import type { Results } from '../../runs/result.ts';
import { quoted } from '../../secrets/withhold.ts';
import { resolveSettings } from '../../settings/resolve.ts';
import { openBaseline } from '../shared/baseline.ts';
import { withoutRepeats } from '../shared/compared-runs.ts';
import {
  ACCEPTABLE,
  acceptFlag,
  baselineFlag,
  failIfFlag,
  formatFlags,
  labelFlag,
  outputFlag,
  policyFlag,
} from '../shared/flags.ts';
import { type JudgedRows, judgeRows } from '../shared/judged-rows.ts';
import { originOf } from '../shared/origin.ts';
import { readRules } from '../shared/rules.ts';
import { sayWritten } from '../shared/say-written.ts';
import { terminalOrPipe } from '../shared/terminal.ts';

const FORMATS = ['table', 'json', ...REPORT_FORMATS] as const;

const flags = {
  ...formatFlags(FORMATS),
  output: outputFlag,
  title: text({ value: 'TEXT', group: 'Output', help: 'title of the report' }),
  label: labelFlag,
  by: value(parseBy, {
    group: 'Output',
    value: 'FIELD',
    help: 'also figures for each value of this field, as a path; input.COLUMN is a column of the list',
    completes: FIELD_PATHS,
  }),
  baseline: baselineFlag,
  failIf: failIfFlag,
  policy: policyFlag,
  accept: acceptFlag(
    ACCEPTABLE,
    'rows with these statuses match nothing: no_score, failed, invalid, pending',
    'STATUSES',
  ),
};

export const report = command({
  description: `Print the figures of a file that riskcli wrote: wallets by status, what matched,
distributions of score and collateral, shares of every field with few values.
-o PAGE.html makes a page that has the wallets as well, to search, sort and filter,
each with its whole card: one file that can be mailed, printed and kept, and that
loads nothing. Nothing is sent.`,
  args: [
    {
      name: 'file',
      help: 'jsonl (best), json or csv of riskcli profile; - for stdin',
      completes: 'file',
    },
  ],
  flags,
  forms: [
    {
      when: ({ isTyped }) => !isTyped('fail-if') && !isTyped('policy'),
      refuses: ['accept'],
      message: (flag) => `${flag} only works with --fail-if or --policy: without them nothing is judged`,
      hint: 'add one of the two, or leave it out',
    },
  ],
  screenFlags: ['output', 'title', 'baseline', 'label', 'fail-if', 'policy', 'accept', 'format'],
  examples: [
    { line: 'riskcli report scored.jsonl --by defi_score.risk_level', does: 'The figures, also for each level' },
    { line: 'riskcli report scored.jsonl -o report.html', does: 'A page for a browser' },
    { line: 'riskcli report scored.csv -o report.md --title "Week 47"', does: 'A summary for a pull request' },
    { line: 'riskcli report this.jsonl --baseline last.jsonl -o page.html', does: 'What changed since last week' },
    {
      line: "riskcli report my.jsonl -o page.html --fail-if 'low: score < 400'",
      does: 'Mark the wallets below 400',
    },
  ],
  excessHint: 'name one file, and the page with -o PAGE.html',
  run: runReport,
});

type ReportFlags = Options<typeof flags>;
type ReportOptions = Awaited<ReturnType<typeof reportOptions>>;

/** What the flags mean together. @throws UsageError when they make no sense */
async function reportOptions(flags: ReportFlags, context: Context) {
  const [file = ''] = flags.args;
  if (file === '-' && flags.baseline === '-') {
    throw new UsageError('standard input is given twice', { hint: 'give a file for one of the two' });
  }
  const format = chooseFormat(flags, { choices: FORMATS, list: true });
  const settings = resolveSettings(flags, context);
  const rules = await readRules(flags, { context, wallets: { checksum: false } });
  const scorePath = settings.score.value;
  return {
    ...flags,
    ...rules,
    file,
    format,
    scorePath,
  };
}

/** The field of --by, under the name that was typed. */
function parseBy(typed: string): Field {
  const { path, optional } = parseOperand(typed.trim());
  return { name: formatRowPath(path), path, optional };
}

interface ReportRun {
  readonly options: ReportOptions;
  readonly context: Context;
  readonly judged: JudgedRows;
  /** What is to be closed at the end. */
  readonly closers: (() => unknown)[];
}

async function runReport(typed: ReportFlags, context: Context): Promise<undefined> {
  const options = await reportOptions(typed, context);
  const { file, output, baseline, policy } = options;
  const judged = judgeRows({ ...options, selection: parseFieldSelection([]), shape: {} }, context);
  const closers: (() => unknown)[] = [];
  const forbidden = [file, baseline, policy].filter((path) => path !== undefined);
  const target = await openTarget({ output, forbidden }, context);
  try {
    await reportOn(target, { options, context, judged, closers });
    await target.commit();
    sayWritten(output, context);
  } finally {
    for (const close of closers.reverse()) close();
    await target.discard();
  }
  judged.conclude();
}

async function reportOn(target: Target, run: ReportRun): Promise<void> {
  const { options, context, closers } = run;
  const { file, scorePath } = options;
  const onDamage = withoutRepeats(context.report.warn);
  const results = await openResults(file, { host: context, scorePath, onDamage });
  closers.push(results.close);
  const baseline = options.baseline && (await openBaseline(options.baseline, { ...run, newer: results, onDamage }));
  const collected = await readRows(results, { ...run, baseline: baseline || undefined });
  const changes = baseline ? await baseline.changes() : undefined;
  const words = ['report', ...options.typedWords];
  const origin = originOf({ title: options.title, sources: [results.bareName], form: results.form, words }, context);
  const report = { ...collected, changes, origin };
  await write(target, report, run);
}

/** Each format is loaded when it is asked for. */
async function write(target: Target, report: Report, { options, context }: ReportRun): Promise<void> {
  const { format, color, output } = options;
  if (format === 'html' || format === 'md') return writeReport(target, { report, format, context });
  if (format === 'json') return target.write((await import('../../output/report/document.ts')).documentText(report));
  const { summaryText } = await import('../../output/report/summary.ts');
  await target.write(await summaryText(report, terminalOrPipe({ output, color }, context)));
}

async function readRows(
  results: Results,
  { options, context, judged, closers, baseline }: ReportRun & { readonly baseline: Baseline | undefined },
): Promise<Collected> {
  const { rules, by } = options;
  const watch = createFieldWatch(by ? [{ ...by, name: `--by ${quoted(by.name)}` }] : []);
  const hasCards = options.format === 'html';
  const collector = createCollector({ rules, label: options.label, by, hasCards, host: context });
  closers.push(collector.close);
  const signal = context.signal();
  const progress = showReading(context);
  try {
    for await (const row of results.rows) {
      signal.throwIfAborted();
      const verdict =
        rules.length === 0 ? writtenVerdict(row) : verdictOf(judged.evaluate(readBackRow(row, row.node())));
      collector.add(row, { ...verdict, ...baseline?.compare(row) });
      if (watch.isWaiting) watch.observe(row.node());
      progress.row();
    }
  } finally {
    progress.done();
  }
  const missing = watch.missing();
  if (missing.length > 0) throw missingFieldsError(missing);
  return collector.end();
}
