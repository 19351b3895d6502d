import { expect, it } from 'vitest';
import { beforeToday, chooseBase, type Since } from '../../../src/review/choose.ts';
import type { KeptFile } from '../../../src/runs/review-folder.ts';
import { DAY_MS } from '../../../src/text/when.ts';

/** Midnight of a Monday; reviews are `days` before noon of it, the newest first. */
const MONDAY = Date.parse('2026-10-26T00:00:00Z');
const NOON = MONDAY + DAY_MS / 2;
const ago = (days: number): KeptFile => ({ name: `${days}`, path: `k/${days}`, started: NOON - days * DAY_MS });
const files = (days: string) => days.split(' ').filter(Boolean).map(Number).map(ago);
const days = (all: readonly KeptFile[]) => all.map(({ name }) => name).join(' ');
const SINCE: Since = { ago: 7 * DAY_MS };

it('takes as state only reviews of an earlier UTC day, the newest first', () => {
  expect(days(beforeToday(files('-0.2 0 0.4 0.6 1 7'), NOON))).toBe('0.6 1 7');
});

it.each<readonly [title: string, kept: string, tried: string, since: Since]>([
  ['the one of a week ago, then older ones, then younger ones', '1 7 14 21', '7 14 21 1', SINCE],
  ['the nearest of those that are old enough', '5 6 9', '6 9 5', SINCE],
  ['the older of two that are equally near', '6 8', '8 6', SINCE],
  ['one of three quarters of the age', '5 5.6 14', '5.6 14 5', SINCE],
  ['the oldest, if none is old enough', '1 2 3', '3 2 1', SINCE],
  ['the last of a day', '6.9 7 7.1 14', '6.9 7 7.1 14', SINCE],
  ['the older one, if the other is old enough in hours but not in days', '5.4 12', '12 5.4', SINCE],
  ['nothing', '', '', SINCE],
  ['the last one up to the end of a day', '1 6 8 14', '8 14 6 1', { until: MONDAY - 7 * DAY_MS }],
  ['the oldest, if all are younger than the day', '1 6', '6 1', { until: MONDAY - 20 * DAY_MS }],
])('tries files as base in the order that starts with %s', (_, kept, tried, since) => {
  expect(days(chooseBase(files(kept), since, NOON).files)).toBe(tried);
});

it('reports a base that is younger than asked for', () => {
  const { isYoungerThanSince } = chooseBase(files('1 5 6'), SINCE, NOON);
  expect([ago(5), ago(6)].map(isYoungerThanSince)).toEqual([true, false]);
  expect(chooseBase([], { until: MONDAY }, NOON).isYoungerThanSince(ago(0.4))).toBe(true);
});
