/** The line for cron of docs/recipes.md, week after week. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { address } from '../../fixtures/place/wallets.ts';
import { KEY, PROFILE } from '../../fixtures/service/client.ts';
import { startServer } from '../../fixtures/service/server.ts';
import { createStage } from './transcript.ts';

const PAGE = readFileSync(new URL('../../../docs/recipes.md', import.meta.url), 'utf8');
const [, LINE = ''] = /^0 3 \* \* 1 cd \/srv\/wallets && (.*)$/m.exec(PAGE) ?? [];

it('the weekly line goes on after refused rows and after a bad night', async () => {
  let score = 700;
  let isDown = false;
  await using server = await startServer(({ path }) => {
    const wallet = path.slice(path.lastIndexOf('/') + 1);
    if (isDown) return { status: 401 };
    if (wallet === address(2)) return { status: 404, body: { error: 'no such wallet' } };
    return { body: { ...PROFILE, wallet_address: wallet, defi_score: { score } } };
  });
  const place = await createStage({ RISKCLI_BASE_URL: server.url.href, RISKCLI_API_KEY: KEY });
  onTestFinished(place.remove);
  const path = (name: string) => join(place.folder, name);
  const read = (name: string) => readFileSync(path(name), 'utf8');
  writeFileSync(path('list.csv'), `wallet\n${address(1)}\n${address(2)}\n`);
  const week = async (now: number) => {
    score = now;
    const [ended] = await place.run([LINE]);
    const { output = '', exitCode } = ended ?? {};
    return { exitCode, fell: output.split('\n').filter((line) => line.startsWith('0x')) };
  };
  expect(await week(700)).toEqual({ exitCode: 0, fell: [] });
  expect(await week(650)).toEqual({ exitCode: 0, fell: [expect.stringContaining('-50')] });
  isDown = true;
  expect(await week(1)).toEqual({ exitCode: 1, fell: [] });
  expect([read('this-week.csv'), read('last-week.csv')]).toEqual([
    expect.stringContaining(',650,'),
    expect.stringContaining(',700,'),
  ]);
  isDown = false;
  expect(await week(640)).toEqual({ exitCode: 0, fell: [expect.stringContaining('-10')] });
  expect(existsSync(path('new.csv'))).toBe(false);
});
