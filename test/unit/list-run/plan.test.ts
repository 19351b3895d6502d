import { expect, it } from 'vitest';
import { countList, forecast } from '../../../src/list-run/plan.ts';
import { address, recordsOf } from '../../fixtures/place/wallets.ts';

const known = (...ids: readonly number[]) => ({ has: (id: string) => ids.map(address).includes(id), stale: new Map() });

it('counts rows, distinct wallets, and requests', async () => {
  const counts = await countList(recordsOf([1, 1, 2, 2, null, 3, 1, 4, null]), { known: known(2, 3, 99) });
  expect(counts).toMatchObject({ rows: 9, invalid: 2, wallets: 4, known: 2, reviewed: 0, requests: 2 });
  expect(counts.notWallets.map(({ line }) => line)).toEqual([5, 9]);
});

it('reports a list that cannot be read while it is counted', async () => {
  async function* torn() {
    yield* recordsOf([1]);
    throw new Error('line 2');
  }
  await expect(countList(torn(), { known: known() })).rejects.toThrow('line 2');
});

it('stops counting a list on an abort', async () => {
  const signal = AbortSignal.abort(new Error('enough'));
  await expect(countList(recordsOf([1]), { known: known(), signal })).rejects.toThrow('enough');
});

const counts = {
  rows: 1500,
  invalid: 0,
  notWallets: [],
  stale: [],
  wallets: 1200,
  known: 200,
  reviewed: 0,
  requests: 1000,
};

it('forecasts with the rate of the smallest plan if none is known for the key, and says so', () => {
  expect(forecast(counts, {})).toEqual({
    ...counts,
    perSecond: 10,
    isAssumed: true,
    durationMs: 100_000,
    monthlyLeft: undefined,
    fits: undefined,
  });
});

it.each([
  [9_000, 1000, true],
  [9_001, 999, false],
  [20_000, 0, false],
])('forecasts after %d of 10,000 requests of the month, with %d left: fits %s', (sent, monthlyLeft, fits) => {
  const made = forecast(counts, { perSecond: 200, monthly: { allowed: 10_000, sent } });
  expect(made).toMatchObject({ monthlyLeft, fits, perSecond: 200, isAssumed: false, durationMs: 5000 });
});
