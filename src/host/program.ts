/**
 * Runs another program, without a shell, and reads what it prints. It may ask the user on riskcli's
 * terminal.
 */
import { spawn } from 'node:child_process';
import { isatty } from 'node:tty';
import type { ProgramEnd, ProgramOptions } from '../context.ts';

/**
 * How long output may still arrive after the program has ended, in milliseconds: what it has left
 * running may keep it open.
 */
const LAST_OUTPUT_MS = 500;

/** @throws the system's error when it cannot be run, the reason of the signal */
export function runProgram(words: readonly string[], options: ProgramOptions): Promise<ProgramEnd> {
  const { maxBytes, mayAsk, signal, timeoutMs } = options;
  const [program = '', ...args] = words;
  signal.throwIfAborted();
  const child = spawn(program, args, {
    stdio: [mayAsk && isatty(0) ? 'inherit' : 'ignore', 'pipe', 'inherit'],
    windowsHide: true,
    // In a session of its own it has no terminal that it could open and ask on.
    detached: !mayAsk && process.platform !== 'win32',
    timeout: timeoutMs,
    signal,
  });
  let output = Buffer.alloc(0);
  // Read to its end, or a full pipe would block the program.
  child.stdout.on('data', (chunk: Buffer) => {
    if (output.length < maxBytes) output = Buffer.concat([output, chunk.subarray(0, maxBytes - output.length)]);
  });
  const startedAt = performance.now();
  let timer: NodeJS.Timeout | undefined;
  return new Promise<ProgramEnd>((resolve, reject) => {
    const end = () => {
      const timedOut = performance.now() - startedAt >= timeoutMs;
      resolve({ output: output.toString('utf8'), exitCode: child.exitCode, killedBy: child.signalCode, timedOut });
    };
    child.on('error', (error) => reject(signal.aborted ? signal.reason : error));
    child.on('close', end);
    child.on('exit', () => {
      clearTimeout(timer);
      timer = setTimeout(end, LAST_OUTPUT_MS);
    });
    // For a program that does not end when its time is up.
    timer = setTimeout(end, timeoutMs + LAST_OUTPUT_MS);
  }).finally(() => {
    clearTimeout(timer);
    child.stdout.destroy();
    child.unref();
  });
}
