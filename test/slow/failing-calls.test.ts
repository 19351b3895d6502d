/**
 * Every call by which a command looks at, opens, makes, replaces and removes its files fails once,
 * in two ways.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { expect, it } from 'vitest';
import { RISKCLI_WORDS, start } from '../fixtures/cli/process.ts';
import { address } from '../fixtures/place/wallets.ts';
import { ONE_LINE, workplace } from '../fixtures/place/workplace.ts';
import { failing, hasStrace, placesIn } from '../fixtures/process/failing-calls.ts';
import { startSlowService } from '../fixtures/service/slow-service.ts';

const CALLS = 'close,unlink,rmdir,rename,mkdir,link,fsync,fdatasync,fchmod,ftruncate,statx,openat'.split(',');

it.skipIf(!hasStrace).each([
  ['list', `profile -f list --sort score`],
  ['wallet', `profile ${address(1)} --json`],
  ['keys', 'keys set --base-url https://api.example.com'],
])('exits with 8 and one line, or as if nothing had happened, when a call of a %s fails', async (kind, args) => {
  await using service = await startSlowService();
  const place = workplace({ RISKCLI_BASE_URL: service.url });
  place.write('list', Array.from({ length: 5 }, (_, i) => address(i)).join('\n'));
  const key = 'sk_callstest0123456789';
  const env = { ...place.env, XDG_STATE_HOME: place.path('state'), ...(kind !== 'keys' && { RISKCLI_API_KEY: key }) };
  const output = kind === 'keys' ? '' : `-o ${place.path('out.csv')}`;
  const run = async (prefix: string) => {
    for (const name of ['out.csv', 'out.csv.journal', 'state', 'home']) {
      rmSync(place.path(name), { recursive: true, force: true });
    }
    mkdirSync(place.path('home'));
    place.write('out.csv', 'old');
    const line = `exec ${prefix} ${RISKCLI_WORDS} ${args} ${output}`;
    return start(line, { cwd: place.folder, env, input: key }).done;
  };
  const places = await placesIn(place.folder, { calls: CALLS, run });
  const missed: string[] = [];
  for (const failed of places) {
    for (const error of ['EIO', 'ENOENT']) {
      const injected = failing(failed, { error, folder: place.folder });
      const { exitCode, stderr, signal } = await run(injected.prefix);
      const hit = injected.hit();
      if (hit === undefined) {
        missed.push(`${failed.call} ${failed.nth} ${error}`);
        continue;
      }
      const seen = JSON.stringify({ failed, hit, error, exitCode, signal, stderr });
      // The list is a file, too; a lock that is not there is a lost one.
      const isList = hit.includes('"list"') || hit.includes('/list>');
      const isLock = /\.lock[">]/.test(hit) && error === 'ENOENT';
      expect([0, 8, ...(isList ? [9] : []), ...(isLock ? [11] : [])], seen).toContain(exitCode);
      if (exitCode !== 0) expect(stderr, seen).toMatch(ONE_LINE);
      expect(stderr, seen).not.toMatch(/fault in riskcli|\n {4}at /);
    }
  }
  // Each place is tried twice. Under a list 8 in a hundred were missed: threads take turns.
  expect(places.length).toBeGreaterThan(10);
  expect(missed.length, missed.join('; ')).toBeLessThan(places.length / 2);
});
