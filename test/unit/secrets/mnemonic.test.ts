import { entropyToMnemonic } from '@scure/bip39';
import { wordlist } from '@scure/bip39/wordlists/english.js';
import { describe, expect, it } from 'vitest';
import { isSecret, withholdEach } from '../../../src/secrets/mnemonic.ts';
import { WITHHELD, withholdPrivateKeys } from '../../../src/secrets/private-key.ts';
import { fc } from '../../fixtures/properties.ts';

const ADDRESS = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const KEY = 'c0ffee0123456789abcdef0123456789abcdef0123456789abcdef012345678d';
const entropy = fc
  .constantFrom(16, 20, 24, 28, 32)
  .chain((size) => fc.uint8Array({ minLength: size, maxLength: size }));
const mnemonic = entropy.map((bytes) => entropyToMnemonic(Uint8Array.from(bytes), wordlist));

const PHRASE = 'legal winner thank year wave sausage worth useful legal winner thank yellow';
const WIF = 'KwdMAjGmerYanjeui5SHS7JkmpZvVipYvB2LJGU1ZxJwYvP98617';

const pieces = (size: number, gap: string) => (KEY.match(new RegExp(`.{1,${size}}`, 'g')) ?? []).join(gap);

describe('what may be a private key', () => {
  it('may be a mnemonic of any length, in any case, numbered, or between other words', () => {
    const wrap = fc.constantFrom<(text: string) => string>(
      (text) => text,
      (text) => text.toUpperCase(),
      (text) => `<<${text}>>.`,
      (text) => text.replaceAll(' ', '\n'),
      (text) =>
        text
          .split(' ')
          .map((word, i) => `${i + 1}. ${word}`)
          .join('; '),
    );
    fc.assert(
      fc.property(mnemonic, wrap, (words, form) => {
        const [text = ''] = withholdEach([form(words)]);
        expect(text).toContain(WITHHELD);
        expect(isSecret(form(words), 'evm')).toBe(true);
        expect(text.replace(WITHHELD, '')).not.toMatch(/[a-z]/i);
      }),
    );
  });

  it('is found next to an address, on either side', () => {
    const secret = fc.oneof(
      mnemonic,
      fc.constantFrom(KEY, `0x${KEY}`, KEY.slice(1), pieces(32, ' '), pieces(8, ':'), pieces(16, '-')),
    );
    const filler = fc.string({ unit: fc.constantFrom('1', 'a', ' ', ',', '-'), maxLength: 30 });
    fc.assert(
      fc.property(secret, filler, fc.boolean(), (text, beside, isBehind) => {
        const cells = isBehind ? [ADDRESS, beside, '.....', text] : [text, '.....', beside, ADDRESS];
        const shown = withholdEach(cells).join(' ');
        expect(shown).toContain(WITHHELD);
        expect(shown).not.toContain(text);
      }),
    );
  });

  it('may be a mnemonic spread over many cells', () => {
    fc.assert(
      fc.property(mnemonic, (words) => {
        const shown = withholdEach([ADDRESS, ...words.split(' '), '12.5']);
        expect(shown).toEqual([ADDRESS, ...words.split(' ').map(() => WITHHELD), '12.5']);
      }),
    );
  });

  it.each([
    ['of the fewest letters', 'act act act act act act act act act act act box'],
    ['between other words of the list', `zoo ${PHRASE} zoo`],
    ['of more words of the list than a sentence has, whatever they are', 'zoo '.repeat(65).trim()],
  ])('is a mnemonic %s', (_, text) => {
    expect(withholdEach([text])).toEqual([WITHHELD]);
  });

  it('is removed to its last digit, and each of several', () => {
    expect(withholdPrivateKeys(`${WIF}, ${KEY.slice(0, 63)}9, ${WIF}`)).toBe(`${WITHHELD}, ${WITHHELD}, ${WITHHELD}`);
  });

  it.each([
    ['a digit lost', KEY.slice(1)],
    ['a digit lost behind 0x', `0x${KEY.slice(0, 63)}`],
    ['two halves', pieces(32, ' ')],
    ['two halves with eight letters', `${'12345678'.repeat(4)} ${'12345678'.repeat(3)}abcdefab`],
    ['two pieces with a dash', `${KEY.slice(0, 30)}-${KEY.slice(30)}`],
    ['three pieces', pieces(25, '\n')],
    ['groups of four', pieces(4, ' ')],
    ['groups of eight with a bar', pieces(8, '|')],
    ['bytes with colons', pieces(2, ':')],
    ['bytes as in C', `0x${pieces(2, ', 0x')}`],
    ['single digits', pieces(1, ' ')],
    ['groups of five, the last shorter', pieces(5, ' ')],
    ['WIF', '5HueCGU8rMjxEXxiPuD5BDku4MkFqeZyd4dZ1jvhTVqvbTLvyTJ'],
    ['WIF of a compressed key', WIF],
    ['WIF behind a scheme', `p2wpkh:${WIF}`],
    ['a key with a passphrase', '6PRVWUbkzzsbcVac2qwfssoUJAN1Xhrg6bNk8J7Nzm5H7kxEbn2Nh2ZoGg'],
    [
      'an extended key',
      'xprv9s21ZrQH143K3QTDL4LXw2F7HEK3wJUD2nW2nRk4stbPy6cq3jPPqjiChkVvvNKmPGJxWUtg6LnF5kejMRNNU3TGtRBeJgk33yuGBxrMPHi',
    ],
  ])('is %s', (_, text) => {
    for (const [before, after] of [
      ['', ''],
      ['key: ', '.'],
      [`${ADDRESS} `, ' 2025-01-31'],
    ]) {
      const [shown = ''] = withholdEach([`${before}${text}${after}`]);
      expect(shown).toContain(WITHHELD);
      expect(shown.startsWith(before ?? '')).toBe(true);
      expect(withholdPrivateKeys(`${before}${text}${after}`)).toBe(shown);
      for (const piece of text.split(/[^0-9A-Za-z]+/).filter((word) => word.length > 7))
        expect(shown).not.toContain(piece);
    }
    expect(withholdEach(text.split(' '))).not.toContain(text.split(' ')[0]);
  });

  it.each([
    ['an address and a balance in wei', `${ADDRESS} 123456789012345678901234`],
    ['an address without 0x and a balance', `${ADDRESS.slice(2)} 123456789012345678901234`],
    ['two addresses', `${ADDRESS} ${ADDRESS}`],
    ['two addresses without 0x', `${ADDRESS.slice(2)}, ${ADDRESS.slice(2)}`],
    ['two UUIDs', '123e4567-e89b-12d3-a456-426614174000 123e4567-e89b-12d3-a456-426614174000'],
    ['a row of numbers', Array.from({ length: 40 }, (_, i) => 1000 + i).join(' ')],
    ['dates', Array.from({ length: 12 }, () => '2025-01-31 12:00:00').join(' ')],
    ['a sentence', 'the quick brown fox jumps over the lazy dog and then it sleeps for many long hours'],
    ['words of the list that are no mnemonic', Array(64).fill('zoo').join(' ')],
    ['words of a mnemonic with another one among them', PHRASE.replace('yellow', 'xyzzy yellow')],
    ['halves with words between', `${KEY.slice(0, 32)} is not ${KEY.slice(32)}`],
    ['three identifiers of 30 digits', [1, 2, 3].map((from) => KEY.slice(from, from + 30)).join(' ')],
    ['MAC addresses', 'aa:bb:cc:dd:ee:ff 11:22:33:44:55:66'],
    ['base 64', Buffer.from('a text that is long enough to look like something, but is not').toString('base64')],
  ])('is not %s', (_, text) => {
    expect(withholdEach([text])).toEqual([text]);
    expect(withholdEach(text.split(' '))).toEqual(text.split(' '));
  });
});
