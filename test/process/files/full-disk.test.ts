/**
 * A disk that fills up while answers are under way: what has arrived is kept, and those under way
 * are asked again.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cliIn } from '../../fixtures/cli/cli.ts';
import { bareEnv, runLine, start } from '../../fixtures/cli/process.ts';
import { temporaryFolder } from '../../fixtures/place/folder.ts';
import { smallDisk } from '../../fixtures/place/small-disk.ts';
import { addresses } from '../../fixtures/place/wallets.ts';
import { ONE_LINE } from '../../fixtures/place/workplace.ts';
import { startSlowService } from '../../fixtures/service/slow-service.ts';

const WALLETS = 250;
const IN_FLIGHT = 20;

/** Answers that take `ms`, of `from` to 20 times as many bytes, in the same order each time. */
const slowService = (ms: number, from: number) =>
  startSlowService({ latency: () => ms, padding: (nth) => Math.round(from * 20 ** (((nth * 7919) % 100) / 100)) });

/** A list in `home`, and what it costs to score it into `folder`. */
function stage(service: Awaited<ReturnType<typeof slowService>>, folder: string) {
  const home = temporaryFolder();
  const list = join(home, 'list.txt');
  writeFileSync(list, addresses(WALLETS).join('\n'));
  const env = bareEnv({ HOME: home, RISKCLI_BASE_URL: service.url, RISKCLI_API_KEY: 'sk_fulldisktest0123456789' });
  const output = join(folder, 'scored.csv');
  const args = ['profile', '-f', list, '-o', output, '--concurrency', `${IN_FLIGHT}`];
  return {
    list,
    env,
    run: () => cliIn({ folder: home, env })(args),
    shell: (before: string) => runLine(`${before} r ${args.join(' ')}`, { env }),
    rows: () => readFileSync(output, 'utf8').trimEnd().split('\n').slice(1),
    twice: () => [...service.answered.values()].filter((times) => times > 1).length,
  };
}

describe.concurrent('20 requests in flight', () => {
  it('asks again for no more than the requests in flight when the disk was full', async (test) => {
    const kilobytes = 128;
    const disk = smallDisk(kilobytes, test);
    await using service = await slowService(100, 200);
    const { run, rows, twice } = stage(service, disk.folder);
    const full = await run();
    expect(full).toMatchObject({ exitCode: 8, stdout: '', stderr: expect.stringMatching(ONE_LINE) });
    expect(full.stderr).toContain('no space left on the device');
    // The output is on the same disk.
    expect(service.answered.size).toBeGreaterThan(kilobytes / 3);
    disk.resize(8 * 1024);
    expect(await run()).toMatchObject({ exitCode: 0 });
    expect([rows().length, service.answered.size]).toEqual([WALLETS, WALLETS]);
    expect(twice()).toBeLessThanOrEqual(IN_FLIGHT);
  });

  it('lacks the rows of no more than the requests in flight on a full temporary disk', async (test) => {
    const disk = smallDisk(320, test);
    await using service = await slowService(300, 400);
    const { list, env } = stage(service, disk.folder);
    const run = start(['profile', '-f', list, '--csv', '--concurrency', `${IN_FLIGHT}`], {
      env: { ...env, TMPDIR: disk.folder },
    });
    const full = await run.done;
    expect(full).toMatchObject({ exitCode: 8, stderr: expect.stringMatching(ONE_LINE) });
    expect(full.stderr).toContain('no space left on the device');
    expect(service.answered.size).toBeLessThan(WALLETS);
    const scored = full.stdout.split('\n').filter((row) => row.includes(',scored,')).length;
    expect(service.answered.size - scored).toBeLessThanOrEqual(IN_FLIGHT);
  });
});
