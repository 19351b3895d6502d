/** Judges rows before they are shown: which rules they match, and whether any row had the fields and values asked for. */
import type { Context } from '../../context.ts';
import type { FindingError, RefusedError } from '../../errors.ts';
import { type Compared, refuseChange } from '../../row/change.ts';
import {
  createMatches,
  type Exception,
  type Matches,
  type MatchOptions,
  matchedError,
  matchedHint,
  matchedSummary,
} from '../../row/matches.ts';
import { findIn, type Row } from '../../row/row.ts';
import { countsWords, isAlarm } from '../../row/rule-counts.ts';
import { createValueWatch, warnOfUnseen } from '../../row/unseen-values.ts';
import { visible } from '../../text/escape.ts';
import { counted } from '../../text/words.ts';
import type { Wallet } from '../../wallet/address.ts';
import { createView, type View, type ViewOptions } from './view.ts';

export interface JudgedRows {
  readonly view: View;
  readonly matches: Matches;
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
export function judgeRows(
  options: ViewOptions & MatchOptions & { readonly compares?: boolean },
  context: Context,
): JudgedRows {
  const { rules, exceptions = [], shape } = options;
  if (!options.compares) refuseChange([...rules.map(({ when }) => when), ...(shape.where ? [shape.where] : [])]);
  const view = createView(options, context);
  const matches = createMatches(options);
  const values = createValueWatch({ rules, where: shape.where });
  const reportOnRules = (wallet?: Wallet) => {
    warnOfUnseen(values.unseen(), context.report);
    const isAbout = ({ id }: Exception) => wallet === undefined || id === wallet.id.toLowerCase();
    const expired = exceptions.filter((exception) => exception.isExpired && isAbout(exception));
    reportExceptions('expired', expired, context);
    reportExceptions('never applied', matches.unused.filter(isAbout), context);
  };
  return {
    view,
    matches,
    evaluate(row, compared) {
      const judged = matches.evaluate(row, compared);
      if (row.document) view.observe(judged);
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
      const missing = view.missingFields();
      if (missing) throw missing;
      reportOnRules(wallet);
      if (!isAlarm(matches.counts)) return;
      throw matchedError(wallet ? walletSummary(matches, wallet) : matchedSummary(matches), matchedHint(matches));
    },
  };
}

/** What matched in a run of one wallet. */
const walletSummary = ({ counts }: Matches, { address }: Wallet) =>
  countsWords(counts, { one: () => address, first: () => address });

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
  const all = [...names, ...(more > 0 ? [`and ${counted(more, 'other')}`] : [])].join('; ');
  report.info(`${counted(exceptions.length, 'exception')} ${what}: ${all}`);
}
