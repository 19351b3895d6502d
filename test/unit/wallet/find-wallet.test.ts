import { expect, it } from 'vitest';
import { findWallet } from '../../../src/wallet/address.ts';

const GOOD = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const LOWER = GOOD.toLowerCase();
const OTHER = '0xde709f2102306220921060314715629080e2fb77';
const KEY = 'c0ffee'.repeat(11).slice(0, 64);
const EVM = { checksum: true } as const;

it.each([
  ...[GOOD, `  ${GOOD}\t`, `\ufeff${GOOD}\u00a0`, `https://etherscan.io/address/${GOOD}#tokentxns`],
  ...[`https://debank.com/profile?addr=${GOOD}&x=1`],
  ...[`<a href="https://etherscan.io/address/${LOWER}" target="_blank">${GOOD}</a>`],
  ...[`[${GOOD}](https://etherscan.io/address/${LOWER})`, `eth:${GOOD}`, `\`${GOOD}\``, `| ${GOOD} |`, `- ${GOOD}`],
  ...[`1. ${GOOD}`, `${GOOD},`, `'${GOOD}',`, `"${GOOD}"`, `treasury ${GOOD} (main), tx 0x${KEY}`],
])('finds the one address in the cell %s', (cell) => {
  expect(findWallet(cell, EVM)).toMatchObject({ ok: true, id: LOWER });
});

it('prefers a spelling with a valid checksum', () => {
  const wrong = `${GOOD.slice(0, -1)}D`;
  expect(findWallet(`${wrong} ${LOWER}`, EVM)).toMatchObject({ ok: true, address: LOWER });
  expect(findWallet(`eth:${wrong}`, EVM)).toMatchObject({ ok: false, code: 'checksum' });
});

it.each([
  ['ambiguous', `${GOOD} ${OTHER}`],
  ['empty', '   '],
  ['secret', `0x${KEY}`],
  ['secret', `https://etherscan.io/tx/0x${KEY}`],
  ['length', `${LOWER}00`],
  ['not_address', `a${LOWER}`],
  ['ens', 'vitalik.eth'],
])('reports %s for a cell without a usable address', (code, cell) => {
  expect(findWallet(cell, EVM)).toMatchObject({ ok: false, code });
});
