import { expect, it } from 'vitest';
import { driftingProfile } from '../../../src/sandbox/drift.ts';

const DAY = 86_400_000;
const START = Date.UTC(2026, 10, 2);
const WEEKS = 8;

interface Monday {
  readonly score: number | undefined;
  readonly level: string | undefined;
  readonly collateral: number;
}

function at(wallet: string, days: number): Monday {
  const { defi_score: score, total_collateral_usd } = JSON.parse(driftingProfile(wallet, START + days * DAY));
  return { score: score?.defi_score, level: score?.risk_level, collateral: total_collateral_usd };
}

const histories = Array.from({ length: 500 }, (_, i) => {
  const wallet = `0x${(i * 7919).toString(16).padStart(40, '0')}`;
  return Array.from({ length: WEEKS }, (_, week) => at(wallet, week * 7));
});
const isRise = (mondays: readonly Monday[]) => (mondays.at(-1)?.score ?? 0) - (mondays[0]?.score ?? 1000) > 30;

it('gives a wallet one drifting profile for each UTC day, whatever the case of its address', () => {
  const wallet = `0x${'ABCDEF0123'.repeat(4)}`;
  expect(driftingProfile(wallet, START)).toBe(driftingProfile(wallet, START + DAY - 1));
  expect(at(wallet.toLowerCase(), 0)).toEqual(at(wallet, 0));
});

it.each<[change: string, holds: (mondays: readonly Monday[]) => boolean]>([
  ['gain 30 points', isRise],
  ['lose 30 points', (mondays) => isRise(mondays.toReversed())],
  ['halve their collateral', (m) => Math.min(...m.map((x) => x.collateral)) < m[0]!.collateral / 2],
  ['lose and regain their score', (m) => m.some((x) => x.score) && m.some((x) => x.score === undefined)],
  ['change their level of risk', (m) => new Set(m.flatMap(({ level }) => level ?? [])).size > 1],
])('lets between 1 and 25 percent of wallets %s in eight weeks', (_, holds) => {
  const share = histories.filter(holds).length / histories.length;
  expect(share).toBeGreaterThan(0.01);
  expect(share).toBeLessThan(0.25);
});
