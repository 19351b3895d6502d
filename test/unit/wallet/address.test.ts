import { expect, it } from 'vitest';
import { readWallet } from '../../../src/wallet/address.ts';

const GOOD = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const LOWER = GOOD.toLowerCase();
const DIGITS = LOWER.slice(2);
const KEY = 'c0ffee'.repeat(11).slice(0, 64);
const EVM = { checksum: true } as const;

it.each([GOOD, LOWER, `0x${DIGITS.toUpperCase()}`])('accepts the address %s as typed', (text) => {
  expect(readWallet(text, EVM)).toEqual({ ok: true, address: text, id: LOWER });
});

it('replaces 0X by 0x', () => expect(readWallet(`0X${DIGITS}`, EVM)).toEqual({ ok: true, address: LOWER, id: LOWER }));

it('refuses a wrong checksum without a spelling that would pass, unless --no-checksum is given', () => {
  const typo = `${GOOD.slice(0, -1)}D`;
  const reading = readWallet(typo, EVM);
  const hint = 'copy it again from its source (--no-checksum accepts any case)';
  expect(reading).toMatchObject({ ok: false, code: 'checksum', hint });
  expect(readWallet(typo, { checksum: false })).toEqual({ ok: true, address: typo, id: LOWER });
});

it.each([
  ['empty', ''],
  ['empty', ' \t'],
  ['no_prefix', DIGITS],
  ['ens', 'vitalik.eth'],
  ['ens', 'pay.alice.eth'],
  ['icap', 'XE7338O073KYGTWWZN0F2WZ0R8PX5ZPPZS'],
  ['length', '0x'],
  ['length', LOWER.slice(0, -1)],
  ['length', `${LOWER}0`],
  ['not_hex', `${LOWER.slice(0, -1)}g`],
  ['not_hex', `${LOWER.slice(0, 20)}\0${LOWER.slice(21)}`],
  ['not_hex', `${LOWER.slice(0, 20)}\u001b${LOWER.slice(21)}`],
  ['chain_prefix', `eth:${LOWER}`],
  ['not_alone', `https://etherscan.io/address/${LOWER}`],
  ['not_alone', `../${LOWER}`],
  ['not_alone', `${LOWER}?api-key=x`],
  ['not_alone', `${LOWER} `],
  ['not_alone', `${LOWER}\0`],
  ['not_alone', `"${LOWER}"`],
  ['ambiguous', `${LOWER} ${LOWER.replace('5a', '5b')}`],
  ['not_address', '../v1/keys'],
  ['not_address', 'https://etherscan.io'],
  ['not_address', '1'],
  ['length', 'x'.repeat(10_000_000)],
  ['secret', 'a'.repeat(10_000_000)],
])('reports %s for a text that is not an address', (code, text) => {
  const reading = readWallet(text, EVM);
  expect(reading).toMatchObject({ ok: false, code });
  expect(JSON.stringify(reading).length).toBeLessThan(400);
});

it.each([`eth:${LOWER}`, `https://etherscan.io/address/${LOWER}`, `${LOWER},`])(
  'suggests to pass the address in %s alone',
  (text) => {
    expect(readWallet(text, EVM)).toHaveProperty('hint', `pass ${LOWER} alone`);
  },
);

it('suggests an address without 0x with it', () => {
  expect(readWallet(DIGITS, EVM)).toHaveProperty('hint', `pass 0x${DIGITS}`);
});

it.each([`\\x${DIGITS}`, `\\\\x${DIGITS}`])('names %s as the bytes that a database prints', (text) => {
  expect(readWallet(text, EVM)).toMatchObject({
    ok: false,
    message: 'it is bytes as a database prints them: write 0x for \\x',
    hint: `pass 0x${DIGITS}`,
  });
});

it.each([KEY, `0x${KEY}`, `0X${KEY.toUpperCase()}`, `key=${KEY};`, `${LOWER} ${KEY}`, `0x${KEY}00`])(
  'never repeats a possible private key: %#',
  (text) => {
    const reading = readWallet(text, EVM);
    expect(reading).toMatchObject({ ok: false, code: 'secret' });
    expect(JSON.stringify(reading).toLowerCase()).not.toContain(KEY.slice(10, 16));
  },
);
