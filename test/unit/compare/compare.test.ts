import { expect, it } from 'vitest';
import { compareRows, deltaOf, findChange, isSame } from '../../../src/compare/compare.ts';
import type { Node } from '../../../src/document/node.ts';
import { parseDocument } from '../../../src/document/parse.ts';
import { lookup, type Path } from '../../../src/document/path.ts';
import { judgeCondition, rejectChangeConditions, withoutComparison } from '../../../src/rules/conditions.ts';
import { parseCondition } from '../../../src/rules/parse-condition.ts';
import { parseSort } from '../../../src/rules/shape.ts';
import { fc, tries } from '../../fixtures/properties.ts';

const findIn = (text: string) => {
  const node = parseDocument(text) as Node;
  return (path: Path) => lookup(node, path);
};

/** Whether `condition` holds for a document that was `old`. */
function judge(condition: string, old: string, current: string) {
  const compared = { change: 'changed', old: findIn(old) } as const;
  return judgeCondition(parseCondition(condition), findChange(findIn(current), compared));
}

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
])('judges %s of a change from %s to %s as %s', (condition, old, current, expected) => {
  expect(judge(condition, old, current)).toBe(expected);
});

it('judges no condition on change as true where nothing is compared', () => {
  for (const text of ['a.delta < 5', 'a.ratio exists', 'a.old missing', 'change == added'])
    expect(judgeCondition(parseCondition(text), withoutComparison(findIn('{"a":1}'))), text).toBe(false);
});

it('refuses a condition on change in commands that compare nothing', () => {
  expect(() => rejectChangeConditions([parseCondition('a["ratio"] < 1')])).not.toThrow();
  expect(() => rejectChangeConditions([parseCondition('a.b < 1'), parseSort('a.ratio:desc')])).toThrow(
    "'a.ratio:desc' is about a change, and only review and diff compare",
  );
});

const node = (text: string) => parseDocument(`[${text}]`) as Extract<Node, { kind: 'array' }>;
const [none] = node('').items;

const number = fc.oneof(
  fc.integer({ min: -20, max: 20 }).map(String),
  fc.constantFrom('1.0', '-0', '9007199254740993', '9007199254740992.5', '1e400', '0.1', '1e-3', '"2E2"'),
);
const value = fc
  .oneof(number, fc.constantFrom('null', '""', '"high"', '"a\\nb"', 'true'))
  .map((text) => node(text).items[0]);

it('finds no change from a value to itself, and the same difference both ways', () => {
  fc.assert(
    fc.property(value, value, (old, now) => {
      expect(isSame({ old, new: old })).toBe(true);
      expect(isSame({ old, new: now })).toBe(isSame({ old: now, new: old }));
      const [delta, back] = [deltaOf({ old, new: now }), deltaOf({ old: now, new: old })];
      expect(delta?.replace(/^-/, '')).toBe(back?.replace(/^-/, ''));
      if (delta !== undefined) expect(Number(delta) === 0).toBe(isSame({ old, new: now }));
    }),
    { numRuns: tries(100) },
  );
});

it.each([
  ['1', '1.00', true, '0'],
  ['"1.0"', '1', true, '0'],
  ['null', '""', true, undefined],
  ['0.1', '0.3', false, '0.2'],
  ['9007199254740993', '9007199254740992', false, '-1'],
  ['"High"', '"Low"', false, undefined],
  ['1', 'null', false, undefined],
])('compares the values %s and %s as same: %s, with the difference %s', (old, now, same, delta) => {
  const difference = { old: node(old).items[0], new: node(now).items[0] };
  expect([isSame(difference), deltaOf(difference)]).toEqual([same, delta]);
  const { change } = compareRows([difference.old], [difference.new]);
  expect(change).toBe(same ? 'same' : 'changed');
});

it('reports a row without a counterpart as added or removed', () => {
  expect(compareRows(undefined, [none]).change).toBe('added');
  expect(compareRows([none], undefined).change).toBe('removed');
});
