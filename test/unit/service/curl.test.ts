import { expect, it } from 'vitest';
import type { Auth } from '../../../src/cli/settings-table.ts';
import { curlLine } from '../../../src/service/curl.ts';
import { VERSION } from '../../../src/version.ts';

const PROXY = 'http://user:canary@proxy:1';
const headers = (quote: string) =>
  ['accept-encoding: identity', 'accept: application/json', `user-agent: riskcli/${VERSION}`]
    .map((header) => `-H ${quote}${header}${quote}`)
    .join(' ');

it.each<[string, Auth | undefined, Record<string, string>, 'linux' | 'win32', string]>([
  ['https://api.example/health', undefined, {}, 'linux', `curl --http1.1 ${headers("'")} https://api.example/health`],
  [
    'http://127.0.0.1:1/health',
    undefined,
    { NODE_EXTRA_CA_CERTS: '/ca.pem' },
    'linux',
    `curl --http1.1 ${headers("'")} http://127.0.0.1:1/health`,
  ],
  [
    'https://api.example/v1/x',
    'x-api-key',
    {},
    'linux',
    `curl --http1.1 ${headers("'")} -H @- https://api.example/v1/x <<< "x-api-key: $RISKCLI_API_KEY"`,
  ],
  [
    'https://api.example/v1/[x]',
    'bearer',
    { NODE_EXTRA_CA_CERTS: '/my ca.pem', https_proxy: PROXY },
    'linux',
    `curl --http1.1 --globoff --cacert '/my ca.pem' ${headers("'")} --proxy "$https_proxy" -H @- 'https://api.example/v1/[x]' <<< "authorization: Bearer $RISKCLI_API_KEY"`,
  ],
  [
    'https://api.example/health',
    undefined,
    { HTTPS_PROXY: PROXY },
    'win32',
    `curl.exe "--http1.1" ${headers('"')} --proxy $env:HTTPS_PROXY https://api.example/health`,
  ],
  [
    'https://api.example/v1/x',
    'bearer',
    {},
    'win32',
    `"authorization: Bearer $env:RISKCLI_API_KEY" | curl.exe "--http1.1" ${headers('"')} -H "@-" https://api.example/v1/x`,
  ],
])('a request for %s as a line for curl holds no secret: %s, %j, %s', (url, auth, env, platform, line) => {
  expect(curlLine(new URL(url), auth, { env, platform })).toBe(`${line}\n`);
});

it.each(['http_proxy', 'https_proxy', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY'])(
  'curl is kept from the proxy in %s where riskcli uses none',
  (name) => {
    const to = (env: Record<string, string>) =>
      curlLine(new URL('http://127.0.0.1:8080/health'), undefined, { env, platform: 'linux' });
    expect(to({ [name]: PROXY })).toBe(`curl --http1.1 ${headers("'")} --noproxy '*' http://127.0.0.1:8080/health\n`);
    expect(to({ [name]: ' ' })).not.toContain('proxy');
  },
);
