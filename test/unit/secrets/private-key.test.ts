import { expect, it } from 'vitest';
import {
  holdsPrivateKey,
  PRIVATE_KEY_MARKER,
  redactPrivateKeys,
  redactUnder,
} from '../../../src/secrets/private-key.ts';
import { fc } from '../../fixtures/properties.ts';

const ADDRESS = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const KEY = 'c0ffee0123456789abcdef0123456789abcdef0123456789abcdef012345678d';
const WIF = 'KwdMAjGmerYanjeui5SHS7JkmpZvVipYvB2LJGU1ZxJwYvP98617';

it.each([
  ['64 hex digits', KEY],
  ['with 0x', `0x${KEY}`],
  ['in capitals', `0X${KEY.toUpperCase()}`],
  ['with more digits', `${KEY}00${KEY}`],
  ['WIF', '5HueCGU8rMjxEXxiPuD5BDku4MkFqeZyd4dZ1jvhTVqvbTLvyTJ'],
  ['WIF of a compressed key', WIF],
  ['WIF behind a scheme', `p2wpkh:${WIF}`],
])('takes for a possible private key %s', (_, text) => {
  for (const [before, after] of [
    ['', ''],
    ['key: ', '.'],
    [`${ADDRESS} `, ' 2025-01-31'],
  ]) {
    const shown = redactPrivateKeys(`${before}${text}${after}`);
    expect(shown.replace('p2wpkh:', '')).toBe(`${before}${PRIVATE_KEY_MARKER}${after}`);
    expect(holdsPrivateKey(`${before}${text}${after}`)).toBe(true);
  }
});

it('redacts a possible private key to its last digit, and each of several', () => {
  expect(redactPrivateKeys(`${WIF}, ${KEY}9, ${WIF}`)).toBe(
    `${PRIVATE_KEY_MARKER}, ${PRIVATE_KEY_MARKER}, ${PRIVATE_KEY_MARKER}`,
  );
});

it('leaves no run of 64 hex digits in any text', () => {
  const hexUnit = fc.constantFrom(...'0123456789abcdefABCDEF');
  const piece = fc.oneof(fc.constantFrom('0x', 'x', '0', 'g', ' '), fc.string({ unit: hexUnit, maxLength: 140 }));
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
      const text = redactPrivateKeys(pieces.join(''));
      expect(text).not.toMatch(/[0-9a-f]{64}/i);
      expect(redactPrivateKeys(text)).toBe(text);
    }),
  );
});

it.each([
  ['an address', ADDRESS],
  ['an address and a balance in wei', `${ADDRESS} 123456789012345678901234`],
  ['two addresses without 0x', `${ADDRESS.slice(2)}, ${ADDRESS.slice(2)}`],
  ['two UUIDs', '123e4567-e89b-12d3-a456-426614174000 123e4567-e89b-12d3-a456-426614174000'],
  ['a word of base 58 inside another', `x${WIF}`],
  ['base 64', Buffer.from('a text that is long enough to look like something, but is not').toString('base64')],
])('does not take for a possible private key %s', (_, text) => {
  expect(redactPrivateKeys(text)).toBe(text);
  expect(holdsPrivateKey(text)).toBe(false);
});

it.each([
  ...['tx', 'tx_hash', 'Txn Hash', 'transactionHash', 'TXID', 'Txhash', 'Transaction Hashes', 'last-tx', 'txHash2'],
])('takes 64 hex digits for a hash in a column called %j', (name) => {
  expect(redactUnder(name, `0x${KEY} ${WIF}`)).toBe(`0x${KEY} ${PRIVATE_KEY_MARKER}`);
});

it.each(['', 'memo', 'context', 'text', 'hashtag', 'rehash', 'private_key', 'taxes'])(
  'takes 64 hex digits for a possible private key in a column called %j',
  (name) => {
    expect(redactUnder(name, KEY)).toBe(PRIVATE_KEY_MARKER);
  },
);
