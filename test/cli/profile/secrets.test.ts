/**
 * What may be a private key, in a list or typed as a wallet, and the key that the service says
 * back: they come out nowhere.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startListStage } from '../../fixtures/place/list-stage.ts';
import { address } from '../../fixtures/place/wallets.ts';
import { ONE_LINE, workplace } from '../../fixtures/place/workplace.ts';
import { KEY, profileOf } from '../../fixtures/service/client.ts';
import { startServer } from '../../fixtures/service/server.ts';

const HEX = 'c0ffee0123456789abcdef0123456789abcdef0123456789abcdef012345678d';
const SECRETS: readonly (readonly [name: string, text: string, telling: readonly string[]])[] = [
  ['64 hex digits', `0x${HEX}`, [HEX.slice(0, 20)]],
  ['64 hex digits without 0x, among others', `key ${HEX}`, [HEX.slice(0, 20)]],
  ['WIF', 'KwdMAjGmerYanjeui5SHS7JkmpZvVipYvB2LJGU1ZxJwYvP98617', ['KwdMAjGmer', 'vP98617']],
];

/** All that is in the files of a folder. */
const contents = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => !/list\.\w+$/.test(path) && statSync(path).isFile())
    .map((path) => readFileSync(path, 'latin1'))
    .join('\n');

const FLAGS = ['-v', '--debug', '--journal', 'kept.journal'];

it.each(SECRETS)('redacts %s at the start of a list', async (_, text, telling) => {
  await using stage = await startListStage();
  stage.write('list.txt', `${text}\n${address(1)}\n`);
  const { stdout, stderr, exitCode } = await stage.cli(['profile', '-f', 'list.txt', '--csv', ...FLAGS]);
  expect(exitCode).toBe(3);
  const all = `${stdout}${stderr}${contents(stage.folder)}`.toLowerCase();
  for (const piece of telling) expect(all).not.toContain(piece.toLowerCase());
});

it('redacts possible private keys from every output, message and file of a list', async () => {
  await using stage = await startListStage();
  const texts = SECRETS.map(([, text]) => text);
  const rows = texts.map((text) => `${address(1)},"${text}",x\n"${text}",y,z\n`);
  stage.write('list.csv', `address,note,${texts.map((text) => `"of ${text}"`).join()}\n${rows.join('')}`);
  const elements = texts.flatMap((text) => [{ address: address(1), a: [text], [text]: 1 }, { address: text }]);
  stage.write('list.json', JSON.stringify(elements));
  for (const [list, ...flags] of [
    ['list.csv', '--format', 'table'],
    ['list.csv', '-o', 'out.json'],
    ['list.json', '--format', 'jsonl'],
    ['list.json', '--format', 'csv'],
  ] as const) {
    const { stdout, stderr, exitCode } = await stage.cli(['profile', '-f', list, ...flags, ...FLAGS]);
    expect({ list, flags, exitCode }).toEqual({ list, flags, exitCode: 3 });
    const all = `${stdout}${stderr}${contents(stage.folder)}`.toLowerCase();
    for (const [name, , telling] of SECRETS) {
      const found = telling.filter((piece) => all.includes(piece.toLowerCase()));
      expect({ name, list, flags, found }).toEqual({ name, list, flags, found: [] });
    }
  }
});

it.each(SECRETS)('refuses %s typed as a wallet, and does not repeat it', async (_, text, telling) => {
  await using stage = await startListStage();
  for (const args of [[text], [address(1), text]]) {
    const { stdout, stderr, exitCode } = await stage.cli(['profile', ...args]);
    expect({ args, exitCode, stdout }).toEqual({ args, exitCode: 2, stdout: '' });
    expect(stderr).toMatch(ONE_LINE);
    for (const piece of telling) expect(stderr.toLowerCase()).not.toContain(piece.toLowerCase());
  }
  expect(stage.server.requests).toEqual([]);
});

it('shows balances, identifiers and notes, which are no private keys', async () => {
  await using stage = await startListStage();
  const row = `${address(1)},123456789012345678901234,"a note of some length that says nothing",507f1f77bcf86cd799439011`;
  stage.write('list.csv', `address,wei,note,id\n${row}\n`);
  const { stdout, exitCode } = await stage.cli(['profile', '-f', 'list.csv', '--csv']);
  expect(exitCode).toBe(0);
  expect(stdout).toContain(`\n${row.replaceAll('"', '')},`);
});

const encoded = (encoding: 'base64' | 'hex') => Buffer.from(`user:${KEY}`).toString(encoding);
const spellings = {
  plain: KEY,
  'base 64': encoded('base64'),
  hex: encoded('hex'),
  'percent-encoding': KEY.replace(/[^a-z]/g, (char) => `%${char.charCodeAt(0).toString(16)}`),
  spaces: [...KEY].join(' '),
  'its end': `ending in ${KEY.slice(-6)}`,
};

it.each(Object.entries(spellings))(
  'redacts the key that a service echoes from every output and file: %s',
  async (_, spelled) => {
    const telling = spelled.slice(-8);
    await using server = await startServer(({ path }) =>
      path.endsWith('2')
        ? { status: 400, body: { error: `bad: ${spelled}` }, headers: { 'x-hint': spelled, 'x-request-id': spelled } }
        : { body: profileOf(path) },
    );
    const place = workplace({ RISKCLI_BASE_URL: server.url.href, RISKCLI_API_KEY: KEY });
    place.write('list.txt', `${address(1)}\n${address(2)}\n`);
    const list = ['profile', '-f', 'list.txt'];
    for (const args of [
      [...list, '--csv', '-vv', '--debug'],
      [...list, '-o', 'out.jsonl', '--journal', 'kept', '--json', '-vv'],
      ['review', 'list.txt', '-o', 'page.html'],
      ['report', 'out.jsonl', '-o', 'report.html'],
      ['profile', address(2), '--json', '-v'],
    ]) {
      const { stdout, stderr } = await place.cli(args);
      expect([args, stdout.includes(telling), stderr.includes(telling)]).toEqual([args, false, false]);
    }
    expect(contents(place.folder)).not.toContain(telling);
    expect(place.read('out.jsonl')).toContain('refused the request (400: ');
  },
);
