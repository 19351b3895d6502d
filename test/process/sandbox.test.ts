/** What is done to the sandbox from outside, on the built binary. */
import { once } from 'node:events';
import { request } from 'node:http';
import { connect, createServer, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { afterEach, expect, it } from 'vitest';
import { SignalError } from '../../src/errors.ts';
import { cli } from '../fixtures/cli/here.ts';
import { bareEnv, start } from '../fixtures/cli/process.ts';
import { isSlow } from '../fixtures/sweep.ts';

type Child = ReturnType<typeof start>;

const started: Child[] = [];
afterEach(async () => {
  for (const { child } of started) child.kill('SIGKILL');
  await Promise.all(started.splice(0).map(({ done }) => done));
});

async function startSandbox(args: readonly string[] = [], env: Record<string, string> = {}) {
  const sandbox = start(['sandbox', ...args], { env: bareEnv(env) });
  started.push(sandbox);
  while (!/API_KEY=.*\n/.test(sandbox.collected.stdout)) {
    if (sandbox.child.exitCode !== null) throw new Error(`ended early: ${sandbox.collected.stderr}`);
    await Promise.race([once(sandbox.child.stdout ?? sandbox.child, 'data'), sandbox.done]);
  }
  const port = Number(/:(\d+)\n/.exec(sandbox.collected.stdout)?.[1]);
  const key = /API_KEY=(\S+)/.exec(sandbox.collected.stdout)?.[1] ?? '';
  return { ...sandbox, port, key };
}

async function status(port: number, headers: Record<string, string>): Promise<number | undefined> {
  const asked = request({ host: '127.0.0.1', port, path: '/health', headers }).end();
  const [response] = await once(asked, 'response');
  response.resume();
  return response.statusCode;
}

/** The code of the error with which a connection fails, or 'connected'. */
async function knock(host: string, port: number): Promise<string> {
  const socket = connect({ host, port });
  const outcome = await new Promise<string>((resolve) => {
    socket.once('connect', () => resolve('connected'));
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
  });
  socket.destroy();
  return outcome;
}

const open = async (port: number, text: string): Promise<Socket> => {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  await once(socket, 'connect');
  socket.write(text);
  return socket;
};

it('listens on loopback only, and refuses web pages and foreign host names', async () => {
  const { port } = await startSandbox();
  expect(await knock('127.0.0.1', port)).toBe('connected');
  const others = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ family, address }) => family === 'IPv4' && address !== '127.0.0.1')
    .map(({ address }) => address);
  for (const host of ['127.0.0.2', '::1', ...others]) expect(await knock(host, port)).not.toBe('connected');
  expect(await status(port, {})).toBe(200);
  expect(await status(port, { Origin: 'https://page.example' })).toBe(403);
  expect(await status(port, { Host: 'rebound.example' })).toBe(403);
});

it('neither prints nor accepts the key in the environment of the sandbox', async () => {
  const canary = 'live_Zq7canary-3vXw_81Lm0pRtY';
  const { port, child, done } = await startSandbox(['-v'], { RISKCLI_API_KEY: canary });
  const path = `/v1/risk-profile/0x00?api-key=${canary}`;
  const [response] = await once(request({ host: '127.0.0.1', port, path }).end(), 'response');
  response.resume();
  expect(response.statusCode).toBe(401);
  child.kill('SIGTERM');
  const { stdout, stderr } = await done;
  expect(stdout + stderr).not.toContain('canary');
});

// They share the code; test/slow has all of them.
const SIGNALS = [
  ['SIGTERM', 143],
  ['SIGINT', 130],
  ['SIGHUP', 129],
] as const;
it.each(SIGNALS.slice(0, isSlow ? undefined : 1))(
  'stops at once on %s with open connections, and frees its port',
  async (signal, exitCode) => {
    const { port, child, done, key } = await startSandbox(['-q', '--latency', '10m']);
    const head = `Host: localhost\r\nX-API-Key: ${key}\r\n`;
    await open(port, '');
    await open(port, 'GET /health HTTP/1.1\r\nHost: ');
    const idle = await open(port, 'GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await once(idle, 'data');
    await open(port, `GET /v1/risk-profile/0x01 HTTP/1.1\r\n${head}\r\n`);
    // An answer on a later connection proves that the earlier ones have been read.
    expect(await status(port, {})).toBe(200);
    child.kill(signal);
    // A connection that is waited for would hold it for longer than a test may take.
    const ended = await done;
    // An orderly stop has its own exit code; if it took too long, the signal would be reported
    // instead.
    expect(ended).toMatchObject({
      exitCode,
      signal: null,
      stderr: `riskcli: stopped by ${signal === 'SIGINT' ? 'Ctrl-C' : signal}\n`,
    });
    expect(await knock('127.0.0.1', port)).toBe('ECONNREFUSED');
    // A port that refuses is free: to take it again once is enough.
    if (signal !== 'SIGTERM') return;
    const stopped = AbortSignal.abort(new SignalError('SIGTERM'));
    const again = await cli(['sandbox', '--port', String(port)], { signal: stopped });
    expect(again.stdout).toContain(`:${port}\n`);
    expect(again.stdout).toContain(`API_KEY=${key}\n`);
  },
);

it('exits with 8 and prints nothing if the port of the sandbox is taken', async () => {
  const holder = createServer().listen(0, '127.0.0.1');
  await once(holder, 'listening');
  const address = holder.address();
  const port = typeof address === 'object' && address ? String(address.port) : '';
  const { exitCode, stdout, stderr } = await cli(['sandbox', '--port', port]);
  holder.close();
  expect(exitCode).toBe(8);
  expect(stdout).toBe('');
  expect(stderr).toMatch(/^riskcli: port \d+ of 127\.0\.0\.1 is taken; .*--port.*\n$/);
});

it('keeps the sandbox running if its reader leaves after the two lines', async () => {
  const { child, port } = await startSandbox();
  child.stdout?.destroy();
  expect(await status(port, {})).toBe(200);
});
