/** Whatever is written has a name that the system can have: Windows is a `platform` that is handed to the context. */
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cli } from '../../fixtures/cli/here.ts';
import { temporaryFolder } from '../../fixtures/place/folder.ts';
import { address, addresses } from '../../fixtures/place/wallets.ts';
import { KEY } from '../../fixtures/service/client.ts';
import { startServer } from '../../fixtures/service/server.ts';

const folder = temporaryFolder();
const at = (name: string) => join(folder, name);
const LIST = at('list.txt');
const ANSWERS = at('answers.journal');

const server = await startServer(({ path }) => ({
  body: { wallet_address: path.split('/').at(-1), total_collateral_usd: 1, defi_score: { score: 1 } },
}));
const ENV = { RISKCLI_BASE_URL: server.url.href, RISKCLI_API_KEY: KEY };
const onWindows = (argv: readonly string[], env: Record<string, string> = ENV) =>
  cli(argv, { env, platform: 'win32', stdin: KEY });

/** Two lists of two wallets are paid for beforehand. */
const PAID = 4;

beforeAll(async () => {
  writeFileSync(LIST, `${addresses(2).join('\n')}\n`);
  for (const output of [
    ['--jsonl', '--journal', ANSWERS],
    ['-o', at('rows.jsonl')],
  ]) {
    expect(await onWindows(['profile', '-f', LIST, ...output])).toMatchObject({ exitCode: 0 });
  }
});
afterAll(() => server.close());

const WALLET = address(1);
const ROWS = at('rows.jsonl');
const LIST_TO_FILE = ['profile', '-f', LIST, '-o', at('new.jsonl')];

describe('on Windows, emulated, nothing is sent for a file that cannot have its name', () => {
  it.each<[string, readonly string[], number]>([
    ['-o of one wallet', ['profile', WALLET, '--json', '-o', at('trail.')], 8],
    ['-o of a list', ['profile', '-f', LIST, '--csv', '-o', at('CONIN$')], 8],
    ['-o of a dry run', ['profile', '-f', LIST, '--csv', '--dry-run', '-o', at('CONIN$')], 8],
    ['--journal of a list', ['profile', '-f', LIST, '--csv', '--journal', at('NUL .csv')], 8],
    ['--journal of a dry run', ['profile', '-f', LIST, '--dry-run', '--journal', at('COM1')], 8],
    ['--summary', [...LIST_TO_FILE, '--summary', at('a:b.json')], 2],
    ['-o of health', ['health', '-o', at('CON.json')], 8],
    ['-o of a report', ['report', ROWS, '-o', at('aux.html')], 8],
    ['-o of diff', ['diff', ROWS, ROWS, '--csv', '-o', at('trail ')], 8],
    ['-o of journal export', ['journal', 'export', '--journal', ANSWERS, '-o', at('COM².csv')], 8],
    ['the journal of prune', ['journal', 'prune', '--journal', at('trail.')], 8],
  ])('[96] %s', async (_, argv, exitCode) => {
    const before = readdirSync(folder);
    const outcome = await onWindows(argv);
    expect(outcome).toMatchObject({ exitCode, stdout: '' });
    expect(outcome.stderr).toMatch(/name of a device|cannot be the name of a file|ends with a dot or a space/);
    expect(server.requests).toHaveLength(PAID);
    expect(readdirSync(folder)).toEqual(before);
  });

  it('[96] nagios has its line all the same', async () => {
    const outcome = await onWindows(['health', '--format', 'nagios', '-o', at('CON')]);
    expect(outcome).toMatchObject({
      exitCode: 3,
      stdout: expect.stringMatching(/^RISKCLI UNKNOWN - .*device/),
      stderr: '',
    });
    expect(server.requests).toHaveLength(PAID);
  });

  it.each([
    ['config', 'set', 'timeout', '20s'],
    ['keys', 'set', '--base-url', 'https://api.example.com'],
  ])('[96] the folder of %s %s', async (...argv) => {
    const place = join(temporaryFolder(), 'con');
    const env = { RISKCLI_CONFIG_DIR: join(place, 'riskcli') };
    const outcome = await onWindows(argv, env);
    expect(outcome).toMatchObject({ exitCode: 8, stderr: expect.stringContaining('has the name of a device') });
    expect(existsSync(place)).toBe(false);
  });
});
