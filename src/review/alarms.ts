/**
 * The alarms of a review: which ones a row opens, carries, confirms and closes. The words:
 *
 * - rule: a named condition; its level is alarm, or watch, which never causes exit 10.
 * - alarm: one rule that matches one wallet.
 * - open: an alarm opens on the day of the review that first sees the match, and keeps that day.
 * - confirmed: the last day on which a review saw it match.
 * - close: an alarm ends: by an answer, a changed rule, an exception, or a list without the wallet.
 * - cause: what ended an alarm: `answer`, `rule`, `exception` or `list`.
 * - exception: hides the alarms of one rule for one wallet, until its last day.
 * - returned: an alarm that was hidden, or was only a watch, is an alarm again.
 * - complete: an answer with a score and without a warning.
 * - not judged: an alarm rule without an open alarm cannot be judged, or there is neither an answer
 *   nor an open alarm.
 * - review: one run over a list, kept as one file. Its day is the UTC day in the name of the file.
 * - state: the newest kept review of an earlier day. Open alarms are carried over from it.
 * - base: the kept review with which the letter compares; usually that of a week ago.
 * - new: open, and not open in the base; or returned.
 * - removed, added: a wallet that is only on the list of an earlier review, or only on today's.
 *
 * An example, with the rule `low: score < 600`. 5 Oct: the score is 503, and the alarm opens. 12
 * Oct: no answer, so the alarm stays open, not confirmed since 5 Oct. 19 Oct: 503 again, and
 * the alarm is confirmed, still with its day, 5 Oct. 26 Oct: 700, and it closes, with the cause
 * `answer`.
 */
import { presentValue } from '../compare/compare.ts';
import type { Path } from '../document/path.ts';
import { cellText } from '../document/write.ts';
import { formatRowPath } from '../paths/meta-shortcuts.ts';
import type { Alarm, ClosedAlarm, KeptMeta, LastAnswer, NotJudged, PreviousRow } from '../row/kept.ts';
import { classify, META, type Row } from '../row/row.ts';
import type { Verdict } from '../row/verdict.ts';
import { type Condition, isAboutValue, judgeCondition, ratioNode, type ValueLookup } from '../rules/conditions.ts';
import type { ExceptionIndex } from '../rules/judge.ts';
import { asksForChange, conditionsOf, expressionToString, type Rule } from '../rules/rules.ts';
import { collateralOf } from '../runs/run.ts';

/** A wallet as a kept review has it: all of its rows together. */
export interface KeptWallet {
  /** Its first row, read by the present path of the score. */
  readonly row: Row;
  readonly alarms: readonly Alarm[];
  readonly notJudged: NotJudged | undefined;
  readonly last: LastAnswer | undefined;
}

/** A wallet in the two kept reviews; undefined if it was not on the list of one. */
export interface EarlierWallet {
  readonly state?: KeptWallet | undefined;
  readonly base?: KeptWallet | undefined;
}

/** What all wallets share of an earlier review. */
interface EarlierTerms {
  /** YYYY-MM-DD, as all days here. */
  readonly day: string;
  readonly rules: readonly Rule[];
  /** The path of the score, as it was set. */
  readonly scorePathText: string | undefined;
}

/** The values that all rows of a review share. */
export interface ReviewTerms {
  readonly day: string;
  readonly rules: readonly Rule[];
  readonly exceptions: ExceptionIndex | undefined;
  readonly accept: ReadonlySet<string>;
  readonly scorePath: Path | undefined;
  /** `scorePath` as it was set. */
  readonly scorePathText: string | undefined;
  /** Undefined if there is no kept review of an earlier day that can be used. */
  readonly state: EarlierTerms | undefined;
  readonly base: EarlierTerms | undefined;
}

/** A judged row, and the lookup of its values and of how they changed. */
export interface JudgedRow {
  readonly row: Row;
  readonly find: ValueLookup;
}

/**
 * What the kept file says of a row besides its answer: every case of the table in
 * docs/over-time.md.
 */
export function reviewRow(today: JudgedRow, wallet: EarlierWallet, terms: ReviewTerms): KeptMeta {
  const { row } = today;
  const alarms = terms.rules.flatMap((rule) => alarmToday(rule, today, wallet, terms));
  return {
    alarms,
    notJudged: notJudgedOf(today, alarms, wallet, terms),
    last: isComplete(row) ? undefined : lastAnswer(wallet.state, terms),
    previous: previousRow(row, wallet.base, terms),
    closed: closedAlarms(alarms, wallet, terms),
  };
}

/** Closes the open alarms of a wallet that left the list, for its line in the kept file. */
export function closeRemoved(wallet: EarlierWallet, terms: ReviewTerms): Pick<KeptMeta, 'previous' | 'closed'> {
  const closed = firstOfRules(openBefore(wallet)).map(
    (alarm): ClosedAlarm => ({ ...closedPart(alarm), cause: 'list' }),
  );
  return { previous: previousRow(undefined, wallet.base, terms), closed };
}

export const isComplete = ({ document, score, warning }: Pick<Row, 'document' | 'score' | 'warning'>): boolean =>
  document !== undefined && score !== undefined && warning === undefined;

/** Open, and neither excused nor only watched: it causes exit 10. */
export const isOpenAlarm = ({ level, excused }: Alarm): boolean => level === 'alarm' && !excused;

/**
 * The verdicts of a review on its row: its alarms, confirmed today or not, and the rules that
 * cannot be judged, excused or not.
 */
export function reviewVerdicts({ verdicts = [], kept }: Row): readonly Verdict[] {
  const { alarms = [] } = kept ?? {};
  const hasAlarm = (name: string) => alarms.some(({ rule }) => rule === name);
  const matches = alarms.map(({ rule, level, excused }): Verdict => ({ rule, level, says: 'matches', excused }));
  // An excused rule that cannot be judged is read back from a kept file as one that is excused.
  const isUnjudged = ({ says, excused }: Verdict) => says === 'unknown' || excused !== undefined;
  return [...matches, ...verdicts.filter((verdict) => isUnjudged(verdict) && !hasAlarm(verdict.rule))];
}

/** Whether a judged row causes exit 10: an alarm is open, or an alarm rule cannot be judged. */
export const isAlarming = (row: Row): boolean =>
  reviewVerdicts(row).some(({ level, excused }) => level === 'alarm' && !excused);

const isUnknownAlarm = ({ says, level, excused }: Verdict) => says === 'unknown' && level === 'alarm' && !excused;

const alarmOf = (wallet: KeptWallet | undefined, rule: string) => wallet?.alarms.find((alarm) => alarm.rule === rule);

/**
 * The alarm of a rule, excused or watched too; none if the rule does not match and nothing is
 * carried.
 */
function alarmToday(
  rule: Rule,
  { row, find }: JudgedRow,
  { state, base }: EarlierWallet,
  terms: ReviewTerms,
): readonly Alarm[] {
  const { day, accept, exceptions } = terms;
  const { name, level } = rule;
  const carried = alarmOf(state, name);
  const says = row.verdicts?.find((verdict) => verdict.rule === name)?.says;
  const isAccepted = accept.has(row.status);
  const matches = says === 'matches' && !isAccepted;
  const isCleared = row.document !== undefined && row.warning === undefined && says === undefined;
  if (!matches && (!carried || (isCleared && !isAccepted))) return [];
  const keepsDay = carried && !(matches && isNewChange(rule, carried, base, row, terms));
  const open = {
    rule: name,
    level,
    opened: keepsDay ? carried.opened : day,
    confirmed: matches || !carried ? day : carried.confirmed,
    value: matches ? decidingValue(rule, find) : carried?.value,
  };
  const excused = exceptions?.excuse(row, rule);
  if (excused) return [{ ...open, excused }];
  const returned = returnOf(rule, { state, base }, day);
  const isNew = terms.base !== undefined && (open.opened > terms.base.day || returned !== undefined);
  return [{ ...open, isNew, returned: isNew ? returned : undefined }];
}

/**
 * Whether a rule about a change matches a later change than the one that opened its alarm: the
 * answer that it is compared with is from that day or a later one.
 */
function isNewChange(rule: Rule, { opened }: Alarm, base: KeptWallet | undefined, row: Row, terms: ReviewTerms) {
  if (!asksForChange(rule.when)) return false;
  const earlier = base && earlierAnswer(row, base, terms);
  return earlier !== undefined && dayOf(earlier.answeredAt) >= opened;
}

const dayOf = (time = '') => time.slice(0, 10);

/** Why an alarm counts again: an exception or the level `watch` no longer hides it. */
function returnOf({ name, level }: Rule, { state, base }: EarlierWallet, day: string): Alarm['returned'] {
  const earlier = [state, base].flatMap((wallet) => alarmOf(wallet, name) ?? []);
  const hidden = earlier.find(({ excused }) => excused)?.excused;
  if (hidden) return hidden.until !== undefined && hidden.until < day ? 'exception ended' : 'exception removed';
  return level === 'alarm' && earlier.some((alarm) => alarm.level === 'watch') ? 'was watch' : undefined;
}

/**
 * The value that decided: of the first condition that holds and is about a value, or else of the
 * first that holds.
 */
function decidingValue({ when }: Rule, find: ValueLookup): string | undefined {
  const conditions = conditionsOf(when);
  const about = (condition: Condition) => isAboutValue(condition) && judgeCondition(condition, find) === true;
  const condition = conditions.find(about) ?? conditions.find((one) => judgeCondition(one, find) === true);
  const found = condition && find(condition.path, condition.aspect);
  return (found && typeof found !== 'string' && cellText(ratioNode(found))) || undefined;
}

function notJudgedOf(
  { row, find }: JudgedRow,
  alarms: readonly Alarm[],
  { state }: EarlierWallet,
  { rules, accept, day }: ReviewTerms,
): NotJudged | undefined {
  if (accept.has(row.status)) return undefined;
  const unknown = (row.verdicts ?? []).filter(isUnknownAlarm).map(({ rule }) => rule);
  const unjudged = rules.filter(({ name }) => unknown.includes(name) && !alarms.some(({ rule }) => rule === name));
  if (unjudged.length === 0 && (row.document || alarms.length > 0)) return undefined;
  const reason = row.document ? missingValues(unjudged, find) : (row.error?.message ?? 'it has no answer');
  return { since: state?.notJudged?.since ?? day, reason };
}

/** `low: no score`: the rules that cannot be judged, and the values that the row lacks for them. */
function missingValues(rules: readonly Rule[], find: ValueLookup): string {
  const asked = rules.flatMap(({ when }) => conditionsOf(when));
  const lacking = asked.filter(({ path, aspect }) => {
    const found = find(path, aspect);
    return found === undefined || typeof found === 'string' || (found.kind !== 'ratio' && !presentValue(found));
  });
  const nameOf = ({ path, aspect }: Condition) => {
    const now = aspect && find(path);
    const isEarlier = now && typeof now !== 'string' && now.kind !== 'ratio' && presentValue(now);
    return `${isEarlier ? 'earlier ' : ''}${formatRowPath(path)}`;
  };
  const missing = [...new Set(lacking.map(nameOf))];
  const names = rules.map(({ name }) => name).join(', ');
  return `${names}: ${missing.length > 0 ? `no ${missing.join(', ')}` : 'the value cannot be compared'}`;
}

/** The last complete answer that the state knows, or else the last answer. */
function lastAnswer(state: KeptWallet | undefined, { scorePath }: ReviewTerms): LastAnswer | undefined {
  if (!state) return undefined;
  const { row, last } = state;
  const own = row.document && { answeredAt: row.answeredAt, document: row.document };
  if (own && isComplete(row)) return own;
  return last && (!own || isComplete(answeredBy(last, scorePath))) ? last : own;
}

/** An earlier answer as a row. */
const answeredBy = ({ document, answeredAt }: LastAnswer, scorePath: Path | undefined): Row => ({
  ...classify(document, scorePath),
  line: 0,
  input: '',
  document,
  answeredAt,
});

/**
 * The answer of the base with which a row is compared; undefined if the base knows none. A complete
 * answer is compared with the last complete one.
 * @param today undefined for a wallet that left the list
 */
export function earlierAnswer(
  today: Row | undefined,
  { row, last }: KeptWallet,
  { scorePath }: Pick<ReviewTerms, 'scorePath'>,
): Row | undefined {
  const own = row.document && row;
  const answers = [own, last && answeredBy(last, scorePath)].filter((one) => one !== undefined);
  const complete = today && isComplete(today) ? answers.find(isComplete) : undefined;
  return complete ?? answers[0];
}

function previousRow(row: Row | undefined, base: KeptWallet | undefined, terms: ReviewTerms): KeptMeta['previous'] {
  if (!terms.base) return undefined;
  if (!base) return null;
  const answer = earlierAnswer(row, base, terms);
  const { status, answeredAt, score, warning } = answer ?? base.row;
  const collateral = answer && presentValue(collateralOf(answer));
  return { status, answeredAt, score, collateral, warning, notJudged: base.notJudged } satisfies PreviousRow;
}

/** The alarms that were open and not excused in the base, then those in the state. */
const openBefore = ({ state, base }: EarlierWallet): readonly Alarm[] =>
  [...(base?.alarms ?? []), ...(state?.alarms ?? [])].filter(({ excused }) => !excused);

/** The first alarm of each rule, so that the base precedes the state. */
function firstOfRules<T extends Pick<Alarm, 'rule'>>(alarms: readonly T[]): readonly T[] {
  return alarms.filter(({ rule }, i) => alarms.findIndex((other) => other.rule === rule) === i);
}

const closedPart = ({ rule, level, opened, value }: Alarm): Omit<ClosedAlarm, 'cause'> => ({
  rule,
  level,
  opened,
  value,
});

function closedAlarms(alarms: readonly Alarm[], wallet: EarlierWallet, terms: ReviewTerms): readonly ClosedAlarm[] {
  const closed = openBefore(wallet).flatMap((before): ClosedAlarm[] => {
    const now = alarms.find(({ rule }) => rule === before.rule);
    if (now && !now.excused && !isLowered(before, now)) return [];
    const cause = now?.excused ? 'exception' : isEndedByRule(before, wallet, terms) ? 'rule' : 'answer';
    return [{ ...closedPart(before), cause }];
  });
  return firstOfRules(closed);
}

/** Whether an alarm, or its rule, is only a watch now. */
export const isLowered = (before: Pick<Alarm, 'level'>, now: Pick<Alarm, 'level'>): boolean =>
  before.level === 'alarm' && now.level === 'watch';

/** Whether the rule of an alarm is gone, only watches now, or asks for something else. */
function isEndedByRule(
  before: Alarm,
  wallet: EarlierWallet,
  { rules, scorePathText, state, base }: ReviewTerms,
): boolean {
  const named = (all: readonly Rule[] | undefined) => all?.find(({ name }) => name === before.rule);
  const now = named(rules);
  if (!now || isLowered(before, now)) return true;
  const wasOpen = wallet.base?.alarms.some(({ rule, excused }) => rule === before.rule && !excused);
  const then = named((wasOpen ? base : state)?.rules);
  if (then && expressionToString(then.when) !== expressionToString(now.when)) return true;
  const isAboutScore = conditionsOf(now.when).some(({ path: [home, name] }) => home === META && name === 'score');
  return isAboutScore && base !== undefined && base.scorePathText !== scorePathText;
}
