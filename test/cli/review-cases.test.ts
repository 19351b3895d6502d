/**
 * What a review says of a wallet in weeks that happen: each row is some weeks, and what the last of
 * them must say.
 */
import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { stage, type World } from '../fixtures/cli/review-weeks.ts';
import { address } from '../fixtures/place/wallets.ts';

interface Week {
  readonly day: number;
  readonly world?: World;
  readonly rules?: readonly string[];
  /**
   * Of the policy: rules by name, with `watch: ` in front of the condition for a watch rule, and
   * exceptions of Ann.
   */
  readonly policy?: {
    readonly rules: Readonly<Record<string, string>>;
    readonly excused?: Readonly<Record<string, string>>;
  };
  readonly list?: string;
}

interface Case {
  readonly name: string;
  readonly weeks: readonly Week[];
  /** Of the last week: `SECTION NAME: rules that are new; rules that are new by rule`. */
  readonly says: readonly string[];
  /** Of its last week, in the letter or on stderr. */
  readonly letter?: RegExp;
  readonly stderr?: RegExp;
  readonly news?: boolean;
  readonly exit?: number;
}

const [ANN, BEN] = [address(1), address(2)];
const FELL = ['--fail-if', 'fell: score.delta < -50'];
const RICH = ['--fail-if', 'rich: total_collateral_usd > 1000'];
const HALVED = ['--fail-if', 'halved: total_collateral_usd.ratio < 0.5'];
const low = (limit: number) => ['--fail-if', `low: score < ${limit}`];
const policy = (rules: Record<string, string>, excused?: Record<string, string>) => ({
  rules,
  ...(excused && { excused }),
});
const FAILED = { status: 404 };

const CASES: readonly Case[] = [
  {
    name: 'a wallet listed twice falls in both of its rows',
    weeks: [
      { day: 0, rules: FELL, list: `name,w\nAnn,${ANN}\nBob,${ANN}\n` },
      { day: 7, world: { 1: { score: 500 } } },
    ],
    says: ['to_look_at Ann: fell; '],
    news: true,
    exit: 10,
  },
  {
    name: 'a rule on a column is judged by each row, and the row that matches speaks',
    weeks: [
      { day: 0, rules: ['--fail-if', 'big: input.x > 1000'], list: `name,w,x\nAnn,${ANN},100\nBob,${ANN},9000\n` },
    ],
    says: ['to_look_at Bob: ; '],
    exit: 10,
  },
  {
    name: 'a rule on a column that a second row matched before is not new',
    weeks: [
      { day: 0, rules: ['--fail-if', 'big: input.x > 1000'], list: `name,w,x\nAnn,${ANN},100\nBob,${ANN},9000\n` },
      { day: 7 },
    ],
    says: ['to_look_at Bob: ; '],
    news: false,
    exit: 10,
  },
  {
    name: 'a rule that is added is new by rule',
    weeks: [
      { day: 0, world: { 1: { score: 450 } } },
      { day: 7, rules: low(500) },
    ],
    says: ['to_look_at Ann: ; low'],
    news: true,
    exit: 10,
  },
  {
    name: 'a rule without a name is another one than that of last week, which had a name',
    weeks: [
      { day: 0, rules: low(500), world: { 1: { score: 450 }, 2: { usd: 10 } } },
      { day: 7, rules: ['--fail-if', 'total_collateral_usd > 100'] },
    ],
    says: ['to_look_at Ann: ; total_collateral_usd > 100'],
    news: true,
    exit: 10,
  },
  {
    name: 'a rule that was added is not new a week later',
    weeks: [{ day: 0, world: { 1: { score: 450 } } }, { day: 7, rules: low(500) }, { day: 14 }],
    says: ['to_look_at Ann: ; '],
    news: false,
    exit: 10,
  },
  {
    name: 'a rule that is made stricter is new by rule for whom it did not match',
    weeks: [
      { day: 0, rules: low(500), world: { 1: { score: 450 }, 2: { score: 550 } } },
      { day: 7, rules: low(600) },
    ],
    says: ['to_look_at Ben: ; low', 'to_look_at Ann: ; '],
    news: true,
  },
  {
    name: 'an unnamed rule is the same by its path and operator',
    weeks: [
      { day: 0, rules: ['--fail-if', 'score < 500'], world: { 1: { score: 450 }, 2: { score: 550 } } },
      { day: 7, rules: ['--fail-if', 'score < 600'] },
    ],
    says: ['to_look_at Ben: ; score < 600', 'to_look_at Ann: ; '],
  },
  {
    name: 'a rule that is renamed is the same by its condition',
    weeks: [
      { day: 0, rules: low(500), world: { 1: { score: 450 } } },
      { day: 7, rules: ['--fail-if', 'poor: score < 500'] },
    ],
    says: ['to_look_at Ann: ; '],
    news: false,
  },
  {
    name: 'an exception that is taken out makes its wallet new by rule',
    weeks: [
      { day: 0, policy: policy({ low: 'score < 500' }, { low: '2099-01-01' }), world: { 1: { score: 450 } } },
      { day: 7, policy: policy({ low: 'score < 500' }) },
    ],
    says: ['to_look_at Ann: ; low'],
    news: true,
  },
  {
    name: 'an exception that has ended makes its wallet new',
    weeks: [
      { day: 0, policy: policy({ low: 'score < 500' }, { low: '2026-10-08' }), world: { 1: { score: 450 } } },
      { day: 7 },
    ],
    says: ['to_look_at Ann: low; '],
    news: true,
  },
  {
    name: 'an exception that is added is no news',
    weeks: [
      { day: 0, policy: policy({ low: 'score < 500' }), world: { 1: { score: 450 } } },
      { day: 7, policy: policy({ low: 'score < 500' }, { low: '2099-01-01' }) },
    ],
    says: ['excused Ann: ; '],
    news: false,
    exit: 0,
  },
  {
    name: 'a watch rule makes no exit 10, and is news once',
    weeks: [
      { day: 0, policy: policy({ near: 'watch: score < 500' }) },
      { day: 7, world: { 1: { score: 450 } } },
    ],
    says: ['watch Ann: near; '],
    news: true,
    exit: 0,
  },
  {
    name: 'a watch rule that holds still is no news',
    weeks: [{ day: 0, policy: policy({ near: 'watch: score < 500' }), world: { 1: { score: 450 } } }, { day: 7 }],
    says: ['watch Ann: ; '],
    news: false,
  },
  {
    name: 'a watch rule that is raised to an alarm is new by rule',
    weeks: [
      { day: 0, policy: policy({ near: 'watch: score < 500' }), world: { 1: { score: 450 } } },
      { day: 7, policy: policy({ near: 'score < 500' }) },
    ],
    says: ['to_look_at Ann: ; near'],
    news: true,
    exit: 10,
  },
  {
    name: 'an alarm that becomes a watch rule is no news',
    weeks: [
      { day: 0, policy: policy({ near: 'score < 500' }), world: { 1: { score: 450 } } },
      { day: 7, policy: policy({ near: 'watch: score < 500' }) },
    ],
    says: ['watch Ann: ; '],
    news: false,
    exit: 0,
  },
  {
    name: 'a watch rule does not hide an alarm of the same wallet',
    weeks: [
      { day: 0, policy: policy({ near: 'watch: score < 500', low: 'score < 460' }), world: { 1: { score: 450 } } },
    ],
    says: ['to_look_at Ann: ; '],
    exit: 10,
  },
  {
    name: 'no score is not told where no rule asks for it',
    weeks: [{ day: 0, rules: ['--fail-if', 'poor: total_collateral_usd < 5'], world: { 1: { score: null } } }],
    says: [],
    exit: 0,
  },
  {
    name: 'no score is not judged where a rule asks for it, and is news once',
    weeks: [{ day: 0, rules: low(500), world: { 1: { score: null } } }, { day: 7 }],
    says: ['not_judged Ann: '],
    news: false,
    exit: 10,
  },
  {
    name: 'a rule on change that cannot be judged every week is no news every week',
    weeks: [{ day: 0, rules: FELL, world: { 1: { score: null } } }, { day: 7 }, { day: 14 }],
    says: ['not_judged Ann: '],
    news: false,
    exit: 10,
  },
  {
    name: 'a rule that is added and cannot be judged is new by rule',
    weeks: [
      { day: 0, world: { 1: { score: null } } },
      { day: 7, rules: low(500) },
    ],
    says: ['not_judged Ann: by rule'],
    news: true,
  },
  {
    name: 'a wallet that fails is not judged, newly',
    weeks: [
      { day: 0, rules: low(500) },
      { day: 7, world: { 1: FAILED } },
    ],
    says: ['not_judged Ann: new'],
    news: true,
  },
  {
    name: 'a wallet fails, and the same review, run again, has said that it matches',
    weeks: [{ day: 0, rules: low(500), world: { 1: FAILED } }, { day: 1, world: { 1: { score: 450 } } }, { day: 7 }],
    says: ['to_look_at Ann: ; '],
    news: false,
    exit: 10,
  },
  {
    name: 'a wallet fails, and a look by other rules hides no match',
    weeks: [
      { day: 0, rules: low(500), world: { 1: FAILED } },
      { day: 1, rules: low(600), world: { 1: { score: 450 } } },
      { day: 7, rules: low(500) },
    ],
    says: ['to_look_at Ann: low; '],
    news: true,
  },
  {
    name: 'a wallet that has failed for weeks is no news, though a rule was added',
    weeks: [
      { day: 0, world: { 1: FAILED } },
      { day: 7, rules: low(500) },
    ],
    says: ['not_judged Ann: '],
    news: false,
    exit: 10,
  },
  {
    name: 'an incomplete answer clears no alarm',
    weeks: [
      { day: 0, rules: RICH, world: { 1: { usd: 5000 } } },
      { day: 7, world: { 1: { usd: 900, errors: { aave: 'timeout' } } } },
    ],
    says: ['not_judged Ann: new'],
    news: true,
    exit: 10,
  },
  {
    name: 'answers are incomplete for weeks, and clear no alarm, which is told once',
    weeks: [
      { day: 0, rules: RICH, world: { 1: { usd: 5000 } } },
      { day: 7, world: { 1: { usd: 900, errors: { aave: 'timeout' } } } },
      { day: 14 },
    ],
    says: ['not_judged Ann: '],
    news: false,
    exit: 10,
  },
  {
    name: 'an incomplete answer clears no alarm that another incomplete one had as well',
    weeks: [
      { day: 0, rules: RICH, world: { 1: { usd: 5000 } } },
      { day: 7, world: { 1: { usd: 4000, errors: { aave: 'timeout' } } } },
      { day: 14, world: { 1: { usd: 900, errors: { aave: 'timeout' } } } },
    ],
    says: ['not_judged Ann: new'],
    news: true,
    exit: 10,
  },
  {
    name: 'an incomplete answer leaves no rule open that asks only for columns of the list',
    weeks: [
      { day: 0, rules: ['--fail-if', 'big: input.x > 1000'], list: `name,w,x\nAnn,${ANN},9000\n` },
      { day: 7, world: { 1: { errors: { aave: 'timeout' } } }, list: `name,w,x\nAnn,${ANN},100\n` },
    ],
    says: ['changed Ann: ; '],
    exit: 0,
  },
  {
    name: 'a complete answer clears the alarm that an incomplete one left open',
    weeks: [
      { day: 0, rules: RICH, world: { 1: { usd: 5000 } } },
      { day: 7, world: { 1: { usd: 900, errors: { aave: 'timeout' } } } },
      { day: 14, world: { 1: { usd: 900 } } },
    ],
    says: ['changed Ann: ; '],
    exit: 0,
  },
  {
    name: 'an exception is taken out that covered an alarm which an incomplete answer left open',
    weeks: [
      { day: 0, policy: policy({ rich: 'total_collateral_usd > 1000' }), world: { 1: { usd: 5000 } } },
      {
        day: 7,
        policy: policy({ rich: 'total_collateral_usd > 1000' }, { rich: '2027-01-01' }),
        world: { 1: { usd: 900, errors: { aave: 'timeout' } } },
      },
      { day: 14, policy: policy({ rich: 'total_collateral_usd > 1000' }) },
    ],
    says: ['not_judged Ann: by rule'],
    news: true,
    exit: 10,
  },
  {
    name: 'a watch rule is raised that an incomplete answer left open',
    weeks: [
      { day: 0, policy: policy({ rich: 'watch: total_collateral_usd > 1000' }), world: { 1: { usd: 5000 } } },
      { day: 7, world: { 1: { usd: 900, errors: { aave: 'timeout' } } } },
      { day: 14, policy: policy({ rich: 'total_collateral_usd > 1000' }) },
    ],
    says: ['not_judged Ann: by rule'],
    news: true,
    exit: 10,
  },
  {
    name: 'answers are always incomplete, and clear an alarm as complete ones do',
    weeks: [
      { day: 0, rules: RICH, world: { 1: { usd: 5000, errors: { aave: 'off' } } } },
      { day: 7, world: { 1: { usd: 900, errors: { aave: 'off' } } } },
    ],
    says: ['changed Ann: ; '],
    exit: 0,
  },
  {
    name: 'a wallet is excused, whatever an incomplete answer leaves open',
    weeks: [
      { day: 0, policy: policy({ rich: 'total_collateral_usd > 1000' }), world: { 1: { usd: 5000 } } },
      {
        day: 7,
        policy: policy({ rich: 'total_collateral_usd > 1000' }, { rich: '2027-01-01' }),
        world: { 1: { usd: 900, errors: { aave: 'timeout' } } },
      },
    ],
    says: ['excused Ann: ; '],
    exit: 0,
  },
  {
    name: 'a wallet that was repaired and fails again is newly not judged',
    weeks: [
      { day: 0, world: { 1: FAILED } },
      { day: 1, world: {} },
      { day: 7, world: { 1: FAILED } },
    ],
    says: ['not_judged Ann: new'],
    news: true,
  },
  {
    name: 'a wallet that has failed for weeks is no news',
    weeks: [{ day: 0 }, { day: 7, world: { 1: FAILED } }, { day: 14 }, { day: 21 }],
    says: ['not_judged Ann: '],
    news: false,
  },
  {
    name: 'a wallet that comes and matches is new by its facts',
    weeks: [
      { day: 0, rules: low(500), list: `name,w\nBen,${BEN}\n` },
      { day: 7, world: { 1: { score: 450 } }, list: `name,w\nBen,${BEN}\nAnn,${ANN}\n` },
    ],
    says: ['to_look_at Ann: low; '],
  },
  {
    name: 'a collateral that rises from nothing has changed',
    weeks: [
      { day: 0, world: { 1: { usd: 0 } } },
      { day: 7, world: { 1: { usd: 500 } } },
    ],
    says: ['changed Ann: ; '],
    news: true,
  },
  {
    name: 'a wallet loses its score, and no rule asks for it',
    weeks: [{ day: 0 }, { day: 7, world: { 1: { score: null } } }],
    says: ['changed Ann: ; '],
    news: true,
  },
  {
    name: 'a wallet has had no score for weeks',
    weeks: [{ day: 0 }, { day: 7, world: { 1: { score: null } } }, { day: 14 }, { day: 21 }],
    says: [],
    news: false,
  },
  {
    name: 'a wallet loses its collateral',
    weeks: [{ day: 0 }, { day: 7, world: { 1: { usd: null } } }],
    says: ['changed Ann: ; '],
    news: true,
  },
  {
    name: 'a collateral falls over a week that had none',
    weeks: [
      { day: 0, rules: ['--fail-if', 'fell: total_collateral_usd.ratio < 0.5'] },
      { day: 7, world: { 1: { usd: null } } },
      { day: 14, world: { 1: { usd: 10 } } },
    ],
    says: ['to_look_at Ann: fell; '],
    news: true,
  },
  {
    name: 'a text is lost',
    weeks: [{ day: 0 }, { day: 7, world: { 1: { level: null } } }],
    says: ['changed Ann: ; '],
    news: true,
  },
  {
    name: 'a text comes back as another one',
    weeks: [{ day: 0 }, { day: 7, world: { 1: { level: null } } }, { day: 14, world: { 1: { level: 'High' } } }],
    says: ['changed Ann: ; '],
    news: true,
  },
  {
    name: 'a wallet that came without an answer has its first figures',
    weeks: [
      { day: 0, world: { 1: FAILED } },
      { day: 7, world: {} },
    ],
    says: ['changed Ann: ; '],
    news: true,
  },
  {
    name: 'a week is repeated many times, and a wallet without a score then falls',
    weeks: [
      { day: 0, rules: FELL },
      ...Array.from({ length: 12 }, (_, i) => ({ day: 7 + i / 100, world: { 1: { score: null } } })),
      { day: 14, world: { 1: { score: 100 } } },
    ],
    says: ['to_look_at Ann: fell; '],
    news: true,
  },
  {
    name: 'a watch rule holds newly for a wallet that is to be looked at already',
    weeks: [
      {
        day: 0,
        policy: policy({ low: 'score < 500', thin: 'watch: total_collateral_usd < 900' }),
        world: { 1: { score: 450 } },
      },
      { day: 7, world: { 1: { score: 450, usd: 880 } } },
    ],
    says: ['to_look_at Ann: thin; '],
    news: true,
  },
  {
    name: 'a rule on change can be judged no more',
    weeks: [{ day: 0, rules: FELL }, { day: 7 }, { day: 14, world: { 1: { score: null } } }],
    says: ['not_judged Ann: new'],
    news: true,
  },
  {
    name: 'a wallet fails whose status is accepted',
    weeks: [
      { day: 0, rules: [...low(500), '--accept', 'failed'] },
      { day: 7, world: { 1: FAILED } },
    ],
    says: ['not_judged Ann: new'],
    news: true,
    exit: 0,
  },
  {
    name: 'a wallet fails, and a look with other rules hides nothing from the next week',
    weeks: [
      { day: 0, rules: FELL },
      { day: 7, world: { 1: FAILED } },
      { day: 7.1, rules: [], world: { 1: { score: 150 } } },
      { day: 14, rules: FELL },
    ],
    says: ['to_look_at Ann: fell; '],
    news: true,
    exit: 10,
  },
  {
    name: 'a wallet fails, and a look that compares with nothing hides nothing from the next day',
    weeks: [
      { day: 0, rules: ['--since', '1d'] },
      { day: 1, world: { 1: FAILED } },
      { day: 1.1, rules: [], world: { 1: { score: 150 } } },
      { day: 2, rules: ['--since', '1d'] },
    ],
    says: ['changed Ann: ; '],
    news: true,
  },
  {
    name: 'a wallet fails, and the same review, run again, has said what changed',
    weeks: [
      { day: 0, rules: FELL },
      { day: 7, world: { 1: FAILED } },
      { day: 7.1, world: { 1: { score: 150 } } },
      { day: 14 },
    ],
    says: [],
    exit: 0,
  },
  {
    name: 'a watch rule that cannot be judged is raised to an alarm',
    weeks: [
      { day: 0, policy: policy({ low: 'watch: score < 500' }), world: { 1: { score: null } } },
      { day: 7, policy: policy({ low: 'score < 500' }) },
    ],
    says: ['not_judged Ann: by rule'],
    news: true,
    exit: 10,
  },
  {
    name: 'a Monday failed and was repaired by hand, of a wallet without a score by nature and of one that fails again',
    weeks: [
      { day: 0, rules: HALVED, world: { 1: { score: null } } },
      { day: 7, world: { 1: FAILED, 2: FAILED } },
      { day: 7.1, world: { 1: { score: null } } },
      { day: 14, world: { 1: { score: null, usd: 100 }, 2: FAILED } },
    ],
    says: ['to_look_at Ann: halved; ', 'not_judged Ben: new'],
    news: true,
  },
  {
    name: 'a Monday failed and was not repaired: its values are those of the week before',
    weeks: [
      { day: 0, rules: HALVED, world: { 1: { score: null } } },
      { day: 7, world: { 1: FAILED } },
      { day: 14, world: { 1: { score: null, usd: 100 } } },
    ],
    says: ['to_look_at Ann: halved; '],
  },
  {
    name: 'a wallet fails that one rule of two could judge',
    weeks: [
      { day: 0, rules: [...low(500), '--fail-if', 'big: total_collateral_usd > 5000'], world: { 1: { score: null } } },
      { day: 7, world: { 1: FAILED } },
    ],
    says: ['not_judged Ann: new'],
    news: true,
  },
  {
    name: 'a look in mid-week saw a fall, which is left to Monday',
    weeks: [
      { day: 0, rules: HALVED },
      { day: 7, world: { 1: FAILED } },
      { day: 9, world: { 1: { usd: 400 } } },
      { day: 14 },
    ],
    says: ['to_look_at Ann: halved; '],
    news: true,
  },
  {
    name: 'a look in mid-week saw a low score, which is new on Monday',
    weeks: [
      { day: 0, rules: low(500), world: { 1: { score: 688 } } },
      { day: 2, world: { 1: { score: 400 } } },
      { day: 7 },
    ],
    says: ['to_look_at Ann: low; '],
    news: true,
  },
  {
    name: 'a week had no score, which was accepted: a match is new by that week, also of the score before',
    weeks: [
      {
        day: 0,
        rules: [...low(500), '--fail-if', 'poor: total_collateral_usd < 500', '--accept', 'no_score'],
        world: { 1: { score: 450 } },
      },
      { day: 7, world: { 1: { score: null }, 2: { score: null, usd: 400 } } },
      { day: 14, world: { 1: { score: 440 }, 2: { score: 440 } } },
    ],
    says: ['to_look_at Ann: low; ', 'to_look_at Ben: low; '],
  },
  {
    name: 'a collateral falls by a fifth, which is a change and no news, and another by less',
    weeks: [{ day: 0 }, { day: 7, world: { 1: { usd: 800 }, 2: { usd: 801 } } }],
    says: ['changed Ann: ; '],
    news: false,
  },
  {
    name: 'a collateral falls by a half',
    weeks: [{ day: 0 }, { day: 7, world: { 1: { usd: 500 } } }],
    says: ['changed Ann: ; '],
    news: true,
  },
  {
    name: 'a score moves by less than a tenth',
    weeks: [{ day: 0 }, { day: 7, world: { 1: { score: 769 } } }],
    says: ['changed Ann: ; '],
    news: false,
  },
  {
    name: 'a score moves by a tenth, another by less, and the larger change comes first',
    weeks: [{ day: 0 }, { day: 7, world: { 1: { score: 701 }, 2: { score: 770 } } }],
    says: ['changed Ben: ; ', 'changed Ann: ; '],
    news: true,
  },
  {
    name: 'a wallet has a score again, the same as before it had none, which is a change of its status',
    weeks: [
      { day: 0, rules: ['--fail-if', 'moved: change == changed'] },
      { day: 7, world: { 1: { score: null } } },
      { day: 14, world: {} },
    ],
    says: ['to_look_at Ann: moved; '],
    news: true,
  },
  {
    name: 'an alarm has no score, and then an incomplete answer: it stands',
    weeks: [
      { day: 0, rules: low(600), world: { 1: { score: 595 } } },
      { day: 7, world: { 1: { score: null } } },
      { day: 14, world: { 1: { score: 605, errors: { aave: 'timeout' } } } },
    ],
    says: ['not_judged Ann: '],
    letter: /^Ann .*matched before: low/m,
    exit: 10,
  },
  {
    name: 'an alarm had no score, an incomplete answer, and then a complete one: it has ended',
    weeks: [
      { day: 0, rules: low(600), world: { 1: { score: 595 } } },
      { day: 7, world: { 1: { score: null } } },
      { day: 14, world: { 1: { score: 605, errors: { aave: 'timeout' } } } },
      { day: 21, world: { 1: { score: 605 } } },
    ],
    says: ['changed Ann: ; '],
    letter: /^Ann .*no longer low/m,
    exit: 0,
  },
  {
    name: 'an alarm that only an incomplete answer has made is ended by an incomplete one',
    weeks: [
      { day: 0, rules: low(600) },
      { day: 7, world: { 1: { score: 590, errors: { aave: 'timeout' } } } },
      { day: 14, world: { 1: { score: 650, errors: { aave: 'timeout' } } } },
    ],
    says: ['changed Ann: ; '],
    letter: /^Ann .*no longer low/m,
    exit: 0,
  },
  {
    name: 'an alarm has no score, which is accepted: it has not ended',
    weeks: [
      { day: 0, rules: [...low(600), '--accept', 'no_score'], world: { 1: { score: 595 } } },
      { day: 7, world: { 1: { score: null } } },
    ],
    says: ['changed Ann: ; '],
    letter: /^Ann .*matched before: low(?!.*no longer)/m,
    exit: 0,
  },
  {
    name: 'an alarm had no score, which was accepted, and then has ended',
    weeks: [
      { day: 0, rules: [...low(600), '--accept', 'no_score'], world: { 1: { score: 595 } } },
      { day: 7, world: { 1: { score: null } } },
      { day: 14, world: { 1: { score: 605 } } },
    ],
    says: ['changed Ann: ; '],
    letter: /^Ann .*no longer low/m,
  },
  {
    name: 'an alarm fails: its row says what it was',
    weeks: [
      { day: 0, rules: low(600), world: { 1: { score: 595 } } },
      { day: 7, world: { 1: FAILED } },
    ],
    says: ['not_judged Ann: new'],
    letter: /^Ann [\s\S]*matched before: low/m,
  },
  {
    name: 'an alarm leaves the list: its row says what it was',
    weeks: [
      { day: 0, rules: low(600), world: { 1: { score: 595 } } },
      { day: 7, list: `name,wallet\nBen,${BEN}\n` },
    ],
    says: ['left Ann: ; '],
    letter: /^Ann .*left; matched before: low/m,
    exit: 0,
  },
  {
    name: 'an alarm fails on the day on which its rule is taken out, which is told on that day',
    weeks: [
      { day: 0, rules: [...low(600), ...RICH], world: { 1: { score: 595 } } },
      { day: 7, rules: RICH, world: { 1: FAILED } },
    ],
    says: ['not_judged Ann: new'],
    stderr: /gone or weaker: low \(wallets 1\)/,
  },
  {
    name: 'an alarm fails on the day on which its rule is made weaker, which is told on that day',
    weeks: [
      { day: 0, rules: low(600), world: { 1: { score: 595 } } },
      { day: 7, rules: low(400), world: { 1: FAILED } },
    ],
    says: ['not_judged Ann: new'],
    stderr: /gone or weaker: low \(wallets 1\)/,
  },
  {
    name: 'an alarm failed when its rule was made weaker, which is not told again',
    weeks: [
      { day: 0, rules: low(600), world: { 1: { score: 595 } } },
      { day: 7, rules: low(400), world: { 1: FAILED } },
      { day: 14, world: { 1: { score: 595 } } },
    ],
    says: [],
    exit: 0,
    stderr: /^(?!.*weaker)/s,
  },
  {
    name: 'a complete answer is compared with the last complete one',
    weeks: [
      { day: 0, rules: HALVED },
      { day: 7, world: { 1: { usd: 400, errors: { aave: 'timeout' } } } },
      { day: 14, world: { 1: { usd: 400 } } },
    ],
    says: ['to_look_at Ann: halved; '],
    letter: /^Ann .* -60\.0%.* halved \(new\); collateral since 5 Oct 2026/m,
    news: true,
    exit: 10,
  },
  {
    name: 'a gap in an answer is closed, which is no change',
    weeks: [{ day: 0 }, { day: 7, world: { 1: { usd: 400, errors: { aave: 'timeout' } } } }, { day: 14, world: {} }],
    says: [],
    news: false,
  },
  {
    name: 'an answer stays incomplete, and is compared with the last one',
    weeks: [
      { day: 0, rules: HALVED },
      { day: 7, world: { 1: { usd: 400, errors: { aave: 'timeout' } } } },
      { day: 14 },
    ],
    says: [],
    news: false,
  },
  {
    name: 'a new alarm comes before those that are new by rule',
    weeks: [
      { day: 0, rules: low(500), world: { 1: { score: 520 }, 2: { score: 700 } } },
      { day: 7, rules: low(600), world: { 1: { score: 520 }, 2: { score: 590 } } },
    ],
    says: ['to_look_at Ben: low; ', 'to_look_at Ann: ; low'],
  },
  {
    name: 'an alarm that only a look in mid-week has seen stands on Monday, when the answer is incomplete',
    weeks: [
      { day: 0, rules: low(500), world: { 1: { score: 650 } } },
      { day: 2, world: { 1: { score: 450 } } },
      { day: 7, world: { 1: { score: 650, errors: { aave: 'timeout' } } } },
    ],
    says: ['not_judged Ann: new'],
    letter: /^Ann .*matched before: low/m,
    exit: 10,
  },
  {
    name: 'a Monday had no score, its Tuesday an alarm, and the next Monday is incomplete',
    weeks: [
      { day: 0, rules: low(500), world: { 1: { score: 650 } } },
      { day: 7, world: { 1: { score: null } } },
      { day: 8, world: { 1: { score: 450 } } },
      { day: 14, world: { 1: { score: 650, errors: { aave: 'timeout' } } } },
    ],
    says: ['not_judged Ann: '],
    exit: 10,
  },
  {
    name: 'an alarm of Monday, and an incomplete answer on Tuesday',
    weeks: [
      { day: 0, rules: low(500), world: { 1: { score: 650 } } },
      { day: 7 },
      { day: 14, world: { 1: { score: 350 } } },
      { day: 15, world: { 1: { score: 650, errors: { aave: 'timeout' } } } },
    ],
    says: ['not_judged Ann: new'],
    exit: 10,
  },
  {
    name: 'an alarm of Monday, and an incomplete answer two days later, with nothing to compare with yet',
    weeks: [
      { day: 0, rules: low(500), world: { 1: { score: 350 } } },
      { day: 2, world: { 1: { score: 650, errors: { aave: 'timeout' } } } },
    ],
    says: ['not_judged Ann: '],
    exit: 10,
  },
  {
    name: 'an alarm was missing in a list that was repaired on the same day, and is incomplete since',
    weeks: [
      { day: 0, rules: low(500), world: { 1: { score: 450 } } },
      { day: 7, list: `name,wallet\nBen,${BEN}\n` },
      {
        day: 7.1,
        list: `name,wallet\nAnn,${ANN}\nBen,${BEN}\n`,
        world: { 1: { score: 700, errors: { aave: 'timeout' } } },
      },
      { day: 14 },
    ],
    says: ['not_judged Ann: new'],
    exit: 10,
  },
  {
    name: 'a collateral was missing, and then incomplete: a complete one is compared with the last complete one',
    weeks: [
      { day: 0, rules: HALVED },
      { day: 7, world: { 1: { usd: null } } },
      { day: 14, world: { 1: { usd: 600, errors: { aave: 'timeout' } } } },
      { day: 21, world: { 1: { usd: 450 } } },
    ],
    says: ['to_look_at Ann: halved; '],
    letter: /^Ann .* -55\.0%.*collateral since 5 Oct 2026/m,
    exit: 10,
  },
  {
    name: 'a score was missing, and then incomplete: a complete one is compared with the last complete one',
    weeks: [
      { day: 0, rules: FELL },
      { day: 7, world: { 1: { score: null } } },
      { day: 14, world: { 1: { score: 660, errors: { aave: 'timeout' } } } },
      { day: 21, world: { 1: { score: 640 } } },
    ],
    says: ['to_look_at Ann: fell; '],
    exit: 10,
  },
  {
    name: 'a rule is made stricter when the figure of its alarm has changed: the alarm has ended by the figure',
    weeks: [
      { day: 0, rules: low(500), world: { 1: { score: 650 } } },
      { day: 7, world: { 1: { score: 350, errors: { aave: 'timeout' } } } },
      { day: 14, rules: low(600), world: { 1: { score: 660 } } },
    ],
    says: ['changed Ann: ; '],
    letter: /^holders[^\n]*\n\nCHANGED[^\n]*\nAnn .*no longer low/,
  },
  {
    name: 'a rule is made weaker when one alarm has ended by its figure, and another has not changed',
    weeks: [
      { day: 0, rules: low(500), world: { 1: { score: 450 }, 2: { score: 450 } } },
      { day: 7, rules: low(400), world: { 1: { score: 650 }, 2: { score: 450 } } },
    ],
    says: ['changed Ann: ; ', 'changed Ben: ; '],
    letter: /weaker: low \(wallets 1\)\n[\s\S]*^Ann .*no longer low\nBen .*no longer low \(by rule\)$/m,
  },
];

const SECTIONS = ['to_look_at', 'not_judged', 'watch', 'excused', 'changed', 'came', 'left'] as const;

describe('a review', () => {
  it.each(CASES)('of weeks in which $name', async ({ weeks, says, letter, stderr, news, exit }) => {
    const { review, now, at } = await stage({}, [1, 2]);
    let rules: readonly string[] = [];
    let end = { stdout: '', stderr: '', exitCode: -1 };
    for (const week of weeks) {
      if (week.world) now.world = week.world;
      if (week.list) writeFileSync(at('holders.csv'), week.list);
      if (week.rules) rules = week.rules;
      if (week.policy) {
        writeFileSync(at('policy.json'), policyText(week.policy));
        rules = ['--policy', at('policy.json')];
      }
      end = await review(week.day, '--json', ...rules);
    }
    const told = JSON.parse(end.stdout);
    const found = SECTIONS.flatMap((name) => told[name].rows.map((row: ToldRow) => `${name} ${wordsOf(name, row)}`));
    expect(found).toEqual(says);
    if (news !== undefined) expect(told.news).toBe(news);
    if (exit !== undefined) expect(end.exitCode).toBe(exit);
    if (stderr) expect(end.stderr).toMatch(stderr);
    if (letter)
      expect((await review(weeks.at(-1)?.day ?? 0, '--as-of', new Date(now.at).toISOString())).stdout).toMatch(letter);
  });
});

interface ToldRow {
  readonly label: string;
  readonly new: readonly string[];
  readonly new_by_rule: readonly string[];
  readonly newly_not_judged: boolean;
  readonly newly_not_judged_by_rule: boolean;
}

function wordsOf(section: string, row: ToldRow): string {
  if (section !== 'not_judged') return `${row.label}: ${row.new.join(', ')}; ${row.new_by_rule.join(', ')}`;
  return `${row.label}: ${row.newly_not_judged ? 'new' : ''}${row.newly_not_judged_by_rule ? 'by rule' : ''}`;
}

function policyText({ rules, excused = {} }: NonNullable<Week['policy']>): string {
  return JSON.stringify({
    rules: Object.entries(rules).map(([name, text]) => ({
      name,
      if: text.replace('watch: ', ''),
      ...(text.startsWith('watch: ') && { level: 'watch' }),
    })),
    exceptions: Object.entries(excused).map(([rule, until]) => ({ wallet: ANN, rule, reason: 'known', until })),
  });
}
