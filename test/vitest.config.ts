import { accessSync, constants, readdirSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import type { Reporter } from 'vitest/node';
import { pageParts } from '../.config/page-parts.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * Where tests have their folders: in memory, which takes an eighth of the time of a disk, where a
 * system has room there.
 */
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

/**
 * The tests that try more when they are slow: those of properties, and of sweeps over bytes, calls
 * and stops.
 */
function sweeping(): string[] {
  const inLane = (lane: string) => readdirSync(join(root, lane), { recursive: true, encoding: 'utf8' });
  return ['test/unit', 'test/cli', 'test/process']
    .flatMap((lane) => inLane(lane).map((name) => join(lane, name)))
    .filter((file) => file.endsWith('.test.ts'))
    .filter((file) => /fixtures\/(?:sweep|properties)\.ts'/.test(readFileSync(join(root, file), 'utf8')));
}

/** What these scripts of package.json do not run, and what does. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  test: 'left out: test/slow (npm run test:slow) and other Nodes (npm run test:nodes)',
  'test:fast': 'left out: test/process, recorded scenes and test/simulate (npm test), test/slow (npm run test:slow)',
};

/** Prints at the end which tests were left out. */
const leftOut: Reporter = {
  onTestRunEnd() {
    const text = LEFT_OUT[process.env.npm_lifecycle_event ?? ''];
    if (text) console.log(text);
  },
};

export default defineConfig({
  root,
  define: await pageParts(),
  test: {
    reporters: ['default', leftOut],
    include: process.env.RISKCLI_SLOW ? ['test/slow/**/*.test.ts', ...sweeping()] : ['test/**/*.test.ts'],
    exclude: process.env.RISKCLI_SLOW ? [] : ['test/slow/**', 'test/bench/**'],
    // What is imported has no state (test/architecture.test.ts), so that files may share it: a
    // fifth of the time.
    isolate: false,
    // Garbage is collected in turn: what a test weighs after a collection is only what is held,
    // whatever the Node.
    execArgv: ['--single-threaded-gc', '--min-semi-space-size=32', '--max-semi-space-size=64'],
    // Tests of processes wait for most of their time: four workers with such leave a core idle.
    maxWorkers: availableParallelism() + 4,
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
