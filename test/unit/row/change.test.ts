import { describe, expect, it } from 'vitest';
import type { Node } from '../../../src/document/node.ts';
import { parseDocument } from '../../../src/document/parse.ts';
import { lookup, type Path } from '../../../src/document/path.ts';
import { findChange, NOT_COMPARED, refuseChange } from '../../../src/row/change.ts';
import { evaluate, parseCondition } from '../../../src/row/conditions.ts';
import { parseSort } from '../../../src/row/shape.ts';

const findIn = (text: string) => {
  const node = parseDocument(text) as Node;
  return (path: Path) => lookup(node, path);
};

/** Whether `condition` holds for a document that was `old`. */
function judge(condition: string, old: string, current: string) {
  const compared = { change: 'changed', old: findIn(old) } as const;
  return evaluate(parseCondition(condition), findChange(findIn(current), compared));
}

describe('a condition on change', () => {
  it.each([
    ['a.ratio < 0.5', '{"a":277053491}', '{"a":1500000}', true],
    ['a.ratio < 0.5', '{"a":2}', '{"a":1}', false],
    ['a.ratio <= 0.5', '{"a":2}', '{"a":1}', true],
    ['a.ratio == 0.1', '{"a":"0.3"}', '{"a":0.03}', true],
    ['a.ratio < 0.33333333333333333333', '{"a":3}', '{"a":1}', false],
    ['a.ratio > 0.33333333333333333333', '{"a":3}', '{"a":1}', true],
    ['a.ratio == 1', '{"a":0}', '{"a":0.0}', true],
    ['a.ratio > 1e300', '{"a":0}', '{"a":1}', true],
    ['a.ratio < 5', '{"a":0}', '{"a":-1}', undefined],
    ['a.ratio < 5', '{"a":-2}', '{"a":1}', undefined],
    ['a.ratio < 0', '{"a":2}', '{"a":-1}', true],
    ['a.delta == -0.1', '{"a":0.3}', '{"a":0.2}', true],
    ['a.delta < -50', '{"a":9007199254740993}', '{"a":9007199254740992}', false],
    ['a.delta < 5', '{"a":null}', '{"a":1}', undefined],
    ['a.delta < 5', '{"a":1}', '{}', undefined],
    ['a.old == High', '{"a":"High"}', '{"a":"Low"}', true],
    ['a["ratio"] < 5', '{"a":{"ratio":9}}', '{"a":{"ratio":1}}', true],
    ['change == changed', '{}', '{}', true],
  ])('%s of %s -> %s is %s', (condition, old, current, expected) => {
    expect(judge(condition, old, current)).toBe(expected);
  });

  it('does not hold where nothing is compared', () => {
    for (const text of ['a.delta < 5', 'a.ratio exists', 'a.old missing', 'change == added'])
      expect(evaluate(parseCondition(text), findChange(findIn('{"a":1}'), NOT_COMPARED)), text).toBe(false);
  });

  it('is refused by commands that compare nothing', () => {
    expect(() => refuseChange([parseCondition('a["ratio"] < 1')])).not.toThrow();
    expect(() => refuseChange([parseCondition('a.b < 1'), parseSort('a.ratio:desc')])).toThrow(
      "'a.ratio:desc' is about a change, and only review and diff compare",
    );
  });
});
