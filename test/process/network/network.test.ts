/** The service, or what stands in its place, misbehaves on the wire: provoked with real sockets. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { TemporaryError } from '../../../src/errors.ts';
import type { Client } from '../../../src/service/client.ts';
import { bareEnv, start } from '../../fixtures/cli/process.ts';
import { ONE_LINE } from '../../fixtures/place/workplace.ts';
import { KEY, openClient, PROFILE, WALLET } from '../../fixtures/service/client.ts';
import { CLOSED_PORT, startRawServer } from '../../fixtures/service/server.ts';
import { isSlow } from '../../fixtures/sweep.ts';

const GOOD = JSON.stringify(PROFILE);
const OK = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';

async function failure(client: Client, signal?: AbortSignal): Promise<unknown> {
  return client.profile(WALLET, { signal }).then(
    () => expect.fail('it was answered'),
    (error: unknown) => error,
  );
}

describe('no connection', () => {
  it('[19] tries a refused connection four times, with growing jitter', async () => {
    await using bench = openClient(`http://127.0.0.1:${CLOSED_PORT}`);
    const error = await failure(bench.client);
    expect(error).toBeInstanceOf(TemporaryError);
    expect(error).toMatchObject({
      code: 'network',
      message: expect.stringMatching(/refuses connections after 4 attempts$/),
    });
    expect(bench.waits).toEqual([250, 500, 1000]);
    expect(bench.gate.entered).toEqual(['first', 'retry', 'retry', 'retry']);
    expect(bench.gate.observed).toHaveLength(4);
  });

  it('[19] does not wait longer than the time limit allows', async () => {
    await using bench = openClient(`http://127.0.0.1:${CLOSED_PORT}`, { timeoutMs: 400 });
    expect(await failure(bench.client)).toBeInstanceOf(TemporaryError);
    expect(bench.attempts).toHaveLength(2);
  });

  describe('a black hole', () => {
    let hole: ChildProcess | undefined;
    const fillers: Socket[] = [];
    afterEach(() => {
      hole?.kill('SIGKILL');
      for (const socket of fillers.splice(0)) socket.destroy();
    });

    /** A port whose queue is full and whose owner never accepts: further SYNs are dropped. */
    async function dig(): Promise<number> {
      const script = `require('net').createServer().listen({port:0,host:'127.0.0.1',backlog:1},function(){
        require('fs').writeSync(1,String(this.address().port));Atomics.wait(new Int32Array(new SharedArrayBuffer(4)),0,0)})`;
      hole = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'ignore'] });
      const [port] = await once(hole.stdout!, 'data');
      for (let i = 0; i < 8; i++) fillers.push(connect(Number(port), '127.0.0.1').on('error', () => {}));
      await once(fillers[0]!, 'connect');
      return Number(port);
    }

    it('[19] lets a process end at its time limit', async () => {
      const baseUrl = `http://127.0.0.1:${await dig()}`;
      const env = bareEnv({ RISKCLI_API_KEY: KEY, RISKCLI_BASE_URL: baseUrl });
      const commands = [['profile', WALLET, WALLET, '--csv'], ['profile', WALLET], ['health']];
      for (const command of commands.slice(0, isSlow ? undefined : 1)) {
        const { exitCode, stderr } = await start([...command, '--timeout', '300ms'], { env }).done;
        expect({ command, exitCode, stderr }).toEqual({
          command,
          exitCode: 5,
          stderr: expect.stringMatching(ONE_LINE),
        });
      }
    });

    it('[19] stops at the time limit, and closing the client closes the connecting socket', async () => {
      const port = await dig();
      const open = () =>
        process.getActiveResourcesInfo().filter((name) => /^TCP(Socket|Connect)Wrap$/.test(name)).length;
      const before = open();
      const bench = openClient(`http://127.0.0.1:${port}`, { timeoutMs: 300 });
      const error = await failure(bench.client);
      expect(error).toMatchObject({
        code: 'timeout',
        exitCode: 5,
        message: `127.0.0.1:${port} did not answer within 300ms`,
      });
      expect(open()).toBeGreaterThan(before);
      await bench.client.close();
      await expect.poll(open).toBe(before);
    });
  });
});

describe('no answer', () => {
  it('[20] stops at once when the run is stopped, at any stage of the request', async () => {
    const stop = new AbortController();
    await using server = await startRawServer(() => stop.abort(new Error('stopped')));
    await using bench = openClient(server.url);
    expect(await failure(bench.client, stop.signal)).toBe(stop.signal.reason);
    expect(await failure(bench.client, stop.signal)).toBe(stop.signal.reason);
    expect(server.requests).toHaveLength(1);
    expect(bench.gate.observed).toHaveLength(1);
  });
});

describe('an answer that is cut short', () => {
  const half = GOOD.slice(0, GOOD.length / 2);
  it.each<[string, (socket: Socket) => void]>([
    ['before the head', (socket) => socket.destroy()],
    ['in the head', (socket) => socket.end(OK)],
    [
      'by a reset in mid-body',
      (socket) => {
        socket.write(`${OK}content-length: ${GOOD.length}\r\n\r\n${half}`, () => socket.resetAndDestroy());
      },
    ],
    [
      'by a close before the length is reached',
      (socket) => {
        socket.end(`${OK}content-length: ${GOOD.length}\r\n\r\n${half}`);
      },
    ],
    [
      'by a broken chunk',
      (socket) => {
        socket.end(`${OK}transfer-encoding: chunked\r\n\r\n${half.length.toString(16)}\r\n${half}\r\nzz\r\n`);
      },
    ],
    [
      'by a close between chunks',
      (socket) => {
        socket.end(`${OK}transfer-encoding: chunked\r\n\r\n${half.length.toString(16)}\r\n${half}\r\n`);
      },
    ],
    ['by a close where only a close ends the body', (socket) => socket.end(`${OK}\r\n${half}`)],
    [
      'by a close in the middle of a character',
      (socket) => {
        socket.write(`${OK}\r\n{"a":"`);
        socket.end(Buffer.from([0xe2, 0x82]));
      },
    ],
  ])('[21] %s is asked for again', async (_, cut) => {
    await using server = await startRawServer((socket, count) => {
      if (count === 1) cut(socket);
      else socket.end(`${OK}connection: close\r\n\r\n${GOOD}`);
    });
    await using bench = openClient(server.url);
    expect(await bench.client.profile(WALLET)).toMatchObject({ text: GOOD });
    expect(bench.attempts).toMatchObject([{ code: 'network', waitMs: 250 }, { status: 200 }]);
  });

  it('[21] is reported as a temporary failure if retries do not help', async () => {
    await using server = await startRawServer((socket) => socket.end(`${OK}\r\n${half}`));
    await using bench = openClient(server.url);
    expect(await failure(bench.client)).toMatchObject({
      exitCode: 5,
      message: 'the answer from the service was cut short after 4 attempts',
    });
    expect(server.requests).toHaveLength(4);
  });
});

it("[23] trusts no answer that only node's lenient parser takes", async () => {
  const chunks = `${GOOD.length.toString(16)}\r\n${GOOD}\r\n0\r\n\r\n`;
  await using server = await startRawServer((socket) =>
    socket.end(`${OK}content-length: ${chunks.length}\r\ntransfer-encoding: chunked\r\n\r\n${chunks}`),
  );
  const env = { RISKCLI_API_KEY: KEY, RISKCLI_BASE_URL: server.url.href, NODE_OPTIONS: '--insecure-http-parser' };
  const { exitCode, stdout } = await start(['profile', WALLET, '--json'], { env: bareEnv(env) }).done;
  expect({ exitCode, stdout }).toEqual({ exitCode: 6, stdout: '' });
});
