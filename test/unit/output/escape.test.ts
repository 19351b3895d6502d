import { describe, expect, it } from 'vitest';
import { quoted, quotedWord } from '../../../src/output/escape.ts';

const KEY = 'rk_live_0123456789abcdefghij';
const SECRET = 'ab'.repeat(32);

describe('words said back in a message', () => {
  it.each([
    ['plain', "'plain'"],
    ['a\u001b[31m\tb\u202e', "'a\\u001b[31m\\tb\\u202e'"],
    [SECRET, "'<withheld: may be a private key>'"],
    [`0x${SECRET}${SECRET}`, "'<withheld: may be a private key>'"],
    [`--key=${KEY}`, "'--key=<withheld>'"],
    ['max_requests', "'max_requests'"],
  ])('are escaped and withhold what may be a secret: %j', (text, expected) => {
    expect(quotedWord(text)).toBe(expected);
  });

  it('are cut', () => {
    expect(quoted('é'.repeat(81))).toBe(`'${'é'.repeat(77)}...'`);
  });

  it.each([
    ['letters', 'a'],
    ['digits', '0'],
    ['hex digits and others', `${'a'.repeat(63)}g`],
    ['short halves of keys', 'a_'],
    ['controls', '\u001b'],
  ])('may be 10 MB long, of %s', (_, unit) => {
    expect(quotedWord(unit.repeat(10_000_000 / unit.length)).length).toBeLessThan(90);
  });
});
