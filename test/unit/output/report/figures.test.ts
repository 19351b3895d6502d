import { expect, it } from 'vitest';
import { distributionOf, numberOrNaN } from '../../../../src/output/report/distribution.ts';
import { createCollector } from '../../../../src/output/report/figures.ts';
import { isInRange, type Measure } from '../../../../src/output/report/page-data.ts';
import { parseRule } from '../../../../src/rules/rules.ts';
import { collateralOf } from '../../../../src/runs/run.ts';
import { fc } from '../../../fixtures/properties.ts';
import { answered, reportOf } from './rows.ts';

const double = (options: object) => fc.double({ ...options, noNaN: true, noDefaultInfinity: true });
const values = fc.array(fc.oneof(double({}), fc.integer({ min: -10, max: 850 }), double({ min: 0, max: 1e12 })), {
  maxLength: 60,
});
const binsOf = (measure: Measure, ...numbers: number[]) => distributionOf(measure, numbers).bins;
const countsOf = (measure: Measure, ...numbers: number[]) =>
  binsOf(measure, ...numbers).map(({ from, to, count }) => [from, to, count]);

it.each(['score', 'collateral'] as const)('counts every number in exactly one range of the %s', (measure) => {
  fc.assert(
    fc.property(values, (numbers) => {
      const bins = binsOf(measure, ...numbers);
      for (const value of numbers) expect(bins.filter((bin) => isInRange(value, bin))).toHaveLength(1);
      for (const bin of bins) expect(bin.count).toBe(numbers.filter((value) => isInRange(value, bin)).length);
    }),
  );
});

it('gives ranges round limits, and draws one bar if all numbers are equal', () => {
  expect(countsOf('score', 301, 848).slice(0, 2)).toEqual([
    [300, 400, 1],
    [400, 500, 0],
  ]);
  expect(countsOf('score', -1, 0, 1)[0]).toEqual([-1, -0.5, 1]);
  expect(countsOf('score', 0.01, 0.02, 0.07)[0]).toEqual([0.01, 0.02, 1]);
  expect(countsOf('score', 1e12, 1e12 + 1, 1e12 + 2)[0]).toEqual([1e12, 1e12 + 0.5, 1]);
  const many = Array.from({ length: 10_000 }, (_, i) => 301 + (i % 548));
  expect(binsOf('score', ...many)[0]).toMatchObject({ from: 300, to: 320 });
  expect(countsOf('score', 7, 7)).toEqual([[7, 7, 2]]);
});

it('charts a range for each power of ten dollars, one for 0 and one for negative amounts', () => {
  expect(countsOf('collateral', 0, 0, -5, 20, 2_000)).toEqual([
    [-5, 0, 1],
    [0, 0, 2],
    [10, 100, 1],
    [100, 1_000, 0],
    [1_000, 10_000, 1],
  ]);
  expect(countsOf('collateral', 0.002, 0.5, 1, 10)).toEqual([
    [0.002, 1, 2],
    [1, 10, 1],
    [10, 100, 1],
  ]);
  expect(countsOf('collateral', 5e12, 1e200)).toEqual([[1e12, 1e200, 2]]);
});

it('takes quantiles from the values of rows', () => {
  expect(distributionOf('score', [4, 1, 3, 2])).toMatchObject({
    count: 4,
    quantiles: { lowest: 1, 'lower quartile': 1, median: 2, 'upper quartile': 3, highest: 4 },
  });
  expect(distributionOf('score', [])).toMatchObject({ count: 0, quantiles: undefined, bins: [] });
});

it('accepts numbers sent as text, and ignores numbers that a chart cannot show', () => {
  const at = (members: string) => numberOrNaN(collateralOf(answered(1, members)));
  expect(at('"total_collateral_usd":"12.50"')).toBe(12.5);
  for (const members of ['"total_collateral_usd":1e400', '"total_collateral_usd":"many"', ''])
    expect(at(members)).toBeNaN();
});

const found = (...members: string[]) =>
  reportOf(members.map((one, i) => answered(i + 1, `"defi_score":{${one}}`))).figures.texts;

it('charts texts of the score with at most 12 values, most frequent first', () => {
  const rows = Array.from({ length: 13 }, (_, i) => `"level":"${i < 4 ? 'Low' : 'High'}","why":"reason ${i}","n":1`);
  expect(found(...rows)).toEqual([
    {
      name: 'level',
      values: [
        { text: 'High', count: 9 },
        { text: 'Low', count: 4 },
      ],
    },
  ]);
});

it('charts texts of the score whatever their names', () => {
  expect(found('"__proto__":"a","constructor":"b"', '"x":"c"').map(({ name }) => name)).toEqual([
    '__proto__',
    'constructor',
    'x',
  ]);
});

const pageOf = (count: number, marks = new Map<number, object>()) => {
  const collector = createCollector({ rules: [], hasCards: true });
  for (let i = 0; i < count; i++) {
    collector.add({ ...answered(i + 1, `"total_collateral_usd":${(i * 7919) % count}`), ...marks.get(i) });
  }
  return collector.end().listed;
};

it('lists all rows of a short list in its order, each with its card', () => {
  const rows = pageOf(5);
  expect(rows.map(({ line }) => line)).toEqual([1, 2, 3, 4, 5]);
  expect(rows.every(({ card }) => card?.includes('total_collateral_usd'))).toBe(true);
});

it('lists at most 10,000 rows with 1,000 cards: those that a rule matches, then the largest', () => {
  const verdict = (says: 'matches' | 'unknown') => ({ verdicts: [{ rule: 'low', level: 'alarm', says }] }) as const;
  const marked = new Map([
    [0, verdict('matches')],
    [10_001, verdict('unknown')],
  ]);
  const rows = pageOf(10_002, marked);
  expect(rows).toHaveLength(10_000);
  expect([rows[0]?.line, rows.at(-1)?.line]).toEqual([1, 10_002]);
  const cards = rows.filter(({ card }) => card !== undefined);
  expect(cards).toHaveLength(1_000);
  const amounts = cards.slice(1, -1).map(({ collateral }) => Number(collateral));
  expect(Math.min(...amounts)).toBe(10_002 - 998);
});

it('ranks rows by how far they are beyond the limit of their rule, where the rule is known', () => {
  const rules = [parseRule('low: total_collateral_usd < 100'), parseRule('high: total_collateral_usd > 900')];
  const collector = createCollector({ rules, hasCards: false });
  const marks = [['high'], ['low'], ['low'], ['high'], []];
  for (const [i, amount] of [950, 50, 20, 990, 500].entries()) {
    collector.add({
      ...answered(i + 1, `"total_collateral_usd":${amount}`),
      verdicts: (marks[i] ?? []).map((rule) => ({ rule, level: 'alarm', says: 'matches' })),
    });
  }
  const { listed, ranked } = collector.end();
  expect(ranked.map((number) => listed[number]?.collateral)).toEqual(['20', '50', '990', '950', '500']);
});

it('shows no card for an answer that is too long for a page', () => {
  const collector = createCollector({ rules: [], hasCards: true });
  collector.add(answered(1, `"text":"${'x'.repeat(70_000)}"`));
  expect(collector.end().listed).toEqual([expect.objectContaining({ line: 1, card: undefined })]);
});
