import { expect, it } from 'vitest';
import { quoted, quotedWord } from '../../../src/secrets/redact.ts';

const KEY = 'rk_live_0123456789abcdefghij';
const SECRET = 'ab'.repeat(32);

it.each([
  [`${'x'.repeat(76)}🦊 and more`, `'${'x'.repeat(76)}...'`],
  ['a\u001b[31m\tb\u202e', "'a\\u001b[31m\\tb\\u202e'"],
  [SECRET, "'<withheld: may be a private key>'"],
  [`0x${SECRET}${SECRET}`, "'<withheld: may be a private key>'"],
  [`--key=${KEY}`, "'--key=<withheld>'"],
  ['wrp_q7Zt-Xk_2Lm9Rv4Bn8', "'<withheld>'"],
  ['https://a.example/wrp_canary-Qk3v9_xT7mZ2pL8/v1', "'https://a.example/<withheld>/v1'"],
  ['sk_3f2b8a9c01d4e5f6a7b8', "'<withheld>'"],
  [`${KEY} < 5`, "'<withheld> < 5'"],
  ['sandbox_q7Zt-Xk_2Lm9Rv4Bn8', "'sandbox_q7Zt-Xk_2Lm9Rv4Bn8'"],
  ['my_wallets_of_the_treasury_2026_final_v2.csv', "'my_wallets_of_the_treasury_2026_final_v2.csv'"],
  ['scored_2026-01-05T04-30-00Z.jsonl.journal', "'scored_2026-01-05T04-30-00Z.jsonl.journal'"],
  ['holders_OfTheLargestVaultsInTheWorld.csv', "'holders_OfTheLargestVaultsInTheWorld.csv'"],
  ['defi_score.component_weighted_contribution', "'defi_score.component_weighted_contribution'"],
])('escapes words of a message and redacts possible secrets in them: %j', (text, expected) => {
  expect(quoted(text)).toBe(expected);
});

it('redacts more words of a message where no name is expected', () => {
  expect(quotedWord('my_wallets_2026_final')).toBe("'<withheld>'");
  expect(quotedWord('max_requests')).toBe("'max_requests'");
});

it('truncates words of a message', () => {
  expect(quoted('é'.repeat(80))).toBe(`'${'é'.repeat(80)}'`);
  expect(quoted('é'.repeat(81))).toBe(`'${'é'.repeat(77)}...'`);
});

it.each([
  ['letters', 'a'],
  ['digits', '0'],
  ['hex digits and others', `${'a'.repeat(63)}g`],
  ['short halves of keys', 'a_'],
  ['pieces of keys', 'a_b1C2d3'],
  ['controls', '\u001b'],
])('shortens a word of 10 MB of %s', (_, unit) => {
  expect(quotedWord(unit.repeat(10_000_000 / unit.length)).length).toBeLessThan(90);
});
