/**
 * Answers that do not come in one piece: in crumbs, after a hint, too long; and settings that are
 * too long.
 */
import { mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { cli } from '../../fixtures/cli/here.ts';
import { measure } from '../../fixtures/cli/measure.ts';
import { temporaryFolder } from '../../fixtures/place/folder.ts';
import { addresses } from '../../fixtures/place/wallets.ts';
import { KEY, openClient, PROFILE, profileOf, WALLET } from '../../fixtures/service/client.ts';
import { startRawServer } from '../../fixtures/service/server.ts';

const OK = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';
const TEXT = JSON.stringify(PROFILE);

it.each([
  ['in one packet', (parts: string[]) => [parts.join('')]],
  ['in many', (parts: string[]) => parts],
])('chunks of one byte %s make an answer', async (_, pack) => {
  const text = JSON.stringify({ ...PROFILE, padding: 'x'.repeat(2_000) });
  const parts = [
    `${OK}transfer-encoding: chunked\r\n\r\n`,
    ...[...text].map((byte) => `1\r\n${byte}\r\n`),
    '0\r\n\r\n',
  ];
  await using server = await startRawServer((socket) => {
    socket.setNoDelay();
    for (const packet of pack(parts)) socket.write(packet);
  });
  await using bench = openClient(server.url);
  expect(await bench.client.profile(WALLET)).toMatchObject({ text });
  expect(bench.attempts).toHaveLength(1);
});

it.each(['103 Early Hints', '102 Processing'])('a %s before the answer is ignored', async (hint) => {
  await using server = await startRawServer((socket) => {
    socket.write(`HTTP/1.1 ${hint}\r\nlink: </a>; rel=preload\r\n\r\n`);
    socket.write(`${OK}content-length: ${TEXT.length}\r\n\r\n${TEXT}`);
  });
  await using bench = openClient(server.url);
  expect(await bench.client.profile(WALLET)).toMatchObject({ text: TEXT });
  expect(bench.attempts).toHaveLength(1);
});

it('a body in growing chunks is read whole', async () => {
  const text = JSON.stringify({ ...PROFILE, padding: 'é'.repeat(700_000) });
  const bytes = Buffer.from(text);
  await using server = await startRawServer((socket) => {
    socket.write(`${OK}transfer-encoding: chunked\r\n\r\n`);
    for (let at = 0, size = 1; at < bytes.length; at += size, size *= 3) {
      const chunk = bytes.subarray(at, at + size);
      socket.write(Buffer.concat([Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from('\r\n')]));
    }
    socket.write('0\r\n\r\n');
  });
  await using bench = openClient(server.url);
  expect((await bench.client.profile(WALLET)).text).toBe(text);
});

it.each([
  ['with a length', 'content-length: 4194305\r\n\r\n{', ''],
  ['without one', '\r\n{', ' '.repeat(4 * 1024 * 1024)],
])('an answer of more than 4 MB %s fails its row of a list, which continues', async (_, end, more) => {
  const wallets = addresses(3);
  await using server = await startRawServer((socket, _count, path) => {
    const text = JSON.stringify(profileOf(path));
    if (path.endsWith(wallets[1] ?? '')) socket.write(`${OK}${end}${more}`);
    else socket.write(`${OK}content-length: ${text.length}\r\n\r\n${text}`);
  });
  const env = { RISKCLI_API_KEY: KEY, RISKCLI_BASE_URL: server.url.href };
  const { exitCode, stdout } = await cli(['profile', ...wallets, '--csv'], { env });
  expect({ exitCode, requests: server.requests.length }).toEqual({ exitCode: 6, requests: 3 });
  expect(stdout).toMatch(/scored.*\n.*failed.*longer than 4 MiB.*\n.*scored/);
});

/** Half of this is node with riskcli in it. */
const PEAK_MB = 160;

it('an answer of two megabytes, each byte in a chunk of its own, takes little more memory than another', async () => {
  const text = JSON.stringify({ ...PROFILE, padding: 'x'.repeat(2 * 1024 * 1024) });
  const crumbs = text.replace(/./g, '1\r\n$&\r\n');
  await using server = await startRawServer((socket) => {
    socket.write(`${OK}transfer-encoding: chunked\r\n\r\n${crumbs}0\r\n\r\n`);
  });
  const env = { RISKCLI_API_KEY: KEY, RISKCLI_BASE_URL: server.url.href };
  const { stdout, exitCode, peakMb } = await measure(['profile', WALLET, '--json'], { cwd: temporaryFolder(), env });
  expect([exitCode, stdout.length > text.length]).toEqual([0, true]);
  expect(peakMb).toBeLessThan(PEAK_MB);
});

it('settings of three gigabytes are damaged, and not read', async () => {
  const cwd = temporaryFolder();
  mkdirSync(join(cwd, 'riskcli'), { mode: 0o700 });
  writeFileSync(join(cwd, 'riskcli/config.json'), '{');
  truncateSync(join(cwd, 'riskcli/config.json'), 3 * 1024 ** 3);
  const env = { RISKCLI_CONFIG_DIR: join(cwd, 'riskcli') };
  const { stderr, exitCode, peakMb } = await measure(['config', 'list'], { cwd, env });
  expect([exitCode, stderr]).toEqual([8, expect.stringContaining('config.json is damaged')]);
  expect(peakMb).toBeLessThan(PEAK_MB);
});
