/** What a review says of one wallet: a pure function of its rows today, its earlier rows, and the rules then and now. */
import { findChange, isChangedBy } from '../compare/compare.ts';
import type { Path } from '../document/path.ts';
import { findAlone } from '../row/conditions.ts';
import type { Decimal } from '../row/decimal.ts';
import { type Exception, type Judging, judgeRow, ruleNames } from '../row/judge.ts';
import { inputCells, labelOf } from '../row/label.ts';
import { type Excused, findIn, type Row, type Status } from '../row/row.ts';
import { asksForChange, conditionsOf, type Rule } from '../row/rules.ts';
import { type Severity, severityOf } from '../row/worst-first.ts';
import { rowKey } from '../runs/row-index.ts';
import { isAnswer } from '../runs/run.ts';
import { timeIn } from '../text/when.ts';
import { type ChangeOptions, type Changes, changesOf, hasNewTexts, lastValues } from './changes.ts';
import { type EarlierReview, type EarlierWallet, findCompared } from './earlier.ts';
import { holds, wasLeftOpen } from './left-open.ts';

/** By what a wallet is known on the page: its address, or else its line. */
export const walletKey = ({
  wallet,
  line,
}: {
  readonly wallet?: string | undefined;
  readonly line?: number | undefined;
}): string => wallet?.toLowerCase() ?? `line ${line}`;

/** How something came about since the earlier review: the figures changed, or only the rules did. */
export type News = 'facts' | 'rules';

/** A rule that a wallet matches, and how that came about; undefined where it is not new. */
export interface Match {
  readonly rule: string;
  readonly news: News | undefined;
}

/** All texts are the service's or the list's own: whoever prints them escapes them. */
export interface WalletFacts extends Changes {
  readonly label: string | undefined;
  /** As the list spells it; undefined for what is no wallet. */
  readonly wallet: string | undefined;
  /** The line of the list; undefined for a wallet that has left it. */
  readonly line: number | undefined;
  /** The list's own columns. */
  readonly columns: readonly (readonly [name: string, text: string])[];
  /** Undefined for a wallet that has left. */
  readonly status: Status | undefined;
  readonly matched: readonly Match[];
  /** Of watch rules. */
  readonly watched: readonly Match[];
  /** The rules that could not be judged. */
  readonly unjudged: readonly string[];
  /** Why it is not judged: it has no answer, or a rule could not be judged. */
  readonly why: string | undefined;
  readonly whyNews: News | undefined;
  /** The alarms that it matched in the earlier review, and that hold no longer. */
  readonly cleared: readonly Match[];
  readonly excused: readonly Excused[];
  /** Exceptions from the rules that it matches that have ended. */
  readonly ended: readonly Excused[];
  /** Whether it came to the list since; false where nothing is compared. */
  readonly isNew: boolean;
  /** What makes its answer incomplete, and its earlier one. */
  readonly warning: string | undefined;
  readonly earlierWarning: string | undefined;
  readonly answeredAt: string | undefined;
  /** How bad it is by the first rule that it matches. */
  readonly severity: Severity;
}

/** What is the same for all wallets of a review. */
export interface FactOptions extends ChangeOptions {
  readonly judging: Judging & { readonly rules: readonly Rule[] };
  /** All of the policy, those that have ended as well. */
  readonly exceptions: readonly Exception[];
  readonly begun: number;
  readonly scorePath: Path | undefined;
  /** The column of the labels. */
  readonly label: string | undefined;
  /** Today's rules, with today's exceptions at the time of the earlier review. */
  readonly judgingThen: Judging;
  /** The names that a rule of today had in the earlier review. */
  readonly namesThen: ReadonlyMap<string, ReadonlySet<string>>;
  /** The names of today's alarm rules that were only watch rules in the earlier review. */
  readonly raisedFromWatch: ReadonlySet<string>;
}

/** @param rows all rows of one wallet, or of one text that is no wallet; at least one */
export function walletFacts(rows: readonly [Row, ...Row[]], options: FactOptions): WalletFacts {
  const { judging, exceptions, earlier, label, scorePath, begun } = options;
  const verdict = joined(rows, judging.rules);
  const row = speaker(rows);
  const key = rowKey(row);
  const then = earlier?.walletOf(key);
  const past = earlier && pastOf(then?.rows ?? [], options);
  const match = (rule: Rule): Match => ({ rule: rule.name, news: past && newsOfMatch(rule, past, options) });
  const find = earlier ? findCompared(row, then, scorePath) : findAlone(findIn(row));
  const why = whyNotJudged(row, verdict.unjudged);
  // Most wallets are in no section: their columns are not looked at.
  let found: ReturnType<typeof nameOf> | undefined;
  const name = () => {
    found ??= nameOf(row, label);
    return found;
  };
  return {
    get label() {
      return name().label;
    },
    get columns() {
      return name().columns;
    },
    wallet: row.wallet,
    line: row.line,
    status: row.status,
    ...changesOf(row, then, options),
    matched: verdict.matched.map(match),
    watched: verdict.watched.map(match),
    unjudged: ruleNames(verdict.unjudged),
    why,
    whyNews:
      why !== undefined && past ? newsOfGap({ row, unjudged: verdict.unjudged, then }, past, options) : undefined,
    cleared: past && isAnswer(row.status) ? clearedOf(verdict, past, options) : [],
    excused: verdict.excused,
    ended: exceptions
      .filter(({ id, rule, endsAt }) => id === key && endsAt !== undefined && begun >= endsAt && has(verdict, rule))
      .map(({ rule, reason, until }) => ({ rule, reason, until })),
    isNew: past !== undefined && past.rows.length === 0 && row.wallet !== undefined,
    warning: row.warning,
    earlierWarning: then?.row.warning,
    answeredAt: row.answeredAt,
    severity: severityOf({ matched: ruleNames([...verdict.matched, ...verdict.watched]) }, find, judging.rules),
  };
}

const has = ({ matched, watched }: Joined, name: string) => [...matched, ...watched].some((rule) => rule.name === name);

interface Joined {
  readonly matched: readonly Rule[];
  readonly watched: readonly Rule[];
  readonly unjudged: readonly Rule[];
  readonly excused: readonly Excused[];
}

/** What the rules say of a wallet: a rule that one of its rows matches, the wallet matches. */
function joined(rows: readonly Row[], rules: readonly Rule[]): Joined {
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

function nameOf(row: Row, label: string | undefined): Pick<WalletFacts, 'label' | 'columns'> {
  const columns = inputCells(row.input).filter(
    ([name, text]) => name !== label && text.toLowerCase() !== row.wallet?.toLowerCase(),
  );
  return { label: labelOf(row.input, label), columns };
}

/** Why a wallet is not judged; undefined when it is. */
function whyNotJudged({ status, error }: Row, unjudged: readonly Rule[]): string | undefined {
  if (!isAnswer(status)) return error?.message ?? 'it has no answer';
  if (unjudged.length === 0) return undefined;
  return `not judged by ${ruleNames(unjudged).join(', ')}`;
}

/** The earlier rows of a wallet, and what today's rules say of them, without values from other reviews. */
interface Past extends Omit<Joined, 'excused'> {
  readonly rows: readonly Row[];
}

function pastOf(rows: readonly Row[], { judgingThen }: FactOptions): Past {
  const verdicts = rows.map((row) => judgeRow(row, judgingThen));
  const of = (part: 'matched' | 'watched' | 'unjudged') =>
    judgingThen.rules.filter((rule) => verdicts.some((verdict) => verdict[part].includes(rule)));
  return {
    rows,
    ...{ matched: of('matched'), watched: of('watched'), unjudged: of('unjudged') },
  };
}

/** New by the facts, where today's rule did not hold then; else by the rules, where nobody was told then that it held. */
function newsOfMatch(rule: Rule, past: Past, { namesThen }: FactOptions): News | undefined {
  const held = rule.level === 'watch' ? past.watched : past.matched;
  if (!held.includes(rule)) return 'facts';
  const names = namesThen.get(rule.name);
  const told = past.rows.flatMap((row) => [
    ...(row.matched ?? []),
    ...(rule.level === 'watch' ? (row.watched ?? []) : []),
  ]);
  return told.some((name) => names?.has(name)) ? undefined : 'rules';
}

/**
 * The alarms that were in the earlier rows, as kept, and are gone: by the rules, where none of today's that is the same holds for
 * the earlier rows. A rule on change says something once, and does not end.
 */
function clearedOf({ matched, unjudged, excused }: Joined, past: Past, { judging, namesThen, earlier }: FactOptions) {
  const stands = new Set([...ruleNames([...matched, ...unjudged]), ...excused.map(({ rule }) => rule)]);
  return (earlier?.header.rules ?? []).flatMap(({ name, when }): readonly Match[] => {
    if (asksForChange(when) || !past.rows.some((row) => row.matched?.includes(name))) return [];
    const same = judging.rules.filter((rule) => rule.level === 'alarm' && namesThen.get(rule.name)?.has(name));
    if (same.some((rule) => stands.has(rule.name))) return [];
    const heldThen = same.some((rule) => past.rows.some((row) => holds(rule, row)));
    return [{ rule: name, news: heldThen ? 'facts' : 'rules' }];
  });
}

interface Gap {
  readonly row: Row;
  readonly unjudged: readonly Rule[];
  readonly then: EarlierWallet | undefined;
}

/** How a wallet that is not judged today came to that. */
function newsOfGap({ row, unjudged, then }: Gap, past: Past, options: FactOptions): News | undefined {
  if (past.rows.length === 0) return 'facts';
  if (!isAnswer(row.status)) {
    const hadAnswer = past.rows.some(({ status }) => isAnswer(status)) || wasRepaired(then, options);
    return hadAnswer ? 'facts' : undefined;
  }
  const wasUnjudgedThen = (rule: Rule) =>
    past.rows.some((row) => row.unjudged?.some((name) => options.namesThen.get(rule.name)?.has(name)));
  // Of a rule that only watched then nobody was alarmed.
  const wasAlarmingThen = (rule: Rule) => wasUnjudgedThen(rule) && !options.raisedFromWatch.has(rule.name);
  // Whether a change could be judged then is only known by what was kept.
  const wasThere = (rule: Rule) => (options.namesThen.get(rule.name)?.size ?? 0) > 0;
  const isNewByFacts = (rule: Rule) =>
    asksForChange(rule.when)
      ? wasThere(rule) && !wasUnjudgedThen(rule)
      : !past.unjudged.includes(rule) && !past.rows.some((one) => wasLeftOpen(one, options.namesThen.get(rule.name)));
  if (unjudged.some(isNewByFacts)) return 'facts';
  return unjudged.every(wasAlarmingThen) ? undefined : 'rules';
}

/** Whether a wallet without an answer in the earlier review had one in a later review. */
function wasRepaired(then: EarlierWallet | undefined, { earlier }: FactOptions): boolean {
  if (!then || then.row === then.own || !earlier) return false;
  return timeIn(then.row.answeredAt ?? '') > earlier.header.begun;
}

/** A wallet that has left, with what it was, and the rules that ask for that. */
export function leaverFacts(key: string, earlier: EarlierReview, options: FactOptions): WalletFacts {
  const then = earlier.walletOf(key);
  if (!then) throw new TypeError('a wallet that has left was there');
  const { judging, label } = options;
  const rules = judging.rules.filter(({ when }) => asksForLeaving(when));
  const find = findChange(findIn(then.row), { change: 'removed', old: undefined });
  const { matched, watched, excused } = judgeRow(then.row, { ...judging, rules }, find);
  const match = ({ name }: Rule): Match => ({ rule: name, news: 'facts' });
  return {
    ...nameOf(then.own, label),
    wallet: then.own.wallet,
    line: undefined,
    status: undefined,
    ...lastValues(then, options),
    matched: matched.map(match),
    watched: watched.map(match),
    unjudged: [],
    why: undefined,
    whyNews: undefined,
    cleared: [],
    excused: excused.map(({ rule, reason, until }) => ({ rule, reason, until })),
    ended: [],
    isNew: false,
    warning: undefined,
    earlierWarning: undefined,
    answeredAt: undefined,
    severity: severityOf({ matched: ruleNames([...matched, ...watched]) }, find, judging.rules),
  };
}

const asksForLeaving = (when: Rule['when']): boolean => conditionsOf(when).some(({ aspect }) => aspect === 'change');

const part = (spelling: string): Decimal => ({ spelling, double: Number(spelling) });
const [TENTH, HALF] = [part('0.1'), part('0.5')];

/** Whether a review with this wallet has news. */
export const isNews = (facts: WalletFacts): boolean =>
  newsOf(facts) !== undefined ||
  facts.isNew ||
  facts.line === undefined ||
  hasNewTexts(facts) ||
  isChangedBy(TENTH, facts.score) ||
  isChangedBy(HALF, facts.collateral);

/** Whether one of the rules that say something of a wallet does so newly. */
export function newsOf({ matched, watched, whyNews }: WalletFacts): News | undefined {
  const all = [...[...matched, ...watched].map(({ news }) => news), whyNews];
  return all.find((news) => news === 'facts') ?? all.find((news) => news !== undefined);
}
