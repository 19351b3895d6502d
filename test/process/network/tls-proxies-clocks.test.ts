import { existsSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { cli } from '../../fixtures/cli/here.ts';
import { RISKCLI_WORDS } from '../../fixtures/cli/process.ts';
import { address } from '../../fixtures/place/wallets.ts';
import { ONE_LINE, workplace } from '../../fixtures/place/workplace.ts';
import { installed } from '../../fixtures/process/installed.ts';
import { canUnshare } from '../../fixtures/process/namespaces.ts';
import { type Authority, createAuthority } from '../../fixtures/service/certificates.ts';
import { KEY, PROFILE, WALLET } from '../../fixtures/service/client.ts';
import { behindProxy, startProxy } from '../../fixtures/service/proxy.ts';
import { startServer, type TestServer } from '../../fixtures/service/server.ts';
import { startTinyproxy } from '../../fixtures/service/tinyproxy.ts';
import { isSlow } from '../../fixtures/sweep.ts';

const answer = (path: string) => ({
  headers: { 'x-ratelimit-limit': '400', 'x-ratelimit-remaining': '400' },
  body: path.endsWith('/health')
    ? { status: 'ok', timestamp: new Date().toISOString() }
    : { ...PROFILE, wallet_address: path.slice(path.lastIndexOf('/') + 1) },
});

const facing = (server: Pick<TestServer, 'url'>, env: Record<string, string> = {}) =>
  workplace({ RISKCLI_BASE_URL: server.url.href, RISKCLI_API_KEY: KEY, ...env });

const LIST = ['profile', WALLET, address(1), '--csv'];
/** One wallet, a list, a check of the key, health: all that talks to the service. */
const COMMANDS = [['profile', WALLET], LIST, ['keys', 'check'], ['health']];

let authority: Authority;
beforeAll(() => {
  authority = createAuthority();
});

describe.concurrent('TLS', () => {
  it.each(COMMANDS)('[29] an unknown authority, or https to http: exit 6, nothing is sent: %s', async (...command) => {
    await using unknown = await startServer(({ path }) => answer(path), { tls: authority.issue('IP:127.0.0.1') });
    await using plain = await startServer(({ path }) => answer(path));
    for (const url of [unknown.url, new URL(`https://${plain.url.host}`)]) {
      const ended = await cli(command, { env: facing({ url }).env });
      expect(ended).toMatchObject({ exitCode: 6, stderr: expect.stringMatching(ONE_LINE) });
    }
    expect([unknown.requests, plain.requests]).toEqual([[], []]);
  });
});

describe.concurrent('a proxy', () => {
  const secret = 's3cret%2Dp4ss';
  const isSilent = (text: string) => expect(text).not.toMatch(/s3cret|p4ss/);
  it('[31,95] that refuses: exit 5, without its password, and the service is not asked', async () => {
    await using server = await startServer(({ path }) => answer(path));
    await using proxy = await startProxy({ instead: 'HTTP/1.1 407 No\r\n\r\n' });
    const { env } = facing({ url: behindProxy(server.url) }, { ALL_PROXY: `http://user:${secret}@${proxy.host}` });
    const { stdout, stderr, exitCode } = await cli(['profile', WALLET, '-v', '--debug'], { env });
    expect({ exitCode, stdout }).toEqual({ exitCode: 5, stdout: '' });
    isSilent(stderr);
    expect(stderr).toContain('check the user name and password in the URL in ALL_PROXY');
    expect(await cli(['health'], { env })).toMatchObject({ exitCode: 5, stderr: expect.stringMatching(ONE_LINE) });
    expect(server.connections()).toBe(0);
  });

  it.each(['::', 'socks5://127.0.0.1:9', `http://user:${secret}@:80:80`, `http://u:%zz${secret}@127.0.0.1:1`])(
    '[31,80] whose address is %s: exit 2, unechoed; no matter for loopback',
    async (address) => {
      await using server = await startServer(({ path }) => answer(path));
      const { env } = facing({ url: behindProxy(server.url) }, { ALL_PROXY: address, HTTP_PROXY: address });
      const { stdout, stderr, exitCode } = await cli(['profile', WALLET], { env });
      expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
      expect(stderr).toMatch(ONE_LINE);
      expect(stderr).toMatch(/^riskcli: ALL_PROXY (names a SOCKS proxy|is not a valid proxy URL)/);
      isSilent(stderr);
      expect(await cli(['profile', WALLET, '--base-url', server.url.href], { env })).toMatchObject({ exitCode: 0 });
      expect(server.connections()).toBe(1);
    },
  );

  it.skipIf(!installed('tinyproxy'))('[31] called tinyproxy: carries a list; NO_PROXY goes around it', async () => {
    await using server = await startServer(({ path }) => answer(path), { tls: authority.issue('IP:0.0.0.0') });
    using proxy = await startTinyproxy('BasicAuth user s3cret-p4ss\n');
    // An address that is not loopback, but that the system connects to this machine.
    const place = facing(
      { url: new URL(`https://0.0.0.0:${server.url.port}`) },
      { HTTPS_PROXY: `http://user:${secret}@127.0.0.1:${proxy.port}`, NODE_EXTRA_CA_CERTS: authority.file },
    );
    const list = ['profile', WALLET, address(1), address(2), '--csv', '-v'];
    const { stdout, stderr, exitCode } = await place.cli(list, { via: 'process' });
    expect({ exitCode, rows: stdout.split('\n').length }).toEqual({ exitCode: 0, rows: 5 });
    isSilent(stderr);
    const connects = () => proxy.log().split(`CONNECT 0.0.0.0:${server.url.port}`).length - 1;
    const before = connects();
    expect(before).toBeGreaterThan(0);
    const around = await place.cli(['health'], { via: 'process', env: { NO_PROXY: '0.0.0.0' } });
    expect(around).toMatchObject({ exitCode: 0 });
    expect(connects()).toBe(before);
  });
});

describe.skipIf(!canUnshare())('a machine without a network', { concurrent: true }, () => {
  it.each([
    ['does not resolve names', 'https://service.test', 'health'],
    ['has no way to addresses', 'https://192.0.2.1', `profile ${WALLET}`],
  ])('[19] %s: exit 5 within the time limit, %s, %s', async (_, baseUrl, command) => {
    const place = workplace({ RISKCLI_BASE_URL: baseUrl, RISKCLI_API_KEY: KEY });
    const line = `exec unshare --net ${RISKCLI_WORDS} ${command} --timeout 5s`;
    const { stdout, stderr, exitCode } = await place.sh(line);
    expect({ exitCode, stdout }).toEqual({ exitCode: 5, stdout: '' });
    expect(stderr).toMatch(ONE_LINE);
  });
});

const FAKETIME = ['/usr/lib/x86_64-linux-gnu', '/usr/lib/aarch64-linux-gnu', '/usr/lib64', '/usr/lib']
  .map((folder) => `${folder}/faketime/libfaketime.so.1`)
  .find((path) => existsSync(path));

describe.skipIf(!FAKETIME)('a clock that is wrong', { concurrent: true }, () => {
  const faked = (offset: string) => ({ LD_PRELOAD: FAKETIME ?? '', FAKETIME: offset, DONT_FAKE_MONOTONIC: '1' });
  /** Refuses each wallet once, until two seconds later by the service's own clock. */
  const startRefuser = async (headers: () => Record<string, string>) => {
    const refusedAt = new Map<string, number>();
    const waits: number[] = [];
    const server = await startServer(({ path }) => {
      const before = refusedAt.get(path);
      if (before !== undefined) {
        waits.push(performance.now() - before);
        return answer(path);
      }
      refusedAt.set(path, performance.now());
      return { status: 429, headers: headers() };
    });
    return Object.assign(server, { waits });
  };
  const inTwoSeconds = () => Math.ceil(Date.now() / 1000) + 2;
  const asDate = () => ({ 'retry-after': new Date(inTwoSeconds() * 1000).toUTCString() });
  const asReset = () => ({ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(inTwoSeconds()) });

  it.each<[string, () => Record<string, string>]>([
    ['-10y', asReset],
    ...(isSlow ? [['+10y', asDate] as [string, typeof asDate]] : []),
  ])('[30] by %s: waits as long as it should', async (offset, headers) => {
    await using server = await startRefuser(headers);
    const outcome = await facing(server, faked(offset)).cli(['profile', WALLET, address(1), '--csv'], {
      via: 'process',
    });
    expect(outcome).toMatchObject({ exitCode: 0, stderr: '' });
    expect(server.waits).toHaveLength(2);
    for (const wait of server.waits) expect(wait).toBeGreaterThanOrEqual(1900);
  });

  it('[30] and is set in mid-run, both ways: neither hangs nor asks early', async () => {
    const place = workplace();
    const step = (offset: string) => place.write('clock', offset);
    step('+0');
    const refusedAt = new Map<string, number>();
    const waits: number[] = [];
    await using server = await startServer(({ path }, count) => {
      if (count === 4) step('-10y');
      if (count === 8) step('+10y');
      const before = refusedAt.get(path);
      if (before !== undefined) waits.push(performance.now() - before);
      if (before !== undefined || count > 8) return answer(path);
      refusedAt.set(path, performance.now());
      return { status: 429, headers: { 'retry-after': '1' } };
    });
    const env = {
      RISKCLI_BASE_URL: server.url.href,
      RISKCLI_API_KEY: KEY,
      LD_PRELOAD: FAKETIME ?? '',
      FAKETIME_TIMESTAMP_FILE: place.path('clock'),
      FAKETIME_NO_CACHE: '1',
      DONT_FAKE_MONOTONIC: '1',
    };
    const wallets = Array.from({ length: 12 }, (_, i) => address(i));
    const outcome = await place.cli(['profile', ...wallets, '--csv', '--timeout', '10s'], { via: 'process', env });
    expect(outcome).toMatchObject({ exitCode: 0, stderr: '' });
    expect(outcome.stdout.split('\n')).toHaveLength(14);
    for (const wait of waits) expect(wait).toBeGreaterThanOrEqual(999);
  });
});
