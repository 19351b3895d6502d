/** Answers and settings that are too long, or in crumbs, in little memory. */
import { mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { measure } from '../../fixtures/cli/measure.ts';
import { temporaryFolder } from '../../fixtures/place/folder.ts';
import { KEY, PROFILE, WALLET } from '../../fixtures/service/client.ts';
import { startRawServer } from '../../fixtures/service/server.ts';

const OK = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';

/** Half of this is node with riskcli in it. */
const PEAK_MB = 160;

it('reads two megabytes in chunks of one byte in little memory', async () => {
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

it('reports settings of three gigabytes as damaged without reading them', async () => {
  const cwd = temporaryFolder();
  mkdirSync(join(cwd, 'riskcli'), { mode: 0o700 });
  writeFileSync(join(cwd, 'riskcli/config.json'), '{');
  truncateSync(join(cwd, 'riskcli/config.json'), 3 * 1024 ** 3);
  const env = { RISKCLI_CONFIG_DIR: join(cwd, 'riskcli') };
  const { stderr, exitCode, peakMb } = await measure(['config', 'list'], { cwd, env });
  expect([exitCode, stderr]).toEqual([8, expect.stringContaining('config.json is damaged')]);
  expect(peakMb).toBeLessThan(PEAK_MB);
});
