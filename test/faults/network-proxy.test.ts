/** Through proxies: one of our own that can be looked into, and tinyproxy where it is installed. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Authority, createAuthority } from '../helpers/certificates.ts';
import { closedPort, startServer } from '../helpers/server.ts';
import { buildTransportProcess } from '../helpers/transport-process.ts';

let authority: Authority;
let send: Awaited<ReturnType<typeof buildTransportProcess>>;
beforeAll(async () => {
  authority = createAuthority();
  send = await buildTransportProcess();
});

/** A CONNECT proxy that notes what is asked of it and answers with `status`. */
async function startProxy(status = 200) {
  const asked: IncomingMessage[] = [];
  const server = createServer().on('connect', (request, client) => {
    asked.push(request);
    client.on('error', () => {});
    if (status !== 200) return client.end(`HTTP/1.1 ${status} No\r\n\r\n`);
    const [host, port] = (request.url ?? '').split(':');
    const target = connect(Number(port), host, () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      target.pipe(client).pipe(target);
    }).on('error', () => client.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = async () => {
    server.close();
    server.closeAllConnections();
  };
  return { port: (server.address() as AddressInfo).port, asked, [Symbol.asyncDispose]: close };
}

describe('a proxy', () => {
  it('[31] carries https and sees neither the path nor the key', async () => {
    await using server = await startServer(() => ({ body: {} }), { tls: authority.issue('IP:127.0.0.1') });
    await using proxy = await startProxy();
    const env = { HTTPS_PROXY: `http://127.0.0.1:${proxy.port}`, NODE_EXTRA_CA_CERTS: authority.file };
    expect(await send(server.url, env)).toMatchObject({ status: 200, stderr: '' });
    expect(proxy.asked).toMatchObject([{ method: 'CONNECT', url: server.url.host }]);
    expect(JSON.stringify(proxy.asked[0]?.rawHeaders)).not.toContain('canary');
    expect(server.requests).toMatchObject([{ headers: { 'x-api-key': 'wrp_canary' } }]);
  });

  it('[29,31] does not weaken TLS', async () => {
    await using server = await startServer(() => ({ body: {} }), { tls: authority.issue('DNS:other.test') });
    await using proxy = await startProxy();
    const env = { HTTPS_PROXY: `http://127.0.0.1:${proxy.port}`, NODE_TLS_REJECT_UNAUTHORIZED: '0' };
    expect(await send(server.url, env)).toMatchObject({ exitCode: 6, code: 'tls' });
    expect(await send(server.url, { ...env, NODE_EXTRA_CA_CERTS: authority.file })).toMatchObject({ exitCode: 6 });
    expect(server.requests).toEqual([]);
  });

  it('[31] gets its user and password, and nobody else does', async () => {
    await using server = await startServer(() => ({ body: {} }));
    await using proxy = await startProxy();
    const { status } = await send(server.url, { http_proxy: `http://user:s%3Acret@127.0.0.1:${proxy.port}` });
    expect(status).toBe(200);
    expect(proxy.asked[0]?.headers['proxy-authorization']).toBe(`Basic ${btoa('user:s:cret')}`);
    expect(server.requests[0]?.headers['proxy-authorization']).toBeUndefined();
  });

  it.each([403, 407, 502])(
    '[31] that refuses with %i is a temporary failure that keeps its password',
    async (status) => {
      await using server = await startServer(() => ({ body: {} }));
      await using proxy = await startProxy(status);
      const sent = await send(server.url, { HTTP_PROXY: `http://user:s3cret@127.0.0.1:${proxy.port}` });
      expect(sent).toMatchObject({ exitCode: 5, code: 'proxy', message: expect.stringContaining(String(status)) });
      expect(JSON.stringify(sent)).not.toContain('s3cret');
      expect(server.connections()).toBe(0);
    },
  );

  it('[31] that is not there is named', async () => {
    await using server = await startServer(() => ({ body: {} }));
    const proxy = `127.0.0.1:${await closedPort()}`;
    const sent = await send(server.url, { HTTP_PROXY: `http://user:s3cret@${proxy}` });
    expect(sent).toMatchObject({ exitCode: 5, message: `the proxy ${proxy} refuses connections` });
    expect(server.connections()).toBe(0);
  });

  it('[31] is left out where NO_PROXY says so', async () => {
    await using server = await startServer(() => ({ body: {} }));
    await using proxy = await startProxy();
    const env = { HTTP_PROXY: `http://127.0.0.1:${proxy.port}`, NO_PROXY: 'example.test, 127.0.0.1' };
    expect(await send(server.url, env)).toMatchObject({ status: 200 });
    expect(proxy.asked).toEqual([]);
  });
});

const hasTinyproxy = spawnSync('tinyproxy', ['-v']).status === 0;

describe.skipIf(!hasTinyproxy)('tinyproxy', () => {
  it('[31] carries http and https', async () => {
    const port = await closedPort();
    const file = join(mkdtempSync(join(tmpdir(), 'riskcli-proxy-')), 'tinyproxy.conf');
    writeFileSync(file, `Port ${port}\nListen 127.0.0.1\nAllow 127.0.0.1\nLogLevel Connect\n`);
    const proxy = spawn('tinyproxy', ['-d', '-c', file], { stdio: ['ignore', 'pipe', 'inherit'] });
    let log = '';
    proxy.stdout.setEncoding('utf8').on('data', (text) => {
      log += text;
    });
    try {
      await once(proxy.stdout, 'data');
      await using plain = await startServer(() => ({ body: {} }));
      await using secure = await startServer(() => ({ body: {} }), { tls: authority.issue('IP:127.0.0.1') });
      const address = `http://127.0.0.1:${port}`;
      const env = { HTTP_PROXY: address, HTTPS_PROXY: address, NODE_EXTRA_CA_CERTS: authority.file };
      expect(await send(plain.url, env)).toMatchObject({ status: 200 });
      expect(await send(secure.url, env)).toMatchObject({ status: 200 });
      expect(log).toContain(`CONNECT ${secure.url.host}`);
    } finally {
      proxy.kill('SIGKILL');
    }
  });
});
