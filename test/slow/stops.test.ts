/** A list under kill -9 and under Ctrl-C, again and again: nothing may be lost, doubled or paid for beyond what was in flight. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../helpers/place/folder.ts';
import { address } from '../helpers/place/wallets.ts';
import { bareEnv, type Finished, start } from '../helpers/process/binary.ts';
import { type Service, startService } from '../helpers/service/sandbox.ts';

const ROWS = 2000;
const CONCURRENCY = 30;

/** Every third row repeats a wallet of an earlier one, near or far. */
const wallets = Array.from({ length: ROWS }, (_, i) => address(i % 3 === 2 ? Math.floor((i * 7) / 11) : i));
const distinct = new Set(wallets).size;

/** Lists that are stopped at the same time, each on its own service: they mostly wait. */
const LANES = 5;

/** Different points of a run, uniform in [0, 1), the same ones in each run of the test (Park and Miller). */
function* points(lane: number): Generator<number, never> {
  for (let state = 20_250_131 + lane; ; ) {
    state = (state * 48_271) % 2_147_483_647;
    yield state / 2_147_483_647;
  }
}

/** A folder with the list in it. */
function stage({ env }: Service) {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'wallets.txt'), wallets.join('\n'));
  const args = ['profile', '-f', 'wallets.txt', '-o', 'scored.jsonl', '--concurrency', String(CONCURRENCY)];
  const output = join(folder, 'scored.jsonl');
  return {
    run: () => start(args, { cwd: folder, env: bareEnv({ HOME: folder, ...env }) }),
    isDone: () => existsSync(output) && !existsSync(`${output}.journal`),
    /** The whole output but for the moments of the answers. */
    output: () => readFileSync(output, 'utf8').replace(/"answered_at":"[^"]*"/g, '"answered_at":""'),
    names: () => readdirSync(folder).filter((name) => !name.startsWith('.local')),
  };
}

/** What a list looks like that nobody stops, and how long that takes, milliseconds. */
async function uninterrupted(service: Service) {
  const { run, output } = stage(service);
  const startedAt = performance.now();
  expect(await run().done).toMatchObject({ exitCode: 0, stderr: '' });
  const ms = performance.now() - startedAt;
  const rows = output().trimEnd().split('\n');
  expect(rows.map((row) => JSON.parse(row).wallet_address)).toEqual(wallets);
  expect(service.requests()).toBe(distinct);
  return { expected: output(), ms };
}

interface Stops {
  readonly signal: 'SIGKILL' | 'SIGINT';
  readonly count: number;
  /** Whether the process was stopped; throws when it ended in a way that it must not. */
  readonly judge: (end: Finished) => boolean;
}

/** Stops lists `count` times in all, and has the same command go on each time; how many requests were repeated. */
async function stopAgainAndAgain({ signal, count, judge }: Stops): Promise<number> {
  const lanes = Array.from({ length: LANES }, (_, lane) => stopInLane(lane, { signal, count: count / LANES, judge }));
  return (await Promise.all(lanes)).reduce((sum, repeated) => sum + repeated, 0);
}

async function stopInLane(lane: number, { signal, count, judge }: Stops): Promise<number> {
  const service = await startService({ latencyMs: [0, 40] });
  const { expected, ms } = await uninterrupted(service);
  const random = points(lane);
  let [stops, lists, repeated] = [0, 0, 0];
  let wasKilled = false;
  while (stops < count) {
    const { run, isDone, output, names } = stage(service);
    const [stopsBefore, requestsBefore] = [stops, service.requests()];
    while (!isDone()) {
      const process = run();
      // Half of a run at most, so that a list is stopped several times.
      const life = (random.next().value * ms) / 2;
      const timer = stops < count ? setTimeout(() => process.child.kill(signal), life) : undefined;
      const end = await process.done;
      wasKilled = end.signal === 'SIGKILL';
      if (judge(end)) stops += 1;
      clearTimeout(timer);
    }
    lists += 1;
    expect(output() === expected).toBe(true);
    // Only a kill between the journal and its lock may leave the lock.
    const left = names().filter((name) => !(wasKilled && name === 'scored.jsonl.journal.lock'));
    expect(left).toEqual(['scored.jsonl', 'wallets.txt']);
    const again = service.requests() - requestsBefore - distinct;
    expect(again).toBeGreaterThanOrEqual(0);
    expect(again).toBeLessThanOrEqual((stops - stopsBefore) * CONCURRENCY);
    repeated += again;
  }
  console.log(`${signal}: ${stops} times in ${lists} lists of ${ROWS}, ${repeated} requests repeated`);
  return repeated;
}

describe('the same command goes on', () => {
  it('[13] after 200 kills at random points', async () => {
    const judge = ({ signal, exitCode }: Finished) => {
      if (signal !== 'SIGKILL') expect(exitCode).toBe(0);
      return signal === 'SIGKILL';
    };
    await stopAgainAndAgain({ signal: 'SIGKILL', count: 200, judge });
  });

  it('[9] after 50 interrupts at random points, none of which costs a request', async () => {
    const judge = ({ signal, exitCode }: Finished) => {
      // Before riskcli listens, and after it has ended, the signal has its usual effect.
      if (signal !== 'SIGINT') expect([0, 130]).toContain(exitCode);
      return signal === 'SIGINT' || exitCode === 130;
    };
    expect(await stopAgainAndAgain({ signal: 'SIGINT', count: 50, judge })).toBe(0);
  });
});
