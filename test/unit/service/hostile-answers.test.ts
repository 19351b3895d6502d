/** Answers that arrive whole and are wrong, strange or hostile. */
import nock from 'nock';
import { expect, it } from 'vitest';
import { KeyError, RefusedError, RiskcliError, TemporaryError, UntrustedError } from '../../../src/errors.ts';
import { KEY, openClient, PROFILE, profileOf, WALLET } from '../../fixtures/service/client.ts';
import { EDGE, useEdge } from '../../fixtures/service/edge.ts';

useEdge();

const asked = () => nock(EDGE).get(`/v1/risk-profile/${WALLET}`);

async function failure(options: Parameters<typeof openClient>[1] = {}) {
  await using bench = openClient(EDGE, options);
  const error = await bench.client.profile(WALLET).then(
    () => expect.fail('it was answered'),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof RiskcliError)) throw error;
  expect(`${error.message} ${error.hint}`).not.toMatch(/canary|\p{Cc}/u);
  return { error, ...bench };
}

it.each<[string, string | Buffer, RegExp]>([
  ['HTML', '<html><body>Sign in to continue</body></html>', /^service.test answered with an HTML page, not JSON$/],
  ['nothing', '', /it is empty$/],
  ['truncated JSON', '{"wallet_address":"0x', /it is not JSON/],
  ['an array', '[1,2]', /it is not an object$/],
  ['null', 'null', /it is not an object$/],
  ['invalid UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]), /not JSON \(invalid UTF-8 at offset 2\)$/],
  ['200,000 levels', '['.repeat(200_000), /it is not JSON/],
  ['an answer about another wallet', JSON.stringify(profileOf(`0x${'1'.repeat(40)}`)), /a different wallet/],
  ['no wallet', '{"total_collateral_usd":1}', /wallet_address is not a string$/],
  ['a wallet that is a number', JSON.stringify({ ...PROFILE, wallet_address: 1 }), /wallet_address is not a string$/],
  ['no collateral', JSON.stringify({ wallet_address: WALLET }), /total_collateral_usd is absent or not a number$/],
  ['collateral in words', JSON.stringify({ ...PROFILE, total_collateral_usd: 'much' }), /total_collateral_usd is/],
  ['collateral that is true', JSON.stringify({ ...PROFILE, total_collateral_usd: true }), /total_collateral_usd is/],
  ['a score that is a number', JSON.stringify({ ...PROFILE, defi_score: 5 }), /defi_score is not an object$/],
  ['a score that is an array', JSON.stringify({ ...PROFILE, defi_score: [] }), /defi_score is not an object$/],
])('does not trust a 200 with %s, nor ask again, nor quote it', async (_, body, message) => {
  asked().reply(200, body, { 'content-length': String(Buffer.byteLength(body)) });
  const { error, attempts } = await failure();
  expect(error).toBeInstanceOf(UntrustedError);
  expect(error.message).toMatch(message);
  expect(error.message.length).toBeLessThan(200);
  expect(attempts).toMatchObject([{ status: 200, code: 'contract', waitMs: undefined }]);
});

const headers = { 'content-encoding': 'gzip' };

it('refuses a compressed 200', async () => {
  asked().reply(200, JSON.stringify(PROFILE), headers);
  const { error, attempts } = await failure();
  expect(error).toMatchObject({ exitCode: 6, code: 'encoding' });
  expect(attempts).toMatchObject([{ status: undefined, code: 'encoding' }]);
});

it('takes nothing from the compressed body of another status', async () => {
  asked().reply(404, JSON.stringify({ error: 'no such wallet' }), headers);
  expect((await failure()).error).toMatchObject({ exitCode: 3, message: 'service.test refused the request (404)' });
});

it.each([
  ['text/html', true],
  ['text/html charset=utf-8', true],
  ['Text/HTML;charset=utf-8', true],
  ['application/xhtml+xml', true],
  ['text/html5', false],
  ['x-text/html', false],
  ['application/json', false],
])('takes the content type %s for a page: %s', async (type, isPage) => {
  asked().reply(200, 'Please log in', { 'content-type': type });
  const { error } = await failure();
  expect(error.message.includes('answered with an HTML page, not JSON')).toBe(isPage);
});

it.each([
  ['another case', `{"wallet_address":"${WALLET.toUpperCase().replace('X', 'x')}","total_collateral_usd":1}`],
  ['a numeric string', `{"wallet_address":"${WALLET}","total_collateral_usd":"50000.5"}`],
  ['collateral null', `{"wallet_address":"${WALLET}","total_collateral_usd":null}`],
  ['1e400', `{"wallet_address":"${WALLET}","total_collateral_usd":1e400,"defi_score":null}`],
  ['unknown fields', `{"wallet_address":"${WALLET}","total_collateral_usd":-0,"__proto__":{"a":1},"1":[{}],"1":2}`],
  ['a byte order mark', `\ufeff${JSON.stringify(PROFILE)}`],
])('accepts an answer with %s, and keeps all but a byte order mark', async (_, body) => {
  asked().reply(200, body);
  await using bench = openClient(EDGE);
  expect((await bench.client.profile(WALLET)).text).toBe(body.replace('\ufeff', ''));
  expect(Object.prototype).not.toHaveProperty('a');
});

it('reports a rejected key at once', async () => {
  asked().reply(401, { error: 'missing or invalid API key' });
  const { error, attempts } = await failure();
  expect(error).toBeInstanceOf(KeyError);
  expect(error).toMatchObject({ exitCode: 4, httpStatus: 401 });
  expect(error.message).toBe("service.test rejected the key (401: 'missing or invalid API key')");
  expect(attempts).toHaveLength(1);
});

it.each([
  [400, 'check the wallet'],
  [404, 'check the wallet and the base URL'],
  [422, 'check the wallet'],
  [451, 'check the wallet'],
  ...[405, 413, 421, 425, 426, 431].map((status): [number, string] => [
    status,
    'this is not about the wallet: check the base URL, and what is between this machine and the service',
  ]),
])('takes a refusal with %i as final', async (status, hint) => {
  asked().reply(status, { error: 'no' });
  const { error } = await failure();
  expect(error).toBeInstanceOf(RefusedError);
  expect(error).toMatchObject({
    hint,
    exitCode: 3,
    httpStatus: status,
    message: `service.test refused the request (${status}: 'no')`,
  });
});

it.each<[string, string | object, string]>([
  ['controls', { error: '\x1b]52;c;AAAA\x07\u202eevil\r\n' }, "(400: '\\u001b]52;c;AAAA\\u0007\\u202eevil\\r\\n')"],
  ['the key', { error: `bad key ${KEY}` }, "(400: 'bad key <withheld>')"],
  ['a page', '<html>Bad Request</html>', '(400)'],
  ['an error in an object', { error: { code: 7, message: 'no\x1b' } }, "(400: 'no\\u001b')"],
  ['a message', { status: 400, message: 'no such chain' }, "(400: 'no such chain')"],
  ['details', { detail: [{ loc: ['path', 'wallet'], msg: 'odd', type: 'x' }] }, "(400: 'odd')"],
  ['a detail and a title', { type: 'about:blank', title: 'Bad', detail: 'odd' }, "(400: 'odd')"],
  ['a title', { title: 'Bad' }, "(400: 'Bad')"],
  ['errors', { errors: [{ message: 'odd' }, { message: 'other' }] }, "(400: 'odd')"],
  ['errors of fields', { errors: { wallet: ['is odd'] } }, "(400: 'is odd')"],
  ['errors that are too deep', `{"errors":${'['.repeat(900)}"odd"${']'.repeat(900)}}`, '(400)'],
  ['other members', { path: '/v1', trace: 'x' }, '(400)'],
  ['a short text', 'no such chain\n', "(400: 'no such chain')"],
  ['a long text', 'x'.repeat(301), '(400)'],
  ['a long message', { message: 'x'.repeat(301) }, `(400: '${'x'.repeat(77)}...')`],
  ['torn JSON', '{"error":"wa', '(400)'],
  ['nothing', '', '(400)'],
  ['null', 'null', '(400)'],
])('safely reports a refusal that says %s', async (_, body, said) => {
  asked().reply(400, body);
  expect((await failure()).error.message).toBe(`service.test refused the request ${said}`);
});

it.each([408, 500, 502, 503, 504, 599])('retries a %i three times, with jitter', async (status) => {
  asked().times(4).reply(status, '<html>');
  const { error, waits, attempts } = await failure();
  expect(error).toBeInstanceOf(TemporaryError);
  expect(error).toMatchObject({ exitCode: 5, httpStatus: status, hint: 'run the same command again later' });
  expect(error.message).toBe(`service.test failed (${status}) after 4 attempts`);
  expect(waits).toEqual([250, 500, 1000]);
  expect(attempts.map(({ waitMs }) => waitMs)).toEqual([250, 500, 1000, undefined]);
});

it('retries a 503 no earlier than its Retry-After', async () => {
  asked().reply(503, {}, { 'retry-after': '7' });
  asked().reply(200, PROFILE);
  await using bench = openClient(EDGE);
  await bench.client.profile(WALLET);
  expect(bench.waits).toEqual([7000]);
});

it('does not wait for a 503 beyond the time limit', async () => {
  asked().reply(503, {}, { 'retry-after': '31' });
  expect((await failure()).waits).toEqual([]);
});

it.each([
  [301, 'https://evil.test/a?b', "service.test redirects (301) to 'https://evil.test', which was not followed"],
  [302, '/login', "service.test redirects (302) to 'https://service.test', which was not followed"],
  [307, 'http://[', 'service.test redirects (307), which was not followed'],
  [308, undefined, 'service.test redirects (308), which was not followed'],
  [300, undefined, 'service.test redirects (300), which was not followed'],
])('does not follow a %i to %s', async (status, location, message) => {
  asked().reply(status, '', location ? { location } : {});
  const { error } = await failure();
  expect(error).toBeInstanceOf(UntrustedError);
  const hint = 'set the base URL to the address of the service itself';
  expect(error).toMatchObject({ code: 'redirect', exitCode: 6, message, hint });
});

it.each([201, 203, 204, 206])('does not trust a %i', async (status) => {
  asked().reply(status, status === 204 ? undefined : PROFILE);
  expect((await failure()).error).toMatchObject({ exitCode: 6, code: 'contract', httpStatus: status });
});
