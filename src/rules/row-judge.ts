/**
 * Judges rows before they are shown: which rules they match, and whether any row had the paths and
 * values asked for.
 */

import type { Context } from '../context.ts';
import type { FindingError, RefusedError } from '../errors.ts';
import type { FieldSelection } from '../paths/fields.ts';
import { PathChecker, type RequestedPath } from '../paths/path-checker.ts';
import type { Row, Status } from '../row/row.ts';
import { findIn, rowNode } from '../row/row-node.ts';
import { quoted } from '../secrets/redact.ts';
import { visible } from '../text/escape.ts';
import { groupDigits } from '../text/words.ts';
import type { Wallet } from '../wallet/address.ts';
import { isAboutValue, rejectChangeConditions, type ValueLookup } from './conditions.ts';
import { type Exception, ExceptionIndex, exceptionKey, hasEnded, type JudgeOptions, judgeRow } from './judge.ts';
import { type ColumnSelection, verdictColumns } from './row-columns.ts';
import { countsWords, isAnyCounted, matchedError, RuleCounts, ruleNote } from './rule-counts.ts';
import type { RuleSet } from './rule-set.ts';
import { conditionsOf, type Expression, type Rule } from './rules.ts';
import type { Shape } from './shape.ts';
import { UnseenValues } from './unseen-values.ts';

export interface RowJudgeOptions extends RuleSet {
  /** --accept: rows of these statuses match nothing. */
  readonly accept?: ReadonlySet<Status>;
  /** --fields */
  readonly selection?: FieldSelection;
  readonly shape?: Shape;
  /** Whether the command compares rows with earlier ones. */
  readonly compares?: boolean;
  /**
   * Exceptions are taken as of this time, milliseconds since 1970; undefined for the present time.
   */
  readonly started?: number;
}

export class RowJudge {
  /** The columns of the output: the fields picked, and what rules add. */
  readonly columns: ColumnSelection;
  readonly counts: RuleCounts<Row>;
  readonly paths: PathChecker;
  private readonly judging: JudgeOptions;
  private readonly exceptions: readonly Exception[];
  private readonly hasEnded: (exception: Exception) => boolean;
  /** The keys of the exceptions that excused a row. */
  private readonly used = new Set<string>();
  private readonly unseen: UnseenValues;

  /** @throws UsageError for a rule on change that the command cannot judge */
  constructor(
    options: RowJudgeOptions,
    private readonly context: Context,
  ) {
    const { rules, accept = new Set(), exceptions, shape = {}, selection } = options;
    rejectChangeConditions(askedValues(rules, shape), options.compares);
    const at = options.started ?? context.now();
    this.exceptions = exceptions ?? [];
    this.hasEnded = (exception) => hasEnded(exception, at);
    this.judging = {
      rules,
      accept,
      exceptions: exceptions && new ExceptionIndex(exceptions, at),
      judgesWithoutAnswer: options.compares === true,
    };
    this.columns = { ...selection, verdictColumns: verdictColumns(options) };
    this.counts = new RuleCounts(rules);
    this.unseen = new UnseenValues({ rules, where: shape.where });
    const fields = (selection?.fields ?? []).map((field) => ({ ...field, from: '--fields' }));
    this.paths = new PathChecker([...fields, ...askedPaths(rules, shape)], context.report);
  }

  /**
   * `row` with what the rules say of it; unchanged without rules.
   * @param find finds its values, for rules on change
   */
  judge(row: Row, find?: ValueLookup): Row {
    const { judging, columns, counts, used, paths } = this;
    const verdicts = judgeRow(row, judging, find);
    counts.add(row, verdicts);
    for (const { rule, excused } of verdicts) {
      if (excused) used.add(exceptionKey(row.wallet?.toLowerCase() ?? '', rule));
    }
    const { verdictColumns } = columns;
    const judged = judging.rules.length === 0 ? row : { ...row, verdicts, verdictColumns };
    if (row.document && row.wallet !== undefined) paths.observe(row.wallet, () => rowNode(judged));
    this.unseen.observe(findIn(judged));
    return judged;
  }

  /**
   * Reports what may be mistyped or out of date in the rules; in a run of one `wallet`, only what
   * concerns it.
   */
  reportOnRules(wallet?: Wallet): void {
    const { exceptions, context, counts, used } = this;
    this.unseen.report(context.report);
    const ofWallet = exceptions.filter(({ id }) => wallet === undefined || id === wallet.id.toLowerCase());
    const isUnused = (one: Exception) => !this.hasEnded(one) && !used.has(exceptionKey(one.id, one.rule));
    reportExceptions('expired', ofWallet.filter(this.hasEnded), context);
    reportExceptions('without effect', ofWallet.filter(isUnused), context);
    if (isAnyCounted(counts.watch)) {
      context.report.hint(countsWords(counts.watch, positionOf(wallet), 'watched'));
    }
  }

  /**
   * The error for a wallet that the service refused for good: rules mostly cannot judge it.
   * Undefined when no alarm rule counts it.
   */
  refusedError(error: RefusedError, row: Row, wallet: Wallet): FindingError | undefined {
    this.counts.add(row, judgeRow(row, this.judging));
    return this.alarmError(wallet, `, which has no answer: ${error.message}`);
  }

  /** The error for the alarms of a list, or of one wallet; undefined if there is none. */
  alarmError(wallet?: Wallet, why = ''): FindingError | undefined {
    const { counts } = this;
    if (!isAnyCounted(counts)) return undefined;
    return matchedError(`${countsWords(counts, positionOf(wallet))}${why}`, ruleNote(counts));
  }

  /**
   * Reports on the rules after the last row. @throws UsageError for a path that no row had,
   * FindingError when a rule matched
   */
  conclude(wallet?: Wallet): void {
    const missing = this.paths.missingPathsError();
    if (missing) throw missing;
    this.reportOnRules(wallet);
    const error = this.alarmError(wallet);
    if (error) throw error;
  }
}

/** The conditions and the order of a run. */
function askedValues(rules: readonly Rule[], { where, sort }: Shape) {
  const conditions = [...rules.map(({ when }) => when), ...(where ? [where] : [])].flatMap(conditionsOf);
  return [...conditions, ...(sort ? [sort] : [])];
}

/** Where the first row that matched is; in a run of one wallet that is `wallet`. */
const positionOf = (wallet: Wallet | undefined) => (row: Row) =>
  wallet ? wallet.address : ['first', row.wallet, 'in line', row.line].filter(Boolean).join(' ');

/** The paths that `rules`, --where and the order ask for. */
function askedPaths(rules: readonly Rule[], { where, sort }: Shape): readonly RequestedPath[] {
  return [
    ...rules.flatMap((rule) => pathsIn(rule.when, flagOf(rule))),
    ...(where ? pathsIn(where, '--where') : []),
    ...(sort ? [{ ...sort, from: `--sort ${quoted(sort.text)}` }] : []),
  ];
}

const flagOf = ({ source, name }: Rule) => (source === '--policy' ? `--policy, rule ${quoted(name)},` : source);

/** The paths that `expression` asks for. */
function pathsIn(expression: Expression, flag: string): readonly RequestedPath[] {
  const conditions = conditionsOf(expression).filter(({ aspect }) => aspect !== 'change');
  return conditions.map((condition) => ({
    ...condition,
    isExistenceTest: !isAboutValue(condition),
    from: `${flag} ${quoted(condition.text)}`,
  }));
}

/** More would not fit on a readable line. */
const MAX_WALLETS_NAMED = 3;

/** Reports exceptions that can be removed from the policy. */
function reportExceptions(
  state: 'expired' | 'without effect',
  exceptions: readonly Exception[],
  { report }: Context,
): void {
  if (exceptions.length === 0) return;
  const names = exceptions
    .slice(0, MAX_WALLETS_NAMED)
    .map(
      ({ wallet, rule, until }) =>
        `${visible(wallet)}, excused from ${rule}${until === undefined ? '' : ` until ${until}`}`,
    );
  const more = exceptions.length - names.length;
  const all = [...names, ...(more > 0 ? [`and ${groupDigits(more)} more`] : [])].join('; ');
  report.info(`exceptions ${state} ${groupDigits(exceptions.length)}: ${all}`);
}
