/** Terminals when a signal or a hang-up ends the process: their mode is restored, or they are closed. */
import type { TerminalGuard, TerminalOwner } from '../context.ts';
import { ExitCode } from '../errors.ts';
import { endBy } from './signals.ts';

/**
 * At its end node restores the mode of each terminal, and Node 20 aborts if that terminal is gone; the core file would hold the
 * key. So terminals that are gone are closed first. A run that failed then has failed because of the hang-up.
 */
export function releaseLostTerminals(): void {
  if (process.platform === 'win32') return;
  const { closeSync, fstatSync, statSync } = process.getBuiltinModule('node:fs');
  const nowhere = statSync('/dev/null', { throwIfNoEntry: false })?.rdev;
  const devices = [0, 1, 2].filter((fd) => {
    const found = fstatSync(fd);
    return found.isCharacterDevice() && found.rdev !== nowhere;
  });
  // Loading node:tty takes a millisecond, which a run from cron does not need.
  if (devices.length === 0) return;
  const { isatty } = process.getBuiltinModule('node:tty');
  const terminals = devices.filter((fd) => isatty(fd));
  process.on('exit', () => {
    const lost = terminals.filter((fd) => !isatty(fd));
    for (const fd of lost) closeSync(fd);
    if (lost.length > 0 && process.exitCode) process.exitCode = ExitCode.hangup;
  });
}

/** They end a process by default, and none of them aborts `signal`. */
const ENDING_SIGNALS = ['SIGQUIT', 'SIGALRM', 'SIGUSR2', 'SIGVTALRM', 'SIGXCPU'] as const;

export function guardTerminal({ suspend, resume }: TerminalOwner): TerminalGuard {
  const end = (signal: NodeJS.Signals) => {
    suspend();
    release();
    endBy(signal);
  };
  const stop = () => {
    suspend();
    // Without a listener the signal has its usual effect: the process is stopped inside `kill`.
    process.off('SIGTSTP', stop);
    process.kill(process.pid, 'SIGTSTP');
    process.on('SIGTSTP', stop);
    resume();
  };
  const release = () => {
    for (const signal of ENDING_SIGNALS) process.off(signal, end);
    process.off('SIGTSTP', stop).off('SIGCONT', resume);
  };
  for (const signal of ENDING_SIGNALS) process.on(signal, end);
  process.on('SIGTSTP', stop).on('SIGCONT', resume);
  return {
    raise(signal) {
      // There are no jobs on Windows, and no such signals.
      if (process.platform !== 'win32') process.kill(0, signal);
    },
    release,
  };
}
