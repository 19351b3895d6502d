/** What goes wrong while rows are written: odd characters, lists that stop early. */
import { describe, expect, it } from 'vitest';
import { address } from '../../fixtures/place/wallets.ts';
import { type Workplace, workplace } from '../../fixtures/place/workplace.ts';
import { startService } from '../../fixtures/service/sandbox.ts';
import { startServer } from '../../fixtures/service/server.ts';

const LIST = Array.from({ length: 120 }, (_, i) => `${address(i + 1)}\n`).join('');

async function stage(list = LIST): Promise<Workplace> {
  const { env } = await startService({ limits: { rate: 10_000, burst: 20_000, quota: 10_000 } });
  const place = workplace(env);
  place.write('list.txt', list);
  return place;
}

/** A service whose documents are `document` and the wallet. */
async function stageOf(document: Record<string, unknown>, list: string): Promise<Workplace & AsyncDisposable> {
  const server = await startServer(({ path }) => ({
    headers: { 'x-ratelimit-limit': '1000' },
    body: { wallet_address: path.slice(path.lastIndexOf('/') + 1), total_collateral_usd: 1, ...document },
  }));
  const place = workplace({ RISKCLI_BASE_URL: server.url.href, RISKCLI_API_KEY: 'test_key_0123456789' });
  place.write('list.txt', list);
  return Object.assign(place, { [Symbol.asyncDispose]: server.close });
}

it('keeps U+2028, U+2029, NEL and 700,000 characters in a cell of csv', async () => {
  const odd = 'a\u2028b\u2029c\u0085d';
  const long = 'x'.repeat(700_000);
  await using service = await stageOf({ name: odd, long }, `wallet,note\n${address(1)},${odd}\n`);
  const { stdout } = await service.cli(['profile', '-f', 'list.txt', '--csv', '--fields', 'name,long']);
  expect(stdout).toBe(`wallet,note,name,long\n${address(1)},${odd},${odd},${long}\n`);
});

describe('json of a list that stops early', () => {
  it('prints a whole JSON array of a list that stops early', async () => {
    const list = ['profile', '-f', 'list.txt', '--json', '--max-requests', '5'];
    const { stdout, exitCode } = await (await stage()).cli(list);
    expect(exitCode).toBe(7);
    expect(JSON.parse(stdout)).toHaveLength(5);
  });
});
