/** What --metrics and --summary tell of a list that a signal, a reader or a shell has ended. */
import { existsSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { start } from '../../fixtures/cli/process.ts';
import { addresses } from '../../fixtures/place/wallets.ts';
import { workplace } from '../../fixtures/place/workplace.ts';
import { KEY, profileOf } from '../../fixtures/service/client.ts';
import { startServer } from '../../fixtures/service/server.ts';
import { startHeldService } from '../../fixtures/service/slow-service.ts';

const WALLETS = addresses(3);
const EXIT_CODE = 'riskcli_list_last_run_exit_code{environment="default",list="m"}';

function stage(url: string) {
  const place = workplace({ RISKCLI_BASE_URL: url, RISKCLI_API_KEY: KEY });
  place.write('list.txt', WALLETS.join('\n'));
  return place;
}

/** Resolves when something is at `path`: it is put there whole. */
async function appears(path: string): Promise<void> {
  while (!existsSync(path)) await setImmediate();
}

describe('a list', () => {
  const LIST = ['profile', '-f', 'list.txt', '--csv', '--metrics', 'm.prom'];

  it('that is interrupted stops once the awaited answers have arrived, and its metrics say so', async () => {
    await using service = await startHeldService(1);
    const place = stage(service.url);
    const run = start([...LIST, '--concurrency', '1', '--progress', '20ms'], { cwd: place.folder, env: place.env });
    await service.reached(2);
    // On a pipe as in cron's mail: how far the list is, now and then.
    await run.said('riskcli: 1/3, 33%, ');
    run.child.kill('SIGINT');
    await run.said('waiting up to');
    service.release();
    expect(await run.done).toMatchObject({ exitCode: 130, stderr: expect.stringContaining('riskcli: 1/3, 33%, ') });
    const metrics = place.read('m.prom');
    expect(metrics).toContain(`${EXIT_CODE} 130\n`);
    expect(metrics).toContain('status="scored"} 2\n');
    expect(metrics).toContain('status="pending"} 1\n');
  });

  it('that is stopped at once by a second interrupt has metrics about the first', async () => {
    await using service = await startHeldService(1);
    const place = stage(service.url);
    const run = start(LIST, { cwd: place.folder, env: place.env });
    await service.reached(3);
    run.child.kill('SIGINT');
    await appears(place.path('m.prom'));
    run.child.kill('SIGINT');
    expect(await run.done).toMatchObject({ signal: 'SIGINT' });
    expect(place.read('m.prom')).toContain(`${EXIT_CODE} 130\n`);
  });

  it('whose reader has left says so in its metrics and its summary', async () => {
    await using server = await startServer(({ path }) => ({ body: profileOf(path) }));
    const place = stage(server.url.href);
    place.write('list.txt', addresses(2_000).join('\n'));
    const { stdout } = await place.sh(
      'r profile -f list.txt --jsonl -q --metrics m.prom --summary s.json 2> err | head -1 | wc -l; echo ${PIPESTATUS[0]}',
    );
    expect(stdout).toBe('1\n141\n');
    expect(place.read('m.prom')).toContain(`${EXIT_CODE} 141\n`);
    expect(place.read('err')).toBe('');
    const summary = JSON.parse(place.read('s.json'));
    expect(summary).toMatchObject({ error_code: 'pipe', exit_code: 141 });
  });

  it.each(['profile - --csv < list.prom', 'profile -f list.txt --csv >> list.prom'])(
    'whose shell has redirected the file of its metrics is refused: %s',
    async (line) => {
      const place = stage('http://127.0.0.1:1');
      place.write('list.prom', WALLETS.join('\n'));
      const { exitCode, stderr } = await place.sh(`r ${line.replace(' --csv', ' --csv --metrics list.prom')}`);
      expect(stderr).toContain("'list.prom' is a file that this run reads");
      expect({ exitCode, list: place.read('list.prom') }).toEqual({ exitCode: 2, list: WALLETS.join('\n') });
    },
  );
});
