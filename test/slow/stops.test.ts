/**
 * A list that is killed or interrupted, again and again: nothing may be lost, doubled or paid for
 * beyond what was in flight. What happens when it is halted or loses its lock, at any moment, is
 * simulated (test/simulate), where each moment can be had again.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bareEnv, type Finished, start } from '../fixtures/cli/process.ts';
import { temporaryFolder } from '../fixtures/place/folder.ts';
import { address } from '../fixtures/place/wallets.ts';
import { type Service, startService } from '../fixtures/service/sandbox.ts';

const ROWS = 2000;
const CONCURRENCY = 30;

/** Every third row repeats a wallet of an earlier one, near or far. */
const wallets = Array.from({ length: ROWS }, (_, i) => address(i % 3 === 2 ? Math.floor((i * 7) / 11) : i));
const distinct = new Set(wallets).size;

/** Lists that are stopped at the same time, each on its own service: they mostly wait. */
const LANES = 5;

/**
 * Different points of a run, uniform in [0, 1), the same ones in each run of the test (Park and
 * Miller).
 */
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
  readonly name: string;
  readonly count: number;
  readonly signal: NodeJS.Signals;
  /** Whether the process was stopped; throws when it ended in a way that it must not. */
  readonly judge: (end: Finished) => boolean;
}

/** Stops lists `count` times in all, and has the same command go on each time. */
const stopAgainAndAgain = ({ count, ...stops }: Stops) =>
  Promise.all(Array.from({ length: LANES }, (_, lane) => stopInLane(lane, { ...stops, count: count / LANES })));

async function stopInLane(lane: number, { name, signal, count, judge }: Stops): Promise<void> {
  const service = await startService({ latencyMs: [0, 40] });
  const { expected, ms } = await uninterrupted(service);
  const point = points(lane);
  let [stops, lists, repeated] = [0, 0, 0];
  while (stops < count) {
    const { run, isDone, output, names } = stage(service);
    const requestsBefore = service.requests();
    let [kills, cuts] = [0, 0];
    let wasKilled = false;
    while (!isDone()) {
      const asked = service.requests();
      const process = run();
      // Half of a run at most, so that a list is stopped several times.
      const life = (point.next().value * ms) / 2;
      const timer = stops < count ? setTimeout(() => process.child.kill(signal), life) : undefined;
      const end = await process.done;
      clearTimeout(timer);
      wasKilled = end.signal === 'SIGKILL';
      if (wasKilled) kills += 1;
      // A signal that a process could not obey within a second ends it, as a busy machine may have
      // it.
      if (wasKilled || (end.signal !== null && service.requests() > asked)) cuts += 1;
      if (judge(end)) stops += 1;
    }
    lists += 1;
    expect(output() === expected).toBe(true);
    // Only a kill between the journal and its lock may leave the lock.
    const left = names().filter((found) => !(wasKilled && found.startsWith('scored.jsonl.journal.lock')));
    const temporaries = left.filter((found) => /^\.scored\.jsonl\.[0-9a-f]{16}\.tmp$/.test(found));
    expect(temporaries.length).toBeLessThanOrEqual(kills);
    expect(left.filter((found) => !temporaries.includes(found))).toEqual(['scored.jsonl', 'wallets.txt']);
    const again = service.requests() - requestsBefore - distinct;
    expect(again).toBeGreaterThanOrEqual(0);
    expect(again).toBeLessThanOrEqual(cuts * CONCURRENCY);
    repeated += again;
  }
  console.log(`${name}: ${stops} times in ${lists} lists of ${ROWS}, ${repeated} requests repeated`);
}

describe('the same command goes on', () => {
  it('after 200 kills at random points', async () => {
    const judge = ({ signal, exitCode }: Finished) => {
      if (signal !== 'SIGKILL') expect(exitCode).toBe(0);
      return signal === 'SIGKILL';
    };
    await stopAgainAndAgain({ name: 'killed', signal: 'SIGKILL', count: 200, judge });
  });

  it('after 50 interrupts at random points, none of which costs a request that could land', async () => {
    const judge = ({ signal, exitCode }: Finished) => {
      // Before riskcli handles signals, and after it has ended, the signal has its default effect.
      if (signal !== 'SIGINT') expect([0, 130]).toContain(exitCode);
      return signal === 'SIGINT' || exitCode === 130;
    };
    await stopAgainAndAgain({ name: 'interrupted', signal: 'SIGINT', count: 50, judge });
  });
});
