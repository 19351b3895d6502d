/** What a form of a command cannot honour is refused, and never ignored in silence. */
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Command } from '../../../src/cli/command.ts';
import { loadCommand } from '../../../src/cli/command.ts';
import { FILE, type Flag } from '../../../src/cli/flag.ts';
import { commands } from '../../../src/commands/index.ts';
import { cli } from '../../fixtures/cli/here.ts';
import { temporaryFolder } from '../../fixtures/place/folder.ts';

const WALLET = `0x${'1'.repeat(40)}`;
const OTHER = `0x${'2'.repeat(40)}`;

const named = (command: Command, name = command.name): [string, Command][] => [
  [name, command],
  ...(command.subcommands ?? []).flatMap((one) => named(one, `${name} ${one.name}`)),
];
const all = new Map((await Promise.all(commands.map(loadCommand))).flatMap((command) => named(command)));
const flags = [...all].flatMap(([name, command]) => (command.flags ?? []).map((flag) => ({ name, command, flag })));

const typed = ({ long, value, choices }: Flag) =>
  value === undefined ? [`--${long}`] : [`--${long}`, choices?.[0] ?? 'value'];

/** What `--long` of the command `name` is refused with, beside `more`. */
async function refusal(name: string, flag: Flag, more: readonly string[]): Promise<string> {
  const args = all.get(name)?.args?.map(() => 'value') ?? [];
  const words = [...name.split(' '), ...(more.length > 0 && !more[0]?.startsWith('--') ? [] : args), ...more];
  const { stdout, stderr, exitCode } = await cli([...words, ...typed(flag)]);
  expect({ words, stdout, exitCode }).toEqual({ words, stdout: '', exitCode: 2 });
  return stderr;
}

describe('a flag is refused', () => {
  const conflicting = flags.flatMap(({ name, command, flag }) =>
    (flag.conflicts ?? []).map((other) => ({ name, flag, other: command.flags?.find(({ long }) => long === other) })),
  );
  it.each(conflicting.filter(({ other }) => other))('$name: --$flag.long beside --$other.long', async (row) => {
    const { name, flag, other } = row;
    const said = new RegExp(`--(${flag.long}|${other?.long}) cannot be used with --(${flag.long}|${other?.long})\\b`);
    // A flag whose value is a program takes the rest of the line.
    if (other?.rest) expect((await cli([...name.split(' '), ...typed(flag), ...typed(other)])).stderr).toMatch(said);
    else expect(await refusal(name, flag, other ? typed(other) : [])).toMatch(said);
  });

  it.each(flags.filter(({ flag }) => flag.needs))('$name: --$flag.long alone', async ({ name, flag }) => {
    expect(await refusal(name, flag, [])).toMatch(new RegExp(`^riskcli: --${flag.long} only works with --`));
  });

  const ofProfile = flags.filter(({ name, flag }) => name === 'profile' && flag.only);
  it.each(ofProfile)('profile: --$flag.long with wallets, if it is about a list', async ({ name, flag }) => {
    const said = new RegExp(`^riskcli: --${flag.long} only works with a list`);
    expect(await refusal(name, flag, [WALLET])).toMatch(said);
    expect(await refusal(name, flag, [WALLET, '--dry-run'])).toMatch(said);
    if (flag.only === 'file') expect(await refusal(name, flag, [WALLET, OTHER])).toMatch(said);
  });

  it('in the format of the command: a plugin prints its line', async () => {
    const words = ['health', '--format', 'nagios', '--sandbox', '--base-url', 'https://api.example.com'];
    const { stdout, exitCode } = await cli(words);
    expect({ stdout, exitCode }).toEqual({ stdout: expect.stringMatching(/^RISKCLI UNKNOWN - /), exitCode: 3 });
  });
});

describe('a flag that names a file or a column', () => {
  const isName = ({ long, completes, repeatable }: Flag) =>
    (completes === FILE && !repeatable) || ['column', 'label', 'sheet'].includes(long);
  const named = flags.filter(({ flag }) => isName(flag));

  it.each(named)('is refused when it is given twice: $name --$flag.long', async ({ name, command, flag }) => {
    const args = (command.args ?? []).filter(({ optional }) => !optional).map(() => WALLET);
    const { stderr, exitCode } = await cli([...name.split(' '), ...args, `--${flag.long}`, 'a', `--${flag.long}`, 'b']);
    const said = expect.stringContaining(`--${flag.long} was given twice; `);
    expect({ stderr, exitCode }).toEqual({ stderr: said, exitCode: 2 });
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
