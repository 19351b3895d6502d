/** Judges rows before they are shown: which rules they match, and whether any row had the paths and values asked for. */
import type { Context } from '../context.ts';
import type { FindingError, RefusedError } from '../errors.ts';
import { quoted } from '../secrets/withhold.ts';
import { visible } from '../text/escape.ts';
import { grouped } from '../text/words.ts';
import type { Wallet } from '../wallet/address.ts';
import { type Compared, refuseChange } from './change.ts';
import { isAboutValue } from './conditions.ts';
import type { FieldSelection } from './fields.ts';
import {
  createMatches,
  type Exception,
  type Matches,
  type MatchOptions,
  matchedError,
  matchedHint,
  matchedSummary,
} from './matches.ts';
import { type AskedPath, createPathWatch, type PathWatch } from './paths/path-watch.ts';
import { findIn, type Row, rowNode } from './row.ts';
import { type ColumnSelection, verdictColumns } from './row-columns.ts';
import { countsWords, isAlarm } from './rule-counts.ts';
import { conditionsOf, type Expression, type Rule } from './rules.ts';
import type { Shape } from './shape.ts';
import { createValueWatch } from './unseen-values.ts';

export interface JudgingOptions extends MatchOptions {
  readonly selection: FieldSelection;
  readonly shape: Shape;
  /** Whether the command compares rows with earlier ones. */
  readonly compares?: boolean;
}

export interface JudgedRows {
  /** The columns of the output: the fields picked, and what rules add. */
  readonly columns: ColumnSelection;
  readonly matches: Matches;
  readonly paths: PathWatch;
  /** `row` with the rules that it matches. */
  evaluate(row: Row, compared?: Compared): Row;
  /** Reports what in the rules may be mistyped or out of date; for a run of one `wallet`, only what is about it. */
  reportOnRules(wallet?: Wallet): void;
  /** The error of a wallet that the service refused for good, which counts as a match; undefined when there are no rules. */
  refused(error: RefusedError, row: Row, wallet: Wallet): FindingError | undefined;
  /** Reports on the rules after the last row. @throws UsageError for a path that no row had, FindingError when a rule matched */
  conclude(wallet?: Wallet): void;
}

/** @throws UsageError for a rule on change, unless the caller `compares` */
export function judgeRows(options: JudgingOptions, context: Context): JudgedRows {
  const { rules, exceptions = [], shape, selection } = options;
  if (!options.compares) {
    const { where, sort } = shape;
    const conditions = [...rules.map(({ when }) => when), ...(where ? [where] : [])].flatMap(conditionsOf);
    refuseChange([...conditions, ...(sort ? [sort] : [])]);
  }
  const paths = createPathWatch(askedPaths(options));
  const matches = createMatches(options);
  const values = createValueWatch({ rules, where: shape.where });
  const reportOnRules = (wallet?: Wallet) => {
    values.report(context.report);
    const isAbout = ({ id }: Exception) => wallet === undefined || id === wallet.id.toLowerCase();
    const expired = exceptions.filter((exception) => exception.isExpired && isAbout(exception));
    reportExceptions('expired', expired, context);
    reportExceptions('never applied', matches.unused.filter(isAbout), context);
  };
  return {
    columns: { ...selection, verdictColumns: verdictColumns(options) },
    matches,
    paths,
    evaluate(row, compared) {
      const judged = matches.evaluate(row, compared);
      if (row.document && row.wallet !== undefined) paths.observe(row.wallet, () => rowNode(judged));
      values.observe(findIn(judged));
      return judged;
    },
    refused(error, row, wallet) {
      matches.evaluate(row);
      if (!isAlarm(matches.counts)) return undefined;
      const summary = `${walletSummary(matches, wallet)}, which has no answer: ${error.message}`;
      return matchedError(summary, matchedHint(matches));
    },
    reportOnRules,
    conclude(wallet) {
      const missing = paths.missing();
      if (missing) throw missing;
      reportOnRules(wallet);
      if (!isAlarm(matches.counts)) return;
      throw matchedError(wallet ? walletSummary(matches, wallet) : matchedSummary(matches), matchedHint(matches));
    },
  };
}

/** What `rules`, the order and --fields ask for. */
function askedPaths({ rules, shape: { where, sort }, selection }: JudgingOptions): readonly AskedPath[] {
  return [
    ...(selection.fields ?? []).map((field) => ({ ...field, from: '--fields' })),
    ...rules.flatMap((rule) => pathsIn(rule.when, flagOf(rule))),
    ...(where ? pathsIn(where, '--where') : []),
    ...(sort ? [{ ...sort, from: `--sort ${quoted(sort.text)}` }] : []),
  ];
}

const flagOf = ({ source, name }: Rule) => (source === '--policy' ? `--policy, rule ${quoted(name)},` : source);

/** The paths that `expression` compares the values of. */
function pathsIn(expression: Expression, flag: string): readonly AskedPath[] {
  const conditions = conditionsOf(expression).filter((one) => isAboutValue(one) && one.aspect !== 'change');
  return conditions.map((condition) => ({ ...condition, from: `${flag} ${quoted(condition.text)}` }));
}

/** What matched in a run of one wallet. */
const walletSummary = ({ counts }: Matches, { address }: Wallet) => countsWords(counts, () => address);

/** More would not fit on a readable line. */
const MAX_WALLETS_NAMED = 3;

/** Reports exceptions that can be removed from the policy. */
function reportExceptions(what: string, exceptions: readonly Exception[], { report }: Context): void {
  if (exceptions.length === 0) return;
  const names = exceptions
    .slice(0, MAX_WALLETS_NAMED)
    .map(
      ({ wallet, rule, until }) =>
        `${visible(wallet)}, excused from ${rule}${until === undefined ? '' : ` until ${until}`}`,
    );
  const more = exceptions.length - names.length;
  const all = [...names, ...(more > 0 ? [`and ${grouped(more)} more`] : [])].join('; ');
  report.info(`exceptions ${what} ${grouped(exceptions.length)}: ${all}`);
}
