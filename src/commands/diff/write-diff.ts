/** Reads two runs, compares them wallet by wallet, and writes the rows as they are found. */

import type { Context } from '../../context.ts';
import { UsageError } from '../../errors.ts';
import { checkTarget } from '../../files/target.ts';
import { diffRows } from '../../output/diff/diff-rows.ts';
import { openRows } from '../../output/rows/open-rows.ts';
import { runFacts } from '../../output/rows/row-format.ts';
import { terminalOf } from '../../output/terminal/terminal-of.ts';
import { namesOf } from '../../row/judge.ts';
import { formatRowPath } from '../../row/paths/own-names.ts';
import { countsWords, isAlarm, matchedError, ruleCounts } from '../../row/rule-counts.ts';
import { conditionsOf, judgeExpression } from '../../row/rules.ts';
import { createValueWatch } from '../../row/unseen-values.ts';
import { type ChangeCounts, compareRuns } from '../../runs/compare.ts';
import { createFinder, type DiffRow, type Finder } from '../../runs/comparison.ts';
import { openResults } from '../../runs/open-results.ts';
import type { Results } from '../../runs/result.ts';
import type { Snapshot } from '../../runs/snapshot.ts';
import { quoted } from '../../secrets/withhold.ts';
import { didYouMean, nearestFirst } from '../../text/nearest.ts';
import { grouped } from '../../text/words.ts';
import { chooseColumns, readRun, withoutRepeats } from './compared-runs.ts';
import type { DiffOptions } from './diff-options.ts';

interface DiffRun {
  readonly options: DiffOptions;
  readonly context: Context;
  /** What is to be closed at the end. */
  readonly closers: (() => unknown)[];
}

export async function writeDiff(options: DiffOptions, context: Context): Promise<void> {
  const closers: (() => unknown)[] = [];
  try {
    await compareAndWrite({ options, context, closers });
  } finally {
    for (const close of closers.reverse()) await close();
  }
}

async function compareAndWrite(run: DiffRun): Promise<void> {
  const { options, context, closers } = run;
  const { rules, shape } = options;
  const forbidden = [options.older, options.newer];
  const target = { output: options.output, forbidden };
  await checkTarget(target, context);
  const { before, current, names } = await readBoth(run);
  const finder = createFinder(names, { hasVerdicts: rules.length > 0 });
  const gate = createGate(options, finder);
  const label = labelColumn(before.snapshot, current.snapshot);
  const { format, keepsDefaults: hasUsual } = options;
  const output = await openRows(diffRows({ names, label, hasUsual, verdictColumns: rules.length > 0 }, finder), {
    ...{ ...target, format, shape, context },
    terminal: terminalOf(options, context),
    rows: before.snapshot.size + current.snapshot.size,
    run: runFacts(forbidden, context, { rules }),
  });
  closers.push(output.close);
  const { counts, rows } = compareRuns(before.snapshot, current.snapshot, context.signal());
  const values = createValueWatch({ rules, where: shape.where });
  for await (const row of rows) {
    const judged = gate.judge(row);
    values.observe(finder.in(judged));
    await output.row(judged);
  }
  await output.end({ counts });
  context.report.hint(countsLine(counts));
  values.report(context.report);
  const end = before.missing ?? current.missing ?? gate.error();
  if (end) throw end;
}

/** Reads both runs whole. Mistyped paths are reported before the first is read. */
async function readBoth(run: DiffRun) {
  const { options, context } = run;
  const open = openerOf(run);
  const [older, newer] = [await open(options.older), await open(options.newer)];
  const columns = chooseColumns([older, newer], options, context);
  const names = columns.map(({ name }) => name);
  checkPaths(options, createFinder(names, { hasVerdicts: options.rules.length > 0 }));
  const reading = { columns, ...run };
  return { before: await readRun(older, reading), current: await readRun(newer, reading), names };
}

function openerOf({ options: { scorePath }, context, closers }: DiffRun) {
  const onDamage = withoutRepeats(context.report.warn);
  return async (file: string): Promise<Results> => {
    const results = await openResults(file, { host: context, scorePath, onDamage });
    closers.push(results.close);
    return results;
  };
}

/**
 * The column of either run whose texts are the wallets' labels.
 * @throws UsageError when neither has the one that --label names
 */
function labelColumn(before: Snapshot, current: Snapshot): string | undefined {
  const column = current.labels.column() ?? before.labels.column();
  const error = column === undefined ? current.labels.error() : undefined;
  if (error) throw error;
  return column;
}

/** @throws UsageError when --fail-if, --where or --sort asks for what no row of the diff has. */
function checkPaths({ rules, shape }: DiffOptions, { has, paths }: Finder): void {
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
function createGate({ rules, accept }: DiffOptions, finder: Finder) {
  const counts = ruleCounts<DiffRow>(rules);
  return {
    /** `row` with the rules that it matches; unchanged when there are no rules. */
    judge(row: DiffRow): DiffRow {
      if (rules.length === 0) return row;
      const judged = accept.has(row.change) ? [] : rules;
      const held = (wanted: boolean | undefined) =>
        judged.filter(({ when }) => judgeExpression(when, finder.in(row)) === wanted);
      const [matched, unjudged] = [held(true), held(undefined)];
      counts.add(row, { matched, watched: [], unjudged });
      return { ...row, matched: namesOf(matched), unjudged: namesOf(unjudged) };
    },
    error() {
      if (!isAlarm(counts)) return undefined;
      return matchedError(countsWords(counts, ({ wallet }) => `first ${wallet}`));
    },
  };
}

const countsLine = ({ changed, added, removed, same }: ChangeCounts) =>
  `${grouped(changed)} changed, ${grouped(added)} added, ${grouped(removed)} removed, ${grouped(same)} same`;
