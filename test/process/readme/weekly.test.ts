/** The line for cron of docs/recipes.md, week after week, as cron runs it. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { address } from '../../fixtures/place/wallets.ts';
import { KEY, PROFILE } from '../../fixtures/service/client.ts';
import { startServer } from '../../fixtures/service/server.ts';
import { createStage } from './transcript.ts';

const PAGE = readFileSync(new URL('../../../docs/recipes.md', import.meta.url), 'utf8');
const [, LINE = ''] = /^0 3 \* \* 1 cd \/srv\/wallets && (.*)$/m.exec(PAGE) ?? [];
const POLICY = { rules: [{ name: 'low', if: 'score < 500' }], exceptions: [] };

it('the weekly line mails if there is news, and continues after refused rows and after a failed run', async () => {
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
  const page = () => readFileSync(join(place.folder, 'monday.html'), 'utf8');
  writeFileSync(join(place.folder, 'list.csv'), `name,wallet\nAnn,${address(1)}\nBen,${address(2)}\n`);
  writeFileSync(join(place.folder, 'policy.json'), JSON.stringify(POLICY));
  const week = async (now: number) => {
    score = now;
    // A week has passed: all older answers are requested again, and no review repeats the previous one.
    const [ended] = await place.run([`${LINE} --max-age 1ms`]);
    return ended;
  };
  expect(await week(700)).toMatchObject({ exitCode: 10, output: expect.stringContaining('COULD NOT BE JUDGED  1') });
  expect(await week(700)).toEqual({ exitCode: 10, output: '' });
  const before = page();
  isDown = true;
  expect(await week(1)).toEqual({ exitCode: 4, output: expect.stringMatching(/^riskcli: .* rejected the key .*\n$/) });
  expect(page()).toBe(before);
  isDown = false;
  const fell = await week(450);
  expect(fell?.exitCode).toBe(10);
  expect(fell?.output).toMatch(/\nAnn +0x000…00001 +450 +-250 +\$1,234\.50 +low \(new\)\n/);
  expect(page()).not.toBe(before);
});
