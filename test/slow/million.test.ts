/** A list of a million against a sandbox without limits: every row, in order, in less than 200 MB. */
import { expect, it } from 'vitest';
import { type Figure, MAX_MB, manyRows, manyRowsIntoFiles, manyWallets } from '../bench/lists/figures.ts';
import { temporaryFolder } from '../fixtures/place/folder.ts';

it.each([
  ['a million rows, 100,000 wallets', manyRows],
  ['a million wallets', manyWallets],
  ['a million rows into three files, one of them a page', manyRowsIntoFiles],
])('%s are all answered, in order, in little memory', async (_, run) => {
  const measured = async () => {
    const figure = await run({ folder: temporaryFolder(), rows: 1_000_000 });
    console.log(inWords(figure));
    return figure;
  };
  let figure = await measured();
  // On a busy machine garbage is collected late; a list that keeps too much fails again.
  if (figure.peakMb >= MAX_MB) figure = await measured();
  expect(figure.peakMb).toBeGreaterThan(0);
  expect(figure.peakMb).toBeLessThan(MAX_MB);
});

function inWords({ what, rows, requests, seconds, peakMb }: Figure): string {
  const perSecond = (count: number) => `${(count / seconds).toFixed(0)}/s`;
  return `${what}: ${seconds.toFixed(0)} s, rows ${perSecond(rows)}, requests ${perSecond(requests)}, peak ${peakMb.toFixed(0)} MB`;
}
