/** The two ways in which the built program is run at an instant that a history says. */
import { spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { hostname, tmpdir } from 'node:os';
import { join, resolve as resolvePath } from 'node:path';
import { Readable, Writable } from 'node:stream';
import type { Host } from '../../src/context.ts';
import type { main } from '../../src/main.ts';

/** One run of the program: how it is called, at which instant, and with which variables. */
interface Invocation {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly at: Date;
}
export interface Outcome {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number | null;
}
export type Driver = (invocation: Invocation) => Promise<Outcome>;

const LIBRARY = 'libfaketimeMT.so.1';

/** The library that moves a child's clock, wherever a distribution puts it; else undefined. */
export function faketimeLibrary(): string | undefined {
  const roots = ['/usr/lib', '/usr/lib64', '/usr/local/lib'].filter((root) => existsSync(root));
  const folders = roots.flatMap((root) => [root, ...readdirSync(root).map((name) => join(root, name))]);
  const files = folders.flatMap((folder) => [join(folder, LIBRARY), join(folder, 'faketime', LIBRARY)]);
  return files.find((file) => existsSync(file));
}

/** Runs the built program as a child, from whose start time passes as usual. */
export function childDriver(library: string): Driver {
  // npm and vitest both start in the folder of the package.
  const launcher = resolvePath('bin/riskcli.js');
  return ({ args, env, at }) =>
    new Promise((resolve, reject) => {
      const clock = {
        LD_PRELOAD: library,
        FAKETIME: `@${at.toISOString().slice(0, 19).replace('T', ' ')}`,
        TZ: 'UTC',
      };
      const child = spawn(process.execPath, [launcher, ...args], {
        env: { ...env, ...clock },
        stdio: ['ignore', 'pipe', 'pipe'],
        timeout: 60_000,
      });
      let [stdout, stderr] = ['', ''];
      child.stdout.setEncoding('utf8').on('data', (text) => {
        stdout += text;
      });
      child.stderr.setEncoding('utf8').on('data', (text) => {
        stderr += text;
      });
      child.on('error', reject);
      child.on('close', (exitCode) => resolve({ stdout, stderr, exitCode }));
    });
}

/** Runs the built program in this process, thirty times as fast, with a clock that stands still. */
export function hereDriver(): Driver {
  const program = createRequire(resolvePath('package.json'))('./dist/main.cjs') as { main: typeof main };
  return async ({ args, env, at }) => {
    const [stdout, stderr] = [collector(), collector()];
    const { signal } = new AbortController();
    const host: Host = {
      now: () => at.getTime(),
      monotonic: () => performance.now(),
      sleep: () => Promise.resolve(),
      random: () => 0.5,
      stdin: () => Readable.from([]),
      stdout: stdout.stream,
      stderr: stderr.stream,
      env,
      platform: process.platform,
      pid: process.pid,
      isRunning: () => true,
      hostName: hostname,
      temporaryFolder: tmpdir,
      uid: process.getuid?.(),
      home: env.HOME,
      signal: () => signal,
      stopWithin: () => {},
      beforeEnd: () => {},
      runProgram: () => Promise.reject(new Error('a review runs no other program')),
      page: () => Promise.resolve(false),
    };
    const exitCode = await program.main(args, host);
    return { stdout: stdout.text(), stderr: stderr.text(), exitCode };
  };
}

function collector() {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      chunks.push(Buffer.from(chunk));
      done();
    },
  });
  return { stream, text: () => Buffer.concat(chunks).toString('utf8') };
}
