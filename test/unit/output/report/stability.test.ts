import { describe, expect, it } from 'vitest';
import { stabilityIndex } from '../../../../src/output/report/figures/stability.ts';
import { stabilityText } from '../../../../src/output/report/statement.ts';

const psiOf = (before: Float64Array, now: Float64Array) => stabilityIndex(before, now)?.psi;
const numbers = (...values: number[]) => Float64Array.from(values);
const range = (from: number, count: number) => Float64Array.from({ length: count }, (_, i) => from + i);

describe('the population stability index', () => {
  it('is 0 for the same numbers in any order, and if repeated', () => {
    expect(psiOf(range(0, 100), range(0, 100).toReversed())).toBe(0);
    expect(psiOf(range(0, 100), numbers(...range(0, 100), ...range(0, 100)))).toBe(0);
  });

  it('follows its formula', () => {
    // Half below and half above before; one in four below now: 2 * 0.25 * ln(0.25 / 0.5), apart from the sign.
    const [before, now] = [numbers(1, 1, 2, 2), numbers(1, 2, 2, 2)];
    expect(psiOf(before, now)).toBeCloseTo(0.25 * Math.log(0.75 / 0.5) - 0.25 * Math.log(0.25 / 0.5), 12);
  });

  it('ignores missing numbers, and stays finite if a range is empty', () => {
    expect(psiOf(numbers(1, 2, Number.NaN), numbers(1, Number.NaN, 2))).toBe(0);
    const shifted = psiOf(range(0, 100), range(1_000, 100));
    expect(shifted).toBeGreaterThan(1);
    expect(Number.isFinite(shifted)).toBe(true);
  });

  it.each([
    ['there are no numbers', numbers(), numbers(1, 2)],
    ['all are the same', numbers(5, 5, 5), numbers(1, 2)],
    ['there are none now', numbers(1, 2, 3), numbers(Number.NaN)],
  ])('cannot be told where %s', (_, before, now) => {
    expect(stabilityIndex(before, now)).toBeUndefined();
  });

  it.each([
    [0.0999, 'scores as a whole: stable (psi 0.100)'],
    [0.1, 'scores as a whole: shifted somewhat (psi 0.100)'],
    [0.25, 'scores as a whole: shifted (psi 0.250)'],
  ])('%d is put into words', (psi, words) => {
    expect(stabilityText({ psi, isTelling: true })).toBe(words);
  });

  it('is not judged for fewer than 100 numbers', () => {
    expect(stabilityIndex(range(0, 100), range(0, 100))).toEqual({ psi: 0, isTelling: true });
    const few = [stabilityIndex(range(0, 99), range(0, 100)), stabilityIndex(range(0, 100), range(0, 99))];
    expect(few.map((found) => found?.isTelling)).toEqual([false, false]);
    expect(stabilityText({ psi: 2, isTelling: false })).toBe(
      'psi of the score 2.000, which tells little of so few scores',
    );
  });
});
