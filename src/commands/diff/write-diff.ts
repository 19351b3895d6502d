/** Reads two runs, compares them wallet by wallet, and writes the rows as they are found. */

import { compareRows } from '../../compare/compare.ts';
import { createFinder, type DiffFinder, type DiffRow } from '../../compare/diff.ts';
import type { Context } from '../../context.ts';
import { UsageError } from '../../errors.ts';
import { checkTarget } from '../../files/target.ts';
import { yieldToEvents } from '../../host/clock.ts';
import { diffRows } from '../../output/diff/diff-rows.ts';
import { openRows } from '../../output/rows/open-rows.ts';
import { runFacts } from '../../output/rows/row-format.ts';
import { terminalOf } from '../../output/terminal/terminal-of.ts';
import { formatRowPath } from '../../paths/meta-shortcuts.ts';
import { chooseLabel, labelOf } from '../../row/label.ts';
import type { Verdict } from '../../row/verdict.ts';
import { countsWords, isAnyCounted, matchedError, RuleCounts } from '../../rules/rule-counts.ts';
import { conditionsOf, judgeExpression } from '../../rules/rules.ts';
import { UnseenValues } from '../../rules/unseen-values.ts';
import { quoted } from '../../secrets/redact.ts';
import { didYouMean, nearestFirst } from '../../text/nearest.ts';
import { groupDigits } from '../../text/words.ts';
import { type ComparedRun, readRun } from './compared-run.ts';
import type { DiffOptions } from './diff-options.ts';

export async function writeDiff(options: DiffOptions, context: Context): Promise<void> {
  const { columns, rules } = options;
  const names = columns.map(({ name }) => name);
  const finder = createFinder(names, { hasVerdicts: rules.length > 0 });
  await checkTarget({ output: options.output, forbidden: [options.older, options.newer] }, context);
  checkPaths(options, finder);
  const older = await readRun(options.older, options, context);
  try {
    const newer = await readRun(options.newer, options, context);
    try {
      await compareAndWrite({ older, newer }, { ...options, names, finder }, context);
    } finally {
      newer.close();
    }
  } finally {
    older.close();
  }
}

interface Runs {
  readonly older: ComparedRun;
  readonly newer: ComparedRun;
}

interface Comparing extends DiffOptions {
  readonly names: readonly string[];
  readonly finder: DiffFinder;
}

async function compareAndWrite(runs: Runs, options: Comparing, context: Context): Promise<void> {
  const { older, newer } = runs;
  const { names, finder, hasUsual, rules, shape, format } = options;
  const forbidden = [options.older, options.newer];
  const gate = createGate(options);
  const label = findLabelColumn(runs, options);
  const output = await openRows(diffRows({ names, label, hasUsual, verdictColumns: rules.length > 0 }, finder), {
    output: options.output,
    forbidden,
    format,
    shape,
    context,
    terminal: terminalOf(options, context),
    rows: older.index.size + newer.index.size,
    run: runFacts(forbidden, context, { rules }),
  });
  try {
    const counts = { changed: 0, added: 0, removed: 0, same: 0 };
    const values = new UnseenValues({ rules, where: shape.where });
    for await (const { change, ...row } of wallets(runs, label, context)) {
      counts[change] += 1;
      if (change === 'same') continue;
      const judged = gate.judge({ ...row, change });
      values.observe(finder.in(judged));
      await output.row(judged);
    }
    await output.end({ counts });
    for (const run of [older, newer]) run.reportConflicts();
    const labels = Object.entries(counts).map(([change, count]) => `${change} ${groupDigits(count)}`);
    context.report.hint(labels.join(', '));
    values.report(context.report);
  } finally {
    await output.close();
  }
  const end = older.missing ?? newer.missing ?? gate.error();
  if (end) throw end;
}

/** Wallets compared in one turn of the event loop: signals are handled in between. */
const ROWS_PER_TURN = 1_000;

/** Wallets in the order of the newer run, then those that only the older one has. */
async function* wallets({ older, newer }: Runs, label: string | undefined, { signal }: Context) {
  let read = 0;
  for (const key of keysOf(older, newer)) {
    if (++read % ROWS_PER_TURN === 0) await yieldToEvents(signal());
    const [before, now] = [older.lastRow(key), newer.lastRow(key)];
    const text = labelOf(now?.row.input, label) ?? labelOf(before?.row.input, label);
    const wallet = (now ?? before)?.row.wallet ?? key;
    yield { ...compareRows(before?.values, now?.values), wallet, ...(text !== undefined && { label: text }) };
  }
}

function* keysOf(older: ComparedRun, newer: ComparedRun): Generator<string> {
  yield* newer.index.walletKeys();
  for (const key of older.index.walletKeys()) if (!newer.index.has(key)) yield key;
}

/**
 * The column of either run whose texts are the wallets' labels.
 * @throws UsageError when neither has the one that --label names
 */
function findLabelColumn({ older, newer }: Runs, { label: wanted }: DiffOptions): string | undefined {
  try {
    return chooseLabel(newer.first, wanted) ?? chooseLabel(older.first, wanted);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return chooseLabel(older.first, wanted);
  }
}

/** @throws UsageError when --fail-if, --where or --sort asks for what no row of the diff has. */
function checkPaths({ rules, shape }: DiffOptions, { has, paths }: DiffFinder): void {
  const conditions = [...rules.map(({ when }) => when), ...(shape.where ? [shape.where] : [])].flatMap(conditionsOf);
  const unknown = [...conditions, ...(shape.sort ? [shape.sort] : [])].find((asked) => !has(asked));
  if (!unknown) return;
  const text = [formatRowPath(unknown.path), ...('aspect' in unknown ? [unknown.aspect] : [])].join('.');
  throw new UsageError(`the rows of this diff have no ${quoted(text)}`, {
    code: 'missing_field',
    hint: `${didYouMean(nearestFirst(text, paths).slice(0, 1))} There are ${paths.join(', ')}; --fields adds others`,
  });
}

/** --fail-if: which rows are an alarm. */
function createGate({ rules, accept, finder }: Comparing) {
  const counts = new RuleCounts<DiffRow>(rules);
  return {
    /** `row` with the rules that it matches; unchanged when there are no rules. */
    judge(row: DiffRow): DiffRow {
      if (rules.length === 0) return row;
      const judged = accept.has(row.change) ? [] : rules;
      const verdicts = judged.flatMap(({ name, level, when }): Verdict[] => {
        const held = judgeExpression(when, finder.in(row));
        return held === false ? [] : [{ rule: name, level, says: held ? 'matches' : 'unknown' }];
      });
      counts.add(row, verdicts);
      return { ...row, verdicts };
    },
    error() {
      if (!isAnyCounted(counts)) return undefined;
      return matchedError(countsWords(counts, ({ wallet }) => `first ${wallet}`));
    },
  };
}
