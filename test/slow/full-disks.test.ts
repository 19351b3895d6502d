/** Lists that are stopped at random by full disks and by Ctrl-C, with hundreds of answers under way: one answer is lost at a full disk at most. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, type TestContext } from 'vitest';
import { bareEnv, type Finished, RISKCLI_WORDS, start } from '../fixtures/cli/process.ts';
import { temporaryFolder } from '../fixtures/place/folder.ts';
import { smallDiskAt } from '../fixtures/place/small-disk.ts';
import { addresses } from '../fixtures/place/wallets.ts';
import { startSlowService } from '../fixtures/service/slow-service.ts';

const WALLETS = 500;
/** Lists of each kind, all at the same time: they mostly wait. */
const LANES = 4;
/** Stops of each list before it may come to its end. */
const STOPS = 6;
/** What an answer is padded with, characters: one is 50 times as long as another. */
const PADDING = { from: 100, times: 50 };

/** Numbers uniform in [0, 1), the same ones in each run of the test (Park and Miller). */
function* numbers(seed: number): Generator<number, never> {
  for (let state = 20_260_101 + seed; ; ) {
    state = (state * 48_271) % 2_147_483_647;
    yield state / 2_147_483_647;
  }
}

interface Disk {
  /** Sees to it that so many kilobytes more fit, and no more; without a number all do. */
  readonly grow: (kilobytes?: number) => void;
  /** Stands before the command, in a shell. */
  readonly prefix: () => string;
}

type MakeDisk = (folder: string, test: TestContext) => Disk;

const limitedFile: MakeDisk = (folder) => {
  let blocks: number | undefined;
  const journal = join(folder, 'out.csv.journal');
  const size = () => (existsSync(journal) ? readFileSync(journal).length : 0);
  return {
    grow(kilobytes) {
      blocks = kilobytes && Math.ceil(size() / 1024) + kilobytes;
    },
    prefix: () => (blocks === undefined ? '' : `ulimit -f ${blocks};`),
  };
};

const growingDisk: MakeDisk = (folder, test) => {
  let kilobytes = 64;
  const disk = smallDiskAt(folder, kilobytes, test);
  return {
    grow(more = 64 * 1024) {
      kilobytes += more;
      disk.resize(kilobytes);
    },
    prefix: () => '',
  };
};

const isFull = ({ stderr }: Finished) => /file size limit|no space left/.test(stderr);

async function stopInLane(lane: number, makeDisk: MakeDisk, test: TestContext) {
  const random = numbers(lane);
  await using service = await startSlowService({
    latency: () => 2_000 * random.next().value,
    padding: () => Math.round(PADDING.from * PADDING.times ** random.next().value),
  });
  const [home, folder] = [temporaryFolder(), join(temporaryFolder(), 'disk')];
  mkdirSync(folder);
  const disk = makeDisk(folder, test);
  const list = join(home, 'list.txt');
  writeFileSync(list, addresses(WALLETS).join('\n'));
  const env = bareEnv({ HOME: home, RISKCLI_BASE_URL: service.url, RISKCLI_API_KEY: 'sk_fulldisktest0123456789' });
  const output = join(folder, 'out.csv');
  const run = () =>
    start(`${disk.prefix()} exec ${RISKCLI_WORDS} profile -f ${list} -o ${output}`, { env, cwd: folder });
  let full = 0;
  for (let stop = 1; stop <= STOPS && !existsSync(output); stop++) {
    disk.grow(32 + Math.round(200 * random.next().value));
    const process = run();
    const timer =
      random.next().value < 0.5
        ? setTimeout(() => process.child.kill('SIGINT'), 4_000 * random.next().value)
        : undefined;
    const end = await process.done;
    clearTimeout(timer);
    if (isFull(end)) full += 1;
    expect([8, 130, null, 0]).toContain(end.exitCode);
  }
  disk.grow();
  // A completed list would be requested anew.
  if (!existsSync(output)) expect(await run().done).toMatchObject({ exitCode: 0 });
  const rows = readFileSync(output, 'utf8').trimEnd().split('\n').slice(1);
  expect(rows.map((row) => row.split(',').slice(0, 2))).toEqual(addresses(WALLETS).map((wallet) => [wallet, 'scored']));
  const repeated = [...service.answered.values()].reduce((sum, times) => sum + times - 1, 0);
  expect(repeated).toBeLessThanOrEqual(full);
  return { full, repeated };
}

describe('a list of 500', () => {
  it.for([
    ['a file that may not grow', limitedFile],
    ['a small disk', growingDisk],
  ] as const)(
    '[83] comes to its end after %s and Ctrl-C at random, again and again',
    async ([name, makeDisk], test) => {
      const lanes = Array.from({ length: LANES }, (_, lane) => stopInLane(lane, makeDisk, test));
      const ends = await Promise.all(lanes);
      const sum = (of: 'full' | 'repeated') => ends.reduce((total, end) => total + end[of], 0);
      expect(sum('full')).toBeGreaterThan(LANES);
      console.log(
        `${name}: full ${sum('full')} times in ${LANES} lists of ${WALLETS}, ${sum('repeated')} answers lost`,
      );
    },
  );
});
