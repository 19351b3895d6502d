import { describe, expect, it } from 'vitest';
import { maskKey } from '../../../src/secrets/api-key.ts';
import { fc } from '../../fixtures/properties.ts';

describe('maskKey', () => {
  it.each([
    ['wrp_abcdefghijklmnop', 'wrp_****mnop'],
    ['wrp_ab-_cdefghijklmnop', 'wrp_****mnop'],
    ['wrp_abcdefghijklmno', 'wrp_****'],
    ['wrp_abcdefg', '****'],
    ['abcdefghijklmnopqrstuvwxyz', '****wxyz'],
    ['abcdefghijklmnop_qrstuvwxyz', '****wxyz'],
    ['x', '****'],
  ])('makes of %s %s', (key, masked) => {
    expect(maskKey(key)).toBe(masked);
  });

  it('never shows six characters in a row of what follows the prefix', () => {
    const secret = fc.stringMatching(/^[A-Za-z0-9_-]{1,60}$/);
    fc.assert(
      fc.property(secret, (random) => {
        const masked = maskKey(`wrp_${random}`).replace(/^wrp_/, '');
        for (let i = 0; i + 6 <= random.length; i++) expect(masked).not.toContain(random.slice(i, i + 6));
      }),
    );
  });
});
