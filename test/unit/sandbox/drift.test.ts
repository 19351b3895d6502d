import { describe, expect, it } from 'vitest';
import { driftingProfile } from '../../../src/sandbox/drift.ts';

const DAY = 86_400_000;
const START = Date.UTC(2026, 10, 2);
const WEEKS = 8;
const wallets = Array.from({ length: 1000 }, (_, i) => `0x${(i * 7919).toString(16).padStart(40, '0')}`);

interface Seen {
  readonly score: number | undefined;
  readonly level: string | undefined;
  readonly collateral: number;
}

function at(wallet: string, days: number): Seen {
  const { defi_score: score, total_collateral_usd: collateral } = JSON.parse(
    driftingProfile(wallet, START + days * DAY),
  );
  return { score: score?.defi_score, level: score?.risk_level, collateral };
}

/** Each wallet with a score or collateral on each Monday. */
const histories = wallets
  .map((wallet) => Array.from({ length: WEEKS }, (_, week) => at(wallet, week * 7)))
  .filter((mondays) => mondays.some(({ collateral }) => collateral > 0));

const share = (holds: (mondays: readonly Seen[]) => boolean) => histories.filter(holds).length / histories.length;
const scores = (mondays: readonly Seen[]) => mondays.flatMap(({ score }) => score ?? []);
const range = (values: readonly number[]) => Math.max(...values) - Math.min(...values);

describe('profiles that drift, over eight weeks', () => {
  it('are a function of the wallet and the UTC day', () => {
    const [wallet = ''] = wallets;
    expect(driftingProfile(wallet, START)).toBe(driftingProfile(wallet, START + DAY - 1));
    expect(JSON.parse(driftingProfile(wallet.toUpperCase().replace('0X', '0x'), START)).total_collateral_usd).toBe(
      at(wallet, 0).collateral,
    );
  });

  it('mostly hardly move', () => {
    expect(share((mondays) => range(scores(mondays)) <= 4)).toBeGreaterThan(0.6);
  });

  it.each([
    ['rise', (mondays: readonly Seen[]) => (mondays.at(-1)?.score ?? 0) - (mondays[0]?.score ?? 1000) > 30],
    ['fall', (mondays: readonly Seen[]) => (mondays[0]?.score ?? 0) - (mondays.at(-1)?.score ?? 1000) > 30],
    [
      'lose half of their collateral',
      (mondays) => Math.min(...mondays.map((m) => m.collateral)) < 0.5 * Math.max(...mondays.map((m) => m.collateral)),
    ],
    ['lose their score, and have it again', (mondays) => scores(mondays).length > 0 && scores(mondays).length < WEEKS],
    ['change their level of risk', (mondays) => new Set(mondays.flatMap(({ level }) => level ?? [])).size > 1],
  ] as readonly (readonly [string, (mondays: readonly Seen[]) => boolean])[])('some %s', (_, holds) => {
    expect(share(holds)).toBeGreaterThan(0.02);
    expect(share(holds)).toBeLessThan(0.25);
  });
});
