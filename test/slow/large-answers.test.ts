/** Answers that are as long as they may be, a hundred at once: memory stays within bounds, and none is asked for twice. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { measure } from '../fixtures/cli/measure.ts';
import { temporaryFolder } from '../fixtures/place/folder.ts';
import { address } from '../fixtures/place/wallets.ts';
import { KEY, PROFILE } from '../fixtures/service/client.ts';

const COUNT = 120;
const MAX_MB = 300;
const padding = Buffer.from(`,"padding":"${'x'.repeat(15.5 * 1024 * 1024)}"}`);

it.each([
  ['with a length', true],
  ['in chunks', false],
])('[71] 120 answers of 15.5 MB at once, %s', async (_, hasLength) => {
  let asked = 0;
  const server = createServer(({ url = '' }, response) => {
    asked += 1;
    const wallet = url.slice(url.lastIndexOf('/') + 1);
    const head = Buffer.from(JSON.stringify({ ...PROFILE, wallet_address: wallet }).slice(0, -1));
    const length = hasLength ? { 'content-length': head.length + padding.length } : {};
    const answer = () => {
      response.writeHead(200, { 'x-ratelimit-limit': '1000', ...length });
      response.write(head);
      response.end(padding);
    };
    // As long as it takes until all have been asked.
    setTimeout(answer, 2_000);
  });
  onTestFinished(() => void server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const wallets = Array.from({ length: COUNT }, (_, i) => address(i));
  const ask = async () => {
    asked = 0;
    const { exitCode, stdout, stderr, peakMb, seconds } = await measure(['profile', ...wallets, '--csv'], {
      cwd: temporaryFolder(),
      env: { RISKCLI_API_KEY: KEY, RISKCLI_BASE_URL: `http://127.0.0.1:${port}` },
    });
    console.log(`${Math.round(peakMb)} MB, ${Math.round(seconds)} s`);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout.trimEnd().split('\n')).toHaveLength(COUNT + 1);
    expect(asked).toBe(COUNT);
    return peakMb;
  };
  // On a busy machine garbage is collected late; a list that keeps too much fails every time.
  let peakMb = await ask();
  for (let again = 0; again < 2 && peakMb >= MAX_MB; again++) peakMb = await ask();
  expect(peakMb).toBeGreaterThan(0);
  expect(peakMb).toBeLessThan(MAX_MB);
});
