/** Rounded numbers for charts. Values of rows are not rounded: they keep their spelling. */
import type { Measure, Range } from './page-data.ts';

const THREE_DIGITS = { notation: 'compact', maximumSignificantDigits: 3 } as const;
const COMPACT = new Intl.NumberFormat('en-US', THREE_DIGITS);
const DOLLARS = new Intl.NumberFormat('en-US', {
  ...THREE_DIGITS,
  style: 'currency',
  currency: 'USD',
  signDisplay: 'negative',
});
const ALL_DIGITS = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 17, signDisplay: 'negative' });

/** `value` in three digits: `12.3M`, `950`, `0.25`. */
export const short = (value: number): string => COMPACT.format(value);

/** A value of `measure`: an amount in three digits, a score in all; `1.2e+20` past the letters. */
export function shortOf(measure: Measure, value: number): string {
  if (Math.abs(value) >= 1e15)
    return `${measure === 'collateral' ? '$' : ''}${value.toPrecision(2)}`.replace('$-', '-$');
  return measure === 'collateral' ? DOLLARS.format(value) : ALL_DIGITS.format(value);
}

/** `300 to 350`, `$1K to $3.16K`, `$0`, `below $0`. */
export function rangeText(measure: Measure, { from, to, isClosed }: Range): string {
  const [start, end] = [from, to].map((value) => shortOf(measure, value));
  if (isClosed && from === to) return start ?? '';
  return measure === 'collateral' && to === 0 ? `below ${end}` : `${start} to ${end}`;
}

/** `12.3%`; `<0.1%` for the smallest shares, and never 100% unless it is all. */
export function percent(count: number, total: number): string {
  const share = total === 0 ? 0 : (100 * count) / total;
  if (count > 0 && share < 0.1) return '<0.1%';
  return `${share >= 99.95 && count < total ? '99.9' : Number(share.toFixed(1))}%`;
}

/** `2026-11-21 19:50 UTC` of an ISO date. */
export const minuteOf = (iso: string): string => `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`;
