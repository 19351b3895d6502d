import { describe, expect, it } from 'vitest';
import { profileOf } from '../../../src/sandbox/profile.ts';

const wallets = Array.from({ length: 3000 }, (_, i) => `0x${(i * 7919).toString(16).padStart(40, '0')}`);
const texts = wallets.map((wallet) => profileOf(wallet));
const profiles = texts.map((text) => JSON.parse(text));

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
});
