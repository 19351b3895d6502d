import { expect, it } from 'vitest';
import { formatPath } from '../../../src/document/path.ts';
import {
  conditionsOf,
  type Expression,
  judgeExpression,
  parseRule,
  parseRules,
  parseWhere,
} from '../../../src/rules/rules.ts';

const pathsOf = (expression: Expression) => conditionsOf(expression).map(({ path }) => formatPath(path));

it.each([
  ['low: a < 5', 'low', 'a'],
  ['low score: a < 5', 'low score', 'a'],
  ['Größe 1.5_b-c: a < 5', 'Größe 1.5_b-c', 'a'],
  ['  low :  a < 5', 'low', 'a'],
  ['a < 5', 'a < 5', 'a'],
  [' a < 5 ', 'a < 5', 'a'],
  ['eip155:1 exists', 'eip155:1 exists', 'eip155:1'],
  ['eip155:1.balance < 5', 'eip155:1.balance < 5', 'eip155:1.balance'],
  ['["a: b"] < 5', '["a: b"] < 5', '["a: b"]'],
  ['low: ["a: b"] < 5', 'low', '["a: b"]'],
  ['low: eip155:1 < 5', 'low', 'eip155:1'],
  ['a == https://example.com/x', 'a == https://example.com/x', 'a'],
  ['a == see: below', 'a == see: below', 'a'],
  ['site: a == https://example.com/x', 'site', 'a'],
  ['a == "b: c < 5"', 'a == "b: c < 5"', 'a'],
])('reads the rule %s with the name %j and the path %s', (text, name, path) => {
  const rule = parseRule(text);
  expect(rule.name).toBe(name);
  expect(pathsOf(rule.when)).toEqual([path]);
});

it('never repeats a possible private key of a rule', () => {
  const secret = '0123456789abcdef'.repeat(4);
  expect(parseRule(`a == ${secret}`).name).toBe('a == <withheld: may be a private key>');
  expect(parseRule(`${secret}: a < 1`).name).toBe('<withheld: may be a private key>');
});

it.each(['low:_meta.score < 5', 'a/b: x < 5', 'low: high: x < 5', 'x y; z: a exists'])(
  'refuses a rule %s, whose name cannot be read, before all answers are paid for',
  (text) => {
    expect(() => parseRule(text)).toThrow('has a colon where a path is expected');
  },
);

it('treats the same text twice as one rule', () => {
  expect(parseRules(['a < 5', 'b < 5', 'a < 5']).map(({ name }) => name)).toEqual(['a < 5', 'b < 5']);
});

it('refuses two conditions with one name', () => {
  expect(() => parseRules(['x: a < 5', 'x: b < 5'])).toThrow(
    expect.objectContaining({ message: "two conditions are called 'x'", hint: 'give each a name of its own' }),
  );
});

it.each(['_meta.matched exists', '_meta.unjudged exists', 'x: _meta.excused missing'])(
  'refuses the rule %s, which asks for a verdict of the rules',
  (text) => {
    const message = expect.stringContaining('asks for what the conditions decide');
    const hint = 'ask for a value of the answer instead';
    expect(() => parseRules([text])).toThrow(expect.objectContaining({ message, hint }));
  },
);

const [yes, no, open] = ['a == 1', 'a == 2', 'b == 1'].map((text) => parseRule(text).when) as [
  Expression,
  Expression,
  Expression,
];
const judged = (expression: Expression) =>
  judgeExpression(expression, ([key]) => (key === 'a' ? { kind: 'number', spelling: '1' } : undefined));

it.each<[string, Expression, boolean | undefined]>([
  ['yes and yes', { all: [yes, yes] }, true],
  ['yes and unknown', { all: [yes, open] }, undefined],
  ['unknown and no', { all: [open, no] }, false],
  ['no or no', { any: [no, no] }, false],
  ['no or unknown', { any: [no, open] }, undefined],
  ['unknown or yes', { any: [open, yes] }, true],
  ['(yes and unknown) or no', { any: [{ all: [yes, open] }, no] }, undefined],
  ['(unknown or yes) and yes', { all: [{ any: [open, yes] }, yes] }, true],
])('judges %s by three-valued logic', (_, expression, expected) => expect(judged(expression)).toBe(expected));

it('accepts no names for --where', () => {
  expect(() => parseWhere(['low: a < 1'])).toThrow('has a colon where a path is expected');
});

it('requires all conditions of --where', () => {
  expect(parseWhere([])).toBeUndefined();
  expect(judged(parseWhere(['a == 1', 'a < 5']) as Expression)).toBe(true);
  expect(judged(parseWhere(['a == 1', 'a > 5']) as Expression)).toBe(false);
  expect(judged(parseWhere(['a == 1', 'b > 5']) as Expression)).toBeUndefined();
});
