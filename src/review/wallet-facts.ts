/**
 * What a review says of one wallet: a pure function of its rows today, its earlier rows, and the
 * rules then and now.
 */
import { findChange } from '../compare/compare.ts';
import type { Path } from '../document/path.ts';
import { inputCells, labelOf } from '../row/label.ts';
import { type Excused, findIn, type Row, type Status } from '../row/row.ts';
import { findAlone } from '../rules/conditions.ts';
import { exceptionIndex, type Judging, judgeRow, ruleNames } from '../rules/judge.ts';
import { conditionsOf, type Rule } from '../rules/rules.ts';
import { type Severity, severityOf } from '../rules/worst-first.ts';
import type { ReviewHeader } from '../runs/review-lines.ts';
import { rowKey } from '../runs/row-index.ts';
import { type ChangeOptions, type Changes, changesOf, hasNewsworthyChange } from './changes.ts';
import { type EarlierReview, findCompared } from './earlier.ts';
import {
  clearedAlarms,
  isToldAlarm,
  type Match,
  type News,
  type NewsOptions,
  newsOfMatch,
  newsOfNotJudged,
  pastOf,
} from './news.ts';
import { sameRules } from './same-rules.ts';
import {
  endedExceptions,
  reasonNotJudged,
  speaker,
  standingAlarms,
  verdictOn,
  withoutWallet,
} from './wallet-verdict.ts';

/** By what a wallet is known on the page: its address, or else its line. */
export const walletKey = ({
  wallet,
  line,
}: {
  readonly wallet?: string | undefined;
  readonly line?: number | undefined;
}): string => wallet?.toLowerCase() ?? `line ${line}`;

/** All texts are the service's or the list's own: whoever prints them escapes them. */
export interface WalletFacts extends Changes {
  /** As the list spells it; undefined for what is no wallet. */
  readonly wallet: string | undefined;
  /**
   * Whether it came to the list since the earlier review, or left it; false where nothing is
   * compared.
   */
  readonly hasCome: boolean;
  readonly hasLeft: boolean;
  /** The line of the list; undefined for a wallet that has left it. */
  readonly line: number | undefined;
  /** The row whose columns stand for the wallet. */
  readonly row: Row;
  /** Undefined for a wallet that has left. */
  readonly status: Status | undefined;
  readonly matched: readonly Match[];
  /** Of watch rules. */
  readonly watched: readonly Match[];
  /** The rules that could not be judged. */
  readonly unjudged: readonly string[];
  /**
   * Why it is not judged: it has no answer, or a rule could not be judged. Undefined when it is
   * judged.
   */
  readonly whyNotJudged: string | undefined;
  readonly notJudgedNews: News | undefined;
  /**
   * The alarms that stand, though today nobody can say whether they hold; of a wallet that has
   * left, those that stood.
   */
  readonly standing: readonly string[];
  /** The alarms that it matched in the earlier review, and that hold no longer. */
  readonly cleared: readonly Match[];
  readonly excused: readonly Excused[];
  /** Exceptions from the rules that it matches that have ended. */
  readonly ended: readonly Excused[];
  /** What makes its answer incomplete, and its earlier one. */
  readonly warning: string | undefined;
  readonly earlierWarning: string | undefined;
  readonly answeredAt: string | undefined;
  /** How bad it is by the first rule that it matches. */
  readonly severity: Severity;
}

/** A wallet as it is shown. */
export interface NamedWallet extends Omit<WalletFacts, 'row'> {
  readonly label: string | undefined;
  /** The list's own columns that are neither the label nor the wallet. */
  readonly columns: readonly (readonly [name: string, text: string])[];
}

/**
 * For those that are shown: most wallets are in no section, and their columns are not looked at.
 */
export function nameWallet({ row, ...facts }: WalletFacts, labelColumn: string | undefined): NamedWallet {
  const columns = inputCells(row.input).filter(
    ([name, text]) => name !== labelColumn && text.toLowerCase() !== row.wallet?.toLowerCase(),
  );
  return { ...facts, label: labelOf(row.input, labelColumn), columns };
}

/** What is the same for all wallets of a review. */
export interface FactOptions extends ChangeOptions, NewsOptions {
  readonly header: ReviewHeader;
  readonly scorePath: Path | undefined;
  readonly judging: Judging;
}

export function factOptions({
  header,
  ...options
}: ChangeOptions & Pick<FactOptions, 'header' | 'scorePath'>): FactOptions {
  const { rules, exceptions = [], begun } = header;
  const { header: then } = options.earlier ?? {};
  const accept = new Set(header.accept);
  const judgingAt = (at: number) => ({ rules, accept, exceptions: exceptionIndex(exceptions, at) });
  return {
    ...options,
    header,
    judging: judgingAt(begun),
    judgingThen: judgingAt(then?.begun ?? begun),
    rulesThen: sameRules(rules, then?.rules ?? []),
  };
}

/** @param rows all rows of one wallet, or of one text that is no wallet; at least one */
export function walletFacts(rows: readonly [Row, ...Row[]], options: FactOptions): WalletFacts {
  const { header, earlier, scorePath } = options;
  const { rules } = header;
  const verdict = verdictOn(rows, rules);
  const row = speaker(rows);
  const before = earlier?.walletOf(rowKey(row), row);
  const past = earlier && pastOf(before, options);
  const match = (rule: Rule): Match => ({ rule: rule.name, news: past && newsOfMatch(rule, past, options) });
  const find = earlier ? findCompared(row, before, scorePath) : findAlone(findIn(row));
  const whyNotJudged = reasonNotJudged(row, verdict.unjudged);
  const isNotJudged = whyNotJudged !== undefined;
  const { score, collateral, texts, lost, appeared } = changesOf(row, before, options);
  return {
    score,
    collateral,
    texts,
    lost,
    appeared,
    row,
    wallet: row.wallet,
    hasCome: earlier !== undefined && !before && row.wallet !== undefined,
    hasLeft: false,
    line: row.line,
    status: row.status,
    matched: verdict.matched.map(match),
    watched: verdict.watched.map(match),
    unjudged: ruleNames(verdict.unjudged),
    whyNotJudged,
    notJudgedNews: isNotJudged && past ? newsOfNotJudged(row, verdict.unjudged, past, options) : undefined,
    standing: standingAlarms(verdict),
    cleared: before ? clearedAlarms(rows, verdict, before, options) : [],
    excused: verdict.excused,
    ended: endedExceptions(row, verdict, header),
    warning: row.warning,
    earlierWarning: before?.answer.row.warning,
    answeredAt: row.answeredAt,
    severity: severityOf({ matched: ruleNames([...verdict.matched, ...verdict.watched]) }, find, rules),
  };
}

/** A wallet that has left, with what it was, and the rules that ask for that. */
export function leaverFacts(key: string, earlier: EarlierReview, options: FactOptions): WalletFacts {
  const before = earlier.walletOf(key);
  if (!before) throw new TypeError('a wallet that has left was there');
  const { judging } = options;
  const { own, answer } = before;
  const { row } = answer;
  const rules = judging.rules.filter(({ when }) => asksForLeaving(when));
  const find = findChange(findIn(row), { change: 'removed', old: undefined });
  const { matched, watched, excused } = judgeRow(row, { ...judging, rules }, find);
  const match = ({ name }: Rule): Match => ({ rule: name, news: 'facts' });
  return {
    ...changesOf(undefined, before, options),
    ...HAS_LEFT,
    row: own,
    wallet: own.wallet,
    matched: matched.map(match),
    watched: watched.map(match),
    standing: ruleNames(earlier.header.rules.filter((rule) => isToldAlarm(rule, before))),
    excused: excused.map(withoutWallet),
    severity: severityOf({ matched: ruleNames([...matched, ...watched]) }, find, judging.rules),
  };
}

/** What is not asked of a wallet that has left. */
const HAS_LEFT = {
  hasCome: false,
  hasLeft: true,
  line: undefined,
  status: undefined,
  unjudged: [],
  whyNotJudged: undefined,
  notJudgedNews: undefined,
  cleared: [],
  ended: [],
  warning: undefined,
  earlierWarning: undefined,
  answeredAt: undefined,
} as const;

const asksForLeaving = (when: Rule['when']): boolean => conditionsOf(when).some(({ aspect }) => aspect === 'change');

/** Whether a review with this wallet has news. */
export const isNews = (facts: Omit<WalletFacts, 'row'>): boolean =>
  newsOf(facts) !== undefined || facts.hasCome || facts.hasLeft || hasNewsworthyChange(facts);

/** Whether one of the rules that say something of a wallet does so newly. */
export function newsOf({ matched, watched, notJudgedNews }: Omit<WalletFacts, 'row'>): News | undefined {
  const all = [...[...matched, ...watched].map(({ news }) => news), notJudgedNews];
  return all.find((news) => news === 'facts') ?? all.find((news) => news !== undefined);
}
