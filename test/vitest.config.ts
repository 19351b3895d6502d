import { accessSync, constants, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type Reporter, type TestSpecification } from 'vitest/node';
import { pageParts } from '../.config/page-parts.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Where tests have their folders: in memory, which takes an eighth of the time of a disk, where a system has room there. */
function temporaryPlace(): string {
  const memory = '/dev/shm';
  const probe = `${memory}/riskcli-probe-${process.pid}`;
  try {
    const { bavail, bsize } = statfsSync(memory);
    writeFileSync(probe, '', { mode: 0o700 });
    // Some systems let no program start there, and vaults are programs of tests.
    accessSync(probe, constants.X_OK);
    return bavail * bsize > 2 ** 30 ? memory : tmpdir();
  } catch {
    return tmpdir();
  } finally {
    rmSync(probe, { force: true });
  }
}

/** The recorded command lines, what waits for other processes, and all else, which computes. */
const LANES = [/\/test\/recorded\//, /\/test\/process\//, /./];

/**
 * The longest first, of each lane by turns, so that some workers compute while others wait for processes. vitest orders what is
 * alike: by the time of the last run, or by size.
 */
class ByTurns extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const laneOf = ({ moduleId }: TestSpecification) => LANES.findIndex((pattern) => pattern.test(moduleId));
    const lanes = LANES.map((_, lane) => sorted.filter((file) => laneOf(file) === lane));
    return sorted.flatMap((_, turn) => lanes.flatMap((lane) => lane[turn] ?? []));
  }
}

/** What these scripts of package.json do not run, and what does. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  test: 'left out: test/slow (npm run test:slow) and other Nodes (npm run test:nodes)',
  'test:fast': 'left out: test/process, test/recorded and test/simulate (npm test), test/slow (npm run test:slow)',
};

/** Says at the end what was not run, lest it be taken for what holds. */
const leftOut: Reporter = {
  onTestRunEnd() {
    const told = LEFT_OUT[process.env.npm_lifecycle_event ?? ''];
    if (told) console.log(told);
  },
};

export default defineConfig({
  root,
  define: await pageParts(),
  test: {
    reporters: ['default', leftOut],
    include: process.env.RISKCLI_SLOW ? ['test/slow/**/*.test.ts'] : ['test/**/*.test.ts'],
    exclude: process.env.RISKCLI_SLOW ? [] : ['test/slow/**', 'test/bench/**'],
    // What is imported has no state (test/architecture.test.ts), so that files may share it: a fifth of the time.
    isolate: false,
    sequence: { sequencer: ByTurns },
    // Collecting garbage in turn and seldom takes less CPU, and what is left tells how the work itself grows.
    execArgv: [
      '--single-threaded-gc',
      '--min-semi-space-size=32',
      '--max-semi-space-size=64',
      // Most code runs a few times: optimizing it as soon as V8 would takes a tenth of all CPU. Later Nodes lack the option.
      ...(process.versions.node.startsWith('20.') ? ['--interrupt-budget=800000'] : []),
      ...(process.env.RISKCLI_STARTS ? [`--require=${root}test/fixtures/process/count-starts.cjs`] : []),
    ],
    // Tests of processes wait for most of their time: four workers with such leave a core idle.
    maxWorkers: availableParallelism() + 4,
    globalSetup: ['test/fixtures/run-folder.ts'],
    setupFiles: ['test/fixtures/setup.ts'],
    // Against hangs only: a machine that is busy may take long.
    testTimeout: process.env.RISKCLI_SLOW ? 900_000 : 120_000,
    hookTimeout: 60_000,
    // Tests must not see the key, settings or proxy of whoever runs them.
    env: {
      RISKCLI_API_KEY: '',
      RISKCLI_BASE_URL: '',
      RISKCLI_ENV: '',
      HTTP_PROXY: '',
      HTTPS_PROXY: '',
      NO_PROXY: '',
      // Lists of a million rows are no matter for memory.
      ...(!process.env.RISKCLI_SLOW && { TMPDIR: temporaryPlace() }),
    },
  },
});
