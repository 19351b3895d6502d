/** Turns signals that end a process into an AbortSignal. */
import { constants } from 'node:os';
import { SignalError, type StopSignal } from '../errors.ts';

/**
 * How long an orderly stop may take before the signal ends the process, in milliseconds;
 * `stopWithin` changes it.
 */
const STOP_WITHIN_MS = 900;

/**
 * The first signal aborts; the second, or an orderly stop that takes too long, ends the process at
 * once as the system would, so that the shell sees the signal. On Windows no process ends by a
 * signal: there the exit code shows it.
 * @param beforeEnd called right before such an end
 */
export function stopOnSignals(beforeEnd: () => void) {
  const controller = new AbortController();
  let end = () => {};
  let timer: NodeJS.Timeout | undefined;
  const stopWithin = (ms: number) => {
    clearTimeout(timer);
    timer = setTimeout(() => end(), ms).unref();
  };
  const handle = (signal: StopSignal) => {
    end = () => {
      beforeEnd();
      if (process.platform === 'win32') process.exit(new SignalError(signal).exitCode);
      process.removeAllListeners(signal);
      endBy(signal);
    };
    if (controller.signal.aborted) return end();
    stopWithin(STOP_WITHIN_MS);
    controller.abort(new SignalError(signal));
  };
  for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM'] as const) process.on(signal, () => handle(signal));
  // Ctrl-Break of a Windows console; elsewhere nothing raises it.
  process.on('SIGBREAK', () => handle('SIGINT'));
  return { signal: controller.signal, stopWithin };
}

/** Ends the process by `signal`, which has no listener any more. */
export function endBy(signal: NodeJS.Signals): void {
  process.kill(process.pid, signal);
  // Still running: the system ignores the signal in the first process of a container. Shells count
  // signals from 128.
  process.exit(128 + constants.signals[signal]);
}
