import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { pagePartsInTests } from '../.config/page-parts.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/** How a test of a unit or of a command reads that starts processes. */
const STARTS_PROCESSES =
  /node:child_process|helpers\/process\/(?!inside|emulated)|helpers\/package|service\/(certificates|transport-process)/;
/** These take seconds all the same: many rows, long values, simulated hours, a vault in each test. */
const TAKES_LONG = [
  'test/unit/batch/time-left.test.ts',
  'test/unit/output/list/row-output.test.ts',
  'test/unit/output/list/shape.test.ts',
  'test/unit/results/compare.test.ts',
  'test/unit/sandbox/server.test.ts',
  'test/unit/service/pacing/limiters.test.ts',
  'test/commands/conduct/before-the-key.test.ts',
  'test/commands/conduct/output.test.ts',
  'test/commands/key-command.test.ts',
  'test/commands/profile/mistyped-paths.test.ts',
];

/** What `npm run test:fast` runs: the tests of units and commands that need no process of their own. */
function fastTests(): string[] {
  const files = ['test/unit', 'test/commands'].flatMap((folder) =>
    readdirSync(`${root}/${folder}`, { encoding: 'utf8', recursive: true })
      .filter((name) => name.endsWith('.test.ts'))
      .map((name) => `${folder}/${name}`),
  );
  const isFast = (file: string) =>
    !TAKES_LONG.includes(file) && !STARTS_PROCESSES.test(readFileSync(`${root}/${file}`, 'utf8'));
  return ['test/architecture.test.ts', ...files.filter(isFast)];
}

const include = process.env.RISKCLI_SLOW
  ? ['test/slow/**/*.test.ts']
  : process.env.RISKCLI_FAST
    ? fastTests()
    : ['test/**/*.test.ts'];

/**
 * What waits for processes comes first, so that no worker begins a long file when the others have ended. vitest orders the
 * rest: by the time of the last run, or by size.
 */
class ProcessesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const waits = (file: TestSpecification) => /\/test\/(faults|acceptance)\//.test(file.moduleId);
    return [...sorted.filter(waits), ...sorted.filter((file) => !waits(file))];
  }
}

export default defineConfig({
  root,
  plugins: [pagePartsInTests],
  test: {
    include,
    exclude: process.env.RISKCLI_SLOW ? [] : ['test/slow/**', 'test/bench/**'],
    // What is imported has no state (test/architecture.test.ts), so that files may share it: a fifth of the time.
    isolate: false,
    sequence: { sequencer: ProcessesFirst },
    // Collecting garbage in turn and seldom takes less CPU, and what is left tells how the work itself grows.
    execArgv: ['--single-threaded-gc', '--min-semi-space-size=32', '--max-semi-space-size=64'],
    // Most tests wait for other processes and for sockets.
    maxWorkers: availableParallelism() + 2,
    setupFiles: ['test/helpers/setup.ts'],
    // Against hangs only: a machine that is busy may take long.
    testTimeout: process.env.RISKCLI_SLOW ? 900_000 : 120_000,
    hookTimeout: 60_000,
    // Tests must not see the key, settings or proxy of whoever runs them.
    env: { RISKCLI_API_KEY: '', RISKCLI_BASE_URL: '', RISKCLI_ENV: '', HTTP_PROXY: '', HTTPS_PROXY: '', NO_PROXY: '' },
  },
});
