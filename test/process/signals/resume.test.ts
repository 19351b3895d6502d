/** Lists that are stopped, by whatever stops them, and run again with the same command. */

import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SignalError } from '../../../src/errors.ts';
import { clock } from '../../../src/host/clock.ts';
import { cliIn } from '../../fixtures/cli/cli.ts';
import { bareEnv, RISKCLI_WORDS, start } from '../../fixtures/cli/process.ts';
import { temporaryFolder } from '../../fixtures/place/folder.ts';
import { addresses } from '../../fixtures/place/wallets.ts';
import { type SlowService, startHeldService, startSlowService } from '../../fixtures/service/slow-service.ts';
import { isSlow } from '../../fixtures/sweep.ts';

/** A folder with a list of `count` wallets, and the command that scores it. */
function stage(service: SlowService, count: number, folder = temporaryFolder()) {
  const list = join(folder, 'wallets.txt');
  const output = join(folder, 'scored.csv');
  writeFileSync(list, addresses(count).join('\n'));
  const env = bareEnv({ HOME: folder, RISKCLI_API_KEY: 'sk_resumetest0123456789', RISKCLI_BASE_URL: service.url });
  const args = ['profile', '-f', list, '-o', output];
  const cli = cliIn({ folder, env });
  return {
    list,
    output,
    journal: `${output}.journal`,
    run: (...more: string[]) => cli([...args, ...more]),
    /**
     * The same with a SIGINT that the test raises; `stopsWithin` is how long the process may take
     * to end after it.
     */
    startHere(...more: string[]) {
      const stopping = new AbortController();
      const stopsWithin: number[] = [];
      const host = {
        signal: stopping.signal,
        stopWithin: (ms: number) => void stopsWithin.push(ms),
        // The 8 s themselves are tested in test/unit/list-run, on a manual clock.
        sleep: (ms: number, signal?: AbortSignal) => clock.sleep(Math.min(ms, 100), signal),
      };
      const done = cliIn({ folder, env }, host)([...args, ...more]);
      return { done, stopsWithin, interrupt: () => stopping.abort(new SignalError('SIGINT')) };
    },
    /** The same in a process of its own. */
    startRun: (...more: string[]) => start([...args, ...more], { env }),
    /** The same under `prefix`, in a shell. */
    shell: (prefix: string) => start(`${prefix} ${RISKCLI_WORDS} ${args.join(' ')}`, { env }),
  };
}

/** The addresses of an output, in its order; every row must be whole and scored. */
function scored(output: string): string[] {
  const [head, ...rows] = readFileSync(output, 'utf8').trimEnd().split('\n');
  expect(head).toBe('wallet_address,status,total_collateral_usd,score,answered_at,warning,error');
  return rows.map((row) => {
    const [wallet = '', ...cells] = row.split(',');
    expect(cells).toEqual(['scored', '12.5', '700', expect.stringMatching(/^\d{4}-.*Z$/), '', '']);
    return wallet;
  });
}

/** All that is left beside an output. */
const outputsBeside = (output: string) =>
  readdirSync(dirname(output))
    .filter((name) => name.startsWith('scored'))
    .sort();

/** Answers `good` requests, then is silent until `recover` is called. */
async function failingService(good: number) {
  let isWell = false;
  const service = await startSlowService({ latency: (nth) => (isWell || nth <= good ? 1 : undefined) });
  return Object.assign(service, {
    recover() {
      isWell = true;
    },
  });
}

describe.concurrent('a list that a signal stops', () => {
  it('waits 8 s for a silent service after a signal, and the same command resumes', async () => {
    await using service = await failingService(30);
    const { output, run, startHere } = stage(service, 60);
    // In this process: a separate one that the system pauses for 0.9 s would be killed by the
    // signal.
    const first = startHere('--concurrency', '20');
    await Promise.race([service.reached(50), first.done]);
    first.interrupt();
    const stopped = await first.done;
    expect(first.stopsWithin).toEqual([8_900]);
    expect(stopped).toMatchObject({
      exitCode: 130,
      stdout: '',
      stderr: expect.stringMatching(/^(riskcli: [^\n]+\n){2}$/),
    });
    expect(stopped.stderr).toContain('waiting up to 8 s for 20 requests');
    expect(stopped.stderr).toContain('a second signal (Ctrl-C) stops at once, and the same command still resumes');
    expect(stopped.stderr).toContain('run the same command again to resume');
    expect(outputsBeside(output)).toEqual(['scored.csv.journal']);

    service.recover();
    const second = await run();
    expect(second.stderr).toMatch(/^riskcli: reused 30 earlier answers, [^\n]*\n$/);
    expect(second.exitCode).toBe(0);
    expect(service.requests()).toBe(60 + 20);
    expect(scored(output)).toEqual(addresses(60));
    expect(outputsBeside(output)).toEqual(['scored.csv']);
  });

  it('keeps the answers that arrive after a signal, and asks only for the rest', async () => {
    await using service = await startHeldService(0);
    const { output, run, startRun } = stage(service, 20);
    const first = startRun('--concurrency', '10');
    await Promise.race([service.reached(10), first.done]);
    first.child.kill('SIGINT');
    await first.said('waiting up to 8 s for 10 requests');
    service.release();
    expect(await first.done).toMatchObject({ exitCode: 130 });
    expect(await run()).toMatchObject({ exitCode: 0 });
    expect(scored(output)).toEqual(addresses(20));
    expect(service.requests()).toBe(20);
  });

  it('stops a list on SIGHUP under nohup, too', async () => {
    await using service = await startSlowService({ latency: () => 1_000 });
    const { shell } = stage(service, 10);
    const stopped = shell('exec nohup');
    await Promise.race([service.reached(1), stopped.done]);
    stopped.child.kill('SIGHUP');
    expect(await stopped.done).toMatchObject({ exitCode: 129 });
  });

  it('ignores SIGUSR1, which opens no debugger', async () => {
    await using service = await startHeldService(0);
    const { startRun, output } = stage(service, 3);
    const run = startRun();
    await Promise.race([service.reached(1), run.done]);
    run.child.kill('SIGUSR1');
    service.release();
    expect(await run.done).toMatchObject({ exitCode: 0, stderr: '' });
    expect(scored(output)).toEqual(addresses(3));
  });

  it('stops on SIGTERM during a backoff without waiting', async () => {
    await using service = await startSlowService({ status: () => 503, headers: () => ({ 'retry-after': '20' }) });
    const { startRun } = stage(service, 5);
    const stopped = startRun('-v', '--concurrency', '1');
    await stopped.said('retrying in');
    stopped.child.kill('SIGTERM');
    const { exitCode, stderr } = await stopped.done;
    // Ending by the signal itself would mean that the stop took too long.
    expect(exitCode).toBe(143);
    expect(stderr).not.toContain('waiting up to');
    expect(stderr).toContain('stopped by SIGTERM (pending 5)');
    expect(service.requests()).toBe(1);
  });

  it('stops a list at once on a second SIGINT', async () => {
    await using service = await failingService(0);
    const { startRun } = stage(service, 20);
    const stopped = startRun();
    await Promise.race([service.reached(5), stopped.done]);
    // Two pending signals may be merged into one, so the signal is repeated.
    const again = setInterval(() => stopped.child.kill('SIGINT'), 20);
    const end = await stopped.done;
    clearInterval(again);
    expect(end.signal).toBe('SIGINT');
  });
});

describe.concurrent('a list whose process is killed', () => {
  it('repeats at most the requests in flight after a kill, and leaves no files behind', async () => {
    await using service = await startSlowService({ latency: (nth) => 1 + (nth % 20) });
    const { output, run, startRun } = stage(service, 100);
    for (const reached of isSlow ? [1, 60] : [60]) {
      const killed = startRun('--concurrency', '10');
      await Promise.race([service.reached(reached), killed.done]);
      killed.child.kill('SIGKILL');
      expect(await killed.done).toMatchObject({ signal: 'SIGKILL' });
      expect(existsSync(output)).toBe(false);
    }
    expect(await run()).toMatchObject({ exitCode: 0 });
    expect(scored(output)).toEqual(addresses(100));
    expect(service.requests()).toBeLessThanOrEqual(100 + 2 * 10);
    expect(outputsBeside(output)).not.toContain('scored.csv.journal');
  });
});

describe.concurrent('a list for which the heap is too small', () => {
  it('resumes with an intact journal after a crash for lack of memory', async () => {
    await using service = await startSlowService({ latency: () => 100, padding: 5000 });
    const { output, journal, shell, run } = stage(service, 200);
    // On node 20 it crashes after some sixty answers; the exact number depends on node.
    await shell('ulimit -c 0; NODE_OPTIONS=--max-old-space-size=10 exec').done;
    const answered = existsSync(journal) ? readFileSync(journal, 'utf8').trimEnd().split('\n').length - 1 : 0;
    // The service may still be reading requests of the first run, so the second counts its own.
    const { exitCode, stderr } = await run('-v');
    expect({ exitCode, asked: stderr.match(/ 200 in \d+ ms/g)?.length ?? 0 }).toEqual({
      exitCode: 0,
      asked: 200 - answered,
    });
    expect(scored(output)).toEqual(addresses(200));
  });
});
