/**
 * What the transport meets that takes a process: TLS, proxies, a port that never answers. Node
 * reads NODE_EXTRA_CA_CERTS at its start.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { caBundleHint } from '../../../src/service/http/failure.ts';
import { type Authority, type Certificate, createAuthority } from '../../fixtures/service/certificates.ts';
import { openClient, WALLET } from '../../fixtures/service/client.ts';
import { behindProxy, ELSEWHERE, startProxy } from '../../fixtures/service/proxy.ts';
import { buildSender, send } from '../../fixtures/service/send.ts';
import { CLOSED_PORT, startServer } from '../../fixtures/service/server.ts';

let authority: Authority;
let certificates: Record<'elsewhere' | 'here' | 'expired' | 'otherName' | 'selfSigned', Certificate>;
let sendFromProcess: ReturnType<typeof buildSender>;
beforeAll(() => {
  sendFromProcess = buildSender();
  authority = createAuthority();
  certificates = {
    elsewhere: authority.issue(ELSEWHERE),
    here: authority.issue('127.0.0.1'),
    expired: authority.issue('127.0.0.1', -1),
    otherName: authority.issue('other.test'),
    selfSigned: createAuthority().own,
  };
});

const serve = (which: keyof typeof certificates = 'elsewhere') =>
  startServer(() => ({ body: {} }), { tls: certificates[which] });

it('trusts a private authority that NODE_EXTRA_CA_CERTS names', async () => {
  await using server = await serve('here');
  expect(await sendFromProcess(server.url, { NODE_EXTRA_CA_CERTS: authority.file })).toMatchObject({ status: 200 });
  expect(server.requests).toHaveLength(1);
});

it.each([
  ['selfSigned', /not signed by a known authority/],
  ['expired', /has expired/],
  ['otherName', /is for another name/],
] as const)('refuses a certificate that is %s before the key is sent', async (which, message) => {
  await using server = await serve(which);
  const env = { NODE_EXTRA_CA_CERTS: authority.file };
  for (const variables of [env, { ...env, NODE_TLS_REJECT_UNAUTHORIZED: '0' }]) {
    const sent = await sendFromProcess(server.url, variables);
    expect(sent).toMatchObject({ exitCode: 6, code: 'tls', message: expect.stringMatching(message) });
  }
  expect(server.connections()).toBe(2);
  expect(server.requests).toEqual([]);
});

it('names NODE_EXTRA_CA_CERTS and the bundle of the system for an unknown authority', async () => {
  await using server = await serve('here');
  const { hint } = await send(server.url, {});
  expect(hint).toContain('NODE_EXTRA_CA_CERTS');
  expect(hint).toContain(`(${caBundleHint()})`);
});

it('reports a server that speaks TLS to http, or no TLS to https', async () => {
  await using secure = await serve('here');
  await using plain = await startServer(() => ({ body: {} }));
  expect((await send(new URL(`http://${secure.url.host}`), {})).exitCode).toBeGreaterThanOrEqual(5);
  expect(await send(new URL(`https://${plain.url.host}`), {})).toMatchObject({
    exitCode: 6,
    message: expect.stringContaining('does not speak TLS properly'),
  });
  expect([secure.requests, plain.requests]).toEqual([[], []]);
});

it.each([
  ['HTTPS_PROXY', '127.0.0.1', 'user:s%3Acret@', 'user:s:cret'],
  ['ALL_PROXY', 'localhost', 'user@', 'user:'],
  ['https_proxy', 'localhost', '', undefined],
])('tunnels https through a proxy in %s at %s, which alone gets its login: %s', async (name, host, login, sent) => {
  await using server = await serve();
  await using proxy = await startProxy();
  const address = `http://${login}${proxy.host.replace('127.0.0.1', host)}`;
  const env = { [name]: address, NODE_EXTRA_CA_CERTS: authority.file };
  expect(await sendFromProcess(behindProxy(server.url), env)).toMatchObject({ status: 200, stderr: '' });
  expect(proxy.asked).toMatchObject([{ method: 'CONNECT', url: `${ELSEWHERE}:${server.url.port}` }]);
  const authorization = sent && `Basic ${btoa(sent)}`;
  expect(proxy.asked[0]?.headers['proxy-authorization']).toBe(authorization);
  expect(JSON.stringify(proxy.asked[0]?.rawHeaders)).not.toContain('canary');
  expect(server.requests).toMatchObject([{ headers: { 'x-api-key': 'wrp_canary' } }]);
  expect(server.requests[0]?.headers).not.toHaveProperty('proxy-authorization');
});

it('connects to a proxy over TLS if its URL is https', async () => {
  await using server = await serve();
  await using proxy = await startProxy({ tls: certificates.here });
  const env = { HTTPS_PROXY: `https://${proxy.host}` };
  const trusting = { ...env, NODE_EXTRA_CA_CERTS: authority.file };
  expect(await sendFromProcess(behindProxy(server.url), trusting)).toMatchObject({ status: 200 });
  expect(await send(behindProxy(server.url), env)).toMatchObject({
    exitCode: 6,
    message: expect.stringContaining(`the certificate of the proxy ${proxy.host} is not signed`),
  });
  expect(proxy.asked).toHaveLength(1);
});

it('checks the certificate of the service behind a proxy', async () => {
  await using server = await serve('otherName');
  await using proxy = await startProxy();
  const env = { HTTPS_PROXY: `http://${proxy.host}`, NODE_TLS_REJECT_UNAUTHORIZED: '0' };
  const url = behindProxy(server.url);
  expect(await sendFromProcess(url, env)).toMatchObject({ exitCode: 6, code: 'tls' });
  expect(await sendFromProcess(url, { ...env, NODE_EXTRA_CA_CERTS: authority.file })).toMatchObject({
    exitCode: 6,
    message: `the certificate of ${url.host} (through the proxy ${proxy.host}) is for another name`,
  });
  expect(server.requests).toEqual([]);
});

it('names a proxy that cannot be reached', async () => {
  const proxy = `127.0.0.1:${CLOSED_PORT}`;
  const sent = await send(behindProxy(new URL('https://x:1')), { HTTPS_PROXY: `http://user:s3cret@${proxy}` });
  expect(sent).toMatchObject({
    exitCode: 5,
    message: `the proxy ${proxy} refuses connections`,
    hint: 'check HTTPS_PROXY and the network, then run the same command again',
  });
});

const HTML = '<!doctype html><title>Log in</title>';
const OK_PAGE = `HTTP/1.1 200 OK\r\ncontent-type: text/html\r\n\r\n${HTML}`;

it.each<[string, number, string]>([
  ['HTTP/1.1 403 No\r\n\r\n', 5, 'refused the connection (403)'],
  ['HTTP/1.0 502\r\n\r\n', 5, 'refused the connection (502)'],
  [`HTTP/1.1 302 Found\r\nlocation: http://login.test/\r\n\r\n${HTML}`, 5, 'refused the connection (302)'],
  [OK_PAGE, 6, 'answered in place of the service'],
  ['SSH-2.0-OpenSSH_9.2\r\n', 6, 'did not answer in HTTP'],
  ['HTTP/1.1 ok\r\n\r\n', 6, 'did not answer in HTTP'],
  [`HTTP/1.1 200 OK\r\n${'x-flood: a\r\n'.repeat(6000)}`, 6, 'sent more headers than any answer needs'],
  ['HTTP/1.1 103 Early Hints\r\n\r\n', 5, 'refused the connection (103)'],
  ['HTTP/1.1 200 OK\r\n', 5, 'closed the connection without an answer'],
  ['', 5, 'closed the connection without an answer'],
  ['HTTP/1.1 101 Switching Protocols\r\n\r\n', 5, 'refused the connection (101)'],
])('refuses the answer %j of a proxy with exit %i: it %s', async (instead, exitCode, words) => {
  await using server = await serve();
  await using proxy = await startProxy({ instead });
  const sent = await send(behindProxy(server.url), { HTTPS_PROXY: `http://user:s3cret@${proxy.host}` });
  expect(sent).toMatchObject({ exitCode, message: `the proxy ${proxy.host} ${words}` });
  expect(sent.hint).toContain('HTTPS_PROXY');
  expect(sent.hint).not.toContain('base URL');
  // undici's own agent would ask a proxy that closes thousands of times.
  expect(proxy.asked).toHaveLength(1);
  expect(JSON.stringify(sent)).not.toContain('s3cret');
  expect(server.connections()).toBe(0);
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

  it('gives up a port that never answers at the time limit, and closes its socket', async () => {
    const port = await dig();
    const open = () => process.getActiveResourcesInfo().filter((name) => /^TCP(Socket|Connect)Wrap$/.test(name)).length;
    const before = open();
    const bench = openClient(`http://127.0.0.1:${port}`, { timeoutMs: 300 });
    const message = `127.0.0.1:${port} did not answer within 300ms`;
    await expect(bench.client.profile(WALLET)).rejects.toMatchObject({ code: 'timeout', exitCode: 5, message });
    expect(open()).toBeGreaterThan(before);
    await bench.client.close();
    await expect.poll(open).toBe(before);
  });
});
