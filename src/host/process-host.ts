/**
 * The real host. This room is the only place in src that uses process, node:os, Date.now or
 * Math.random.
 */
import { closeSync } from 'node:fs';
import { homedir, hostname, tmpdir } from 'node:os';
import { isAbsolute } from 'node:path';
import { isatty } from 'node:tty';
import type { Environment, Host } from '../context.ts';
import { ExitCode } from '../errors.ts';
import { clock } from './clock.ts';
import { stopOnSignals } from './signals.ts';

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // EPERM: it runs, as another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** On Windows the case of variables does not matter, but it would in a copy of them. */
function environment(): Environment {
  if (process.platform !== 'win32') return { ...process.env };
  return Object.fromEntries(Object.entries(process.env).map(([name, value]) => [name.toUpperCase(), value]));
}

function findHome(env: Environment): string | undefined {
  if (env.HOME !== undefined) return isAbsolute(env.HOME) ? env.HOME : undefined;
  try {
    return homedir() || undefined;
  } catch {
    return undefined;
  }
}

/** Prepares the process for riskcli. @returns the environment as it was before */
function prepareProcess(): Environment {
  // A name look-up cannot be cancelled, and node waits for it at its end: with a silent name server
  // a finished run would hang for 10 s, and so for 4 at most (resolv.conf(5)). An answer that takes
  // 3 s still comes in time.
  process.env.RES_OPTIONS ??= 'timeout:2 attempts:2';
  // At this signal node would open its debugger, which any user of the machine can connect to and
  // read the key.
  process.on('SIGUSR1', () => {});
  // Certificates are checked whatever this says; node would warn on stderr that they are not.
  delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
  // Windows would look for a pager or a stored command in the working folder before PATH.
  if (process.platform === 'win32') process.env.NoDefaultCurrentDirectoryInExePath = '1';
  const env = environment();
  // Node's diagnostic reports list the environment.
  delete process.env.RISKCLI_API_KEY;
  // An error of a stream without a listener would end the process with a trace; writers get it in
  // their callback.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  return env;
}

/**
 * At its end node restores the mode of each terminal, and Node 20 aborts if that terminal is gone;
 * the core file would hold the key. So terminals that are gone are closed first. A run that failed
 * then has failed because of the hang-up.
 */
function releaseLostTerminals(): void {
  if (process.platform === 'win32') return;
  const terminals = [0, 1, 2].filter((fd) => isatty(fd));
  process.on('exit', () => {
    const lost = terminals.filter((fd) => !isatty(fd));
    for (const fd of lost) closeSync(fd);
    if (lost.length > 0 && process.exitCode) process.exitCode = ExitCode.hangup;
  });
}

/** Makes the real host. Called once. */
export function processHost(): Host {
  releaseLostTerminals();
  const env = prepareProcess();
  let stopping: ReturnType<typeof stopOnSignals> | undefined;
  let beforeEnd = () => {};
  return {
    ...clock,
    stdin: () => process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    env,
    platform: process.platform,
    pid: process.pid,
    isRunning,
    hostName: hostname,
    temporaryFolder: tmpdir,
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
    runProgram: async (words, options) => (await import('./program.ts')).runProgram(words, options),
    page: async (text, command) => (await import('./pager.ts')).page(text, command),
  };
}
