/** What --summary tells of a list that signals or a reader have ended. */
import { existsSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { start } from '../../fixtures/cli/process.ts';
import { addresses } from '../../fixtures/place/wallets.ts';
import { workplace } from '../../fixtures/place/workplace.ts';
import { KEY, profileOf } from '../../fixtures/service/client.ts';
import { startServer } from '../../fixtures/service/server.ts';
import { startHeldService } from '../../fixtures/service/slow-service.ts';

function stage(url: string, wallets: number) {
  const place = workplace({ RISKCLI_BASE_URL: url, RISKCLI_API_KEY: KEY });
  place.write('list.txt', addresses(wallets).join('\n'));
  return place;
}

it('a list that is stopped at once by a second interrupt has told of the first', async () => {
  await using service = await startHeldService(1);
  const place = stage(service.url, 3);
  const args = ['profile', '-f', 'list.txt', '--csv', '--summary', 's.json'];
  const run = start(args, { cwd: place.folder, env: place.env });
  await service.reached(3);
  run.child.kill('SIGINT');
  while (!existsSync(place.path('s.json'))) await setImmediate();
  run.child.kill('SIGINT');
  expect(await run.done).toMatchObject({ signal: 'SIGINT' });
  expect(JSON.parse(place.read('s.json'))).toMatchObject({ exit_code: 130, error_code: 'sigint' });
});

it('a list whose reader has left says so', async () => {
  await using server = await startServer(({ path }) => ({ body: profileOf(path) }));
  const place = stage(server.url.href, 2_000);
  const { stdout } = await place.sh(
    'r profile -f list.txt --jsonl -q --summary s.json 2> err | head -1 | wc -l; echo ${PIPESTATUS[0]}',
  );
  expect(stdout).toBe('1\n141\n');
  expect(place.read('err')).toBe('');
  expect(JSON.parse(place.read('s.json'))).toMatchObject({ error_code: 'pipe', exit_code: 141 });
});
