import { describe, expect, it } from 'vitest';
import { UsageError } from '../../../src/errors.ts';
import { proxyFor } from '../../../src/service/proxy.ts';

const HTTPS = new URL('https://api.example.com/v1');
const proxy = 'http://proxy.corp:3128';
const chosen = (url: URL | string, env: Record<string, string>) => proxyFor(new URL(url), env)?.href;

describe('which proxy', () => {
  it.each<[string, Record<string, string>, string | undefined]>([
    ['none', {}, undefined],
    ['upper case', { HTTPS_PROXY: proxy }, `${proxy}/`],
    ['lower case', { https_proxy: proxy }, `${proxy}/`],
    ['lower before upper', { https_proxy: 'http://a:1', HTTPS_PROXY: 'http://b:2' }, 'http://a:1/'],
    ['blank is unset', { https_proxy: ' ', HTTPS_PROXY: '' }, undefined],
    ['that of another scheme', { HTTP_PROXY: proxy }, undefined],
    ['without a scheme', { HTTPS_PROXY: 'proxy.corp:3128' }, `${proxy}/`],
    ['over TLS', { HTTPS_PROXY: 'https://user:p%40ss@proxy.corp' }, 'https://user:p%40ss@proxy.corp/'],
  ])('%s', (_, env, expected) => {
    expect(chosen(HTTPS, env)).toBe(expected);
  });

  it.each([
    'not a url',
    'http://',
    'socks5://proxy:1080',
    'http://user:%zz@proxy:1',
    'ftp://proxy',
    'http://proxy:99999',
  ])('refuses %s without saying it back', (value) => {
    const choose = () => chosen(HTTPS, { HTTPS_PROXY: value });
    expect(choose).toThrow(UsageError);
    expect(choose).toThrow(/^HTTPS_PROXY does not hold the address of a proxy$/);
  });

  it.each([
    ['*', true],
    ['api.example.com', true],
    ['EXAMPLE.com', true],
    ['.example.com', true],
    ['*.example.com', true],
    ['other.test , example.com', true],
    ['api.example.com:443', true],
    ['api.example.com:8443', false],
    ['ample.com', false],
    ['', false],
    ['10.0.0.0/8', false],
    [':', false],
  ])('NO_PROXY=%s leaves it out: %s', (list, exempt) => {
    expect(chosen(HTTPS, { HTTPS_PROXY: proxy, NO_PROXY: list })).toBe(exempt ? undefined : `${proxy}/`);
  });

  it.each([
    ['https://10.1.2.3', '10.0.0.0/8', true],
    ['https://11.1.2.3', '10.0.0.0/8', false],
    ['https://11.1.2.3', '10.0.0.0/99', false],
    ['https://[fd00::1]', 'fd00::/8', true],
    ['https://[fd00::1]', 'fd00::1', true],
    ['https://[fd00::1]:8443', '[fd00::1]:8443', true],
    ['https://[fd00::1]', 'fd00::2', false],
  ])('%s with NO_PROXY=%s is left out: %s', (url, list, exempt) => {
    expect(chosen(url, { HTTPS_PROXY: proxy, no_proxy: list }) === undefined).toBe(exempt);
  });

  it.each(['http://127.0.0.1:8080', 'http://localhost:8080', 'http://[::1]:8080', 'https://127.0.0.2'])(
    'a proxy on this machine carries %s, one elsewhere would reach another loopback',
    (url) => {
      const env = (address: string) => ({ HTTP_PROXY: address, HTTPS_PROXY: address });
      expect(chosen(url, env('http://127.0.0.1:3128'))).toBe('http://127.0.0.1:3128/');
      expect(chosen(url, env(proxy))).toBeUndefined();
    },
  );
});
