/**
 * Each case of the tables of docs/over-time.md, and pairs of cases that occur in one week: one
 * wallet over some weeks, and what the last review keeps of it.
 */
import { expect, it } from 'vitest';
import type { ObjectNode } from '../../../src/document/node.ts';
import { parseDocument } from '../../../src/document/parse.ts';
import { parsePath } from '../../../src/document/parse-path.ts';
import { closeRemoved, isAlarming, type KeptWallet, type ReviewTerms, reviewRow } from '../../../src/review/alarms.ts';
import { reviewLookup } from '../../../src/review/earlier.ts';
import type { Alarm, KeptMeta } from '../../../src/row/kept.ts';
import { classify, type Row } from '../../../src/row/row.ts';
import { type Exception, ExceptionIndex, judgeRow } from '../../../src/rules/judge.ts';
import { parseRules, type Rule } from '../../../src/rules/rules.ts';
import { DAY_MS } from '../../../src/text/when.ts';
import { address } from '../../fixtures/place/wallets.ts';

/** Weeks are a week apart, from the 5th of October. */
interface Week {
  /** The score; null for none, `failed`, or `warned 450`. Else 700. */
  readonly says?: number | null | 'failed' | `warned ${number}`;
  /** Collateral, 1000 if not given. */
  readonly usd?: number | null;
  /** The list's own column. */
  readonly size?: number;
  /** `low: score < 500`; those that begin with `~` are watches. Else those of the week before. */
  readonly rules?: readonly string[];
  /** `low`, or `low 12`, which is its last day. */
  readonly excuses?: readonly string[];
  readonly accept?: readonly string[];
  /** The path of the score. */
  readonly score?: string;
  /** Which of the weeks before is the base: else the last. */
  readonly base?: number;
  /** Whether the wallet is on the list. */
  readonly isAway?: boolean;
}

interface PlayedWeek {
  readonly day: string;
  readonly rules: readonly Rule[];
  readonly scorePathText: string | undefined;
  readonly row: Row | undefined;
  readonly kept: Pick<KeptMeta, 'closed' | 'previous'> & Partial<KeptMeta>;
}

const WALLET = address(1);
const october = (day: number) => `2026-10-${String(day).padStart(2, '0')}`;

function rowOf({ says = 700, usd = 1000, size = 0 }: Week, day: string, scorePath: ReviewTerms['scorePath']): Row {
  const row = { line: 2, wallet: WALLET, input: [['size', String(size)]] as const };
  if (says === 'failed') return { ...row, status: 'failed', error: { code: 'refused', message: 'no such wallet' } };
  const warned = typeof says === 'string' ? Number(says.slice(7)) : undefined;
  const score = warned ?? says;
  const body = { total_collateral_usd: usd, defi_score: { score, other: usd }, ...(warned && { errors: ['late'] }) };
  const document = parseDocument(JSON.stringify({ wallet_address: WALLET, ...body })) as ObjectNode;
  return { ...row, document, answeredAt: `${day}T06:00:00.000Z`, ...classify(document, scorePath) };
}

function ruleOf(text: string): Rule {
  const [rule] = parseRules([text.replace('~', '')]);
  return { ...rule!, source: '--policy', level: text.startsWith('~') ? 'watch' : 'alarm' };
}

function exceptionOf(text: string): Exception {
  const [rule = '', last] = text.split(' ');
  const until = last === undefined ? undefined : october(Number(last));
  const endsAt = until === undefined ? undefined : Date.parse(until) + DAY_MS;
  return { wallet: WALLET, id: WALLET.toLowerCase(), rule, reason: 'known', until, endsAt };
}

/** As the rows of a kept file are read back: by the path of the score of today. */
function keptWallet(week: PlayedWeek | undefined, scorePath: ReviewTerms['scorePath']): KeptWallet | undefined {
  if (!week?.row) return undefined;
  const { row, kept } = week;
  const read = row.document && { ...row, score: undefined, ...classify(row.document, scorePath) };
  return { row: read ?? row, alarms: kept.alarms ?? [], notJudged: kept.notJudged, last: kept.last };
}

function play(weeks: readonly Week[]): PlayedWeek {
  const played: PlayedWeek[] = [];
  for (const [i, week] of weeks.entries()) {
    const day = october(5 + 7 * i);
    const rules = (week.rules ?? (i === 0 ? ['low: score < 500'] : undefined))?.map(ruleOf) ?? played[i - 1]!.rules;
    const { score: scorePathText, accept = [], excuses = [] } = week;
    const scorePath = scorePathText === undefined ? undefined : parsePath(scorePathText);
    const [state, base] = [played.at(-1), played.at(week.base ?? -1)];
    const wallet = { state: keptWallet(state, scorePath), base: keptWallet(base, scorePath) };
    const exceptions = new ExceptionIndex(excuses.map(exceptionOf), Date.parse(day));
    const terms = { day, rules, exceptions, accept: new Set(accept), scorePath, scorePathText, state, base };
    if (week.isAway) {
      played.push({ day, rules, scorePathText, row: undefined, kept: closeRemoved(wallet, terms) });
      continue;
    }
    const row = rowOf(week, day, scorePath);
    const find = reviewLookup(row, wallet, scorePath);
    const verdicts = judgeRow(row, { rules, accept: terms.accept, exceptions, judgesWithoutAnswer: true }, find);
    const judged = { ...row, verdicts };
    const kept = reviewRow({ row: judged, find }, wallet, terms);
    played.push({ day, rules, scorePathText, row: { ...judged, kept }, kept });
  }
  return played.at(-1)!;
}

const dayOf = (date: string) => String(Number(date.slice(8)));

/** `low 5-12 =450 new`: the days on which it opened and was last confirmed, and the value. */
function alarmText({ rule, level, opened, confirmed, value, isNew, returned, excused }: Alarm): string {
  const marks = [level === 'watch' && 'watch', isNew && 'new', returned, excused && 'excused'].filter(Boolean);
  return [`${rule} ${dayOf(opened)}-${dayOf(confirmed)}`, value !== undefined && `=${value}`, ...marks]
    .filter(Boolean)
    .join(' ');
}

/** All that is kept: alarms; `-low 5 answer` for one that closed; `? 12` if it is not judged. */
function keptText({ alarms = [], closed, notJudged }: PlayedWeek['kept']): string {
  const closings = closed.map(({ rule, opened, cause, level }) =>
    [`-${rule}`, dayOf(opened), cause, level === 'watch' && 'watch'].filter(Boolean).join(' '),
  );
  return [...alarms.map(alarmText), ...closings, ...(notJudged ? [`? ${dayOf(notJudged.since)}`] : [])].join(', ');
}

type Case = readonly [title: string, kept: string, ...weeks: readonly Week[]];
const table = (cases: readonly Case[]) =>
  it.each(cases.map(([title, kept, ...weeks]) => [title, { kept, weeks }] as const))(
    'keeps what the table says: %s',
    (_, { kept, weeks }) => {
      expect(keptText(play(weeks).kept)).toBe(kept);
    },
  );

const LOW = { says: 450 } as const;
const LOW_RULE = 'low: score < 500';
const WATCH = { rules: [`~${LOW_RULE}`] };
const ALARM = { rules: [LOW_RULE] };
const MILD = { rules: ['low: score < 400'] };
const OTHER = { rules: ['other: score < 1'] };
const EXCUSED = { excuses: ['low'] };
const FELL = { rules: ['fell: total_collateral_usd.ratio < 0.5'] };
const SIZE = { rules: ['large: input.size > 10'] };
const FAILED = { says: 'failed' } as const;
const BY_OTHER = { score: 'defi_score.other' };
const THIN = ['thin: total_collateral_usd < 5'];
const LOW_AND_SIZE = [LOW_RULE, 'size: input.size > 1'];
const LOW_EXCUSED = { ...LOW, ...EXCUSED };
const LOW_WATCH = { ...LOW, ...WATCH };
const LOW_ALARM = { ...LOW, ...ALARM };
const LOW_UNTIL_11 = { ...LOW, excuses: ['low 11'] };
const LOW_UNTIL_12 = { ...LOW, excuses: ['low 12'] };
/** Its base is the first week. */
const LOW_OLD_BASE = { ...LOW, base: 0 };
const ACCEPTED = { ...FAILED, accept: ['failed'] };

table([
  ['an accepted row opens nothing', '', { says: null, usd: 1, rules: THIN, accept: ['no_score'] }],
  ['an accepted row is not reported as not judged', '', ACCEPTED],
  ['an accepted row closes nothing, and confirms nothing', 'low 5-5 =450', LOW, { says: null, accept: ['no_score'] }],
  ['a rule that matches opens an alarm', 'low 12-12 =450 new', {}, LOW],
  ['a rule that matches again keeps the first day', 'low 5-12 =430', LOW, { says: 430 }],
  ['a rule that matches again after it closed opens a new alarm', 'low 19-19 =450 new', LOW, {}, LOW],
  ['an incomplete answer opens an alarm', 'low 12-12 =450 new', {}, { says: 'warned 450' }],
  ['an incomplete answer confirms an alarm', 'low 5-12 =440', LOW, { says: 'warned 440' }],
  ['no answer does not confirm', 'low 5-5 =450', LOW, FAILED],
  ['an incomplete answer that does not match does not close', 'low 5-5 =450', LOW, { says: 'warned 700' }],
  ['an answer by which the rule cannot be judged does not close', 'low 5-5 =450', LOW, { says: null }],
  ['an answer without a score closes another alarm', '-thin 5 answer', { usd: 1, rules: THIN }, { says: null }],
  ['a complete answer that does not match closes', '-low 5 answer', LOW, {}],
  ['a rule that cannot be judged', '? 12', {}, { says: null }],
  ['a rule that still cannot be judged', '? 5', { says: null }, FAILED, { says: null }],
  ['a watch that cannot be judged', '', { says: null, ...WATCH }],
  ['a rule that cannot be judged, and is excused', '', { says: null, ...EXCUSED }],
  ['no answer, without a rule', '? 5', { ...FAILED, rules: [] }],
  ['no answer, and an excused rule', '? 5', { ...FAILED, ...EXCUSED }],
  ['no answer, and an alarm', 'low 5-12 =430', LOW, { says: 430 }, FAILED],
  ['an alarm, and another rule not judged', 'size 5-5 =9, ? 5', { says: null, size: 9, rules: LOW_AND_SIZE }],
  ['no answer, and a rule not judged', 'size 5-12 =9, ? 12', { size: 9, rules: LOW_AND_SIZE }, { ...FAILED, size: 9 }],
]);

table([
  ['an exception hides an alarm', 'low 5-12 =450 excused, -low 5 exception', LOW, LOW_EXCUSED],
  ['an excused alarm is not new', 'low 12-12 =450 excused', {}, LOW_EXCUSED],
  ['an excused alarm that ends is not reported', '', LOW_EXCUSED, EXCUSED],
  ['without a base nothing is new', 'low 5-5 =450', LOW],
  ['an alarm that opened on the day of the base is not new', 'low 5-12 =450', LOW, LOW],
  ['an alarm that opened after the base is new', 'low 12-19 =450 new', {}, LOW, LOW_OLD_BASE],
  ['an exception ended', 'low 5-12 =450 new exception ended', LOW_UNTIL_11, LOW_UNTIL_11],
  ['an exception holds on its last day', 'low 5-12 =450 excused', LOW_UNTIL_12, LOW_UNTIL_12],
  ['an exception was removed on its last day', 'low 5-12 =450 new exception removed', LOW_UNTIL_12, LOW],
  ['an exception was removed', 'low 5-12 =450 new exception removed', { ...LOW, excuses: ['low 20'] }, LOW],
  ['an exception that only the base had', 'low 5-19 =450 new exception removed', LOW_EXCUSED, LOW, LOW_OLD_BASE],
  ['a watch became an alarm', 'low 5-12 =450 new was watch', LOW_WATCH, LOW_ALARM],
  ['an alarm became a watch', 'low 5-12 =450 watch, -low 5 rule', LOW, LOW_WATCH],
  ['a watch opens, and closes', '-low 5 answer watch', LOW_WATCH, {}],
  ['a rule was removed', '-low 5 rule', LOW, { ...LOW, ...OTHER }],
  ['a rule was made milder', '-low 5 rule', LOW, { ...LOW, ...MILD }],
  ['a rule was made milder, and still matches', 'low 5-12 =350', LOW, { says: 350, ...MILD }],
  ['a rule was renamed', 'deep 12-12 =450 new, -low 5 rule', LOW, { ...LOW, rules: ['deep: score < 500'] }],
  ['a wallet left the list', '-low 5 list', LOW, { isAway: true }],
  ['an excused alarm left with its wallet', '', LOW_EXCUSED, { isAway: true }],
  ['a wallet that was away starts anew', 'low 19-19 =450 new', LOW, { isAway: true }, LOW],
  ['a rule that was away starts anew', 'low 19-19 =450 new', LOW, { ...LOW, ...OTHER }, LOW_ALARM],
]);

table([
  ['an alarm of the base that closed in the state', '-low 5 answer', LOW, {}, { base: 0 }],
  ['an alarm that opened and closed after the base', '', {}, LOW, {}, { base: 0 }],
  ['an alarm of the state that closes today', '-low 12 answer', {}, LOW, { base: 0 }],
  ['a rule that changed before the alarm', '-low 12 answer', { rules: ['low: score < 300'] }, LOW_ALARM, { base: 0 }],
  ['a rule that changed after the alarm of the base', '-low 5 rule', LOW, { rules: ['low: score < 600'] }, { base: 0 }],
  ['an alarm that closed and opened again', 'low 19-19 =450 new', LOW, {}, LOW_OLD_BASE],
  ['a watch of the base, an alarm of the state', 'low 5-19 =450 new was watch', LOW_WATCH, LOW_ALARM, LOW_OLD_BASE],
  ['a removed wallet of the base alone', '-low 5 list', LOW, { isAway: true }, { isAway: true, base: 0 }],
  ['not judged since the state, though judged in the base', '? 12', {}, { says: null }, { says: null, base: 0 }],
]);

table([
  ['does not hold without a base', '', { usd: 1, ...FELL }],
  ['does not hold for an added wallet', '', { isAway: true, ...FELL }, { usd: 1 }],
  ['opens an alarm', 'fell 12-12 =0.3 new', { usd: 1000, ...FELL }, { usd: 300 }],
  ['closes when the base has passed the fall', '-fell 12 answer', { ...FELL }, { usd: 300 }, { usd: 300 }],
  ['keeps its day while the base is older', 'fell 12-19 =0.3 new', { ...FELL }, { usd: 300 }, { usd: 300, base: 0 }],
  ['opens anew for another fall', 'fell 19-19 =0.1 new', { ...FELL }, { usd: 300 }, { usd: 30 }],
  [
    'is judged over an answer before the base',
    'fell 19-19 =0.3 new',
    { rules: ['fell: score < 900'] },
    FAILED,
    { usd: 300, ...FELL },
  ],
  ['cannot be judged if the earlier answer lacks the value', '? 12', { usd: null, ...FELL }, { usd: 300 }],
  ['cannot be judged without an answer today', 'fell 12-12 =0.3', { ...FELL }, { usd: 300 }, FAILED],
  ['keeps its day over a failed week', 'fell 12-26 =0.3 new', { ...FELL }, { usd: 300 }, FAILED, { usd: 300, base: 0 }],
]);

table([
  ['is judged without an answer', 'large 12-12 =11 new', SIZE, { ...FAILED, size: 11 }],
  ['is confirmed without an answer', 'large 5-12 =12', { size: 11, ...SIZE }, { ...FAILED, size: 12 }],
  ['closes nothing without an answer', 'large 5-5 =11', { size: 11, ...SIZE }, { ...FAILED, size: 9 }],
  ['closes nothing by an incomplete answer', 'large 5-5 =11', { size: 11, ...SIZE }, { says: 'warned 700', size: 9 }],
  ['closes with an answer', '-large 5 answer', { size: 11, ...SIZE }, { size: 9 }],
  ['opens by the status of a failed row', 'gone 5-5 =failed', { ...FAILED, rules: ['gone: status == failed'] }],
  ['is judged for a failed row that does not match, which has no answer', '? 5', { ...FAILED, size: 9, ...SIZE }],
]);

table([
  ['no answer, and an exception begins', 'low 5-5 =450 excused, -low 5 exception', LOW, { ...FAILED, ...EXCUSED }],
  [
    'no answer, and an exception ended',
    'low 5-5 =450 new exception ended',
    LOW_UNTIL_11,
    { ...FAILED, excuses: ['low 11'] },
  ],
  ['no answer, and the rule was removed', '-low 5 rule, ? 12', LOW, { ...FAILED, ...OTHER }],
  ['no answer, and the rule changed', 'low 5-5 =450', LOW, { ...FAILED, ...MILD }],
  ['no answer, and the rule is a watch now', 'low 5-5 =450 watch, -low 5 rule', LOW, { ...FAILED, ...WATCH }],
  ['no answer, and the watch is an alarm now', 'low 5-5 =450 new was watch', LOW_WATCH, { ...FAILED, ...ALARM }],
  ['an exception begins, and the rule was removed', '-low 5 rule', LOW, { ...LOW, ...OTHER, ...EXCUSED }],
  ['an exception begins, and the answer no longer matches', '-low 5 answer', LOW, EXCUSED],
  ['excused, and a watch now', 'low 5-12 =450 watch excused, -low 5 exception', LOW, { ...LOW_WATCH, ...EXCUSED }],
  ['an exception ended, and the answer no longer matches', '', LOW_EXCUSED, {}],
  ['an exception ended, and the rule is a watch', 'low 5-12 =450 watch new exception removed', LOW_EXCUSED, LOW_WATCH],
  ['an exception ends for an alarm', 'low 5-12 =450 new exception removed', { ...LOW_WATCH, ...EXCUSED }, LOW_ALARM],
  ['an exception was replaced by another', 'low 5-12 =450 excused', { ...LOW, excuses: ['low 6'] }, LOW_EXCUSED],
  ['the rule is a watch now, and no longer matches', '-low 5 rule', LOW, WATCH],
  ['the watch is an alarm now, and no longer matches', '-low 5 answer watch', LOW_WATCH, ALARM],
  ['the watch is an alarm now, and its condition changed', '-low 5 rule watch', LOW_WATCH, { ...LOW, ...MILD }],
  ['the watch was removed', '-low 5 rule watch', LOW_WATCH, { ...LOW, ...OTHER }],
  ['the rule changed, and the answer no longer matches either', '-low 5 rule', LOW, MILD],
  ['the rule changed, and the answer is incomplete', 'low 5-5 =450', LOW, { says: 'warned 450', ...MILD }],
  ['accepted, and an exception begins', 'low 5-5 =450 excused, -low 5 exception', LOW, { ...ACCEPTED, ...EXCUSED }],
  ['accepted, and an exception ended', 'low 5-5 =450 new exception removed', LOW_EXCUSED, ACCEPTED],
  ['an accepted row, and the rule was removed', '-low 5 rule', LOW, { ...FAILED, ...OTHER, accept: ['failed'] }],
  ['accepted, and the rule is a watch', 'low 5-5 =450 watch, -low 5 rule', LOW, { ...ACCEPTED, ...WATCH }],
  ['an accepted row after one that was not judged', '', FAILED, ACCEPTED],
  ['a row that is not accepted any more', '? 12', ACCEPTED, FAILED],
  ['no score, and a fall', 'fell 12-12 =0.3 new, ? 12', { rules: [LOW_RULE, ...FELL.rules] }, { says: null, usd: 300 }],
  [
    'a column that matches, a score that does not',
    'large 12-12 =11 new, -low 5 answer',
    { ...LOW, rules: [LOW_RULE, ...SIZE.rules] },
    { size: 11 },
  ],
]);

table([
  ['closes an alarm on the score by the rule', '-low 5 rule', LOW, BY_OTHER],
  ['keeps an alarm on the score that still matches', 'low 5-12 =100', LOW, { ...BY_OTHER, usd: 100 }],
  ['closes another alarm by the answer', '-thin 5 answer', { usd: 1, rules: THIN }, BY_OTHER],
  ['is read by the new path', 'fell 12-12 =0.3 new', { rules: ['fell: score.ratio < 0.5'] }, { ...BY_OTHER, usd: 300 }],
  ['does not confirm an alarm if the path finds no score', 'low 5-5 =450', LOW, { score: 'defi_score.none' }],
]);

const previous = (...weeks: readonly Week[]) => {
  const { previous: row } = play(weeks).kept;
  if (!row) return row;
  const score = row.score && 'spelling' in row.score ? row.score.spelling : undefined;
  return [
    row.status,
    score,
    row.answeredAt && dayOf(row.answeredAt.slice(0, 10)),
    row.notJudged && `? ${dayOf(row.notJudged.since)}`,
  ]
    .filter(Boolean)
    .join(' ');
};
it.each<readonly [title: string, previous: string | null | undefined, weeks: readonly Week[]]>([
  ['none without a base', undefined, [{}]],
  ['null for an added wallet', null, [{ isAway: true }, {}]],
  ['that of the base', 'scored 700 5', [{}, {}]],
  ['the last complete one of the base, for a complete answer', 'scored 700 5 ? 12', [{}, { says: null }, {}]],
  ['the incomplete one of the base for another', 'no_score 12 ? 12', [{}, { says: null }, { says: 'warned 1' }]],
  ['that before the base, for a complete answer after a failure', 'scored 700 5 ? 12', [{}, FAILED, {}]],
  ['that before the base, for no answer after a failure', 'scored 700 5 ? 12', [{}, FAILED, FAILED]],
  ['the status of the base, if no answer is known', 'failed ? 5', [FAILED, {}]],
  ['the incomplete one, if the base knows no complete one', 'scored 600 5', [{ says: 'warned 600' }, {}]],
  ['that of a removed wallet', 'scored 700 5', [{}, { isAway: true }]],
  ['one that is read by the present path', 'scored 1000 5', [{}, BY_OTHER]],
])('keeps the previous answer: %s', (_, expected, weeks) => expect(previous(...weeks)).toBe(expected));

it('keeps the last complete answer while the answers of today are incomplete', () => {
  const last = (...weeks: readonly Week[]) => play(weeks).kept.last?.answeredAt?.slice(8, 10);
  expect(last({})).toBeUndefined();
  expect(last(FAILED)).toBeUndefined();
  expect(last({}, FAILED)).toBe('05');
  expect(last({}, FAILED, FAILED)).toBe('05');
  expect(last({}, { says: 'warned 1' }, { says: null })).toBe('05');
  expect(last({ says: null }, { says: 'warned 1' }, FAILED)).toBe('12');
  expect(last({}, FAILED, {})).toBeUndefined();
});

it.each<readonly [title: string, isAlarm: boolean, weeks: readonly Week[]]>([
  ['an open alarm', true, [LOW]],
  ['an alarm that is not confirmed', true, [LOW, FAILED]],
  ['an excused alarm', false, [LOW_EXCUSED]],
  ['an excused alarm that cannot be judged', false, [LOW_EXCUSED, { ...FAILED, ...EXCUSED }]],
  ['a watch', false, [LOW_WATCH]],
  ['a watch that cannot be judged', false, [{ says: null, ...WATCH }]],
  ['a rule that cannot be judged', true, [{ says: null }]],
  ['an accepted row', false, [ACCEPTED]],
  ['no answer, and no rule', false, [{ ...FAILED, rules: [] }]],
  ['an alarm that closed', false, [LOW, {}]],
])('derives exit code 10 from the kept row: %s: %s', (_, isAlarm, weeks) => {
  expect(isAlarming(play(weeks).row!)).toBe(isAlarm);
});

it('names the rules and the values that they lack in the reason of exit code 10', () => {
  const reason = (week: Week) => play([week]).kept.notJudged?.reason;
  expect(reason({ says: null })).toBe('low: no score');
  expect(reason({ says: null, usd: null, rules: [LOW_RULE, 'thin: total_collateral_usd < 5'] })).toBe(
    'low, thin: no score, total_collateral_usd',
  );
  expect(reason({ rules: ['odd: wallet_address < 5'] })).toBe('odd: the value cannot be compared');
  expect(reason(FAILED)).toBe('no such wallet');
});
