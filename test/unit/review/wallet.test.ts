import { expect, it } from 'vitest';
import { numberNode } from '../../../src/document/node.ts';
import { type ComparedWallet, labelledWallet, sectionOf, walletFacts } from '../../../src/review/wallet.ts';
import type { Alarm, ClosedAlarm, KeptMeta } from '../../../src/row/kept.ts';
import type { Row } from '../../../src/row/row.ts';
import { address } from '../../fixtures/place/wallets.ts';

const [EARLY, BASE, TODAY] = ['2026-10-01', '2026-10-05', '2026-10-12'];
const alarm = (more: Partial<Alarm> = {}): Alarm => ({
  ...{ rule: 'low', level: 'alarm', opened: BASE, confirmed: TODAY },
  ...more,
});
const closed = (more: Partial<ClosedAlarm> = {}): ClosedAlarm => ({
  ...{ rule: 'low', level: 'alarm', opened: BASE, cause: 'answer' },
  ...more,
});
const since = (day: string) => ({ since: day, reason: 'no answer' });

/** A wallet of these rows, whose labels are A, B and C. */
function facts(rows: readonly Partial<KeptMeta>[]) {
  const all = rows.map((kept, i): Row => {
    const name = 'ABC'[i] ?? '';
    return {
      ...{ line: i + 2, wallet: address(1), input: [['name', name]], status: 'scored' },
      kept: { alarms: [], closed: [], ...kept },
    };
  });
  const [first, ...others] = all;
  if (!first) throw new Error('a wallet has a row');
  return labelledWallet(walletFacts([first, ...others], { day: TODAY, labelColumn: 'name', scorePath: undefined }));
}

it('lists each alarm of a repeated wallet once, with the earliest opening and the latest confirmation', () => {
  const stale = alarm({ opened: EARLY, confirmed: BASE, value: '1' });
  const seen = alarm({ opened: BASE, confirmed: TODAY, value: '2' });
  const joined = alarm({ opened: EARLY, confirmed: TODAY, value: '2' });
  expect(facts([{ alarms: [stale] }, { alarms: [seen] }]).alarms).toEqual([joined]);
  expect(facts([{ alarms: [seen] }, { alarms: [stale] }]).alarms).toEqual([joined]);
  const deep = alarm({ rule: 'deep' });
  expect(facts([{ alarms: [seen] }, { alarms: [deep] }]).alarms).toEqual([seen, deep]);
});

const byException = closed({ cause: 'exception' });
const byRule = closed({ cause: 'rule' });
const hidden = alarm({ excused: { reason: 'known' } });
const watch = alarm({ level: 'watch' });
it.each<readonly [title: string, causes: string, rows: readonly Partial<KeptMeta>[]]>([
  ['no row has it open', 'answer', [{ closed: [closed()] }, { closed: [closed()] }]],
  ['one row still has it open', '', [{ closed: [closed()] }, { alarms: [alarm()] }]],
  ['an exception hides it', 'exception', [{ closed: [byException] }, { alarms: [hidden], closed: [byException] }]],
  ['one row watches it', 'rule', [{ alarms: [watch], closed: [byRule] }, { closed: [byRule] }]],
  ['one row watches it, as before', '', [{ closed: [closed({ level: 'watch' })] }, { alarms: [watch] }]],
  ['the causes are different', 'rule', [{ closed: [closed()] }, { closed: [byRule] }]],
  ['two rules closed', 'answer,rule', [{ closed: [closed()] }, { closed: [{ ...byRule, rule: 'deep' }] }]],
])('closes an alarm of a repeated wallet by all of its rows: %s', (_, causes, rows) => {
  expect(
    facts(rows)
      .closed.map(({ cause }) => cause)
      .join(),
  ).toBe(causes);
});

it('reports a repeated wallet as not judged since the earliest day of its rows', () => {
  expect(facts([{ notJudged: since(BASE) }, { notJudged: since(EARLY) }, {}]).notJudged).toEqual(since(EARLY));
});

it('names a repeated wallet by the row that matches, or else has an alarm, or else is not judged', () => {
  const names = (...rows: readonly Partial<KeptMeta>[]) => {
    const { label, also } = facts(rows);
    return [label, ...also].join('');
  };
  const carried = { alarms: [alarm({ confirmed: BASE })] };
  expect(names({}, {}, {})).toBe('ABC');
  expect(names({}, { notJudged: since(BASE) })).toBe('BA');
  expect(names({ notJudged: since(BASE) }, carried)).toBe('BA');
  expect(names(carried, {}, { alarms: [alarm()] })).toBe('CAB');
  expect(names({}, { alarms: [alarm({ excused: { reason: 'known' } })] })).toBe('BA');
  expect(names({ notJudged: since(BASE) }, { alarms: [watch] })).toBe('AB');
});

const number = (value: number | undefined) => (value === undefined ? undefined : numberNode(value));

/**
 * A wallet with the score 700 and 1000 dollars, now and a week ago unless given; -1 is no value.
 */
function wallet(
  more: Partial<ComparedWallet> = {},
  now: readonly number[] = [],
  old: readonly number[] = [],
): ComparedWallet {
  const [score = 700, usd = 1000] = now;
  const [oldScore = 700, oldUsd = 1000] = old;
  const present = (value: number) => (value < 0 ? undefined : number(value));
  return {
    ...{ wallet: address(1), line: 2, status: 'scored', alarms: [], closed: [], notJudged: undefined, last: undefined },
    ...{ score: present(score), collateral: present(usd), warning: undefined },
    ...{ error: undefined, answeredAt: `${TODAY}T06:00:00.000Z` },
    previous: {
      ...{ status: 'scored', answeredAt: `${BASE}T06:00:00.000Z`, warning: undefined, notJudged: undefined },
      ...{ score: present(oldScore), collateral: present(oldUsd) },
    },
    ...more,
  };
}

const excused = { reason: 'known' };
const previous = wallet().previous!;
it.each<readonly [section: string | undefined, title: string, wallet: ComparedWallet]>([
  ['new', 'a new alarm, beside an open one', wallet({ alarms: [alarm(), alarm({ rule: 'deep', isNew: true })] })],
  ['open', 'an open alarm, beside a new watch', wallet({ alarms: [alarm(), { ...watch, rule: 'deep', isNew: true }] })],
  ['open', 'an open alarm of a wallet that is not judged', wallet({ alarms: [alarm()], notJudged: since(BASE) })],
  ['not_judged', 'not judged, and an alarm that closed', wallet({ notJudged: since(BASE), closed: [closed()] })],
  ['closed', 'an alarm under an exception', wallet({ alarms: [alarm({ excused })], closed: [byException] })],
  ['closed', 'an alarm that left with its wallet', wallet({ status: undefined, closed: [closed({ cause: 'list' })] })],
  ['watch', 'a watch, beside an excused alarm', wallet({ alarms: [watch, alarm({ rule: 'deep', excused })] })],
  ['excused', 'an excused alarm', wallet({ alarms: [alarm({ excused })] }, [1])],
  ['excused', 'an excused watch', wallet({ alarms: [alarm({ level: 'watch', excused })] })],
  ['changed', 'a score that moved by any amount', wallet({}, [700.001])],
  ['changed', 'a collateral that moved by a fifth', wallet({}, [700, 1200])],
  [undefined, 'a collateral that moved by less', wallet({}, [700, 1199])],
  ['changed', 'a collateral from 0', wallet({}, [700, 0.01], [700, 0])],
  [undefined, 'a collateral that is still 0', wallet({}, [700, 0], [700, 0])],
  ['changed', 'a score that was lost', wallet({ status: 'no_score' }, [-1])],
  ['changed', 'a score that was gained', wallet({}, [700], [-1])],
  ['changed', 'an answer that became incomplete', wallet({ warning: 'errors: aave' })],
  [undefined, 'an answer still incomplete', wallet({ warning: 'w', previous: { ...previous, warning: 'w' } })],
  ['changed', 'a wallet that is judged again', wallet({ previous: { ...previous, notJudged: since(EARLY) } })],
  [undefined, 'a wallet whose failed row is accepted', wallet({ status: 'failed' }, [-1, -1])],
  ['added', 'an added wallet', wallet({ previous: null })],
  ['removed', 'a removed wallet', wallet({ status: undefined })],
  ['removed', 'a removed wallet of the state alone', wallet({ status: undefined, previous: null })],
  [undefined, 'a wallet as it was', wallet()],
  [undefined, 'a wallet without a base', wallet({ previous: undefined })],
])('puts a wallet into the first section that fits: %s: %s', (section, _, one) => expect(sectionOf(one)).toBe(section));
