import { describe, expect, it } from 'vitest';
import { parseDecimal, subtractDecimals } from '../../../src/row/decimal.ts';

const minus = (a: string, b: string) => {
  const [left, right] = [parseDecimal(a), parseDecimal(b)];
  return left && right && subtractDecimals(left, right);
};

describe('subtractDecimals', () => {
  it.each([
    ['3', '1', '2'],
    ['1', '3', '-2'],
    ['0', '0', '0'],
    ['0', '0.5', '-0.5'],
    ['0.1', '0.3', '-0.2'],
    ['-1.5', '1.5', '-3'],
    ['1e3', '1', '999'],
    ['100', '0', '100'],
    ['1e-3', '1e-3', '0'],
    ['9007199254740993', '9007199254740992', '1'],
    ['0.000000000000000000000000000001', '0', '0.000000000000000000000000000001'],
    ['1e400', '1e400', '0'],
  ])('%s minus %s is %s', (a, b, difference) => {
    expect(minus(a, b)).toBe(difference);
  });

  it('agrees with whole numbers', () => {
    for (let i = 0; i < 2_000; i++) {
      const [a, b] = [(i * 7_919) % 10_007, (i * 104_729) % 9_973];
      expect(minus(`${a / 8}`, `${-b / 8}`)).toBe(String((a + b) / 8));
    }
  });

  it('gives up if the digits would be far from the decimal point', () => {
    expect(minus('1e999999999', '1')).toBeUndefined();
    expect(minus('1', '1e-999999999')).toBeUndefined();
    expect([minus('1e1000', '0'), minus('1', '1e-1001')]).toEqual([undefined, undefined]);
    expect([minus('1e999', '0'), minus('1', '1e-1000')].map((text) => text?.length)).toEqual([1_000, 1_002]);
  });
});
