/** `riskcli report`: the figures of what earlier runs wrote, in the terminal or as a page. */
import { chooseFormat } from '../../cli/choose-format.ts';
import { command, type Options } from '../../cli/command.ts';
import { FILE } from '../../cli/flag.ts';
import { REPORT_FORMATS } from '../../cli/formats.ts';
import type { Context } from '../../context.ts';
import { openTarget, type Target } from '../../files/target.ts';
import { sayWritten } from '../../output/deliver.ts';
import { documentText } from '../../output/report/document.ts';
import { type Collected, createCollector, verdictOf } from '../../output/report/figures.ts';
import type { Report } from '../../output/report/report.ts';
import { summaryText } from '../../output/report/summary.ts';
import { originOf, sectionsOf, writePage } from '../../output/report/write-page.ts';
import { keptSections } from '../../output/review/retell.ts';
import type { ReviewSections } from '../../output/review/sections.ts';
import { paged } from '../../output/terminal/paged.ts';
import { showReading } from '../../output/terminal/progress.ts';
import { terminalOf, terminalOrPipe } from '../../output/terminal/terminal-of.ts';
import { parseFieldSelection } from '../../row/fields.ts';
import { type JudgedRows, judgeRows } from '../../row/judged-rows.ts';
import { readBackRow } from '../../row/make-row.ts';
import { readRules } from '../../row/rule-set.ts';
import { openResults } from '../../runs/open-results.ts';
import type { Results } from '../../runs/result.ts';
import { resolveSettings } from '../../settings/resolve.ts';
import { ACCEPTABLE, acceptFlag, failIfFlag, formatFlags, labelFlag, outputFlag, policyFlag } from '../flags.ts';

const FORMATS = ['table', 'json', ...REPORT_FORMATS] as const;

const flags = {
  ...formatFlags(FORMATS),
  output: outputFlag,
  label: labelFlag,
  failIf: failIfFlag,
  policy: policyFlag,
  accept: {
    ...acceptFlag(ACCEPTABLE, 'rows with these statuses match nothing: no_score, failed, invalid, pending', 'STATUSES'),
    needs: ['fail-if', 'policy'],
  },
};

export const report = command({
  description: `Print the figures of a file that riskcli wrote: wallets by status, what matched,
distributions of score and collateral, shares of the texts of the score.
-o PAGE.html makes a page that has the wallets as well, to search, sort and filter,
each with its whole card: one file that can be mailed, printed and kept, and that
loads nothing. Nothing is sent.`,
  args: [
    {
      name: 'file',
      help: 'jsonl (best), json or csv of riskcli profile; - for stdin',
      completes: FILE,
    },
  ],
  flags,
  examples: [
    { line: 'riskcli report scored.jsonl', does: 'The figures' },
    { line: 'riskcli report scored.jsonl -o report.html', does: 'A page for a browser' },
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
  const format = chooseFormat(flags, { choices: FORMATS, list: true });
  const settings = resolveSettings(flags, context);
  const rules = await readRules(flags, { checksum: false });
  const scorePath = settings.get('score').value;
  return {
    ...flags,
    ...rules,
    file,
    format,
    scorePath,
  };
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
  const { file, output, policy } = options;
  const judged = judgeRows({ ...options, selection: parseFieldSelection([]), shape: {} }, context);
  const closers: (() => unknown)[] = [];
  const forbidden = [file, policy].filter((path) => path !== undefined);
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
  const { file, scorePath, format, rules } = options;
  const hasSections = format === 'html' && rules.length === 0 && file !== '-';
  const review = hasSections ? await keptSections(file, context) : undefined;
  const results = await openResults(file, { host: context, scorePath, onDamage: context.report.warn });
  closers.push(results.close);
  const collected = await readRows(results, run, review);
  const origin = originOf(results.bareName, ['report', ...options.typedWords], context);
  await write(target, { ...collected, origin, ...(review && { review }) }, run);
}

/** Each format is loaded when it is asked for. */
async function write(target: Target, report: Report, { options, context }: ReportRun): Promise<void> {
  const { format, color, output, mayPrompt } = options;
  if (format === 'html') return writePage(target, report, context);
  if (format === 'json') return target.write(documentText(report));
  const text = await summaryText(report, terminalOrPipe({ output, color }, context));
  const mayWait = mayPrompt && terminalOf({ output, color }, context) !== undefined;
  for await (const block of paged([text], { context, mayWait })) await target.write(block);
}

/** @param review what the file says, if it is a kept review, whose own rules count where none are given */
async function readRows(
  results: Results,
  { options, context, judged }: ReportRun,
  review: ReviewSections | undefined,
): Promise<Collected> {
  const { rules, format } = options;
  const header = results.review?.header;
  const collector = createCollector({
    rules: rules.length > 0 ? rules : (header?.rules ?? []),
    label: options.label ?? header?.labelColumn,
    hasCards: format === 'html',
    ...(review && { sectionOf: sectionsOf(review) }),
  });
  const signal = context.signal();
  const progress = showReading(context);
  try {
    for await (const row of results.rows) {
      signal.throwIfAborted();
      collector.add(row, verdictOf(rules.length === 0 ? row : judged.evaluate(readBackRow(row, row.node()))));
      progress.row();
    }
  } finally {
    progress.done();
  }
  return collector.end();
}
