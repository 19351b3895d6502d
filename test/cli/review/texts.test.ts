/** Rows of a list that are not wallets, over simulated weeks: each is known by its text. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { stage } from '../../fixtures/cli/review-weeks.ts';
import { address } from '../../fixtures/place/wallets.ts';

const TYPO = '0x1234';
const list = (balance: number, ...texts: readonly string[]) =>
  [`wallet,balance`, `${address(1)},1`, ...texts.map((text) => `${text},${balance}`)].join('\n');

it('keeps the alarm of a text that is not a wallet when another column of it changes', async () => {
  const { json, at } = await stage({});
  writeFileSync(at('holders.csv'), list(5, TYPO));
  await json(0, '--fail-if', 'typo: status == invalid');
  writeFileSync(at('holders.csv'), list(9, TYPO));
  expect(await json(7, '--fail-if', 'typo: status == invalid')).toMatchObject({
    news: false,
    counts: { open: 1, new: 0, closed: 0, added: 0, removed: 0 },
    open: { wallets: [{ alarms: [{ opened: '2026-10-05', confirmed: '2026-10-12' }] }] },
  });
});

it('counts a text that is not a wallet and is listed twice as one', async () => {
  const { json, at } = await stage({});
  writeFileSync(at('holders.csv'), `${list(5, TYPO)}\n${TYPO},6\n`);
  expect(await json(0)).toMatchObject({ counts: { rows: 3, wallets: 2, invalid: 1 } });
});

it('counts each row with an empty wallet cell by itself', async () => {
  const { json, at } = await stage({});
  writeFileSync(at('holders.csv'), `${list(5, '')}\n,6\n`);
  expect(await json(0)).toMatchObject({ counts: { rows: 3, wallets: 3, invalid: 2 } });
});

it('reports a text that was removed from the list without the rest of its row', async () => {
  const { json, at, kept } = await stage({});
  writeFileSync(at('holders.csv'), list(5, TYPO));
  await json(0);
  writeFileSync(at('holders.csv'), list(5));
  expect(await json(7)).toMatchObject({ removed: { wallets: [{ wallet: TYPO }] } });
  const [header = ''] = readFileSync(join(at('holders.csv.reviews'), kept()[1]!), 'utf8').split('\n');
  expect(JSON.parse(header)).toMatchObject({ list: { column: 'wallet' } });
});
