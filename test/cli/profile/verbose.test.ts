/**
 * `-vv`: the headers of each answer, without what lets others in and without what a terminal would
 * obey.
 */
import { expect, it } from 'vitest';
import { cli } from '../../fixtures/cli/here.ts';
import { PROFILE } from '../../fixtures/service/client.ts';
import { startRawServer } from '../../fixtures/service/server.ts';

const RANDOM = 'q7Zt-Xk_2Lm9Rv4Bn8';
const KEY = `wrp_${RANDOM}`;
const WALLET = PROFILE.wallet_address;

/** Runs `args` against a service whose answers have `headers`, as they are written. */
async function ask(headers: readonly string[], ...args: string[]) {
  const body = JSON.stringify(PROFILE);
  const head = ['HTTP/1.1 200 OK', 'content-type: application/json', `content-length: ${body.length}`, ...headers];
  await using server = await startRawServer((socket) => socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, 'latin1'));
  const env = { RISKCLI_API_KEY: KEY, RISKCLI_BASE_URL: server.url.href };
  const { stderr, exitCode } = await cli(['profile', WALLET, ...args], { env });
  expect(exitCode).toBe(0);
  return stderr;
}

it('shows the headers of an answer with -vv, and not with -v', async () => {
  const headers = ['X-RateLimit-Limit: 10', 'Server: demo'];
  const stderr = await ask(headers, '-vv');
  expect(stderr).toMatch(/^riskcli: GET \S+ 200 in \d+ ms, limit 10\/s\n/);
  expect(stderr).toContain('\nriskcli: < x-ratelimit-limit: 10\nriskcli: < server: demo\n');
  expect(await ask(headers, '-v', '--verbose')).toContain('< server: demo');
  expect(await ask(headers, '-v')).not.toContain('<');
});

it('prints one JSON object per line with -vv --json', async () => {
  const lines = (await ask(['Server: demo'], '-vv', '--json')).trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line).note)).toContain('< server: demo');
});

it.each([
  ['a cookie', 'Set-Cookie: session=hunter22; HttpOnly'],
  ['an authorization', 'Authorization: Basic hunter22'],
  ['a token', 'X-Auth-Token: hunter22'],
  ['the key', `X-Debug: hunter22 ${KEY}`],
  ['the key in capitals', `X-Debug: hunter22 ${KEY.toUpperCase()}`],
  ['the key, encoded for a URL', `Location: /hunter22?api-key=${KEY.replaceAll('_', '%5F')}`],
  ['the key in base 64', `X-Debug: hunter22 ${Buffer.from(`user:${KEY}`).toString('base64')}`],
  ['the key beyond what is shown', `X-Debug: hunter22 ${'x'.repeat(490 - 'hunter22 '.length)}${KEY}`],
])('redacts %s in a header', async (_, header) => {
  const stderr = await ask([header], '-vv');
  const [name = ''] = header.toLowerCase().split(':');
  expect(stderr).toContain(`riskcli: < ${name}: <withheld>\n`);
  expect(stderr).not.toContain('hunter');
  for (let i = 0; i + 6 <= RANDOM.length; i++) expect(stderr).not.toContain(RANDOM.slice(i, i + 6));
});

it('escapes control characters and redacts possible private keys in headers', async () => {
  const stderr = await ask(['X-Hostile: a\u009b2Jb\u0085c', `ETag: "${'0'.repeat(63)}1"`], '-vv');
  expect(stderr).not.toMatch(/[\u0080-\u009f]|0{20}/);
  expect(stderr).toContain('< x-hostile: a');
  expect(stderr).toContain('< etag: ');
});
