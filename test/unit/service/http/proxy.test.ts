import { expect, it } from 'vitest';
import { UsageError } from '../../../../src/errors.ts';
import { proxyFor } from '../../../../src/service/http/proxy.ts';

const HTTPS = new URL('https://api.example.com/v1');
const proxy = 'http://proxy.corp:3128';
const chosen = (url: URL | string, env: Record<string, string>) => proxyFor(new URL(url), env)?.url.href;

it.each<[string, Record<string, string>, string | undefined]>([
  ['none', {}, undefined],
  ['upper case', { HTTPS_PROXY: proxy }, `${proxy}/`],
  ['lower case', { https_proxy: proxy }, `${proxy}/`],
  ['lower before upper', { https_proxy: 'http://a:1', HTTPS_PROXY: 'http://b:2' }, 'http://a:1/'],
  ['blank is unset', { https_proxy: ' ', HTTPS_PROXY: '' }, undefined],
  ['that of another scheme', { HTTP_PROXY: proxy }, undefined],
  ['that of all schemes', { ALL_PROXY: proxy }, `${proxy}/`],
  ['that of the scheme before that of all', { all_proxy: 'socks5://a:1', HTTPS_PROXY: proxy }, `${proxy}/`],
  ['that of all where that of the scheme is blank', { all_proxy: proxy, HTTPS_PROXY: '' }, `${proxy}/`],
  ['without a scheme', { HTTPS_PROXY: 'proxy.corp:3128' }, `${proxy}/`],
  ['over TLS', { HTTPS_PROXY: 'https://user:p%40ss@proxy.corp' }, 'https://user:p%40ss@proxy.corp/'],
])('chooses the proxy by the variables: %s', (_, env, expected) => expect(chosen(HTTPS, env)).toBe(expected));

it.each(['not a url', 'http://', 'http://user:%zz@proxy:1', 'ftp://proxy', 'http://proxy:99999'])(
  'refuses the proxy %s without repeating it',
  (value) => {
    const choose = () => chosen(HTTPS, { HTTPS_PROXY: value });
    expect(choose).toThrow(UsageError);
    expect(choose).toThrow(/^HTTPS_PROXY is not a valid proxy URL$/);
  },
);

it.each([
  ['*', true],
  ['api.example.com', true],
  ['EXAMPLE.com', true],
  ['.example.com', true],
  ['*.example.com', true],
  ['other.test , example.com', true],
  ['api.example.com:443', true],
  ['api.example.com.', true],
  ['.example.com.:443', true],
  ['example.com..', false],
  ['.', false],
  ['api.example.com:8443', false],
  ['ample.com', false],
  ['', false],
  ['10.0.0.0/8', false],
  [':', false],
])('uses no proxy with NO_PROXY=%s: %s', (list, exempt) => {
  expect(chosen(HTTPS, { HTTPS_PROXY: proxy, NO_PROXY: list })).toBe(exempt ? undefined : `${proxy}/`);
});

it.each([
  ['https://10.1.2.3', '10.0.0.0/8', true],
  ['https://11.1.2.3', '10.0.0.0/8', false],
  ['https://11.1.2.3', '10.0.0.0/99', false],
  ['https://[fd00::1]', 'fd00::/8', true],
  ['https://[fd00:0:1::1]', 'fd00:0:1::/48', true],
  ['https://[fd00:0:2::1]', 'fd00:0:1::/48', false],
  ['https://[fd00::1]', 'fd00::1', true],
  ['https://[fd00::1]:8443', '[fd00::1]:8443', true],
  ['https://[fd00::1]', 'fd00::2', false],
  ['https://api.example.com.', 'example.com', true],
  ['https://api.example.com.', 'api.example.com.', true],
])('uses no proxy for %s with NO_PROXY=%s: %s', (url, list, exempt) => {
  expect(chosen(url, { HTTPS_PROXY: proxy, no_proxy: list }) === undefined).toBe(exempt);
});

it.each(['socks5://user:canary@proxy:1080', 'SOCKS5h://proxy', 'socks4a://proxy', 'socks://canary'])(
  'refuses the SOCKS proxy %s, and names only its variable',
  (value) => {
    expect(() => chosen(HTTPS, { ALL_PROXY: value })).toThrow(
      /^ALL_PROXY names a SOCKS proxy, which riskcli cannot use$/,
    );
    const hint = expect.stringContaining('HTTPS_PROXY, or list the host in NO_PROXY');
    expect(() => chosen(HTTPS, { ALL_PROXY: value })).toThrow(expect.objectContaining({ hint }));
    expect(chosen(HTTPS, { ALL_PROXY: value, no_proxy: '.example.com' })).toBeUndefined();
  },
);

it.each([
  ...['http://127.0.0.1:8080', 'http://localhost:8080', 'http://[::1]:8080', 'https://127.0.0.2'],
  ...['https://localhost.', 'https://x.localhost', 'https://[::ffff:127.0.0.1]', 'https://2130706433'],
])('uses no proxy for %s, and does not parse its variables', (url) => {
  for (const address of ['http://127.0.0.1:3128', proxy, 'socks5://proxy', 'no address']) {
    expect(chosen(url, { HTTP_PROXY: address, HTTPS_PROXY: address, ALL_PROXY: address })).toBeUndefined();
  }
});
