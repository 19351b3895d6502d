/** What a shell is told that completes a command line, from the real table of commands. */
import { beforeAll, expect, it } from 'vitest';
import { loadCommand } from '../../../../src/cli/command.ts';
import { answer } from '../../../../src/cli/completion/answer.ts';
import { type CompletionTable, completionTable } from '../../../../src/cli/completion/table.ts';
import { commands } from '../../../../src/commands/index.ts';
import { flagsOfCommand, runnableCommands } from '../../../fixtures/cli/commands.ts';

let table: CompletionTable;
beforeAll(async () => {
  table = completionTable(await Promise.all(commands.map(loadCommand)));
});

/** The first line, and the values of the others. */
async function offer(...words: readonly string[]) {
  const text = await answer(words, { table, environments: async () => ['prod', 'staging'] });
  const [first, ...lines] = text.trimEnd().split('\n');
  return { first, values: lines.map((line) => line.split('\t')[0]) };
}

it('offers every command and flag, with its description from the help', async () => {
  for (const [path, { flags, subcommands }] of Object.entries(table)) {
    const words = path ? path.split(' ') : [];
    const names = flags.flatMap(({ spellings }) => spellings);
    expect((await offer(...words, '-')).values).toEqual(names);
    if (subcommands.length > 0) expect((await offer(...words, '')).values).toEqual(subcommands.map(([name]) => name));
  }
  const text = await answer(['keys', 'sho'], { table, environments: async () => [] });
  expect(text).toBe('values blank\nshow\tShow the key in use, its source and its limit\n');
});

it.each([
  [['profile', '--format', 'js'], 'values blank', ['json', 'jsonl']],
  [['profile', '--format=js'], 'values blank', ['--format=json', '--format=jsonl']],
  [['-e', 'prod', 'keys', 'che'], 'values blank', ['check']],
  [['keys', 'show', '-e', 'p'], 'values blank', ['prod']],
  [['profile', '--fields', '_meta.st'], 'values no-blank', ['_meta.status']],
  [['profile', '--fields=a.b,c,_meta.st'], 'values no-blank', ['--fields=a.b,c,_meta.status']],
  [['profile', '--fields', '+_meta.st'], 'values no-blank', ['+_meta.status']],
  [['profile', '--accept', 'failed,inv'], 'values no-blank', ['failed,invalid']],
  [['config', 'set', 'timeout', 'time'], 'values blank', []],
  [['profile', '-f', ''], 'files blank', []],
  [['profile', '--file=my'], 'files blank', []],
  [['diff', 'my'], 'files blank', []],
  [['diff', '--', '-'], 'files blank', []],
  [['keys', 'set', '--command', 'pa'], 'programs blank', []],
  [['keys', 'set', '--command', 'pass', 'show', '--fi'], 'files blank', []],
  [['no-such-command', ''], 'values blank', []],
  [['profile', '--no-such-flag', '--jsonl', '--no-c'], 'values blank', ['--no-checksum']],
  [['""'], 'values blank', expect.arrayContaining(['profile', 'health'])],
])('completes %j with %j, and what may stand there', async (words, first, values) => {
  expect(await offer(...words)).toEqual({ first, values });
});

it('offers something for each value but those that only the user knows', () => {
  const free = 'COLUMN DATE DAY DURATION N NAME RULE SHARE TEXT TIME URL WALLET WHEN'.split(' ');
  const silent = runnableCommands.flatMap((command) =>
    flagsOfCommand(command)
      .filter(({ value, choices, completes, rest }) => value && !choices && !completes && !rest)
      .map(({ long, value }) => ({ flag: `${command.name} --${long}`, value })),
  );
  expect(silent.filter(({ value = '' }) => !free.includes(value))).toEqual([]);
});

it('omits a flag that was already typed, unless it may be repeated', async () => {
  expect((await offer('profile', '--jsonl', '--fail-if', 'a == 1', '--js')).values).toEqual(['--json']);
  expect((await offer('profile', '--fail-if', 'a == 1', '--fail')).values).toEqual(['--fail-if']);
});

it('reads the environments only to complete one', async () => {
  const environments = () => Promise.reject(new Error('read'));
  await expect(answer(['profile', ''], { table, environments })).resolves.toMatch(/^values/);
  await expect(answer(['-e', ''], { table, environments })).rejects.toThrow('read');
});
