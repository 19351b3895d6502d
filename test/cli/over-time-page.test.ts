/** The letter of docs/over-time.md, played from its first week. */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { DAY, MONDAY, stage, type World } from '../fixtures/cli/review-weeks.ts';
import { address } from '../fixtures/place/wallets.ts';

const page = readFileSync(fileURLToPath(new URL('../../docs/over-time.md', import.meta.url)), 'utf8');
const [, letter] = /```text\n(.*?)```/s.exec(page) ?? [];

const EARLIER: World = {
  1: { score: 550, usd: 1800 },
  2: { score: 590, usd: 2400 },
  3: { score: 700, usd: 9100 },
  4: { score: 650, usd: 700 },
  5: { score: 710, usd: 3000 },
  6: { score: 580, usd: 5200 },
};
const LATER: World = {
  ...EARLIER,
  1: { status: 503 },
  2: { score: 640, usd: 2400 },
  3: { score: 560, usd: 8800 },
  4: { status: 503 },
  5: { score: 710, usd: 2200 },
  8: { score: 800, usd: 500 },
};
const RULES = [
  { name: 'low', if: 'score < 600', note: 'call the client' },
  { name: 'thin', if: 'total_collateral_usd < 800', level: 'watch' },
];

it('shows in docs/over-time.md the letter that a review prints', async () => {
  const { at, list, now, review, run } = await stage(EARLIER, [1, 2, 3, 4, 5, 6, 7]);
  const policy = at('policy.json');
  writeFileSync(policy, JSON.stringify({ rules: RULES }));
  await review(0, '--policy', policy);
  list([1, 2, 3, 4, 5, 6, 8]);
  now.world = LATER;
  const exceptions = [{ wallet: address(6), rule: 'low', reason: 'ticket 17', until: '2026-12-31' }];
  writeFileSync(policy, JSON.stringify({ rules: RULES, exceptions }));
  now.at = MONDAY + 7 * DAY;
  const args = ['review', at('holders.csv'), '--policy', policy, '--color', 'never'];
  const { stdout } = await run(args, { tty: { stdout: true }, columns: 80 });
  expect(letter).toBe(stdout.replace(/127\.0\.0\.1:\d+/, 'api.example.com'));
});
