/** A review as cron runs it: whatever stops it, the next one tells what this one should have told. */
import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { start } from '../fixtures/cli/process.ts';
import { address } from '../fixtures/place/wallets.ts';
import { workplace } from '../fixtures/place/workplace.ts';
import { KEY, PROFILE } from '../fixtures/service/client.ts';
import { startServer } from '../fixtures/service/server.ts';

/** Each line is a week: what is older than a moment is asked again, and no review is the one before once more. */
const WEEK = ['review', 'list.csv', '--json', '--max-age', '1ms', '--concurrency', '1'];

it('a review that is killed, or whose letter cannot be written, does not count', async () => {
  let score = 700;
  let asked = 0;
  let onAsked = () => {};
  await using server = await startServer(({ path }) => {
    asked += 1;
    onAsked();
    const wallet = path.slice(path.lastIndexOf('/') + 1);
    return { body: { ...PROFILE, wallet_address: wallet, defi_score: { score } } };
  });
  const place = workplace({ RISKCLI_BASE_URL: server.url.href, RISKCLI_API_KEY: KEY });
  place.write('list.csv', `name,wallet\nAnn,${address(1)}\nBen,${address(2)}\n`);
  const week = () => place.cli(WEEK);
  const changes = (stdout: string) =>
    JSON.parse(stdout).changed_most.rows.map((row: { label: string; change: number }) => [row.label, row.change]);
  expect(changes((await week()).stdout)).toEqual([]);
  score = 650;
  asked = 0;
  const { child, done } = start(WEEK, { cwd: place.folder, env: place.env });
  // The first answer is kept by then, and the second one is under way.
  onAsked = () => void (asked === 2 && child.kill('SIGKILL'));
  expect((await done).stdout).toBe('');
  onAsked = () => {};
  // There is no room for what it prints.
  const full = await place.sh(`r ${WEEK.join(' ')} > /dev/full`);
  expect(full.exitCode).toBe(8);
  const told = await week();
  expect(told.exitCode).toBe(0);
  expect(changes(told.stdout)).toEqual([
    ['Ann', -50],
    ['Ben', -50],
  ]);
  const names = readdirSync(place.folder).filter((name) => name !== 'home');
  expect(names.map((name) => name.replace(/-\w{12}$/, '-...')).sort()).toEqual([
    'list.csv',
    'list.csv.journal',
    'list.csv.journal.review-...',
  ]);
});
