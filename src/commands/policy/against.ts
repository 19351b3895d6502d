/**
 * `riskcli policy check --against RUN`: what a policy would find in the answers of a run, and which
 * alarms of the run it would open and close, as the next review would with the same answers.
 */
import type { Context } from '../../context.ts';
import type { Path } from '../../document/path.ts';
import { yieldToEvents } from '../../host/clock.ts';
import { growHeapSlowly } from '../../host/engine.ts';
import { showReading } from '../../output/terminal/progress.ts';
import { reviewRow } from '../../review/alarms.ts';
import { mergeAlarms, reviewLookup } from '../../review/earlier.ts';
import { type WalletFacts, walletFacts } from '../../review/wallet.ts';
import type { Alarm } from '../../row/kept.ts';
import { chooseLabel, LABEL_ROWS } from '../../row/label.ts';
import { type Row, STATUSES } from '../../row/row.ts';
import type { Level } from '../../row/verdict.ts';
import type { ValueLookup } from '../../rules/conditions.ts';
import { ExceptionIndex } from '../../rules/judge.ts';
import type { Policy } from '../../rules/policy.ts';
import { RowJudge } from '../../rules/row-judge.ts';
import { indexRun } from '../../runs/index-run.ts';
import { openRunFile } from '../../runs/open-run.ts';
import { USUAL_COLUMNS, valueAt } from '../../runs/run.ts';
import { visibleName } from '../../secrets/redact.ts';

/** Wallets of a rule that are named. */
const MAX_NAMED = 10;

/** How many wallets, and the first of them. */
interface Wallets {
  total: number;
  readonly wallets: { wallet: string | null; label: string | null; line: number | null }[];
}

/** What a rule would do, in wallets; a wallet that matches is not also counted as not judged. */
interface RuleEffect {
  readonly rule: string;
  /** Null for a rule of the run that the policy does not have. */
  readonly level: Level | null;
  matches: number;
  not_judged: number;
  excused: number;
  readonly open: Wallets;
  readonly close: Wallets;
}

export interface Effects {
  /** With what is not a wallet. */
  wallets: number;
  readonly rules: readonly RuleEffect[];
}

interface AgainstOptions {
  readonly policy: Policy;
  /** The setting `score`. */
  readonly scorePath: Path | undefined;
}

/** @throws ListError for what riskcli has not written */
export async function effectsOn(file: string, options: AgainstOptions, context: Context): Promise<Effects> {
  const { scorePath } = options;
  // It remembers every wallet.
  growHeapSlowly();
  const first: Row[] = [];
  const plain = await openRunFile(file, context);
  const progress = showReading(context);
  try {
    const run = await indexRun(plain, {
      host: context,
      scorePath,
      report: context.report,
      needs: USUAL_COLUMNS,
      inspects: true,
      onRow(row) {
        if (first.length < LABEL_ROWS) first.push(row);
        progress.row();
      },
    });
    try {
      return await judgedWallets({ ...run, first }, options, context);
    } finally {
      run.close();
    }
  } finally {
    progress.done();
    plain.close();
  }
}

/** Wallets judged in one turn of the event loop: signals are handled in between. */
const WALLETS_PER_TURN = 1_000;

async function judgedWallets(
  { index, review, first }: Pick<Awaited<ReturnType<typeof indexRun>>, 'index' | 'review'> & { first: readonly Row[] },
  { policy, scorePath }: AgainstOptions,
  context: Context,
) {
  const { rules, exceptions } = policy;
  const labelColumn = review ? review.labelColumn : chooseLabel(first.map(({ input }) => input));
  const accept = new Set(STATUSES.filter((status) => review?.accept.includes(status)));
  const judged = new RowJudge({ rules, exceptions, accept, compares: true }, context);
  const earlier = { day: RUN_DAY, rules, scorePathText: undefined };
  const terms = {
    day: NEXT_DAY,
    ...{ rules, accept, scorePath, scorePathText: undefined },
    exceptions: new ExceptionIndex(exceptions, context.now()),
    ...{ state: earlier, base: earlier },
  };
  // The run's --fail-if is no part of the policy.
  const others = new Set(review?.rules.filter(({ source }) => source === '--fail-if').map(({ name }) => name));
  const tally = effectTally(policy);
  for (const key of index.keys()) {
    if (tally.wallets() % WALLETS_PER_TURN === 0) await yieldToEvents(context.signal());
    const rows = index.rowsOf(key);
    const alarms = mergeAlarms(rows.map((row) => ({ kept: { alarms: alarmsOf(row), closed: [] } })));
    const before = {
      ...{ row: NO_ROW, notJudged: undefined, last: undefined },
      alarms: alarms.filter(({ rule }) => !others.has(rule)),
    };
    const [row, ...more] = rows.map((read): Row => {
      const find = findIgnoringChange(read);
      const one = judged.judge(read, find);
      return { ...one, kept: reviewRow({ row: one, find }, { state: before, base: before }, terms) };
    });
    if (row) tally.add([row, ...more], walletFacts([row, ...more], { day: NEXT_DAY, labelColumn, scorePath }));
  }
  judged.reportOnRules();
  const isInFile = (path: Path) => first.some((row) => valueAt(row, path) !== undefined);
  const missing = judged.paths.missingPathsError(isInFile);
  if (missing) context.report.warn(missing.hint ? `${missing.message}; ${missing.hint}` : missing.message);
  // With what is not a wallet.
  return { wallets: tally.wallets(), rules: tally.effects() };
}

/** The run is the earlier review, and its answers are judged again on a later day. */
const [RUN_DAY, NEXT_DAY] = ['0001-01-01', '9999-12-31'];
/** With no earlier answer, no other change can be the reason of an alarm. */
const NO_ROW: Row = { line: 0, input: '', status: 'pending' };

/** The alarms of a kept review, or the matches of another run. */
function alarmsOf({ kept, verdicts = [] }: Row): readonly Alarm[] {
  const alarms = kept?.alarms ?? verdicts.filter(({ says }) => says === 'matches');
  return alarms.map(({ rule, level, excused }) => ({ rule, level, excused, opened: RUN_DAY, confirmed: RUN_DAY }));
}

/** Finds the values of a row as a review does; a condition on change cannot be judged. */
function findIgnoringChange(row: Row): ValueLookup {
  const find = row.document ? (path: Path) => valueAt(row, path) : reviewLookup(row, {}, undefined);
  return (path, aspect) => (aspect === undefined ? find(path) : 'unknown');
}

function effectTally({ rules }: Policy) {
  const effects = new Map(rules.map(({ name, level }) => [name, effectOf(name, level)]));
  let wallets = 0;
  const effect = (name: string) => {
    // A rule of the run that the policy does not have has no level.
    const found = effects.get(name) ?? effectOf(visibleName(name), null);
    effects.set(name, found);
    return found;
  };
  return {
    wallets: () => wallets,
    effects: () => [...effects.values()],
    add(rows: readonly Row[], facts: WalletFacts): void {
      wallets += 1;
      const verdicts = rows.flatMap(({ verdicts = [] }) => verdicts);
      for (const { name } of rules) {
        const own = verdicts.filter(({ rule }) => rule === name);
        if (own.some(({ says, excused }) => says === 'matches' && !excused)) effect(name).matches += 1;
        else if (own.some(({ excused }) => excused)) effect(name).excused += 1;
        else if (own.length > 0) effect(name).not_judged += 1;
      }
      for (const { rule, isNew } of facts.alarms) if (isNew) addWallet(effect(rule).open, facts);
      for (const { rule } of facts.closed) addWallet(effect(rule).close, facts);
    },
  };
}

/** What a rule would do, in wallets; a wallet that matches is not also counted as not judged. */
const effectOf = (rule: string, level: Level | null) => ({
  ...{ rule, level, matches: 0, not_judged: 0, excused: 0 },
  open: noWallets(),
  close: noWallets(),
});

/** How many wallets, and the first of them. */
const noWallets = (): Wallets => ({ total: 0, wallets: [] });

function addWallet(group: Wallets, { wallet, line, labels }: WalletFacts): void {
  group.total += 1;
  if (group.wallets.length === MAX_NAMED) return;
  group.wallets.push({ wallet: wallet ?? null, label: labels().label ?? null, line: line ?? null });
}
