/**
 * The real world, for a command to touch. This room is the only place in src that reads process, node:os, Date.now or
 * Math.random.
 */
import { isAbsolute } from 'node:path';
import type { Environment, Host } from '../context.ts';
import { clock, createLoadMeter } from './clock.ts';
import { engine } from './engine.ts';
import { page } from './pager.ts';
import { runProgram } from './program.ts';
import { stopOnSignals } from './signals.ts';
import { guardTerminal, releaseLostTerminals } from './terminal.ts';

/** node:os is loaded where it is needed: most runs do without. */
const system = () => process.getBuiltinModule('node:os');

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // EPERM: it runs, as another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Windows finds a variable however it is spelled, which a copy of them all does not. */
function environment(): Environment {
  if (process.platform !== 'win32') return { ...process.env };
  return Object.fromEntries(Object.entries(process.env).map(([name, value]) => [name.toUpperCase(), value]));
}

function findHome(env: Environment): string | undefined {
  if (env.HOME !== undefined) return isAbsolute(env.HOME) ? env.HOME : undefined;
  try {
    return system().homedir() || undefined;
  } catch {
    return undefined;
  }
}

/** Makes the real world. The launcher calls it once. */
export function processHost(): Host {
  releaseLostTerminals();
  // A name look-up cannot be cancelled, and node does not end before it has: with a name server that is silent, a run
  // that is over would hang for 10 s, here for 4 at most (resolv.conf(5)). An answer that takes 3 s still comes in time.
  process.env.RES_OPTIONS ??= 'timeout:2 attempts:2';
  // Certificates are checked whatever this says; node would warn on stderr that they are not.
  delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
  // Windows would run what lies in the folder at hand before what is in PATH: a pager, or what a stored command starts.
  if (process.platform === 'win32') process.env.NoDefaultCurrentDirectoryInExePath = '1';
  const env = environment();
  // Node's diagnostic reports list the environment.
  delete process.env.RISKCLI_API_KEY;
  // A stream that fails without a listener would end the process with a trace; writers learn of it by their callback.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  let stopping: ReturnType<typeof stopOnSignals> | undefined;
  let beforeEnd = () => {};
  let loadMeter: ReturnType<typeof createLoadMeter> | undefined;
  return {
    ...clock,
    engine,
    stdin: () => process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    env,
    platform: process.platform,
    nodeVersion: process.versions.node,
    pid: process.pid,
    isRunning,
    uptime: () => system().uptime() * 1000,
    hostName: () => system().hostname(),
    temporaryFolder: () => system().tmpdir(),
    uid: process.getuid?.(),
    home: findHome(env),
    signal() {
      stopping ??= stopOnSignals(() => beforeEnd());
      return stopping.signal;
    },
    stopWithin: (ms) => stopping?.stopWithin(ms),
    beforeEnd(action) {
      beforeEnd = action;
    },
    guardTerminal,
    runProgram,
    page,
    isBusy() {
      // Measuring loads node:perf_hooks, which takes 2 ms: only a list asks.
      loadMeter ??= createLoadMeter();
      return loadMeter();
    },
  };
}
