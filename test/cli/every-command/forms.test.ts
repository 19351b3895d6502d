/** What a form of a command cannot honour is refused, and never ignored in silence. */
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Command } from '../../../src/cli/command.ts';
import type { Flag } from '../../../src/cli/flag.ts';
import { commands, loadCommand } from '../../../src/commands/index.ts';
import { cli } from '../../fixtures/cli/here.ts';
import { temporaryFolder } from '../../fixtures/place/folder.ts';

const WALLET = `0x${'1'.repeat(40)}`;
const OTHER = `0x${'2'.repeat(40)}`;

const named = (command: Command, name = command.name): [string, Command][] => [
  [name, command],
  ...(command.subcommands ?? []).flatMap((one) => named(one, `${name} ${one.name}`)),
];
const all = new Map((await Promise.all(commands.map(loadCommand))).flatMap((command) => named(command)));
const flagsOf = (name: string) => all.get(name)?.flags ?? [];

/** What became of a run is written even if it was refused. */
const FOLDER = temporaryFolder();

/** A value that is right for each flag that has one. */
const RIGHT: Readonly<Record<string, string>> = {
  auth: 'bearer',
  'base-url': 'https://api.example.com',
  column: 'a',
  concurrency: '1',
  critical: '5s',
  'fail-if': 'a < 1',
  fields: 'wallet_address',
  file: 'list.txt',
  format: 'json',
  journal: 'j',
  'max-age': '1d',
  'max-requests': '10',
  'max-wait': '1s',
  output: join(FOLDER, 'out.csv'),
  policy: 'p.json',
  rate: '1',
  score: 'a',
  sort: 'a',
  summary: join(FOLDER, 's.json'),
  timeout: '5s',
  top: '1',
  wait: '1s',
  warning: '1s',
  where: 'a exists',
};

const ONE = ['column', 'journal', 'max-age', 'summary', 'where', 'sort', 'top'];

/** Each form: the words that make it, and the flags that it cannot honour. */
const FORMS: readonly (readonly [string, readonly string[], readonly string[]])[] = [
  ['profile', [WALLET], ONE],
  ['profile', [WALLET, '--dry-run'], ONE],
  ['profile', [WALLET, OTHER], ['column']],
  ['profile', [WALLET, '--sandbox'], [...ONE, 'base-url']],
  ['profile', ['-f', 'list.txt', '--sandbox'], ['base-url']],
  ['health', ['--sandbox'], ['base-url']],
  ['keys check', ['--sandbox'], ['base-url']],
  ['keys set', [], ['max-wait']],
  ['diff', ['old.csv', 'new.csv'], ['accept']],
  ['report', ['scored.csv'], ['accept']],
];

describe('a form of a command', () => {
  it.each(FORMS)('%s %j refuses options that it cannot honour, and touches nothing', async (name, words, refused) => {
    for (const long of refused) {
      const flag = flagsOf(name).find((one) => one.long === long);
      const value = flag?.value === undefined ? [] : [RIGHT[long] ?? flag.completes?.[0] ?? ''];
      const { stdout, stderr, exitCode } = await cli([...name.split(' '), ...words, `--${long}`, ...value]);
      expect({ long, stdout, exitCode }).toEqual({ long, stdout: '', exitCode: 2 });
      expect(stderr).toContain(`--${long} `);
      expect(stderr.split('\n')).toHaveLength(2);
    }
  });

  it('refuses a time limit for a key command that is only stored', async () => {
    const words = ['keys', 'set', '--base-url', 'https://api.example.com', '--timeout', '5s', '--command', 'true'];
    const { stderr, exitCode } = await cli(words);
    expect({ stderr, exitCode }).toEqual({ stderr: expect.stringContaining('--timeout only works'), exitCode: 2 });
  });

  it('reports it in the format of the command: a plugin prints its line', async () => {
    const words = ['health', '--format', 'nagios', '--sandbox', '--base-url', 'https://api.example.com'];
    const { stdout, exitCode } = await cli(words);
    expect({ stdout, exitCode }).toEqual({ stdout: expect.stringMatching(/^RISKCLI UNKNOWN - /), exitCode: 3 });
  });
});

describe('-o given twice to what writes one file', () => {
  const isOnce = ({ long, repeatable }: Flag) => long === 'output' && !repeatable;
  const withOutput = [...all].filter(([, { flags = [] }]) => flags.some(isOnce));
  const argsOf: Readonly<Record<string, readonly string[]>> = {
    health: ['--sandbox'],
    report: ['@/a.csv'],
    profile: [WALLET],
    review: ['@/list.txt'],
    diff: ['@/a.csv', '@/b.csv'],
    'journal export': ['@/j'],
  };

  it.each(withOutput.map(([name]) => name))('is exit 2 of %s, and neither file is written', async (name) => {
    const folder = temporaryFolder();
    const at = (file: string) => join(folder, file);
    for (const file of ['a.csv', 'b.csv', 'list.txt', 'j']) writeFileSync(at(file), `${WALLET}\n`);
    const before = readdirSync(folder);
    const args = (argsOf[name] ?? []).map((word) => word.replace('@/', `${folder}/`));
    for (const second of [['--output', at('y.jsonl')], [`-o${at('y.jsonl')}`], ['-o', at('x.csv')], ['-o', '-']]) {
      const { stdout, stderr, exitCode } = await cli([...name.split(' '), ...args, '-o', at('x.csv'), ...second]);
      expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
      expect(stderr).toMatch(/--output was given twice.*name one file, and run the command again for the other/);
    }
    // health always writes its file, even for a wrong command line.
    if (name !== 'health') expect(readdirSync(folder)).toEqual(before);
    expect(argsOf).toHaveProperty([name]);
  });
});
