import { expect, it } from 'vitest';
import type { ObjectNode } from '../../../src/document/node.ts';
import { parseDocument } from '../../../src/document/parse.ts';
import { lookup } from '../../../src/document/path.ts';
import { UsageError } from '../../../src/errors.ts';
import { parseDecimal } from '../../../src/row/decimal.ts';
import { judgeCondition } from '../../../src/rules/conditions.ts';
import { parseCondition } from '../../../src/rules/parse-condition.ts';
import { fc } from '../../fixtures/properties.ts';
import { numbers } from '../document/documents.ts';

const OPERATORS = ['<', '<=', '>', '>=', '==', '!='];
const object = (text: string) => parseDocument(text) as ObjectNode;
const judged = (condition: string, document: string) =>
  judgeCondition(parseCondition(condition), (path) => lookup(object(document), path));

it.each([
  ...['a.b<5', 'a.b < 5', '  a.b   <   5  ', 'a["x<y"] < 5', 'a b < 5', 'a!<5', 'a == "x > y"', "a == 'x = y'"],
  ...['a == High Risk', 'a exists', '["a==b"] missing', 'existsexists exists', '["a and b"] exists'],
  ...['a label missing', 'eip155:1 < 5', 'chains.a:b < 5', '["low:score"] < 5', 'level == low:score'],
])('reads %s', (text) => expect(parseCondition(text).text).toBe(text));

const REFUSED: Readonly<Record<string, readonly string[]>> = {
  'has no operator': ['', 'a', 'exists', ' exists', 'a is 5'],
  "instead of '=='": ['a = 5', 'a =< 5'],
  'has an ambiguous value': ['a === 5', 'a <> 5', 'a == 1 && b == 2', 'a < 5 > 3', 'a == "x'],
  'has no value': ['a <'],
  'is not a path': ['< 5', 'a..b < 5', '.old < 5'],
  'needs a number or a date': [
    'a < high',
    'a < 1,000',
    'a >= true',
    'a < 2026-02-30',
    'a < 2026-03-01T24:00',
    'a < NaN',
  ],
  'compares with a missing value': ['a != null', 'a < null', 'a != ""'],
  'is more than a path and one test': [
    ...['a missing or b exists', 'input.a exists and b exists', 'a not exists', 'not a exists', '!a exists'],
    ...['any a exists', 'a is missing', 'if a missing'],
  ],
};
const refusals = Object.entries(REFUSED).flatMap(([problem, texts]) => texts.map((text) => [text, problem] as const));

it.each([
  ['low:score<600', 'low: score<600'],
  ['very low:_meta.score < 600', 'very low: _meta.score < 600'],
  ['low:["score"] missing', 'low: ["score"] missing'],
  ['low:score.ratio < 0.5', 'low: score.ratio < 0.5'],
])('refuses the name without a space in %s', (text, named) => {
  expect(() => parseCondition(text)).toThrow(
    expect.objectContaining({ hint: expect.stringContaining(`as in --fail-if '${named}'; `) }),
  );
});

it.each(refusals)('refuses %j: %s', (text, problem) => {
  expect(() => parseCondition(text)).toThrow(UsageError);
  expect(() => parseCondition(text)).toThrow(problem);
});

it.each([
  ['a < 5', '{"a":4.99}', true],
  ['a < 5', '{"a":5}', false],
  ['a <= 5', '{"a":5.0}', true],
  ['a > 5', '{"a":50}', true],
  ['a >= 5', '{"a":4}', false],
  ['a == 5', '{"a":5e0}', true],
  ['a != 5', '{"a":5}', false],
  ['a == -0', '{"a":0}', true],
  ['a < 5', '{"a":"4.99"}', true],
  ['a < 5', '{"a":"50000.5"}', false],
  ['a == "5"', '{"a":5}', true],
  ['a == 9007199254740993', '{"a":9007199254740992}', false],
  ['a < 1e400', '{"a":1e399}', true],
  ['a < 1e400', '{"a":1e401}', false],
  ['a > 1e400', '{"a":"1e500"}', true],
  ['a == x', '{"a":"x"}', true],
  ['a == x', '{"a":"X"}', false],
  ['a != High Risk', '{"a":"High Risk"}', false],
  ['a == "High \\"Risk\\""', '{"a":"High \\"Risk\\""}', true],
  ["a == 'it is < 5'", '{"a":"it is < 5"}', true],
  ['a == true', '{"a":true}', true],
  ['a != true', '{"a":true}', false],
  ['a == false', '{"a":true}', false],
  ['a.b[1]["c.d"] == 1', '{"a":{"b":[0,{"c.d":1}]}}', true],
  ['a == 1', '{"a":1,"a":2}', false],
  ['a exists', '{"a":0}', true],
  ['a exists', '{"a":false}', true],
  ['a missing', '{"a":0}', false],
  ['a == null', '{"a":null}', true],
  ['a == null', '{"a":1}', false],
  ['a < 2026-03-01', '{"a":"2026-02-28T23:59:59.999Z"}', true],
  ['a < 2026-03-01', '{"a":"2026-03-01"}', false],
  ['a <= "2026-03-01"', '{"a":"2026-03-01T00:00:00Z"}', true],
  ['a > 2026-03-01T00:00:00+02:00', '{"a":"2026-02-28T22:00:00.001Z"}', true],
  ['a >= 2026-03-01T08:00Z', '{"a":"2026-03-01T09:30:00+02:00"}', false],
  ['a == 2026-03-01', '{"a":"2026-03-01"}', true],
  ['a == 2026-03-01', '{"a":"2026-03-01T00:00:00Z"}', true],
  ['a != 2026-03-01', '{"a":"20260228T230000-0100"}', false],
  ['a == 2019-02-13T04:32:02.116Z', '{"a":"2019-02-13T05:32:02.116+01:00"}', true],
  ['a != 2019-02-13T04:32:02.116Z', '{"a":"2019-02-13T05:32:02.116+01:00"}', false],
  ['a == 2019-02-13T04:32:02.116Z', '{"a":"2019-02-13T04:32:02.1161Z"}', false],
  ['a < 2026-03-01T08:00', '{"a":"2026-03-01T07:59:59"}', true],
  ['a == 2026-03-01', '{"a":"soon"}', undefined],
  ['a != 2026-03-01', '{"a":"31/12/2026"}', undefined],
  ['a < 13', '{"a":" 12.5"}', true],
])('judges %s in %s as %s', (condition, document, expected) => expect(judged(condition, document)).toBe(expected));

it.each(['{}', '{"a":null}', '{"a":""}', '{"a":" "}', '{"a":{}}', '{"a":[]}', '{"a.b":1}'])(
  'judges no comparison with a in %s, which counts as missing',
  (document) => {
    for (const operator of OPERATORS) expect(judged(`a ${operator} 5`, document)).toBeUndefined();
    for (const operator of ['==', '!=']) expect(judged(`a ${operator} x`, document)).toBeUndefined();
    expect(judged('a missing', document)).toBe(true);
    expect(judged('a exists', document)).toBe(false);
  },
);

it.each([
  ['5', OPERATORS, ['"high"', '"1,000"', 'true', '[5]', '{"b":5}', '1e99999999999999999999']],
  ['high', ['==', '!='], ['5', 'false', '["high"]']],
  ['true', ['==', '!='], ['"true"', '1']],
])('compares %s with no value of another type', (value, operators, others) => {
  const conditions = operators.map((operator) => `a ${operator} ${value}`);
  for (const other of others)
    for (const condition of conditions) expect(judged(condition, `{"a":${other}}`), condition + other).toBeUndefined();
});

it.each(['a < 5', 'a == x', 'a exists', 'a missing'])(
  'judges %s as unknown where the value is unknown',
  (condition) => {
    expect(judgeCondition(parseCondition(condition), () => 'unknown')).toBeUndefined();
  },
);

it.each(['"yesterday"', '"2026-02-30"', '20260301', '"2026-03-01T08:00 PM"'])(
  'does not compare %s with a date',
  (value) => {
    expect(judged('a < 2026-03-01', `{"a":${value}}`)).toBeUndefined();
  },
);

it('lets exactly one of <, == and > match for two numbers, and the others accordingly', () => {
  fc.assert(
    fc.property(numbers, numbers, (value, asked) => {
      fc.pre(parseDecimal(value) !== undefined && parseDecimal(asked) !== undefined);
      const is = Object.fromEntries(OPERATORS.map((op) => [op, judged(`a ${op} ${asked}`, `{"a":${value}}`)]));
      expect([is['<'], is['=='], is['>']].filter(Boolean)).toHaveLength(1);
      expect(is['<=']).toBe(!is['>']);
      expect(is['>=']).toBe(!is['<']);
      expect(is['!=']).toBe(!is['==']);
    }),
  );
});
