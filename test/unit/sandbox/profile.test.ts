import { describe, expect, it } from 'vitest';
import { profileOf } from '../../../src/sandbox/profile.ts';

const wallets = Array.from({ length: 3000 }, (_, i) => `0x${(i * 7919).toString(16).padStart(40, '0')}`);
const texts = wallets.map((wallet) => profileOf(wallet));
const profiles = texts.map((text) => JSON.parse(text));
const scored = profiles.filter((profile) => profile.defi_score !== null);

const leaves = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? Object.values(value).reduce((sum: number, inner) => sum + leaves(inner), 0)
    : 1;

describe('made-up profiles', () => {
  it('keep the contract: the three fields, the wallet as spelled', () => {
    for (const [i, profile] of profiles.entries()) {
      expect(profile.wallet_address).toBe(wallets[i]);
      expect(typeof profile.total_collateral_usd).toBe('number');
      expect(profile.total_collateral_usd).toBeGreaterThanOrEqual(0);
      expect(profile.total_collateral_usd).toBeLessThanOrEqual(1e12);
      expect(typeof profile.defi_score).toBe('object');
    }
  });

  it('are the same for the same wallet, in whatever case', () => {
    const upper = `0x${'ABCDEF0123'.repeat(4)}`;
    expect(profileOf(upper)).toBe(profileOf(upper));
    expect(profileOf(upper.toLowerCase())).toBe(profileOf(upper).replace(upper, upper.toLowerCase()));
    expect(new Set(texts.map((text) => text.slice(60))).size).toBeGreaterThan(2500);
  });

  it('have a score that is the sum of its components', () => {
    for (const { defi_score } of scored) {
      const parts: { weighted_contribution: number; component_score: number }[] = Object.values(defi_score.components);
      const sum = parts.reduce((total, part) => total + part.weighted_contribution, 0);
      expect(Math.abs(defi_score.defi_score - (300 + 5.5 * sum))).toBeLessThan(1);
      for (const part of parts) {
        expect(part.component_score).toBeGreaterThanOrEqual(0);
        expect(part.component_score).toBeLessThanOrEqual(100);
      }
    }
  });

  it('vary like real answers: no score, missing parts, long decimals, large and tiny amounts', () => {
    const share = (count: number) => count / profiles.length;
    expect(share(profiles.length - scored.length)).toBeCloseTo(0.08, 1);
    for (const empty of profiles.filter((profile) => profile.defi_score === null)) {
      expect(empty.total_collateral_usd).toBe(0);
    }
    expect(share(profiles.filter((profile) => Object.keys(profile.errors).length > 0).length)).toBeCloseTo(0.07, 1);
    expect(share(texts.filter((text) => /"total_collateral_usd":\d+\.\d{15},/.test(text)).length)).toBeCloseTo(0.18, 1);
    expect(Math.max(...profiles.map((profile) => profile.total_collateral_usd))).toBeGreaterThan(1e9);
    expect(Math.min(...scored.map((profile) => profile.total_collateral_usd))).toBeLessThan(100);
  });

  it('have the size of a real answer', () => {
    const counts = scored.map(leaves);
    expect(Math.min(...counts)).toBeGreaterThanOrEqual(28);
    expect(Math.max(...counts)).toBeLessThanOrEqual(50);
  });
});
