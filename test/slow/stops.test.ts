/** A list that is killed, interrupted, halted, or loses its lock, again and again: nothing may be lost, doubled or paid for beyond what was in flight. */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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
    /** Whether there was a lock to delete. */
    deleteLock() {
      const lock = `${output}.journal.lock`;
      const isThere = existsSync(lock);
      rmSync(lock, { force: true });
      return isThere;
    },
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

type Staged = ReturnType<typeof stage>;
type Running = ReturnType<Staged['run']>;

interface Stops {
  readonly name: string;
  readonly count: number;
  /** Stops a list at the moment at which it is called, and may start another run. */
  readonly stop: (running: Running, place: Staged, random: () => number) => readonly Running[];
  /** Whether the process was stopped; throws when it ended in a way that it must not. */
  readonly judge: (end: Finished) => boolean;
}

/** Stops lists `count` times in all, and has the same command go on each time; how many requests were repeated. */
async function stopAgainAndAgain({ count, ...stops }: Stops): Promise<number> {
  const lanes = Array.from({ length: LANES }, (_, lane) => stopInLane(lane, { ...stops, count: count / LANES }));
  return (await Promise.all(lanes)).reduce((sum, repeated) => sum + repeated, 0);
}

async function stopInLane(lane: number, { name, stop, count, judge }: Stops): Promise<number> {
  const service = await startService({ latencyMs: [0, 40] });
  const { expected, ms } = await uninterrupted(service);
  const point = points(lane);
  const random = () => point.next().value;
  let [stops, lists, repeated] = [0, 0, 0];
  let wasKilled = false;
  while (stops < count) {
    const place = stage(service);
    const { run, isDone, output, names } = place;
    const requestsBefore = service.requests();
    let [kills, allKills, losses, freshRuns] = [0, 0, 0, 0];
    while (!isDone()) {
      const process = run();
      const others: Running[] = [];
      let wasStopped = false;
      // Half of a run at most, so that a list is stopped several times.
      const life = (random() * ms) / 2;
      const stopNow = () => {
        wasStopped = true;
        others.push(...stop(process, place, random));
        losses += others.length;
      };
      const timer = stops < count ? setTimeout(stopNow, life) : undefined;
      const first = await process.done;
      clearTimeout(timer);
      const ends = [first, ...(await Promise.all(others.map(({ done }) => done)))];
      wasKilled = ends.some(({ signal }) => signal === 'SIGKILL');
      if (wasKilled) kills += 1;
      allKills += ends.filter(({ signal }) => signal === 'SIGKILL').length;
      freshRuns += Math.max(0, ends.filter(({ exitCode }) => exitCode === 0).length - 1);
      if (ends.map(judge).includes(true) && wasStopped) stops += 1;
    }
    lists += 1;
    // Who has lost its lock has as many in flight, and may send as many before its next look.
    const mayRepeat = (kills + 2 * losses) * CONCURRENCY;
    expect(output() === expected).toBe(true);
    // Only a kill between the journal and its lock may leave the lock.
    const left = names().filter((found) => !(wasKilled && found.startsWith('scored.jsonl.journal.lock')));
    const temporaries = left.filter((found) => /^\.scored\.jsonl\.[0-9a-f]{16}\.tmp$/.test(found));
    expect(temporaries.length).toBeLessThanOrEqual(allKills);
    expect(left.filter((found) => !temporaries.includes(found))).toEqual(['scored.jsonl', 'wallets.txt']);
    repeated += withoutFreshRuns(service.requests() - requestsBefore - distinct, freshRuns, mayRepeat);
  }
  console.log(`${name}: ${stops} times in ${lists} lists of ${ROWS}, ${repeated} requests repeated`);
  return repeated;
}

/**
 * How many of `again` repeated requests are to be answered for, at most `limit`. A run may lose its lock when its journal has
 * gone: it is through, and the run started beside it is a new one, which asks for the whole list. Then both end with 0.
 */
function withoutFreshRuns(again: number, freshRuns: number, limit: number): number {
  const wholeLists = Math.min(freshRuns, Math.floor(again / distinct));
  const rest = again - wholeLists * distinct;
  expect(rest).toBeGreaterThanOrEqual(0);
  expect(rest).toBeLessThanOrEqual(limit);
  return rest;
}

const signalWith = (signal: NodeJS.Signals) => (running: Running) => {
  running.child.kill(signal);
  return [];
};

/** The second run has then long been there. */
const MAX_HALT_MS = 1_500;

function halt(running: Running, _: Staged, random: () => number): readonly Running[] {
  running.child.kill('SIGSTOP');
  setTimeout(() => running.child.kill('SIGCONT'), random() * MAX_HALT_MS);
  return [];
}

/** Deletes the lock and starts the same command beside the run that had it. */
const loseLock = (_: Running, place: Staged) => (place.deleteLock() ? [place.run()] : []);

const loseLockHalted: Stops['stop'] = (running, place, random) => [
  ...halt(running, place, random),
  ...loseLock(running, place),
];

describe('the same command goes on', () => {
  it('[13] after 200 kills at random points', async () => {
    const judge = ({ signal, exitCode }: Finished) => {
      if (signal !== 'SIGKILL') expect(exitCode).toBe(0);
      return signal === 'SIGKILL';
    };
    await stopAgainAndAgain({ name: 'killed', stop: signalWith('SIGKILL'), count: 200, judge });
  });

  it('[9] after 50 interrupts at random points, none of which costs a request', async () => {
    const judge = ({ signal, exitCode }: Finished) => {
      // Before riskcli handles signals, and after it has ended, the signal has its default effect.
      if (signal !== 'SIGINT') expect([0, 130]).toContain(exitCode);
      return signal === 'SIGINT' || exitCode === 130;
    };
    expect(await stopAgainAndAgain({ name: 'interrupted', stop: signalWith('SIGINT'), count: 50, judge })).toBe(0);
  });

  it.each([
    ['interrupts, halts and lost locks', [signalWith('SIGINT'), halt, loseLock, loseLockHalted]],
    ['kills, halts and lost locks', [signalWith('SIGKILL'), halt, loseLock, loseLockHalted]],
  ])(
    '[81] after 60 %s at random points; only what was in flight at a kill or a lost lock is asked again',
    async (name, kinds) => {
      let count = 0;
      const stop: Stops['stop'] = (running, place, random) => {
        count += 1;
        return kinds[count % kinds.length]?.(running, place, random) ?? [];
      };
      const judge = ({ signal, exitCode, stderr }: Finished) => {
        if (signal === null) expect([0, 11, 130], stderr).toContain(exitCode);
        return true;
      };
      await stopAgainAndAgain({ name, stop, count: 60, judge });
    },
  );
});
