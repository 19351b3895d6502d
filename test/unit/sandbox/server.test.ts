import { Agent, get as httpGet } from 'node:http';
import { connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../../src/sandbox/server.ts';
import { testHost } from '../../fixtures/cli/here.ts';
import { collectGarbage } from '../../fixtures/garbage.ts';

let sandbox: Sandbox;
afterEach(() => sandbox.close());

async function start(options: Partial<SandboxOptions> = {}) {
  sandbox = await startSandbox({ clock: testHost(), ...options });
  return (path: string, init?: RequestInit) => fetch(`${sandbox.baseUrl}${path}`, init);
}

/**
 * Writes `pieces` on a bare connection; resolves with all that came back once the server has ended
 * it.
 */
async function raw(...pieces: (string | Uint8Array | (() => void))[]): Promise<string> {
  const socket = connect(Number(new URL(sandbox.baseUrl).port), '127.0.0.1');
  let received = '';
  socket.setEncoding('latin1').on('data', (text) => {
    received += text;
  });
  socket.on('error', () => {});
  for (const piece of pieces) typeof piece === 'function' ? socket.write('', piece) : socket.write(piece);
  await new Promise((resolve) => socket.once('close', resolve));
  return received;
}

describe('broken connections on demand', () => {
  it('reset: nothing is answered', async () => {
    const get = await start({ failing: { share: 1, kinds: ['reset'] } });
    await expect(get('/health')).rejects.toMatchObject({ cause: { code: 'ECONNRESET' } });
  });

  it('cut: the body ends halfway', async () => {
    await start({ failing: { share: 1, kinds: ['cut'] } });
    const received = await raw('GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n');
    const [head = '', body = ''] = received.split('\r\n\r\n');
    const length = Number(/content-length: (\d+)/i.exec(head)?.[1]);
    expect(head).toMatch(/^HTTP\/1\.1 200 /);
    expect(body).toHaveLength(Math.floor(length / 2));
  });
});

describe('closing', () => {
  it('ends delayed answers and frees the port', async () => {
    let asked = () => {};
    const waiting = new Promise<void>((resolve) => {
      asked = resolve;
    });
    const never = (_: number, signal?: AbortSignal) => {
      asked();
      return new Promise<void>((_resolve, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason));
      });
    };
    const get = await start({ clock: { ...testHost(), sleep: never }, latencyMs: [60_000, 60_000] });
    const headers = { 'x-api-key': sandbox.key };
    const pending = get('/v1/risk-profile/0x1', { headers }).catch((error: unknown) => error);
    await waiting;
    await sandbox.close();
    expect(await pending).toBeInstanceOf(Error);
    const { port } = new URL(sandbox.baseUrl);
    await start({ port: Number(port) });
    expect(new URL(sandbox.baseUrl).port).toBe(port);
  });
});

describe('a crowd', () => {
  it('of 600 connections, more than the backlog of a server, is answered, each with its own wallet', async () => {
    await start({ plan: 'enterprise' });
    const agent = new Agent({ keepAlive: true });
    const headers = { 'X-API-Key': sandbox.key };
    const ask = (wallet: string) =>
      new Promise<string>((resolve, reject) => {
        httpGet(`${sandbox.baseUrl}/v1/risk-profile/${wallet}`, { agent, headers }, (response) => {
          let text = '';
          response.setEncoding('utf8').on('data', (piece) => {
            text += piece;
          });
          response.on('end', () => resolve(JSON.parse(text).wallet_address));
        }).on('error', reject);
      });
    const wallets = Array.from({ length: 600 }, (_, i) => `0x${i.toString(16).padStart(40, '0')}`);
    expect(await Promise.all(wallets.map(ask))).toEqual(wallets);
    agent.destroy();
  });
});

describe('clients that never finish', () => {
  it('get a 408 when their headers do not come', async () => {
    await start({ requestMs: 100 });
    expect(await raw('GET /health HTTP/1.1\r\nHost: localhost\r\nX-Slow: ')).toMatch(/^HTTP\/1\.1 408 /);
  });

  it('get a 408 when a body does not come', async () => {
    await start({ requestMs: 100 });
    const received = await raw('GET /health HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\nabc');
    expect(received).toMatch(/^HTTP\/1\.1 408 /);
  });

  it('get a 413 for 100 MB of body, which is discarded', async () => {
    // On a busy machine this many bytes take longer than the 10 s for a body.
    await start({ requestMs: 100_000 });
    const piece = Buffer.alloc(1 << 20);
    const head = `GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: ${100 * piece.length}\r\n\r\n`;
    const held: number[] = [];
    const weigh = () => {
      collectGarbage();
      held.push(process.memoryUsage().heapUsed + process.memoryUsage().external);
    };
    weigh();
    const most = Array.from({ length: 99 }, () => piece);
    expect(await raw(head, ...most, weigh, piece)).toMatch(/^HTTP\/1\.1 413 /);
    const [before = 0, during = 0] = held;
    expect(during - before).toBeLessThan(32 << 20);
  });

  it('get a 431 for endless headers', async () => {
    await start();
    expect(await raw(`GET /health HTTP/1.1\r\nHost: localhost\r\nX-Long: ${'a'.repeat(100_000)}`)).toMatch(
      /^HTTP\/1\.1 431 /,
    );
  });
});
