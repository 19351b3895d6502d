/** What a review says of one wallet: a pure function of its rows today, its earlier rows, and the rules then and now. */
import { findChange, presentValue } from '../compare/compare.ts';
import type { Path } from '../document/path.ts';
import { findAlone } from '../row/conditions.ts';
import {
  type Exception,
  exceptionIndex,
  hasEnded,
  type Judging,
  judgeRow,
  ruleNames,
  type Verdict,
} from '../row/judge.ts';
import { inputCells, labelOf } from '../row/label.ts';
import { formatRowPath } from '../row/paths/own-names.ts';
import { type Excused, findIn, type Row, type Status } from '../row/row.ts';
import { asksForChange, conditionsOf, type Rule } from '../row/rules.ts';
import { type Severity, severityOf } from '../row/worst-first.ts';
import type { ReviewHeader } from '../runs/review-lines.ts';
import { rowKey } from '../runs/row-index.ts';
import { isAnswer } from '../runs/run.ts';
import { type ChangeOptions, type Changes, changesOf, hasNewsworthyChange } from './changes.ts';
import { type EarlierReview, findCompared } from './earlier.ts';
import { answeredRows, holds, wasLeftOpen } from './left-open.ts';
import { type News, type NewsOptions, newsOfMatch, newsOfNotJudged, type Past, pastOf } from './news.ts';
import { sameRules } from './same-rules.ts';

/** By what a wallet is known on the page: its address, or else its line. */
export const walletKey = ({
  wallet,
  line,
}: {
  readonly wallet?: string | undefined;
  readonly line?: number | undefined;
}): string => wallet?.toLowerCase() ?? `line ${line}`;

/** A rule that a wallet matches, and how that came about; undefined where it is not new. */
export interface Match {
  readonly rule: string;
  readonly news: News | undefined;
}

/** All texts are the service's or the list's own: whoever prints them escapes them. */
export interface WalletFacts extends Changes {
  /** As the list spells it; undefined for what is no wallet. */
  readonly wallet: string | undefined;
  /** Whether it came to the list since the earlier review, or left it; false where nothing is compared. */
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
  /** Why it is not judged: it has no answer, or a rule could not be judged. Undefined when it is judged. */
  readonly whyNotJudged: string | undefined;
  readonly notJudgedNews: News | undefined;
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

/** For those that are shown: most wallets are in no section, and their columns are not looked at. */
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
  const before = earlier?.walletOf(rowKey(row));
  const past = earlier && pastOf(before, options);
  const match = (rule: Rule): Match => ({ rule: rule.name, news: past && newsOfMatch(rule, past, options) });
  const find = earlier ? findCompared(row, before, scorePath) : findAlone(findIn(row));
  const whyNotJudged = reasonNotJudged(row, verdict.unjudged);
  const isNotJudged = whyNotJudged !== undefined;
  const { score, collateral, texts, lost, appeared } = changesOf(row, before, options);
  return {
    row,
    score,
    collateral,
    texts,
    lost,
    appeared,
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
    cleared: past && isAnswer(row.status) ? clearedAlarms(verdict, past, options) : [],
    excused: verdict.excused,
    ended: endedExceptions(row, verdict, header),
    warning: row.warning,
    earlierWarning: before?.answer.row.warning,
    answeredAt: row.answeredAt,
    severity: severityOf({ matched: ruleNames([...verdict.matched, ...verdict.watched]) }, find, rules),
  };
}

interface WalletVerdict extends Omit<Verdict, 'excused'> {
  readonly excused: readonly Excused[];
}

/** What the rules say of a wallet: it matches a rule that one of its rows matches. */
function verdictOn(rows: readonly Row[], rules: readonly Rule[]): WalletVerdict {
  const of = (part: 'matched' | 'watched' | 'unjudged') =>
    rules.filter(({ name }) => rows.some((row) => row[part]?.includes(name)));
  const excused = new Map(rows.flatMap((row) => row.excused ?? []).map((one) => [one.rule, one]));
  return { matched: of('matched'), watched: of('watched'), unjudged: of('unjudged'), excused: [...excused.values()] };
}

/** The row that gives label and columns: the first that matches, or else is not judged, or else is watched, or else the first. */
function speaker(rows: readonly [Row, ...Row[]]): Row {
  const first = (part: 'matched' | 'watched' | 'unjudged') => rows.find((row) => (row[part]?.length ?? 0) > 0);
  return first('matched') ?? first('unjudged') ?? first('watched') ?? rows[0];
}

function reasonNotJudged(row: Row, unjudged: readonly Rule[]): string | undefined {
  if (!isAnswer(row.status)) return row.error?.message ?? 'it has no answer';
  if (unjudged.length === 0) return undefined;
  const rules = `not judged by ${ruleNames(unjudged).join(', ')}`;
  const missing = missingPaths(row, unjudged);
  return missing.length > 0 ? `${rules}: no ${missing.join(', ')}` : rules;
}

/** What the rules ask for, and the row has not got. */
function missingPaths(row: Row, rules: readonly Rule[]): readonly string[] {
  const find = findIn(row);
  const asked = rules.flatMap(({ when }) => conditionsOf(when)).filter(({ aspect }) => aspect === undefined);
  const missing = asked.filter(({ path }) => presentValue(find(path)) === undefined);
  return [...new Set(missing.map(({ path }) => formatRowPath(path)))];
}

const withoutWallet = ({ rule, reason, until }: Exception): Excused => ({ rule, reason, until });

/** The exceptions that have ended of rules that the wallet matches. */
function endedExceptions(row: Row, { matched, watched }: WalletVerdict, { exceptions = [], begun }: ReviewHeader) {
  const held = ruleNames([...matched, ...watched]);
  if (held.length === 0) return [];
  const key = rowKey(row);
  return exceptions
    .filter((exception) => exception.id === key && held.includes(exception.rule) && hasEnded(exception, begun))
    .map(withoutWallet);
}

/**
 * The alarms that were in the last answered rows, as kept, or were left open there, and are gone: by the rules, where none of
 * today's that is the same holds for these rows. A rule on change says something once, and does not end.
 */
function clearedAlarms(
  { matched, unjudged, excused }: WalletVerdict,
  past: Past,
  { judging, rulesThen, earlier }: FactOptions,
): readonly Match[] {
  if (!past.before) return [];
  const rows = answeredRows(past.before);
  const stands = new Set([...ruleNames([...matched, ...unjudged]), ...excused.map(({ rule }) => rule)]);
  return (earlier?.header.rules ?? []).flatMap((rule): readonly Match[] => {
    const wasOpen = rows.some((row) => row.unjudged?.includes(rule.name) && wasLeftOpen(row, [rule]));
    const stood = wasOpen || rows.some((row) => row.matched?.includes(rule.name));
    if (rule.level === 'watch' || asksForChange(rule.when) || !stood) return [];
    const same = judging.rules.filter(({ level, name }) => level === 'alarm' && rulesThen.get(name)?.includes(rule));
    if (same.some(({ name }) => stands.has(name))) return [];
    const heldThen = same.some((one) => wasOpen || rows.some((row) => holds(one, row)));
    return [{ rule: rule.name, news: heldThen ? 'facts' : 'rules' }];
  });
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
    row: own,
    wallet: own.wallet,
    hasCome: false,
    hasLeft: true,
    line: undefined,
    status: undefined,
    matched: matched.map(match),
    watched: watched.map(match),
    unjudged: [],
    whyNotJudged: undefined,
    notJudgedNews: undefined,
    cleared: [],
    excused: excused.map(withoutWallet),
    ended: [],
    warning: undefined,
    earlierWarning: undefined,
    answeredAt: undefined,
    severity: severityOf({ matched: ruleNames([...matched, ...watched]) }, find, judging.rules),
  };
}

const asksForLeaving = (when: Rule['when']): boolean => conditionsOf(when).some(({ aspect }) => aspect === 'change');

/** Whether a review with this wallet has news. */
export const isNews = (facts: Omit<WalletFacts, 'row'>): boolean =>
  newsOf(facts) !== undefined || facts.hasCome || facts.hasLeft || hasNewsworthyChange(facts);

/** Whether one of the rules that say something of a wallet does so newly. */
export function newsOf({ matched, watched, notJudgedNews }: Omit<WalletFacts, 'row'>): News | undefined {
  const all = [...[...matched, ...watched].map(({ news }) => news), notJudgedNews];
  return all.find((news) => news === 'facts') ?? all.find((news) => news !== undefined);
}
