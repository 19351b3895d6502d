import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ObjectNode } from '../../../src/document/node.ts';
import { parseDocument } from '../../../src/document/parse.ts';
import { UsageError } from '../../../src/errors.ts';
import { type Condition, findMatch, matches, parseCondition } from '../../../src/row/conditions.ts';
import { parseDecimal } from '../../../src/row/decimal.ts';
import type { Row, Status } from '../../../src/row/row.ts';
import { numbers } from '../document/documents.ts';

const OPERATORS = ['<', '<=', '>', '>=', '==', '!='];
const object = (text: string) => parseDocument(text) as ObjectNode;
const matched = (condition: string, document: string) => matches(parseCondition(condition), object(document));

describe('parseCondition', () => {
  it.each([
    'a.b<5',
    'a.b < 5',
    '  a.b   <   5  ',
    'a["x<y"] < 5',
    'a b < 5',
    'a!<5',
    'a == "x > y"',
    "a == 'x = y'",
    'a == High Risk',
    'a exists',
    '["a==b"] missing',
    'existsexists exists',
  ])('reads %s', (text) => {
    expect(parseCondition(text).text).toBe(text);
  });

  it.each([
    ['', 'has no operator'],
    ['a', 'has no operator'],
    ['exists', 'has no operator'],
    ['a is 5', 'has no operator'],
    ['a = 5', "instead of '=='"],
    ['a =< 5', "instead of '=='"],
    ['a === 5', 'ambiguous'],
    ['a <> 5', 'ambiguous'],
    ['a == 1 && b == 2', 'ambiguous'],
    ['a < 5 > 3', 'ambiguous'],
    ['a <', 'has no value'],
    ['< 5', 'is not a path'],
    ['a..b < 5', 'is not a path'],
    [' exists', 'has no operator'],
    ['a < high', 'needs a number'],
    ['a < 1,000', 'needs a number'],
    ['a >= true', 'needs a number'],
    ['a < NaN', 'needs a number'],
    ['a != null', 'would match every row'],
    ['a < null', 'would match every row'],
    ['a != ""', 'would match every row'],
    ['a == "x', 'ambiguous'],
  ])('refuses %j: %s', (text, problem) => {
    expect(() => parseCondition(text)).toThrow(UsageError);
    expect(() => parseCondition(text)).toThrow(problem);
  });

  it('has a hint for whoever mistyped it', () => {
    expect(() => parseCondition('a')).toThrow(
      expect.objectContaining({ hint: expect.stringContaining("'PATH exists'") }),
    );
  });
});

describe('matches', () => {
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
  ])('%s in %s: %s', (condition, document, expected) => {
    expect(matched(condition, document)).toBe(expected);
  });

  it.each(['{}', '{"a":null}', '{"a":""}', '{"a":" "}', '{"a":{}}', '{"a":[]}', '{"a.b":1}'])(
    'takes a in %s for missing: no comparison is passed',
    (document) => {
      for (const operator of OPERATORS) expect(matched(`a ${operator} 5`, document)).toBe(true);
      for (const operator of ['==', '!=']) expect(matched(`a ${operator} x`, document)).toBe(true);
      expect(matched('a missing', document)).toBe(true);
      expect(matched('a exists', document)).toBe(false);
    },
  );

  it.each([
    ['5', '{"a":"high"}'],
    ['5', '{"a":"1,000"}'],
    ['5', '{"a":true}'],
    ['5', '{"a":[5]}'],
    ['5', '{"a":{"b":5}}'],
    ['5', '{"a":1e99999999999999999999}'],
    ['high', '{"a":5}'],
    ['high', '{"a":false}'],
    ['high', '{"a":["high"]}'],
    ['true', '{"a":"true"}'],
    ['true', '{"a":1}'],
  ])('%s against %s cannot be compared: no comparison is passed', (value, document) => {
    for (const operator of value === '5' ? OPERATORS : ['==', '!='])
      expect(matched(`a ${operator} ${value}`, document)).toBe(true);
  });

  it.each(['a < 5', 'a == x', 'a exists', 'a missing'])('%s matches where no answer came', (condition) => {
    expect(matches(parseCondition(condition), undefined)).toBe(true);
  });

  it('lets exactly one of <, == and > match for two numbers, and the others accordingly', () => {
    fc.assert(
      fc.property(numbers, numbers, (value, asked) => {
        fc.pre(parseDecimal(value) !== undefined && parseDecimal(asked) !== undefined);
        const is = Object.fromEntries(
          OPERATORS.map((operator) => [operator, matched(`a ${operator} ${asked}`, `{"a":${value}}`)]),
        );
        expect([is['<'], is['=='], is['>']].filter(Boolean)).toHaveLength(1);
        expect(is['<=']).toBe(!is['>']);
        expect(is['>=']).toBe(!is['<']);
        expect(is['!=']).toBe(!is['==']);
      }),
    );
  });
});

describe('findMatch', () => {
  const matchesRow = (all: readonly Condition[], one: Row, accept: ReadonlySet<Status>) =>
    findMatch(all, { row: one, accept }) !== undefined;

  const conditions = ['defi_score.score < 400', 'errors exists'].map(parseCondition);
  const row = (status: Status, document?: string): Row => ({
    line: 1,
    input: 'x',
    status,
    document: document === undefined ? undefined : object(document),
  });

  it('matches when any condition does', () => {
    const none = new Set<Status>();
    expect(matchesRow(conditions, row('scored', '{"defi_score":{"score":500}}'), none)).toBe(false);
    expect(matchesRow(conditions, row('scored', '{"defi_score":{"score":500},"errors":{}}'), none)).toBe(false);
    expect(matchesRow(conditions, row('scored', '{"defi_score":{"score":500},"errors":{"x":"y"}}'), none)).toBe(true);
    expect(matchesRow(conditions, row('no_score', '{"defi_score":null}'), none)).toBe(true);
  });

  it('matches rows without an answer, but for accepted statuses, and nothing without a condition', () => {
    for (const status of ['invalid', 'failed', 'pending'] as const) {
      expect(matchesRow(conditions, row(status), new Set())).toBe(true);
      expect(matchesRow(conditions, row(status), new Set([status]))).toBe(false);
      expect(matchesRow([], row(status), new Set())).toBe(false);
    }
    expect(matchesRow(conditions, row('no_score', '{"defi_score":null}'), new Set<Status>(['no_score']))).toBe(false);
  });

  it('may ask for what the row adds', () => {
    expect(matchesRow([parseCondition('_meta.status == no_score')], row('no_score', '{}'), new Set())).toBe(true);
    expect(matchesRow([parseCondition('_meta.status == no_score')], row('scored', '{}'), new Set())).toBe(false);
  });
});
