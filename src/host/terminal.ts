/** Closes terminals that are gone when the process ends. */
import { closeSync } from 'node:fs';
import { isatty } from 'node:tty';
import { ExitCode } from '../errors.ts';

/**
 * At its end node restores the mode of each terminal, and Node 20 aborts if that terminal is gone; the core file would hold the
 * key. So terminals that are gone are closed first. A run that failed then has failed because of the hang-up.
 */
export function releaseLostTerminals(): void {
  if (process.platform === 'win32') return;
  const terminals = [0, 1, 2].filter((fd) => isatty(fd));
  process.on('exit', () => {
    const lost = terminals.filter((fd) => !isatty(fd));
    for (const fd of lost) closeSync(fd);
    if (lost.length > 0 && process.exitCode) process.exitCode = ExitCode.hangup;
  });
}
