import { Socket } from 'node:net';
import { afterEach, expect, it, vi } from 'vitest';
import { UsageError } from '../../../src/errors.ts';
import type { TransportOptions } from '../../../src/service/http/transport.ts';
import { baseUrlText, parseBaseUrl } from '../../../src/settings/base-url.ts';
import { workplace } from '../../fixtures/place/workplace.ts';
import { KEY, openClient, PROFILE, WALLET } from '../../fixtures/service/client.ts';
import { startServer } from '../../fixtures/service/server.ts';
import { isSlow } from '../../fixtures/sweep.ts';

/** Where an attacker listens: no form below may lead here. */
const B = 'evil.test:8443';
/** Words, since none of them has a blank. */
const words = (text: string) => text.trim().split(/ +/);
const HOSTS = [
  ...words('a.test A.TEST a.test. a.test:443 a.test:8443 bücher.test xn--bcher-kva.test ａ.test a。test a\u00adb.test'),
  ...words('раураl.test %61.test a.test%2f@evil.test'),
  ...[`a.test:443@${B}`, `a.test\\@${B}`, `a.test#@${B}`, `a.test?@${B}`, 'a.test:99999', 'a.test:8443:1'],
  ...words('[::1] [::ffff:127.0.0.1] [fe80::1%25eth0] 127.0.0.1 127.1 2130706433 0x7f000001 0177.0.0.1 0.0.0.0'),
  ...words('10.0.0.1. localhost localhost. x.localhost'),
];
const PATHS = [
  ...['', '/', '/v2', '/v2/', '//', `//${B}`, `/.//${B}`, `/a/..//${B}`, `/a/%2e%2e//${B}`, `/%2F${B}`, `/%2F%2F${B}`],
  ...[
    `/a//${B}`,
    `/\\${B}`,
    `\\\\${B}`,
    `/\t/${B}`,
    `/;@${B}`,
    `/:8443/${B}`,
    `/https://${B}`,
    '/../..',
    '/a/./b/../c',
  ],
];
const SCHEMES = words('https:// http:// HTTPS:// https:/ https: https:/// https:\\\\ // ftp:// wss://');

const all = SCHEMES.flatMap((scheme) => HOSTS.flatMap((host) => PATHS.map((path) => scheme + host + path)));
/**
 * Of every scheme with every host, and of every host with every path, there is one among each
 * seven.
 */
const forms = isSlow ? all : all.filter((_, i) => i % 7 === 0);

/** Notes what each socket is asked to connect to, and lets none connect. */
function watchPeers(): string[] {
  const peers: string[] = [];
  vi.spyOn(Socket.prototype, 'connect').mockImplementation(function (this: Socket, ...args: unknown[]) {
    const [{ host, port }] = (Array.isArray(args[0]) ? args[0] : args) as [{ host: string; port: number }];
    peers.push(`${host}:${port}`);
    setImmediate(() => this.destroy(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })));
    return this;
  });
  return peers;
}
afterEach(() => vi.restoreAllMocks());

/**
 * A name stays as it is, so that the peer can be compared; plain http to localhost is held against
 * what it resolves to.
 */
const resolve: TransportOptions['lookup'] = (name, _, callback) =>
  callback(null, [{ address: name === 'localhost' ? '127.0.0.1' : name, family: 4 }]);

/** `host:port` of an origin, as a socket takes them. */
function peerOf({ protocol, hostname, port }: URL): string {
  return `${hostname.replace(/^\[|\]$/g, '')}:${port || (protocol === 'https:' ? 443 : 80)}`;
}

function judge(form: string): URL | undefined {
  try {
    return parseBaseUrl(form);
  } catch (error) {
    expect(error).toBeInstanceOf(UsageError);
    return undefined;
  }
}

it(`connects to the origin that was checked, in ${forms.length} forms of base URL`, async () => {
  const judged = new Map<string, URL>();
  for (const form of forms) {
    const url = judge(form);
    if (!url) continue;
    // As a user reads it: scheme, host and port before the first slash.
    expect(baseUrlText(url)).toMatch(/^https?:\/\/[^/@\\?#]+(\/[^/]+)*$/);
    expect(url.host).not.toBe(B);
    judged.set(url.href, url);
  }
  expect(judged.size).toBeGreaterThan(50);
  const peers = watchPeers();
  for (const [href, url] of judged) {
    await using bench = openClient(url, { transportOptions: { lookup: resolve } });
    await bench.client.health().catch(() => {});
    await bench.client.profile(WALLET).catch(() => {});
    expect([href, ...new Set(peers.splice(0))]).toEqual([href, peerOf(url)]);
  }
});

it.each([
  ['2130706433', 0],
  ['localhost', 2],
  ['127.0.0.2', 2],
])('sends the key stored for 127.0.0.1 to %s: exit %i', async (host, expected) => {
  await using server = await startServer(() => ({ body: PROFILE }));
  const { cli } = workplace();
  await cli(['keys', 'set', '--base-url', server.url.origin], { stdin: KEY });
  const { exitCode } = await cli(['profile', WALLET, '--base-url', `http://${host}:${server.url.port}`]);
  expect(exitCode).toBe(expected);
  expect(server.requests).toHaveLength(expected === 0 ? 1 : 0);
});
