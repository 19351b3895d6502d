/**
 * How a good program behaves on a command line (clig.dev, GNU, POSIX, no-color.org), asked of every
 * command that the table has: a command that is added is held to it without a line here.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { TOPICS } from '../../../src/cli/topics.ts';
import { commands } from '../../../src/commands/index.ts';
import { ERROR_CODES } from '../../../src/error-codes.ts';
import { ExitCode } from '../../../src/errors.ts';
import { displayWidth } from '../../../src/text/width.ts';
import { allCommands, flagsOfCommand, runnableCommands } from '../../fixtures/cli/commands.ts';
import { cli } from '../../fixtures/cli/here.ts';
import { parseLine } from '../../fixtures/cli/parse.ts';

describe.each(allCommands)('riskcli $name', (named) => {
  const { words, command } = named;

  it('prints one screen for -h: summary, examples, common options, and where to read more', async () => {
    const { stdout, stderr, exitCode } = await cli([...words, '-h']);
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
    const lines = stdout.trimEnd().split('\n');
    expect(lines.length).toBeLessThan(24);
    for (const line of lines) expect(displayWidth(line), line).toBeLessThanOrEqual(80);
    expect(lines.slice(0, 3)).toEqual([
      expect.stringContaining(`Usage: riskcli ${words.join(' ')} `),
      '',
      `${command.summary}.`,
    ]);
    expect(stdout).toMatch(/\nExamples:\n {2}# .+\n {2}\$ .+/);
    expect(lines.at(-1)).toBe(`All options: riskcli help ${words.join(' ')}`);
    for (const name of command.screenFlags ?? []) expect(stdout).toMatch(new RegExp(`^  (-., )?--${name} `, 'm'));
  });

  it('prints the same help for --help and help, in 80 columns, with its examples', async () => {
    const help = await cli([...words, '--help']);
    expect(help).toMatchObject({ exitCode: 0, stderr: '' });
    expect(await cli(['help', ...words])).toEqual(help);
    for (const line of help.stdout.split('\n')) expect(displayWidth(line), line).toBeLessThanOrEqual(80);
    expect(help.stdout).not.toMatch(/\n {8,}\S+\n/);
    for (const line of Object.keys(command.examples ?? {})) expect(help.stdout).toContain(`\n  $ ${line}\n`);
  });

  it('has two examples or more in its help, and they parse', async () => {
    const lines = Object.keys(command.examples ?? {});
    expect(lines.length).toBeGreaterThan(1);
    for (const line of lines) await parseLine(line);
  });

  it('names a page of the documentation in its help', async () => {
    const { stdout } = await cli([...words, '--help']);
    const [, page] = /\n\nMore: riskcli help ([a-z-]+)\n$/.exec(stdout) ?? [];
    expect(TOPICS.map(({ name }) => name)).toContain(page);
  });

  it('has each flag once, and a long one for each short one', () => {
    const flags = flagsOfCommand(named);
    const spellings = ['h', 'V', 'help', 'version', ...flags.flatMap(({ long, short }) => [long, short ?? []].flat())];
    expect(new Set(spellings).size).toBe(spellings.length);
    for (const { long, short, help } of flags) {
      expect(long).toMatch(/^[a-z]+(-[a-z]+)*$/);
      if (short !== undefined) expect(short).toMatch(/^[a-z]$/);
      expect(help).not.toBe('');
    }
  });
});

describe.each(runnableCommands)('riskcli $name', (named) => {
  const { words, command } = named;

  it.skipIf(command.args?.at(-1)?.variadic)('refuses too many arguments, and repeats none', async () => {
    const all = (command.args ?? []).map(({ choices }) => choices?.[0] ?? 'value');
    const tooMany = await cli([...words, ...all, 'wrp_CANARY0123456789']);
    expect(tooMany).toMatchObject({ exitCode: 2, stdout: '' });
    expect(tooMany.stderr).not.toContain('CANARY');
  });
});

it('prints root help that fits 80x24 and names the documentation, commands and topics', async () => {
  const screen = await cli(['-h']);
  expect(screen).toMatchObject({ exitCode: 0, stderr: '' });
  expect(await cli([])).toEqual(screen);
  const { stdout } = screen;
  const lines = stdout.trimEnd().split('\n');
  expect(lines.length).toBeLessThan(24);
  for (const line of lines) expect(displayWidth(line), line).toBeLessThanOrEqual(80);
  expect(stdout).toContain('Documentation: ');
  for (const { name } of TOPICS) expect(stdout.slice(stdout.indexOf('topics:'))).toContain(name);
  for (const { name, summary } of commands) expect(stdout).toMatch(new RegExp(`\\n {2}${name} +${summary}\\n`));
});

it('prints the whole root help for --help, help, help -h and help help', async () => {
  const help = await cli(['--help']);
  expect(help).toMatchObject({ exitCode: 0, stderr: '' });
  for (const heading of ['Commands', 'Options of every command', 'Topics']) {
    expect(help.stdout).toContain(`\n\n${heading}`);
  }
  expect(await cli(['help'])).toEqual(help);
  for (const words of [['-h'], ['help']]) expect(await cli(['help', ...words])).toEqual(help);
  expect(await cli(['help', 'health', '-h'])).toEqual(await cli(['help', 'health']));
});

it.each([
  ['prfile', 'did you mean profile?'],
  ['prof', 'did you mean profile?'],
  ['conditons', 'did you mean riskcli help conditions?'],
  ['erors', 'did you mean riskcli help errors?'],
  ['zzz', 'see riskcli --help'],
])('suggests what to type for the unknown command %s: %s', async (word, hint) => {
  for (const argv of [[word], [word, '--help']]) {
    expect(await cli(argv)).toEqual({
      stdout: '',
      stderr: `riskcli: there is no command '${word}'; ${hint}\n`,
      exitCode: 2,
    });
  }
});

it.each([
  ['key_refusd', 'did you mean riskcli help key_refused?'],
  ['KEY_REFUSED', 'did you mean riskcli help key_refused?'],
  ['erors', 'did you mean riskcli help errors?'],
  ['over', 'did you mean riskcli help over-time?'],
  ['profil', 'did you mean riskcli help profile?'],
  ['99', 'exit codes are 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 129, 130, 141, 143'],
  ['CODEX', 'see riskcli --help'],
])('suggests what to type for the unknown word %s of help: %s', async (word, hint) => {
  expect(await cli(['help', word])).toEqual({
    stdout: '',
    stderr: `riskcli: there is no command, topic or code '${word}'; ${hint}\n`,
    exitCode: 2,
  });
});

describe.each(TOPICS)('the topic $name', ({ name }) => {
  it('points to the help page if $name is typed as a command', async () => {
    expect(commands.map((command) => command.name)).not.toContain(name);
    expect((await cli([name])).stderr).toContain(`; did you mean riskcli help ${name}?\n`);
  });

  it('prints the page $name unchanged', async () => {
    const { stdout, stderr, exitCode } = await cli(['help', name]);
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
    const file = name === 'agents' ? 'share/skills/riskcli/SKILL.md' : `docs/${name}.md`;
    const page = readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8');
    expect(stdout).toBe(page);
    // The front matter makes a skill of it as it is printed.
    expect(stdout).toMatch(name === 'agents' ? /^---\nname: riskcli\ndescription: [^:\n]+\n---\n\n# / : /^# /);
  });
});

it.each(Object.entries(ERROR_CODES).filter(([code]) => commands.every(({ name }) => name !== code)))(
  'explains the code %s in two lines',
  async (code, { means, next }) => {
    const { stdout, exitCode } = await cli(['help', code]);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(new RegExp(`^${code} \\((exit [\\d, ]+|rows only)\\): `, 'm'));
    expect(stdout.endsWith(`: ${means}\n${next}\n`)).toBe(true);
  },
);

it.each(Object.values(ExitCode))('explains the code %s in two lines', async (code) => {
  const { stdout, exitCode } = await cli(['help', String(code)]);
  expect({ stdout, exitCode }).toEqual({
    stdout: expect.stringMatching(new RegExp(`^exit ${code}: .+\\n.+\\n$`)),
    exitCode: 0,
  });
});

it('ends an error on a terminal with its code', async () => {
  const seen = await cli(['profile', '--nonsense'], { tty: { stderr: true }, columns: 200, env: { TERM: 'xterm' } });
  expect(seen.stderr).toMatch(/option '--nonsense'; .* \x1b\[2m\[usage\]\x1b\[0m\n$/);
});

const broken = {
  env: { RISKCLI_API_KEY: 'wrp_0123456789abcdef' },
  now: () => {
    throw new TypeError('a mistake of ours');
  },
};
const argv = ['keys', 'show'];

it('reports an internal error in one line with the version and where to report it', async () => {
  const { stdout, stderr, exitCode } = await cli(argv, broken);
  expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 1 });
  expect(stderr).toMatch(
    /^riskcli: internal error in riskcli source \(TypeError\); [^\n]*--debug[^\n]*report[^\n]*\n$/,
  );
});

it('keeps the stack of an internal error inside the JSON object', async () => {
  const { stderr } = await cli([...argv, '--debug', '--json'], broken);
  expect(JSON.parse(stderr).error).toMatchObject({ code: 'fault', stack: expect.stringContaining('\n    at ') });
});

it('shows the stack of an internal error with --debug only', async () => {
  const { stderr } = await cli([...argv, '--debug'], broken);
  expect(stderr).toContain('a mistake of ours');
  expect(stderr).toMatch(/\n {4}at /);
});
