import { accessSync, constants, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { documentsInTests } from '../.config/documents.mjs';
import { pagePartsInTests } from '../.config/page-parts.mjs';
import { sourcesInTests } from '../.config/sources.mjs';

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

/** What takes longest in one worker, what waits for processes, and all else, so that no worker is busy when the others have ended. */
const ORDER = [/\/test\/recorded\//, /\/test\/process\//, /./];

/** vitest orders what is alike: by the time of the last run, or by size. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rank = ({ moduleId }: TestSpecification) => ORDER.findIndex((pattern) => pattern.test(moduleId));
    return sorted.sort((a, b) => rank(a) - rank(b));
  }
}

export default defineConfig({
  root,
  plugins: [sourcesInTests(), pagePartsInTests, documentsInTests],
  test: {
    include: process.env.RISKCLI_SLOW ? ['test/slow/**/*.test.ts'] : ['test/**/*.test.ts'],
    exclude: process.env.RISKCLI_SLOW ? [] : ['test/slow/**', 'test/bench/**'],
    // What is imported has no state (test/architecture.test.ts), so that files may share it: a fifth of the time.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    // Collecting garbage in turn and seldom takes less CPU, and what is left tells how the work itself grows.
    execArgv: [
      '--single-threaded-gc',
      '--min-semi-space-size=32',
      '--max-semi-space-size=64',
      ...(process.env.RISKCLI_STARTS ? [`--require=${root}test/fixtures/process/count-starts.cjs`] : []),
    ],
    // Most tests wait for other processes and for sockets.
    maxWorkers: availableParallelism() + 2,
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
