/**
 * How a good program behaves on terminals and pipes (clig.dev, no-color.org), asked of every
 * command that prints data: what goes to which stream, in which colours, at which width.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { displayWidth } from '../../../src/text/width.ts';
import { cli, type Outcome, type RunOptions } from '../../fixtures/cli/here.ts';
import { configFolder, storedKeys } from '../../fixtures/place/config-folder.ts';
import { temporaryFolder } from '../../fixtures/place/folder.ts';
import { startService } from '../../fixtures/service/sandbox.ts';

const A = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
const B = '0x8ba1f109551bD432803012645Ac136ddd64DBA72';

const OLDER = 'older.jsonl';
const NEWER = 'newer.jsonl';
const JOURNAL = 'answers.journal';

/** Command lines that go well, for all that prints data. */
const DATA: readonly (readonly string[])[] = [
  ['profile', A],
  ['profile', A, '--fields', 'wallet_address,defi_score.risk_level'],
  ['profile', A, B],
  ['profile', '-'],
  ['profile', '-', '--dry-run'],
  ['health'],
  ['keys', 'show'],
  ['keys', 'list'],
  ['keys', 'check'],
  ['config', 'list'],
  ['config', 'get', 'timeout'],
  ['completion', 'bash'],
];
/** The same of what was there before: earlier runs and a journal. They send nothing. */
const LOOKING_BACK: readonly (readonly string[])[] = [
  ['diff', OLDER, NEWER],
  ['report', NEWER, '--json'],
  ['journal', 'show', JOURNAL],
  ['journal', 'prune', JOURNAL, '--wallet', B],
];

async function stage() {
  const { env, requests } = await startService();
  const key = { key: 'wrp_0123456789abcdefghij', base_url: env.RISKCLI_BASE_URL ?? '' };
  const folder = configFolder({
    'keys.json': storedKeys({ default: { ...key, stored_at: new Date().toISOString() } }),
  });
  const go = (argv: readonly string[], options: RunOptions = {}): Promise<Outcome> =>
    cli(argv, { stdin: `${A}\n${B}\n`, ...options, env: { ...env, ...folder.env, ...options.env } });
  return { go, requests };
}

async function stageWithFiles() {
  const { go, requests } = await stage();
  const folder = temporaryFolder();
  const path = (name: string) => join(folder, name);
  await go(['profile', A, B, '-o', path(NEWER), '--journal', path(JOURNAL)]);
  writeFileSync(path(OLDER), readFileSync(path(NEWER), 'utf8').replace(/^.*\n/, ''));
  const before = requests();
  const placed = (word: string) => (existsSync(path(word)) ? path(word) : word);
  return {
    go: (argv: readonly string[], options?: RunOptions) => go(argv.map(placed), options),
    sent: () => requests() - before,
  };
}

const TERMINAL: RunOptions = { tty: { stdout: true, stderr: true }, columns: 80 };
const COLOURED = { ...TERMINAL, env: { TERM: 'xterm-256color' } };
const hasColour = (text: string) => stripVTControlCharacters(text) !== text;
const NO_COLOURS: readonly (readonly [Record<string, string>, ...(readonly string[])])[] = [
  [{ NO_COLOR: '1' }],
  [{ NO_COLOR: '1', FORCE_COLOR: '1' }],
  [{ TERM: 'dumb' }],
  [{ FORCE_COLOR: '1' }, '--color', 'never'],
];

const all = [...DATA, ...LOOKING_BACK];
const named = all.map((argv) => [argv.join(' ').replaceAll(A, 'A').replaceAll(B, 'B'), argv] as const);

describe.each(named)('riskcli %s', (_, argv) => {
  it('prints only data without control characters into pipes', async () => {
    const { go } = await stageWithFiles();
    const { stdout, stderr, exitCode } = await go(argv);
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
    expect(stdout).toMatch(/[^\n]\n$/);
    if (argv[0] !== 'completion') expect(stdout).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/);
    expect(hasColour((await go(argv, { env: { FORCE_COLOR: '3' } })).stdout)).toBe(false);
  });

  it('prints no message with -q, and no colour where none is wanted', async () => {
    const { go } = await stageWithFiles();
    expect((await go([...argv, '-q'], TERMINAL)).stderr).toBe('');
    for (const [env, ...flags] of NO_COLOURS) {
      const { stdout } = await go([...argv, ...flags], { ...TERMINAL, env: { TERM: 'xterm', ...env } });
      expect(hasColour(stdout), JSON.stringify(env)).toBe(false);
    }
  });

  const isFitted = argv[0] === 'profile' && !argv.includes('--dry-run');
  it(`prints ${isFitted ? 'fitting lines' : 'something'} at any width of the terminal`, async () => {
    const { go } = await stageWithFiles();
    for (const columns of [0, 1, 20, 80, 200]) {
      const { stdout, exitCode } = await go(argv, { ...COLOURED, columns });
      expect({ columns, exitCode }).toEqual({ columns, exitCode: 0 });
      const lines = stripVTControlCharacters(stdout).split('\n');
      // The address on a card stays in one piece, so that it can be copied.
      const fitted = isFitted && columns !== 1 ? lines.filter((text) => !/^(Wallet|Collateral|Score) /.test(text)) : [];
      for (const line of fitted) expect(displayWidth(line), line).toBeLessThanOrEqual(columns || 80);
    }
  });

  it.runIf(argv[0] !== 'completion')('prints a JSON document and nothing else with --json', async () => {
    const { go } = await stageWithFiles();
    const { stdout, stderr } = await go(argv.includes('--json') ? argv : [...argv, '--json'], {
      tty: { stderr: true },
    });
    expect(() => JSON.parse(stdout)).not.toThrow();
    const lines = stripVTControlCharacters(stderr).split(/[\r\n]+/);
    for (const line of lines.filter((text) => text.startsWith('{'))) expect(() => JSON.parse(line)).not.toThrow();
  });
});

it.each([...all, ['report', NEWER]])(
  'prints only ASCII into a pipe, which mail programs show: riskcli %s',
  async (...argv) => {
    const { go } = await stageWithFiles();
    expect((await go(argv)).stdout).not.toMatch(/[^\x00-\x7f]/);
  },
);

it.each([['report', NEWER]])('colours a pipe when it is asked for: riskcli %s', async (...argv) => {
  const { go } = await stageWithFiles();
  expect(hasColour((await go(argv)).stdout)).toBe(false);
  expect(hasColour((await go(argv, { env: { FORCE_COLOR: '1' } })).stdout)).toBe(true);
  expect(hasColour((await go([...argv, '--color', 'always'])).stdout)).toBe(true);
  expect(hasColour((await go([...argv, '--color', 'never'], { env: { FORCE_COLOR: '1' } })).stdout)).toBe(false);
});

it('decides colour and progress for stdout and stderr separately', async () => {
  const { go } = await stage();
  const piped = await go(['profile', A, B], { tty: { stderr: true }, columns: 80, env: { TERM: 'xterm' } });
  expect(piped.stdout).toMatch(new RegExp(`^${A}\tscored\t[^\n]+\n${B}\tscored\t[^\n]+\n$`));
  expect(piped.stderr).toContain('scored 2');
  const seen = await go(['profile', A, B], { tty: { stdout: true }, columns: 80, env: { TERM: 'xterm' } });
  expect(seen.stdout).toContain('WALLET');
  expect(seen.stderr).toBe('');
});

it('prints to stdout with -o -', async () => {
  const { go } = await stage();
  for (const argv of [
    ['profile', A],
    ['profile', A, B],
  ]) {
    expect(await go([...argv, '-o', '-'])).toEqual(await go(argv));
  }
});

it('prints times as ISO 8601 UTC', async () => {
  const { go } = await stage();
  const time = /"(?:answered_at|stored_at|timestamp)": ?"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)"/;
  for (const argv of [['profile', A, B], ['health'], ['keys', 'list']]) {
    expect((await go([...argv, '--json'])).stdout).toMatch(time);
  }
});

it('connects with no command to a host that it was not given', async () => {
  const { go, sent } = await stageWithFiles();
  for (const argv of all.filter(([name, what]) => name !== 'profile' && name !== 'health' && what !== 'check')) {
    await go(argv, TERMINAL);
  }
  for (const argv of [[], ['--help'], ['--version'], ['profile', '--help'], ['profile', '-', '--dry-run']])
    await go(argv);
  expect(sent()).toBe(0);
});
