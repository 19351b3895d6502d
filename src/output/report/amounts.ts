/** Rounded numbers for charts. Values of rows are not rounded: they keep their spelling. */
import { grouped } from '../../text/words.ts';
import type { Measure, Range } from './page-data.ts';

const UNITS = [
  [1e12, 'T'],
  [1e9, 'B'],
  [1e6, 'M'],
  [1e3, 'k'],
] as const;

/** `value` in three digits: `12.3M`, `950`, `0.25`, `1e+20`. */
export function short(value: number): string {
  const size = Math.abs(value);
  if (size >= 1e15 || (size > 0 && size < 1e-3)) return String(Number(value.toPrecision(2)));
  const [unit, letter] = UNITS.find(([unit]) => Math.abs(Number(value.toPrecision(3))) >= unit) ?? [1, ''];
  return `${Number((value / unit).toPrecision(3))}${letter}`;
}

const negative = (text: string, sign: string) => (text.startsWith('-') ? `-${sign}${text.slice(1)}` : `${sign}${text}`);

/** A value of `measure` in three digits. */
export function shortOf(measure: Measure, value: number): string {
  return measure === 'collateral' ? negative(short(value), '$') : full(value);
}

function full(value: number): string {
  const text = String(value);
  const [, sign = '', whole = '', rest = ''] = /^(-?)(\d+)(\.\d+)?$/.exec(text) ?? [];
  return whole === '' ? text : `${sign}${grouped(whole)}${rest}`;
}

/** `300 to 350`, `$1k to $3.16k`, `$0`, `below $0`. */
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
export function minuteOf(iso: string): string {
  return `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`;
}
