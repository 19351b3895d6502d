/** Random histories of reviews from a seed, in which rare pairs of cases meet often. */
import { between, chance, pick, type Random, randomOf } from '../simulate/random.ts';
import type { Answer, Condition, Damage, Exception, Level, Review, Row, Rule } from './terms.ts';

export interface Planned extends Review {
  /** The hour at which it starts; two reviews of a day start at different ones. */
  readonly hour: number;
  readonly ruleSources: Readonly<Record<string, Source>>;
  /** The kept file with this number, counted from the newest, is deleted before it. */
  readonly forgets?: number;
  /** So is the last line of this one, or its first line is changed. */
  readonly damages?: { readonly number: number; readonly damage: Damage };
  /** Whether it runs with --only-news. */
  readonly onlyNews: boolean;
}
type Source = 'policy' | 'named' | 'unnamed';
export interface History {
  readonly seed: number;
  readonly reviews: readonly Planned[];
}

/** Monday, 5 October 2026. */
const MONDAY = Date.UTC(2026, 9, 5) / 86_400_000;
const SCORES = [400, 480, 540, 590, 600, 650, 700];
const COLLATERALS = [0, 50, 80, 100, 120, 150, 1000];
const ADDRESSES = Array.from({ length: 9 }, (_, i) => `0x${String(i + 1).repeat(40)}`);
const TEXTS = ['unknown', 'n/a'];
const NAMES = ['low', 'poor', 'fell', 'limit'];

const one = (path: string, op: Condition['op'], value?: number | string) => ({
  join: 'all' as const,
  conditions: [{ path, op, value }],
});
const CONDITIONS: readonly { join: Rule['join']; conditions: Condition[] }[] = [
  one('score', '<', 600),
  one('score', '<', 500),
  one('score', '<', 600),
  one('score', '>=', 650),
  one('score', 'missing'),
  one('total_collateral_usd', '<', 100),
  one('total_collateral_usd', '==', 0),
  one('status', '==', 'no_score'),
  one('status', '==', 'failed'),
  one('status', '!=', 'scored'),
  one('warning', 'exists'),
  one('input.limit', '>', 5),
  one('input.limit', '>', 2),
  one('input.tier', '==', 'gold'),
  one('score.ratio', '<', 0.9),
  one('score.delta', '<', 0),
  one('score.old', '<', 600),
  one('total_collateral_usd.ratio', '<=', 0.5),
  one('total_collateral_usd.delta', '>', 0),
  { join: 'all', conditions: [one('score', '<', 600), one('input.tier', '==', 'gold')].flatMap((c) => c.conditions) },
  {
    join: 'any',
    conditions: [one('score', '<', 500), one('total_collateral_usd', '<', 80)].flatMap((c) => c.conditions),
  },
  { join: 'any', conditions: [one('score', '<', 500), one('input.limit', '>', 5)].flatMap((c) => c.conditions) },
];

export const conditionText = ({ path, op, value }: Condition) =>
  [path, op, value].filter((part) => part !== undefined).join(' ');
const textOf = ({ join, conditions }: Pick<Rule, 'join' | 'conditions'>) =>
  conditions.map(conditionText).join(join === 'all' ? ' and ' : ' or ');

interface State {
  rows: Row[];
  rules: { rule: Rule; source: Source }[];
  exceptions: Exception[];
  answers: Record<string, Answer>;
}

export function historyOf(seed: number): History {
  const random = randomOf('review model', seed);
  const state: State = { rows: [], rules: [], exceptions: [], answers: {} };
  for (let i = between(random, 3, 6); i > 0; i--) addRow(state, random);
  if (!state.rows.some((row) => row.valid)) state.rows.push(rowOf(ADDRESSES[0]!, random));
  for (let i = between(random, 1, 3); i > 0; i--) addRule(state, random);
  for (const wallet of ADDRESSES) state.answers[wallet] = answerOf(random);
  const since = pick(random, [1, 4, 7, 7, 7, 7, 14, 14, 28]);
  const accept = chance(random, 0.25) ? pick(random, [['no_score'], ['no_score', 'invalid'], ['failed']] as const) : [];
  // In a calm history little moves, so that letters without news and long alarms come to pass.
  const restless = chance(random, 0.35) ? 0.12 : 0.45;
  const twoPaths = chance(random, 0.2);
  let [day, hour] = [MONDAY, 6];
  const reviews: Planned[] = [];
  for (let left = between(random, 4, 9); left > 0; left--) {
    const sinceDay = chance(random, 0.04) && day > MONDAY ? { day: between(random, MONDAY - 3, day - 1) } : undefined;
    reviews.push({
      day,
      hour,
      rows: [...state.rows],
      rules: state.rules.map(({ rule }) => rule),
      ruleSources: Object.fromEntries(state.rules.map(({ rule, source }) => [rule.name, source])),
      exceptions: [...state.exceptions],
      accept: chance(random, 0.15) ? pick(random, [[], ['no_score'], ['failed', 'invalid']] as const) : accept,
      since: sinceDay ?? (chance(random, 0.1) ? pick(random, [1, 7, 14]) : since),
      scorePath: twoPaths && chance(random, 0.4) ? 'second' : 'first',
      answers: { ...state.answers },
      ...(chance(random, 0.04) && reviews.length > 1 && { forgets: between(random, 0, 1) }),
      ...(chance(random, 0.06) && {
        damages: { number: between(random, 0, 2), damage: pick(random, ['torn', 'torn', 'modified'] as const) },
      }),
      onlyNews: chance(random, 0.1),
    });
    const gap = pick(random, [0, 0, 1, 1, 2, 4, 5, 6, 7, 7, 7, 7, 7, 7, 8, 14, 21]);
    hour = gap === 0 ? hour + 1 : pick(random, [0, 6, 6, 12]);
    day += gap;
    change(state, random, { day, restless });
  }
  return { seed, reviews };
}

function rowOf(wallet: string, random: Random): Row {
  const limit = pick(random, ['1', '3', '7', '9', 'open']);
  return { wallet, valid: wallet.startsWith('0x'), columns: { limit, tier: pick(random, ['gold', 'silver']) } };
}

function addRow(state: State, random: Random) {
  if (state.rows.length >= 8) return;
  const wallet = chance(random, 0.12) ? pick(random, TEXTS) : pick(random, ADDRESSES);
  if (state.rows.some((row) => row.wallet === wallet) && chance(random, 0.6)) return;
  state.rows.splice(between(random, 0, state.rows.length), 0, rowOf(wallet, random));
}

function addRule(state: State, random: Random) {
  const source = pick(random, ['policy', 'policy', 'policy', 'named', 'unnamed'] as const);
  const level: Level = source === 'policy' && chance(random, 0.35) ? 'watch' : 'alarm';
  // A --fail-if has one condition.
  const condition = pick(
    random,
    CONDITIONS.filter(({ conditions }) => source === 'policy' || conditions.length === 1),
  );
  const text = textOf(condition);
  const name = source === 'unnamed' ? text : pick(random, NAMES);
  if (state.rules.some(({ rule }) => rule.name === name || rule.text === text)) return;
  state.rules.push({ rule: { ...condition, name, level, text }, source });
}

function answerOf(random: Random): Answer {
  if (chance(random, 0.12)) return 'refused';
  if (chance(random, 0.1)) return chance(random, 0.15) ? 'failing' : 'untrusted';
  const first = chance(random, 0.15) ? null : pick(random, SCORES);
  return {
    scores: { first, second: chance(random, 0.1) ? null : pick(random, SCORES) },
    collateral: chance(random, 0.06) ? null : pick(random, COLLATERALS),
    warning: chance(random, 0.18),
  };
}

const lastDay = (until = Infinity) => until;

/** What somebody, or the service, changes between two reviews. */
function change(state: State, random: Random, { day, restless }: { day: number; restless: number }) {
  for (const wallet of ADDRESSES) if (chance(random, restless)) state.answers[wallet] = answerOf(random);
  if (chance(random, restless * 0.6)) addRow(state, random);
  if (chance(random, restless / 2)) {
    const rest = state.rows.toSpliced(between(random, 0, state.rows.length - 1), 1);
    if (rest.some((row) => row.valid)) state.rows = rest;
  }
  if (chance(random, 0.15)) {
    const i = between(random, 0, state.rows.length - 1);
    state.rows = state.rows.with(i, rowOf(state.rows[i]!.wallet, random));
  }
  changeRules(state, random);
  changeExceptions(state, random, day);
}

function changeRules(state: State, random: Random) {
  if (chance(random, 0.15)) addRule(state, random);
  if (state.rules.length > 0 && chance(random, 0.1)) {
    const [gone] = state.rules.splice(between(random, 0, state.rules.length - 1), 1);
    state.exceptions = state.exceptions.filter((exception) => exception.rule !== gone!.rule.name);
  }
  const fromPolicy = state.rules.filter(({ source }) => source === 'policy');
  if (fromPolicy.length === 0) return;
  const old = pick(random, fromPolicy);
  const replace = (rule: Rule) => {
    if (state.rules.some((other) => other !== old && other.rule.text === rule.text)) return;
    state.rules = state.rules.map((other) => (other === old ? { ...old, rule } : other));
  };
  if (chance(random, 0.2)) replace({ ...old.rule, level: old.rule.level === 'alarm' ? 'watch' : 'alarm' });
  else if (chance(random, 0.15)) {
    const condition = pick(random, CONDITIONS);
    replace({ ...old.rule, ...condition, text: textOf(condition) });
  }
}

function changeExceptions(state: State, random: Random, day: number) {
  if (state.exceptions.length > 0 && chance(random, 0.2))
    state.exceptions = state.exceptions.toSpliced(between(random, 0, state.exceptions.length - 1), 1);
  const rules = state.rules.filter(({ source }) => source === 'policy');
  const wallets = state.rows.filter((row) => row.valid);
  for (let i = 0; i < 2; i++) {
    if (rules.length === 0 || !chance(random, 0.3)) continue;
    const wallet = pick(random, wallets).wallet;
    const rule = pick(random, rules).rule.name;
    const until = chance(random, 0.3) ? undefined : day + pick(random, [-1, 0, 1, 3, 6, 7, 8, 10, 13, 14, 15, 20]);
    const rest = state.exceptions.filter((other) => other.wallet !== wallet || other.rule !== rule);
    // No end moves back: the contract does not say whether an exception has then ended.
    const old = state.exceptions.find((other) => !rest.includes(other));
    if (!old || lastDay(until) > lastDay(old.until))
      state.exceptions = [...rest, { wallet, rule, reason: pick(random, ['known', 'agreed']), until }];
  }
}
