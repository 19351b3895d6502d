/** The README's line for cron, week after week. */
import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { address } from '../../fixtures/place/wallets.ts';
import { workplace } from '../../fixtures/place/workplace.ts';
import { KEY, PROFILE } from '../../fixtures/service/client.ts';
import { startServer } from '../../fixtures/service/server.ts';

const README = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8');
const [, LINE = ''] = /^0 3 \* \* 1 cd \/srv\/wallets && (.*)$/m.exec(README) ?? [];

it('the weekly line goes on after refused rows and after a bad night', async () => {
  let score = 700;
  let isDown = false;
  await using server = await startServer(({ path }) => {
    const wallet = path.slice(path.lastIndexOf('/') + 1);
    if (isDown) return { status: 401 };
    if (wallet === address(2)) return { status: 404, body: { error: 'no such wallet' } };
    return { body: { ...PROFILE, wallet_address: wallet, defi_score: { score } } };
  });
  const place = workplace({ RISKCLI_BASE_URL: server.url.href, RISKCLI_API_KEY: KEY });
  place.write('list.csv', `wallet\n${address(1)}\n${address(2)}\n`);
  const week = async (now: number) => {
    score = now;
    const { stdout, exitCode } = await place.sh(LINE.replaceAll('riskcli', 'r'));
    return { exitCode, fell: stdout.split('\n').filter((line) => line.startsWith('0x')) };
  };
  expect(await week(700)).toEqual({ exitCode: 0, fell: [] });
  expect(await week(650)).toEqual({ exitCode: 0, fell: [expect.stringContaining('-50')] });
  isDown = true;
  expect(await week(1)).toEqual({ exitCode: 1, fell: [] });
  expect([place.read('this-week.csv'), place.read('last-week.csv')]).toEqual([
    expect.stringContaining(',650,'),
    expect.stringContaining(',700,'),
  ]);
  isDown = false;
  expect(await week(640)).toEqual({ exitCode: 0, fell: [expect.stringContaining('-10')] });
  expect(existsSync(place.path('new.csv'))).toBe(false);
});
