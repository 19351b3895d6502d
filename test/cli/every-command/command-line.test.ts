/**
 * One reader of argv: what a command line means to the parser is what it means to messages and to
 * monitoring.
 */
import { expect, it } from 'vitest';
import { cli } from '../../fixtures/cli/here.ts';
import { parse } from '../../fixtures/cli/parse.ts';
import { startServer } from '../../fixtures/service/server.ts';

const A = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
const BAD = ['profile', 'nonsense'];

it.each([
  ['-e a health -e b', 'env', ['a', 'b']],
  ['keys -qe prod show', 'env', ['prod']],
  ['-v keys -v list -v', 'verbose', ['', '', '']],
  ['keys set --command -- vault --json -e x', 'command', ['vault', '--json', '-e', 'x']],
  ['keys set --command=vault --check', 'command', ['vault', '--check']],
  ['profile 0x1 -- --json', 'json', undefined],
  ['profile --top=1 0x1 --top 2', 'top', ['1', '2']],
  ['profile --top 1 0x1', 'top', ['1']],
  ['--quiet profile 0x1', 'quiet', ['']],
])('reads the option in %s', async (line, long, words) => {
  expect((await parse(line.split(' '))).words(long)).toEqual(words);
});

it.each([
  ['profile --json=yes', '--json takes no value; see riskcli help profile'],
  ['profile --fromat csv', "there is no option '--fromat'; did you mean --format?"],
  ['profile --form csv', "there is no option '--form'; did you mean --format?"],
  ['-e prod --qiet', "there is no option '--qiet'; did you mean --quiet?"],
  ['keys show --json --colour never', "there is no option '--colour'"],
  ['config get timeout --format xml', 'use one of table, json, csv'],
  ['config set', '<key> is missing; use one of base-url, '],
  ['config set timeout', '<value> is missing; see riskcli help config set'],
  ['config get -- timeout --json', 'too many arguments for config get: 2 given, 1 taken'],
  ['hepl', "there is no command 'hepl'; did you mean help?"],
  ['versoin', "there is no command 'versoin'; did you mean version?"],
  ['profiel', "there is no command 'profiel'; did you mean profile?"],
  ['keys shwo', "there is no command 'shwo'; did you mean show?"],
  ['profile --tpo 3', "there is no option '--tpo'; did you mean --top?"],
  ['review', 'no list is named; name one, or - for standard input with --keep DIR'],
  ['review --keep kept', 'no list is named; name one, or - for standard input with --keep DIR'],
  ['review --as-of 2026-10-05', 'no list is named; name one, or its reviews with --keep DIR'],
  ['review -', 'a list from standard input has no name for its reviews; add --keep DIR'],
  ['help keys set more', "there is no command 'more'; see riskcli help keys set"],
])('reports the mistake in %s: %s', async (line, said) => {
  expect((await cli(line.split(' '))).stderr).toContain(said);
});

it('selects the environment dev for -edev', async () => {
  await using server = await startServer(() => ({ body: { status: 'ok', timestamp: '2026-11-20T00:00:00Z' } }));
  const outcome = await cli(['health', '-edev', '--base-url', server.url.href]);
  expect(outcome).toMatchObject({ stderr: '', exitCode: 0 });
});

it.each([
  [['profile', '-f', 'health', '--format', 'nagios']],
  [['profile', 'health', '--format=nagios']],
  [['keys', 'list', '--format', 'nagios', '-e', 'health']],
])('answers %j as no monitoring plugin', async (argv) => {
  const { stdout, stderr, exitCode } = await cli(argv);
  expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
  expect(stderr).toMatch(/^riskcli: --format cannot be 'nagios'; /);
});

it.each([
  [['health', '--format', 'nagios', '-w']],
  [['health', '--format', 'nagios', 'excess']],
  [['-e', 'no/name', 'health', '--format=nagios']],
  [['health', '--nonsense', '--format', 'nagios']],
  [['health', '--format', 'nagios', '-e']],
])('answers %j as a monitoring plugin', async (argv) => {
  const outcome = await cli(argv);
  expect(outcome).toEqual({ stdout: expect.stringMatching(/^RISKCLI UNKNOWN - .+\n$/), stderr: '', exitCode: 3 });
});

it.each([
  [[...BAD, '--json']],
  [['profile', '--json', '--nonsense', A]],
  [[A, '--json']],
  [['--json', 'profile', A]],
  [['keys', '--json']],
  [['profile', A, '--json', '-e']],
  [['profile', A, '--json', '--format', 'nonsense']],
  [['profile', '-qo', 'x.jsonl', 'nonsense']],
])('prints the error of %j as a JSON object', async (argv) => {
  const { stdout, stderr, exitCode } = await cli(argv);
  expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
  expect(JSON.parse(stderr).error.exit_code).toBe(2);
});

it.each([
  [['profile', '--', '--json']],
  [['profile', '-f', '--json', '--nonsense']],
  [['profile', 'nonsense', '--journal', 'x.json']],
  [['health', '--nonsense', '--', '--json']],
])('prints the error of %j as a line', async (argv) => {
  expect((await cli(argv)).stderr).toMatch(/^riskcli: /);
});

it.each([
  [['help', 'keys', 'rotate']],
  [['keys', 'rotate', '--help']],
  [['keys', 'help', 'rotate']],
  [['-e', 'prod', 'help', 'keys', 'rotate']],
])('reports that the command in %j does not exist', async (argv) => {
  const { stdout, stderr, exitCode } = await cli(argv);
  expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
  expect(stderr).toMatch(/^riskcli: there is no command 'rotate'; /);
});

it.each(['--version', '-qV', 'version'])('prints the version and nothing else for %s', async (word) => {
  expect(await cli([word])).toEqual({ stdout: 'source\n', stderr: '', exitCode: 0 });
});

it.each(['profile 0x1 --fields', 'diff old new --fields', 'profile --fail-if'])(
  'reports an empty value in %s, as of an unset shell variable',
  async (line) => {
    const { stdout, stderr, exitCode } = await cli(line.split(' '));
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
    expect(stderr).toMatch(/^riskcli: --(fields|fail-if) <\w+> needs a value; /);
  },
);

it('suggests profile for a wallet typed alone', async () => {
  const { stderr, exitCode } = await cli([A]);
  expect(exitCode).toBe(2);
  expect(stderr).toBe(`riskcli: there is no command '${A}'; did you mean riskcli profile 0x...?\n`);
  expect((await cli([`0x${'ab'.repeat(32)}`])).stderr).not.toContain('abab');
});
