/** `riskcli diff OLD NEW`: what rose, fell, appeared and vanished between two runs. */
import { distance } from 'fastest-levenshtein';
import { chooseOutputs } from '../../cli/choose-format.ts';
import { command, type Options } from '../../cli/command.ts';
import { GATE_EXITS } from '../../cli/exits.ts';
import { all, onOff } from '../../cli/flag.ts';
import { LIST_FORMATS } from '../../cli/formats.ts';
import type { Context } from '../../context.ts';
import { writeCompact } from '../../document/write.ts';
import { UsageError } from '../../errors.ts';
import type { Target } from '../../files/target.ts';
import { discardTargets, openTargets } from '../../files/targets.ts';
import { createDiffWriter } from '../../output/diff/diff-writer.ts';
import { type RowOutput, together, writeRows } from '../../output/rows/row-output.ts';
import { type RowKind, shapeRows } from '../../output/rows/shape.ts';
import { type ChangeCounts, compareRuns } from '../../results/compare.ts';
import { CHANGES, createFinder, type DiffRow, difference, type Finder } from '../../results/comparison.ts';
import { openResults } from '../../results/open-results.ts';
import { readValues, type Snapshot } from '../../results/snapshot.ts';
import { parseFieldSelection } from '../../row/fields.ts';
import { matchedError } from '../../row/matches.ts';
import { FIELD_PATHS, formatRowPath } from '../../row/paths/row-path.ts';
import { countsWords, createRuleCounts, isAlarm, namesOf } from '../../row/rule-counts.ts';
import { conditionsOf, type Expression, evaluateRules } from '../../row/rules.ts';
import { createValueWatch, warnOfUnseen } from '../../row/unseen-values.ts';
import { quoted } from '../../secrets/withhold.ts';
import { resolveSettings } from '../../settings/resolve.ts';
import { grouped } from '../../text/words.ts';
import { checkSince, chooseColumns, onlyOnce, readRun, refuseScore, requireJournal } from '../shared/compared-runs.ts';
import { deliver } from '../shared/deliver.ts';
import {
  acceptFlag,
  asOfFlag,
  failIfFlag,
  formatFlags,
  labelFlag,
  outputFlags,
  readingFlags,
  shapeFlags,
  sinceFlag,
} from '../shared/flags.ts';
import { terminalOf } from '../shared/terminal.ts';

/** What a shell offers where a path is meant. */
const CHANGE_PATHS: readonly string[] = [
  'wallet_address',
  'label',
  'change',
  ...['status', 'score', 'total_collateral_usd'].flatMap((name) =>
    ['old', 'new', 'delta'].map((side) => `${name}.${side}`),
  ),
];

const flags = {
  asOf: asOfFlag,
  since: sinceFlag,
  ...readingFlags,
  ...formatFlags(LIST_FORMATS),
  ...outputFlags,
  all: onOff({ group: 'Output', help: 'also the wallets that have not changed' }),
  fields: all(parseComparedFields, {
    group: 'Output',
    value: 'PATHS',
    completes: FIELD_PATHS,
    commas: true,
    help: "compare these: a,level=b.c[0],d?; '+a': besides the usual ones",
  }),
  label: labelFlag,
  where: { ...shapeFlags.where, completes: CHANGE_PATHS },
  sort: { ...shapeFlags.sort, completes: CHANGE_PATHS },
  top: shapeFlags.top,
  failIf: { ...failIfFlag, completes: CHANGE_PATHS },
  accept: acceptFlag(CHANGES, 'let rows with these changes pass: added, removed, changed, same', 'CHANGES'),
};

const DETAILS = `OLD and NEW are files that riskcli wrote (jsonl, json, csv, gzip of these) or
journals, of which the newest answer of each wallet counts; - is standard input.
With --since one journal is enough: what it held then is compared with what it
holds now. With --as-of journals are read as they were then; if nothing is that
old, the exit code is 9. Upper and lower case do not matter, nor does the order of
rows; where a file has a wallet in several rows, the last one counts. A last row of
a csv without a line end is left out, with a warning: its last number may be cut.

A row has wallet_address, change (added, removed, changed, same), and for
status, score and total_collateral_usd, or for each of --fields, what it was
(score.old), what it is (score.new) and by how much it rose (score.delta; below
0 if it fell). Deltas are exact; there is none unless both are numbers.
1.0 and 1.00 are the same. Rows come in the order of NEW, then what only OLD
has, in its order.

Where the list had columns of its own, label is what one of them says: the one
that --label names, else the first of mostly distinct texts that are no
addresses, hashes, dates or URLs. In csv it is the last column.

--where, --sort and --fail-if take these names: 'score.delta < -50', 'change ==
removed', total_collateral_usd.new:desc. A wallet that was added or removed has
no score.delta, so a condition on that cannot be judged: the row says so (unjudged
instead of matched), and that is exit 10 too, as for a list.
--accept added lets it pass. Differences by themselves are exit 0.`;

export const diff = command({
  description: `Show what changed between two runs: which wallets rose, fell, appeared and
vanished. Needs no key and sends nothing.`,
  args: [
    { name: 'old', help: 'the earlier output or journal', completes: 'file' },
    { name: 'new', help: 'the later one; - for stdin', replacedBy: 'since', completes: 'file' },
  ],
  flags,
  screenFlags: ['since', 'fields', 'all', 'where', 'sort', 'top', 'fail-if', 'accept', 'format', 'output'],
  forms: [
    {
      when: ({ isTyped }) => !isTyped('fail-if'),
      refuses: ['accept'],
      message: (flag) => `${flag} only works with --fail-if: without it every change passes`,
      hint: 'add --fail-if CONDITION, or leave it out',
    },
  ],
  details: DETAILS,
  examples: [
    { line: 'riskcli diff last-week.csv this-week.csv', does: 'What changed since last week' },
    {
      line: 'riskcli diff old.csv new.csv --where "score.delta < 0" --sort score.delta',
      does: 'Which fell, the largest fall first',
    },
    {
      line: "riskcli diff old.csv new.csv --fail-if 'score.delta < -50' --accept added",
      does: 'A gate: exit 10 if a score fell by more than 50, or is unknown',
    },
    {
      line: 'riskcli diff answers.journal --since 7d --fields defi_score.risk_level',
      does: 'Whose risk level changed in the last week',
    },
  ],
  excessHint: 'give two files, the earlier and the later one, or one journal with --since',
  reads: ['settings', 'color'],
  exits: GATE_EXITS,
  run: runDiff,
});

function parseComparedFields(texts: readonly string[]) {
  const { fields = [], allFields, keepsDefaults } = parseFieldSelection(texts);
  if (allFields) {
    throw new UsageError("--fields '*' cannot be compared", { hint: 'name the fields: --fields a,b.c[0]' });
  }
  return { fields, keepsDefaults: texts.length === 0 || keepsDefaults };
}

type DiffOptions = ReturnType<typeof diffOptions>;

/** What the flags mean together. @throws UsageError when they make no sense */
function diffOptions(options: Options<typeof flags>, context: Context) {
  const { args, fields: selection, failIf: rules, where, sort, top } = options;
  const asOf = options.asOf?.at(context.now());
  const since = options.since?.at(context.now());
  const [older = '', newer = older] = args;
  checkSince(older, { since, asOf });
  if (older === '-' && newer === '-') {
    throw new UsageError('standard input is given twice', { hint: 'give a file for one of the two' });
  }
  const settings = resolveSettings(options, context);
  const outputs = chooseOutputs(options, { choices: LIST_FORMATS, list: true });
  const [walletFormat, scorePath] = [settings.walletFormat.value, settings.score.value];
  return {
    ...options,
    older,
    newer,
    asOf,
    since,
    outputs,
    ...selection,
    rules,
    shape: { where, sort, top },
    walletFormat,
    scorePath,
  };
}

async function runDiff(typed: Options<typeof flags>, context: Context): Promise<undefined> {
  const options = diffOptions(typed, context);
  const closers: (() => unknown)[] = [];
  try {
    await writeDiff(options, context, closers);
  } finally {
    for (const close of closers.reverse()) await close();
  }
}

/** Both runs are read, then compared wallet by wallet, and the rows are written as they are found. */
async function writeDiff(options: DiffOptions, context: Context, closers: (() => unknown)[]): Promise<void> {
  const { rules, shape, walletFormat: format, scorePath } = options;
  const { outputs } = options;
  const forbidden = [options.older, options.newer];
  const targets = await openTargets({ outputs: outputs.map(({ path }) => path), forbidden }, context);
  closers.push(() => discardTargets(targets));
  const { asOf, since } = options;
  const onDamage = onlyOnce(context.report.warn);
  const open = async (file: string, then: number | undefined) => {
    const results = await openResults(file, { host: context, format, scorePath, onDamage, asOf: then });
    closers.push(results.close);
    return results;
  };
  const [older, newer] = [await open(options.older, since ?? asOf), await open(options.newer, asOf)];
  if (since !== undefined) requireJournal('--since', [newer]);
  if (asOf !== undefined) requireJournal('--as-of', [older, newer]);
  refuseScore(options.score, [older, newer]);
  const columns = chooseColumns([older, newer], options, context);
  const names = columns.map(({ name }) => name);
  const finder = createFinder(names, { marks: rules.length > 0 });
  checkPaths(options, finder);
  const reading = { columns, options, context, closers };
  const [before, current] = [await readRun(older, reading), await readRun(newer, reading)];
  const gate = createGate(options, finder);
  const label = labelColumn(before.snapshot, current.snapshot);
  const output = await openOutput(targets, { options, names, label, finder, context });
  closers.push(output.close);
  const signal = context.signal();
  const { counts, rows } = compareRuns(before.snapshot, current.snapshot, { all: options.all, signal });
  const values = createValueWatch({ rules, where: shape.where });
  for await (const row of rows) {
    const judged = gate.judge(row);
    values.observe(finder.in(judged));
    await output.row(judged);
  }
  await deliver(output, targets, { outputs, isStopped: false, context });
  context.report.hint(countsLine(counts));
  warnOfUnseen(values.unseen(), context.report);
  const end = before.missing ?? current.missing ?? gate.error();
  if (end) throw end;
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
  const pathsIn = (expression: Expression) => conditionsOf(expression).map(({ path }) => path);
  const judged = rules.flatMap(({ when }) => pathsIn(when));
  const shown = [...(shape.where ? pathsIn(shape.where) : []), ...(shape.sort ? [shape.sort.path] : [])];
  const unknown = [...judged, ...shown].find((path) => !has(path));
  if (!unknown) return;
  const text = formatRowPath(unknown);
  const [nearest] = [...paths].sort((a, b) => distance(a, text) - distance(b, text));
  throw new UsageError(`the rows of this diff have no ${quoted(text)}`, {
    code: 'missing_field',
    hint: `did you mean ${nearest}? There are ${paths.join(', ')}; --fields adds others`,
  });
}

/** --fail-if: which rows are an alarm. */
function createGate({ rules, accept }: DiffOptions, finder: Finder) {
  const counts = createRuleCounts<DiffRow>(rules);
  return {
    /** `row`, told what it matches; the same row when there are no rules. */
    judge(row: DiffRow): DiffRow {
      if (rules.length === 0) return row;
      const verdict = accept.has(row.change) ? { matched: [], unjudged: [] } : evaluateRules(rules, finder.in(row));
      counts.add(row, verdict);
      return { ...row, ...namesOf(verdict) };
    },
    error() {
      if (!isAlarm(counts)) return undefined;
      return matchedError(countsWords(counts, { one: ({ wallet }) => wallet, first: ({ wallet }) => `is ${wallet}` }));
    },
  };
}

/** Takes rows as they are found; those that are put in another order are written when all were found. */
async function openOutput(
  targets: readonly Target[],
  about: {
    readonly options: DiffOptions;
    readonly names: readonly string[];
    readonly label: string | undefined;
    readonly finder: Finder;
    readonly context: Context;
  },
) {
  const { options, names, label, finder, context } = about;
  const { outputs, header, rules, shape, keepsDefaults: hasUsual } = options;
  const written: RowOutput<DiffRow>[] = [];
  for (const target of targets) {
    const { output } = target;
    const format = outputs.find(({ path }) => path === output)?.format ?? 'table';
    const terminal = terminalOf({ output, color: options.color }, context);
    const writing = { names, label, hasUsual, header, terminal, verdictColumns: rules.length > 0 };
    written.push(writeRows(target, await createDiffWriter(format, writing)));
  }
  return shapeRows(together(written), { shape, kind: diffRows(finder), context });
}

const diffRows = (finder: Finder): RowKind<DiffRow> => ({
  find: finder.in,
  encode({ differences, ...rest }) {
    const values = (side: 'old' | 'new') => writeCompact({ kind: 'array', items: differences.map((one) => one[side]) });
    return JSON.stringify({ ...rest, old: values('old'), new: values('new') });
  },
  decode(line) {
    const { old, new: current, ...rest } = JSON.parse(line);
    const [before, after] = [readValues(old), readValues(current)];
    return { ...rest, differences: before.map((value, i) => difference(value, after[i])) };
  },
});

const countsLine = ({ changed, added, removed, same }: ChangeCounts) =>
  `${grouped(changed)} changed, ${grouped(added)} added, ${grouped(removed)} removed, ${grouped(same)} same`;
