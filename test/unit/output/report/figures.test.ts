import { describe, expect, it } from 'vitest';
import { crossBins, linearBins, logarithmicBins } from '../../../../src/output/report/figures/bins.ts';
import { KeptRows, MAX_EXTREMES } from '../../../../src/output/report/figures/kept-rows.ts';
import { createMeasures, numberIn, summarise } from '../../../../src/output/report/figures/measures.ts';
import { ShareCounter, shareName } from '../../../../src/output/report/figures/shares.ts';
import { isInRange } from '../../../../src/output/report/page-data.ts';
import { fc } from '../../../fixtures/properties.ts';
import { answered } from './rows.ts';

const drawn = (value: number) => numberIn({ kind: 'number', spelling: String(value) });
const values = fc.array(
  fc.oneof(fc.double(), fc.integer({ min: -10, max: 850 }), fc.double({ min: 0, max: 1e12 })).map(drawn),
  { maxLength: 60 },
);

describe('distributions', () => {
  it.each([
    ['linear', linearBins],
    ['logarithmic', logarithmicBins],
  ])('have every number in exactly one of their %s ranges', (_, binsOf) => {
    fc.assert(
      fc.property(values, (numbers) => {
        const bins = binsOf(Float64Array.from(numbers));
        const finite = numbers.filter((value) => !Number.isNaN(value));
        for (const value of finite) expect(bins.filter((bin) => isInRange(value, bin))).toHaveLength(1);
        for (const bin of bins) expect(bin.count).toBe(finite.filter((value) => isInRange(value, bin)).length);
      }),
    );
  });

  it('have round limits, and one bar if all numbers are equal', () => {
    expect(linearBins(Float64Array.of(301, 848)).slice(0, 2)).toEqual([
      { from: 300, to: 400, isClosed: false, count: 1 },
      { from: 400, to: 500, isClosed: false, count: 0 },
    ]);
    const many = Float64Array.from({ length: 10_000 }, (_, i) => 301 + (i % 548));
    expect(linearBins(many)[0]).toMatchObject({ from: 300, to: 320 });
    expect(linearBins(Float64Array.of(7, 7, Number.NaN))).toEqual([{ from: 7, to: 7, isClosed: true, count: 2 }]);
    expect(linearBins(Float64Array.of(Number.NaN))).toEqual([]);
  });

  it('keep 0 and negative numbers separate on a logarithmic scale', () => {
    const bins = logarithmicBins(Float64Array.of(0, 0, -5, 20, 2_000));
    expect(bins.map(({ from, to, count }) => [from, to, count])).toEqual([
      [-5, 0, 1],
      [0, 0, 2],
      [10, 31.6, 1],
      [31.6, 100, 0],
      [100, 316, 0],
      [316, 1_000, 0],
      [1_000, 3_160, 1],
    ]);
  });

  it('count pairs of rows with both numbers', () => {
    const measured = { score: Float64Array.of(1, 9, Number.NaN), collateral: Float64Array.of(0, 50, 50) };
    const [scores, collaterals] = [linearBins(measured.score), logarithmicBins(measured.collateral)];
    const cells = crossBins(measured, scores, collaterals);
    expect(cells.map(({ count }) => count)).toEqual([1, 1]);
  });

  it('have quantiles that are values of rows', () => {
    fc.assert(
      fc.property(values, (numbers) => {
        const sorted = numbers.filter((value) => !Number.isNaN(value)).sort((a, b) => a - b);
        const summary = summarise(Float64Array.from(numbers));
        expect(summary === undefined).toBe(sorted.length === 0);
        if (sorted.length === 0) return;
        expect(summary?.count).toBe(sorted.length);
        expect([summary?.lowest === sorted[0], summary?.highest === sorted.at(-1)]).toEqual([true, true]);
        expect(sorted).toContain(summary?.median);
      }),
    );
    expect(summarise(Float64Array.of(4, 1, 3, 2))).toMatchObject({ quartile: 1, median: 2, upperQuartile: 3 });
  });

  it('accept numbers sent as text, and ignore numbers that a chart cannot show', () => {
    const at = (members: string) => numberIn(answered(1, members).collateral);
    expect(at('"total_collateral_usd":"12.50"')).toBe(12.5);
    expect([at('"total_collateral_usd":1e400'), at('"total_collateral_usd":"many"'), at('')]).toEqual([
      Number.NaN,
      Number.NaN,
      Number.NaN,
    ]);
  });

  it('hold any number of values', () => {
    const measures = createMeasures();
    for (let i = 0; i < 3_000; i++) measures.add(i, -i);
    expect([measures.all().score.length, measures.all().collateral[2_999]]).toEqual([3_000, -2_999]);
  });
});

describe('fields with few values', () => {
  const found = (...rows: string[]) => {
    const shares = new ShareCounter();
    const numbers = rows.map((members, i) => shares.observe(answered(i + 1, members).node()).slice());
    return shares.all().map(({ path, alike, values, numberIn: number }) => ({
      name: shareName(path),
      alike: alike.map(shareName),
      values: values.map(({ text, count }) => `${text} ${count}`),
      ofRows: numbers.map(number),
    }));
  };

  it('are those with repeated values, most frequent first', () => {
    const rows = [
      '"a":{"level":"Low"},"n":1',
      '"a":{"level":"High"},"n":2',
      '"a":{"level":"High"},"n":3',
      '"a":{"level":"Low"}',
    ];
    expect(found(...rows, '"a":{"level":"Low"}', '"a":null')).toEqual([
      { name: 'a.level', alike: [], values: ['Low 3', 'High 2'], ofRows: [0, 1, 1, 0, 0, -1] },
    ]);
  });

  it('are listed once if several divide the rows the same way', () => {
    const rows = [
      '"level":"Low","code":1',
      '"level":"High","code":2',
      '"level":"High","code":2',
      '"level":"Low","code":1',
    ];
    expect(found(...rows)).toMatchObject([{ name: 'level', alike: ['code'], values: ['High 2', 'Low 2'] }]);
    const [first, second, third] = rows;
    expect(found(first ?? '', second ?? '', third ?? '', '"level":"Low","code":2')).toHaveLength(2);
  });

  it('exclude the wallet, fields of riskcli, texts, and members of maps', () => {
    const tokens = (start: number) => Array.from({ length: 30 }, (_, i) => `"t${start + i}":true`).join(',');
    const row = (i: number) =>
      `"text":"${'long '.repeat(20)}${i % 2}","tokens":{${tokens(i * 30)}},"_meta":{"status":"s${i % 2}","input":{"desk":"d${i % 2}"}}`;
    expect(found(...[0, 1, 2, 3].map(row)).map(({ name }) => name)).toEqual(['desk']);
  });

  it('may be called anything', () => {
    const rows = [
      '"__proto__":1,"constructor":"a"',
      '"__proto__":2,"constructor":"a"',
      '"__proto__":1',
      '"__proto__":2',
    ];
    expect(found(...rows)).toMatchObject([{ name: '__proto__', values: ['1 2', '2 2'] }]);
  });
});

describe('the rows of a page', () => {
  const candidate = (number: number, part: object = {}) => ({
    number,
    isMatched: false,
    isUnjudged: false,
    isChanged: false,
    isIncomplete: false,
    measures: { score: Number.NaN, collateral: Number.NaN },
    ...part,
  });

  it('are all rows of a short list', () => {
    const kept = new KeptRows<number>(5);
    for (let i = 0; i < 5; i++) kept.offer(candidate(i), () => i);
    expect(kept.rows()).toEqual([0, 1, 2, 3, 4]);
  });

  it('are the most important rows of a longer list, in its order, and no other row is made', () => {
    const kept = new KeptRows<number>(4);
    let made = 0;
    for (let i = 0; i < 1_000; i++) {
      const part = { isMatched: i === 900, isUnjudged: i === 800, isIncomplete: i === 700 };
      kept.offer(candidate(i, part), () => {
        made += 1;
        return i;
      });
    }
    expect(kept.rows()).toEqual([0, 700, 800, 900]);
    expect(made).toBe(7);
  });

  it('include the lowest and the highest', () => {
    const kept = new KeptRows<number>(4 * MAX_EXTREMES + 1);
    for (let i = 0; i < 5_000; i++) {
      kept.offer(
        candidate(i, { measures: { score: (i * 7919) % 5_000, collateral: Number.NaN } }),
        () => (i * 7919) % 5_000,
      );
    }
    const scores = kept.rows();
    for (let i = 0; i < MAX_EXTREMES; i++) expect(scores).toContain(i);
    for (let i = 0; i < MAX_EXTREMES; i++) expect(scores).toContain(4_999 - i);
  });
});
