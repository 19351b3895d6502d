/** What a review says of one wallet: a pure function of its rows today, its earlier rows, and the rules then and now. */
import { type Difference, deltaOf, findChange, isChangedBy, percentOf, valueIn } from '../compare/compare.ts';
import { findAlone } from '../row/conditions.ts';
import type { Decimal } from '../row/decimal.ts';
import { type Exception, type Judging, judgeRow, ruleNames } from '../row/judge.ts';
import { inputCells, labelOf } from '../row/label.ts';
import { type Excused, findIn, type Row, type Status } from '../row/row.ts';
import { asksForChange, expressionText, type Rule } from '../row/rules.ts';
import { textsOf } from '../row/score-texts.ts';
import { type Severity, severityOf } from '../row/worst-first.ts';
import { rowKey } from '../runs/row-index.ts';
import { collateralOf, isAnswer } from '../runs/run.ts';
import { timeIn, utcDay } from '../text/when.ts';
import { type EarlierReview, type EarlierWallet, findCompared } from './earlier.ts';

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

type Value = 'score' | 'collateral';

/** A value then and now. */
export interface Change extends Difference {
  /** When the old one was answered, ISO 8601 UTC. */
  readonly oldAt: string | undefined;
  /** The same where the old one is from another review than the one compared with, and of another day. */
  readonly since: string | undefined;
}

export interface ScoreChange extends Change {
  /** New less old, exactly; undefined unless both are numbers. */
  readonly delta: string | undefined;
}

export interface CollateralChange extends Change {
  /** By how many per cent it changed: `-99.5`; undefined where that cannot be said. */
  readonly percent: string | undefined;
}

/** A text directly in `defi_score` that was another one, or is on one side only. */
export interface TextChange {
  readonly field: string;
  readonly old: string | undefined;
  readonly new: string | undefined;
  /** As of a score. */
  readonly since: string | undefined;
}

/** A rule that a wallet matches, and how that came about; undefined where it is not new. */
export interface Match {
  readonly rule: string;
  readonly news: News | undefined;
}

/** All texts are the service's or the list's own: whoever prints them escapes them. */
export interface WalletFacts {
  readonly label: string | undefined;
  /** As the list spells it; undefined for what is no wallet. */
  readonly wallet: string | undefined;
  /** The line of the list; undefined for a wallet that has left it. */
  readonly line: number | undefined;
  /** The list's own columns. */
  readonly columns: readonly (readonly [name: string, text: string])[];
  /** Undefined for a wallet that has left. */
  readonly status: Status | undefined;
  readonly score: ScoreChange;
  readonly collateral: CollateralChange;
  readonly texts: readonly TextChange[];
  /** What the earlier review had, and this one has not. */
  readonly lost: readonly Value[];
  /** What no review had that is compared with. */
  readonly appeared: readonly ('answer' | Value)[];
  readonly matched: readonly Match[];
  /** Of watch rules. */
  readonly watched: readonly Match[];
  /** The rules that could not be judged. */
  readonly unjudged: readonly string[];
  /** Why it is not judged: it has no answer, or a rule could not be judged. */
  readonly why: string | undefined;
  readonly whyNews: News | undefined;
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
export interface FactOptions {
  readonly judging: Judging & { readonly rules: readonly Rule[] };
  /** All of the policy, those that have ended as well. */
  readonly exceptions: readonly Exception[];
  readonly begun: number;
  readonly scorePath: Parameters<typeof findCompared>[2];
  /** The column of the labels. */
  readonly label: string | undefined;
  /** Whether a text of the score has so few values that a change of it is of interest. */
  readonly isFew: (field: string) => boolean;
  /** Undefined where there is nothing to compare with. */
  readonly earlier: EarlierReview | undefined;
  /** Today's rules, with today's exceptions at the time of the earlier review. */
  readonly judgingThen: Judging;
  /** The names that a rule of today had in the earlier review. */
  readonly namesThen: ReadonlyMap<string, ReadonlySet<string>>;
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
interface Past extends Joined {
  readonly rows: readonly Row[];
}

function pastOf(rows: readonly Row[], { judgingThen }: FactOptions): Past {
  const verdicts = rows.map((row) => judgeRow(row, judgingThen));
  const of = (part: 'matched' | 'watched' | 'unjudged') =>
    judgingThen.rules.filter((rule) => verdicts.some((verdict) => verdict[part].includes(rule)));
  return {
    rows,
    ...{ matched: of('matched'), watched: of('watched'), unjudged: of('unjudged') },
    excused: verdicts.flatMap(({ excused }) => excused),
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

interface Gap {
  readonly row: Row;
  readonly unjudged: readonly Rule[];
  readonly then: EarlierWallet | undefined;
}

/** How a wallet that is not judged today came to that. */
function newsOfGap({ row, unjudged, then }: Gap, past: Past, options: FactOptions): News | undefined {
  if (past.rows.length === 0) return 'facts';
  if (!isAnswer(row.status) && (past.rows.some(({ status }) => isAnswer(status)) || wasRepaired(then, options)))
    return 'facts';
  const wasUnjudgedThen = (rule: Rule) =>
    past.rows.some((then) => then.unjudged?.some((name) => options.namesThen.get(rule.name)?.has(name)));
  // Whether a change could be judged then is only known by what was kept.
  const wasThere = (rule: Rule) => (options.namesThen.get(rule.name)?.size ?? 0) > 0;
  const isNewByFacts = (rule: Rule) =>
    asksForChange(rule.when) ? wasThere(rule) && !wasUnjudgedThen(rule) : !past.unjudged.includes(rule);
  if (unjudged.some(isNewByFacts)) return 'facts';
  return unjudged.every(wasUnjudgedThen) ? undefined : 'rules';
}

/** Whether a wallet without an answer in the earlier review had one in a later review. */
function wasRepaired(then: EarlierWallet | undefined, { earlier }: FactOptions): boolean {
  if (!then || then.row === then.own || !earlier) return false;
  return timeIn(then.row.answeredAt ?? '') > earlier.header.begun;
}

function changesOf(row: Row, then: EarlierWallet | undefined, options: FactOptions) {
  const score = change({ old: then?.scored.score, new: row.score }, then && [then.scored, then.own], options);
  const collateral = change(
    { old: then && valueIn(collateralOf(then.valued)), new: valueIn(collateralOf(row)) },
    then && [then.valued, then.own],
    options,
  );
  return {
    score: { ...score, delta: deltaOf(score) },
    collateral: { ...collateral, percent: percentOf(collateral) },
    texts: then ? textChanges(then.scored, row, score.since, options) : [],
    ...(then ? gaps(row, then) : { lost: [], appeared: [] }),
  };
}

/** Values that are on one side only. A wallet without an answer is not judged, and nothing is said of its values. */
function gaps(row: Row, { own, row: then, scored, valued }: EarlierWallet): Pick<WalletFacts, 'lost' | 'appeared'> {
  if (!isAnswer(row.status)) return { lost: [], appeared: [] };
  if (!isAnswer(then.status)) return { lost: [], appeared: ['answer'] };
  const values: readonly (readonly [Value, Row, (row: Row) => unknown])[] = [
    ['score', scored, ({ score }) => score],
    ['collateral', valued, (one) => valueIn(collateralOf(one))],
  ];
  return {
    lost: values.flatMap(([name, , get]) => (get(own) && !get(row) ? [name] : [])),
    appeared: values.flatMap(([name, before, get]) => (get(row) && !get(before) ? [name] : [])),
  };
}

/** @param rows the one that has the old value, and that of the review compared with */
function change(difference: Difference, rows: readonly [Row, Row] | undefined, { earlier }: FactOptions): Change {
  const [from, own] = rows ?? [];
  const oldAt = from?.answeredAt;
  if (from === own || oldAt === undefined) return { ...difference, oldAt, since: undefined };
  const isOfThatDay = utcDay(timeIn(oldAt)) === utcDay(earlier?.file.begun ?? Number.NaN);
  return { ...difference, oldAt, since: isOfThatDay ? undefined : oldAt };
}

function textChanges(
  then: Row,
  now: Row,
  since: string | undefined,
  { isFew, earlier }: FactOptions,
): readonly TextChange[] {
  // Without a score on one side its texts say nothing of their own.
  if (!then.score || !now.score) return [];
  const [before, after] = [textsOf(then.document), textsOf(now.document)];
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((field) => {
    const [old, text] = [before.get(field), after.get(field)];
    // A text that a service begins or ceases to send is no change of a wallet.
    const isKnown = isFew(field) && (earlier?.isFew(field) ?? false);
    return old === text || !isKnown ? [] : [{ field, old, new: text, since }];
  });
}

/** A wallet that has left, with what it was, and the rules that ask for that. */
export function leaverFacts(key: string, earlier: EarlierReview, options: FactOptions): WalletFacts {
  const then = earlier.walletOf(key);
  const [own] = then?.rows ?? [];
  if (!own || !then) throw new TypeError('a wallet that has left was there');
  const { judging, label } = options;
  const rules = judging.rules.filter(({ when }) => asksForLeaving(when));
  const find = findChange(findIn(then.row), { change: 'removed', old: undefined });
  const { matched, watched, excused } = judgeRow(then.row, { ...judging, rules }, find);
  const change = (old: Difference['old'], at: string | undefined) => ({
    old,
    new: undefined,
    oldAt: at,
    since: undefined,
  });
  const match = ({ name }: Rule): Match => ({ rule: name, news: 'facts' });
  return {
    ...nameOf(own, label),
    wallet: own.wallet,
    line: undefined,
    status: undefined,
    score: { ...change(then.scored.score, then.scored.answeredAt), delta: undefined },
    collateral: { ...change(valueIn(collateralOf(then.valued)), then.valued.answeredAt), percent: undefined },
    texts: [],
    lost: [],
    appeared: [],
    matched: matched.map(match),
    watched: watched.map(match),
    unjudged: [],
    why: undefined,
    whyNews: undefined,
    excused: excused.map(({ rule, reason, until }) => ({ rule, reason, until })),
    ended: [],
    isNew: false,
    warning: undefined,
    earlierWarning: undefined,
    answeredAt: undefined,
    severity: severityOf({ matched: ruleNames([...matched, ...watched]) }, find, judging.rules),
  };
}

const asksForLeaving = (when: Rule['when']): boolean =>
  'all' in when
    ? when.all.some(asksForLeaving)
    : 'any' in when
      ? when.any.some(asksForLeaving)
      : when.aspect === 'change';

const part = (spelling: string): Decimal => ({ spelling, double: Number(spelling) });
const [TENTH, FIFTH, HALF] = [part('0.1'), part('0.2'), part('0.5')];

/** Whether the wallet is one of the section of changes. */
export const hasChanged = (facts: WalletFacts): boolean =>
  hasNewTexts(facts) || hasNewScore(facts.score) || hasNewCollateral(facts.collateral);

/** A text has changed, or a value is on one side only. */
export const hasNewTexts = ({ texts, lost, appeared }: WalletFacts): boolean =>
  texts.length + lost.length + appeared.length > 0;

export const hasNewScore = ({ delta }: ScoreChange): boolean => delta !== undefined && Number(delta) !== 0;
export const hasNewCollateral = (collateral: Difference): boolean => isChangedBy(FIFTH, collateral);

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

/** How today's rules were called in a review with the rules `then`: a rule is the same by its name, or by its condition. */
export function namesThen(now: readonly Rule[], then: readonly Rule[]): ReadonlyMap<string, ReadonlySet<string>> {
  return new Map(
    now.map((rule) => [rule.name, new Set(then.filter((other) => isSameRule(rule, other)).map(({ name }) => name))]),
  );
}

function isSameRule(rule: Rule, other: Rule): boolean {
  if (rule.name === other.name || conditionText(rule) === conditionText(other)) return true;
  const [what, before] = [questionOf(rule), questionOf(other)];
  return what !== undefined && what === before;
}

const conditionText = ({ when }: Rule) => JSON.stringify(expressionText(when));

/** What a --fail-if without a name asks, whatever its limit: a path and an operator. */
function questionOf({ source, name, when }: Rule): string | undefined {
  if (source !== '--fail-if' || !('text' in when) || when.text.trim() !== name) return undefined;
  return JSON.stringify([when.path, when.aspect, when.test]);
}

/** Whether two reviews have the same rules. */
export const hasSameRules = (now: readonly Rule[], then: readonly Rule[]): boolean => {
  const texts = (rules: readonly Rule[]) =>
    rules.map((rule) => `${rule.level} ${rule.name} ${conditionText(rule)}`).sort();
  return JSON.stringify(texts(now)) === JSON.stringify(texts(then));
};
