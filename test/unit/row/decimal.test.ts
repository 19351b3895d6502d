import { expect, it } from 'vitest';
import { compareDecimals, parseDecimal, subtractDecimals } from '../../../src/row/decimal.ts';
import { fc } from '../../fixtures/properties.ts';
import { numbers } from '../document/documents.ts';

function compare(a: string, b: string): number {
  const [left, right] = [parseDecimal(a), parseDecimal(b)];
  if (!left || !right) throw new Error(`${a} or ${b} is no number`);
  return Math.sign(compareDecimals(left, right));
}

it.each([
  ['9007199254740992', '9007199254740993', -1],
  ['1e400', '1e500', -1],
  ['1e400', '10e399', 0],
  ['-1e400', '1e-400', -1],
  ['1e-400', '0', 1],
  ['0.1', '0.10000000000000000000000000001', -1],
  ['-0', '0', 0],
  ['-4', '-4.0', 0],
  ['0e999', '0', 0],
  ['1.10', '1.1', 0],
  ['100', '1e2', 0],
  ['0.001', '1e-3', 0],
  ['+5', '005.', 0],
  ['.5', '0.5', 0],
  [' 12.5', '12.5\r\n', 0],
])('compares %s with %s: %i', (a, b, sign) => {
  expect(compare(a, b)).toBe(sign);
  expect(compare(b, a)).toBe(0 - sign);
});

it('compares like arithmetic wherever arithmetic is exact', () => {
  fc.assert(
    fc.property(
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      (a, b) => {
        expect(compare(String(a), String(b))).toBe(Math.sign(a === b ? 0 : a < b ? -1 : 1));
      },
    ),
  );
  fc.assert(
    fc.property(fc.bigInt(), fc.bigInt(), (a, b) => {
      expect(compare(String(a), String(b))).toBe(a === b ? 0 : a < b ? -1 : 1);
    }),
  );
});

it('compares like doubles wherever doubles differ', () => {
  const countable = numbers.filter((text) => parseDecimal(text) !== undefined);
  fc.assert(
    fc.property(countable, countable, (a, b) => {
      const [left, right] = [Number(a), Number(b)];
      if (left !== right) expect(compare(a, b)).toBe(left < right ? -1 : 1);
      expect(compare(a, b)).toBe(0 - compare(b, a));
      expect(compare(a, a)).toBe(0);
    }),
  );
});

it.each([
  ...['', ' ', '-', '.', 'e5', '1e', '--1', '1_0', '0x10', 'NaN', 'Infinity', '१'],
  ...['1,000', '6,823.83', '6823,83', '1 000', '1e99999999999999999999'],
])('reads no number from %j', (text) => expect(parseDecimal(text)).toBeUndefined());

it('reads a number of four megabytes of digits', () => {
  const digits = '7'.repeat(4_000_000);
  expect(compare(digits, `${digits.slice(1)}6`)).toBe(1);
  expect(parseDecimal(`${digits}x`)).toBeUndefined();
});

const minus = (a: string, b: string) => {
  const [left, right] = [parseDecimal(a), parseDecimal(b)];
  return left && right && subtractDecimals(left, right);
};

it.each([
  ['0', '0', '0'],
  ['0.1', '0.3', '-0.2'],
  ['1e3', '1', '999'],
  ['1e-3', '1e-3', '0'],
  ['9007199254740993', '9007199254740992', '1'],
  ['0.000000000000000000000000000001', '0', '0.000000000000000000000000000001'],
  ['1e400', '1e400', '0'],
])('subtracts from %s the number %s: %s', (a, b, difference) => expect(minus(a, b)).toBe(difference));

it('subtracts like arithmetic wherever arithmetic is exact', () => {
  const eighths = fc.integer({ min: -1_000_000, max: 1_000_000 });
  fc.assert(
    fc.property(eighths, eighths, (a, b) => {
      expect(minus(`${a / 8}`, `${b / 8}`)).toBe(String((a - b) / 8));
    }),
  );
});

it('subtracts no numbers with digits far from the decimal point', () => {
  expect(minus('1e999999999', '1')).toBeUndefined();
  expect(minus('1', '1e-999999999')).toBeUndefined();
  expect([minus('1e1000', '0'), minus('1', '1e-1001')]).toEqual([undefined, undefined]);
  expect([minus('1e999', '0'), minus('1', '1e-1000')].map((text) => text?.length)).toEqual([1_000, 1_002]);
});
