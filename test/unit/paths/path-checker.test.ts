import { expect, it } from 'vitest';
import type { UsageError } from '../../../src/errors.ts';
import { parseFields } from '../../../src/paths/fields.ts';
import { PathChecker } from '../../../src/paths/path-checker.ts';
import { document } from '../output/rows.ts';

const ANSWER =
  '{"wallet_address":"0x","total_collateral_usd":1,"defi_score":{"risk_level":"x","factors":[{"weight":1},{"weight":2}]},"_meta":{"status":"scored","line":1,"score":7,"input":{"customer":"x"}}}';

type Answers = string | ((i: number) => string);

const watchOf = (spec: string) => new PathChecker(parseFields(spec).map((field) => ({ ...field, from: '--fields' })));

function watched(spec: string, answers: Answers, count: number) {
  const watch = watchOf(spec);
  for (let i = 0; i < count; i++) {
    watch.observe(`wallet ${i}`, () => document(typeof answers === 'string' ? answers : answers(i)));
  }
  return watch;
}
const texts = (error: UsageError | undefined) => error && [error.message, error.hint];
const suggested = (error: UsageError | undefined) => /did you mean (.*)\?(?= If)/.exec(error?.hint ?? '')?.[1];

const meant = (spec: string, answers: Answers = ANSWER) => suggested(watched(spec, answers, 20).mistypedError);

it('stops a list for a path that differs by two letters, or is the end of another', () => {
  expect(texts(watched('defi_scor.risk_level', ANSWER, 20).mistypedError)).toEqual([
    "none of the first 20 answers had 'defi_scor.risk_level' of --fields",
    "did you mean defi_score.risk_level? If it may be absent, put '?' after the path",
  ]);
  expect(meant('total_colateral_us')).toBe('total_collateral_usd');
  expect(meant('Defi_Score.Risk_Levle')).toBe('defi_score.risk_level');
  expect(meant('risk_level')).toBe('defi_score.risk_level');
  expect(meant('weight')).toBe('defi_score.factors[0].weight');
  expect(meant('defi_score.factors[9].weigth')).toBe('defi_score.factors[0].weight');
  expect(meant('scor')).toBe('score');
  expect(meant('input.custmer')).toBe('input.customer');
  expect(meant('wallet_address,risk_level')).toBe('defi_score.risk_level');
  expect(meant('["scor"]')).toBe('score');
});

it('stops no list before 20 answers, or if one answer had the path', () => {
  expect(watched('risk_level', ANSWER, 19).mistypedError).toBeUndefined();
  expect(meant('risk_level', (i) => (i === 7 ? '{"risk_level":null}' : ANSWER))).toBeUndefined();
});

it.each([
  ...['total', 'rare', 'defi_score.scor', 'tokens.usdc', 'wallet_address.x', 'health', 'defi_score.factors[9].weight'],
  ...['risk_level?', '_meta.warning', '_meta.error.cod', 'score', 'status', '["score"]'],
])('stops no list for %s, which has no similar path or may be absent', (spec) => expect(meant(spec)).toBeUndefined());

it('stops no list for a path below null', () => expect(meant('debt.udsd', '{"debt":null}')).toBeUndefined());

it.each([
  ['lvl', 'level', true],
  ['Level', 'level', true],
  ['levels', 'level', true],
  ['id', 'tx', false],
  ['a', 'ab', false],
  ['health', 'collateral', false],
  ['tier_3', 'tier_2', false],
])('takes %s for a typing mistake in the key %s: %s', (typed, key, isSlip) => {
  expect(meant(typed, `{"${key}":1}`)).toBe(isSlip ? key : undefined);
});

it('counts each wallet once, and waits for no more answers than needed', () => {
  const watch = watchOf('risk_level');
  for (let i = 0; i < 40; i++) watch.observe(i % 2 ? '0xAB' : '0xab', () => document(ANSWER));
  expect([watch.isDecided, watch.mistypedError]).toEqual([false, undefined]);
  watch.observe('another', () => document('{"risk_level":1}'));
  expect(watch.isDecided).toBe(true);
  expect(watched('rare', ANSWER, 19).isDecided).toBe(false);
  expect(watched('rare', ANSWER, 20).isDecided).toBe(true);
});

const missing = (spec: string, ...answers: readonly string[]) =>
  watched(spec, (i) => answers[i] ?? '', answers.length).missingPathsError();

it('suggests at most three paths with a similar last key', () => {
  const error = missing('risk_levle,other', '{"a":{"risk_level":1},"b":{"risk_level":1},"\\u001b[31m":{"other":2}}');
  expect(error?.exitCode).toBe(2);
  expect(texts(error)).toEqual([
    "no answer had 'risk_levle' of --fields, 'other' of --fields",
    `did you mean a.risk_level or b.risk_level or ["\\u001b[31m"].other? If it may be absent, put '?' after the path`,
  ]);
  expect(suggested(missing('defi_score.factors[7].weight', ANSWER))).toBe('defi_score.factors[0].weight');
  expect(suggested(missing('error.cod', '{"_meta":{"error":{"code":"network"}}}'))).toBe('_meta.error.code');
  expect(texts(missing('rare', '{"errors":1,"wallet_address":"0x"}'))).toEqual([
    "no answer had 'rare' of --fields",
    "put '?' after a path that may be absent",
  ]);
});

it('reports no path that one answer had, even as null, or if there was no answer', () => {
  expect(missing('a,b.c', '{"a":1}', '{"b":{"c":null}}')).toBeUndefined();
  expect(missing('a.b', '{"a":null}')).toBeUndefined();
  expect(missing('x?,_meta.error.code', '{"a":1}')).toBeUndefined();
  expect(missing('x')).toBeUndefined();
  expect(suggested(missing('a.levle', '{"a":null}', '{"a":{"level":1}}'))).toBe('a.level');
});

it('suggests a top-level name behind a map of many keys', () => {
  const tokens = Array.from({ length: 5_000 }, (_, index) => `"0x${index}":{"amount":1}`).join(',');
  expect(suggested(missing('total', `{"tokens":{${tokens}},"totals":1}`))).toBe('totals');
});

const table = (...names: readonly string[]) => ({
  isTable: true,
  first: [{ input: names.map((name) => [name, 'x'] as const) }],
});
const check = (spec: string, list = table('holder', 'exposure', 'score', 'defi_score', 'a.b')) => {
  try {
    watchOf(spec).checkColumns(list);
    return undefined;
  } catch (error) {
    return texts(error as UsageError);
  }
};

it('refuses a column of the list without `input.`, with both spellings', () => {
  expect(check('exposure')).toEqual([
    "'exposure' of --fields is a column of the list",
    `write input.exposure for the list's, ["exposure"] for the answer's`,
  ]);
  expect(check('exposure.usd[0]')?.[1]).toBe(
    `write input.exposure.usd[0] for the list's, ["exposure"].usd[0] for the answer's`,
  );
});

it.each(['exposure?', '["exposure"]', 'input.exposure', 'score', 'score.x', 'defi_score.defi_score', 'other'])(
  'does not take %s for a column of the list',
  (spec) => {
    expect(check(spec)).toBeUndefined();
  },
);

it('refuses a column that the table lacks, and suggests the nearest', () => {
  expect(check('input.exposrue')).toEqual([
    "the list has no 'input.exposrue', which --fields asks for",
    'did you mean input.exposure?',
  ]);
  const records = { isTable: false, first: table('exposure').first };
  expect(check('input.exposrue', records)).toBeUndefined();
  expect(check('exposure', records)?.[0]).toBe("'exposure' of --fields is a column of the list");
});
