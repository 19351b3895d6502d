/** The built binary as a child process: for signals, pipes, files and whatever else a process has. */
import { type SpawnOptions, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export const BINARY = fileURLToPath(new URL('../../../bin/riskcli.js', import.meta.url));

/** The arguments with which node is riskcli. */
export const RISKCLI = [BINARY];
/** Node and these as words of a shell. */
export const RISKCLI_WORDS = [process.execPath, ...RISKCLI].map((word) => `'${word}'`).join(' ');

export interface Finished {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** Like cron: nothing of the developer's environment but PATH. What riskcli learns has nowhere to go, even for root. */
export function bareEnv(extra: Record<string, string> = {}): Record<string, string> {
  return { PATH: process.env.PATH ?? '', XDG_STATE_HOME: '/dev/null', ...extra };
}

/** Starts `command` (riskcli when an array of its arguments is given); `done` resolves when it has ended. */
export function start(
  command: readonly string[] | string,
  options: SpawnOptions & { readonly input?: string | Buffer } = {},
) {
  const { input, ...rest } = options;
  const child =
    typeof command === 'string'
      ? spawn('bash', ['--norc', '-c', command], { env: bareEnv(), ...rest })
      : spawn(process.execPath, [...RISKCLI, ...command], { env: bareEnv(), ...rest });
  const collected = { stdout: '', stderr: '' };
  child.stdout?.setEncoding('utf8').on('data', (text) => {
    collected.stdout += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text) => {
    collected.stderr += text;
  });
  child.stdin?.on('error', () => {});
  child.stdin?.end(input ?? '');
  const done = new Promise<Finished>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (exitCode, signal) => resolve({ ...collected, exitCode, signal }));
  });
  /** Resolves when stderr holds `text`, or nothing more can come. */
  const said = (text: string) =>
    new Promise<void>((resolve, reject) => {
      const look = () => collected.stderr.includes(text) && resolve();
      child.stderr?.on('data', look);
      look();
      done.then(() => resolve(), reject);
    });
  return { child, done, collected, said };
}
