/**
 * Servers of the system (nginx, HAProxy) in the foreground, with a configuration of our own, for as
 * long as a bench runs.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';

export interface ServerProgram {
  readonly config: string;
  readonly folder: string;
  readonly port: number;
  /** The arguments that make it read the file and stay in the foreground. */
  readonly args: (file: string) => readonly string[];
}

/** Starts `program`; it accepts connections when this resolves. */
export async function startProgram(
  program: string,
  { config, folder, port, args }: ServerProgram,
): Promise<ChildProcess> {
  const file = join(folder, `${program}.conf`);
  writeFileSync(file, config);
  const child = endWithUs(spawn(program, args(file), { stdio: ['ignore', 'ignore', 'inherit'] }));
  const ended = once(child, 'exit').then(([code]) => Promise.reject(new Error(`${program} ended with ${code}`)));
  await Promise.race([answers(port), ended]);
  ended.catch(() => {});
  return child;
}

/** Resolves when something accepts connections on `port`; tried for 5 seconds. */
async function answers(port: number): Promise<void> {
  for (let tries = 0; tries < 50; tries++) {
    const socket = connect(port, '127.0.0.1');
    const isOpen = await new Promise((resolve) =>
      socket.on('connect', () => resolve(true)).on('error', () => resolve(false)),
    );
    socket.destroy();
    if (isOpen) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`nothing listens on port ${port}`);
}

/** One that is free now: servers cannot tell which one they would take. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address ? address.port : 0;
}

/** Whatever ends the bench takes `child` with it. */
export function endWithUs(child: ChildProcess): ChildProcess {
  process.once('exit', () => child.kill('SIGKILL'));
  return child;
}

export async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
}
