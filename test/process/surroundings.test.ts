/** Where riskcli may have to run: no terminal, a tiny one, few files, no home, no name, a C locale, a closed input. */

import { chmodSync, mkdirSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { inside } from '../fixtures/cli/inside.ts';
import { RISKCLI_WORDS, start } from '../fixtures/cli/process.ts';
import { canBeOtherUser, OTHER_USER } from '../fixtures/cli/users.ts';
import { temporaryFolder } from '../fixtures/place/folder.ts';
import { address, addresses } from '../fixtures/place/wallets.ts';
import { workplace } from '../fixtures/place/workplace.ts';
import { installed } from '../fixtures/process/installed.ts';
import { type Service, startService } from '../fixtures/service/sandbox.ts';

const WALLET = '0xd8da6bf26964af9d7eed9e03e53415d37aa96045';
/** More wallets than a process of 40 open files can have sockets for. */
const LIST = addresses(40).join('\n');

/** A folder with a list, and the sandbox as its service. */
async function startStage(env: Record<string, string> = {}) {
  const service: Service = await startService();
  const place = workplace({ ...service.env, ...env });
  place.write('list.txt', LIST);
  return place;
}

/** What somebody wants to see, a list in each of its forms. */
const LINES = [
  'r --help',
  `r profile ${WALLET}`,
  'r profile -f list.txt --sandbox --format table',
  'r health',
  'r keys show',
  'r profile -f list.txt --csv',
  'r profile -f list.txt -o out.jsonl',
];

describe('no terminal but a dumb one, a C locale, standard input closed, 40 open files at most', () => {
  // A closed input is one file more that may be open.
  const before = 'exec <&-; ulimit -n 39';

  it.each(LINES)('[57] all at once change nothing: %s', async (line) => {
    const { sh } = await startStage({ TERM: 'dumb', LANG: 'C', LC_ALL: 'C' });
    const { stdout, stderr, exitCode } = await sh(`${before}\n${line}`);
    expect(exitCode).toBe(0);
    expect(stderr).toMatch(line.includes('--sandbox') ? /^riskcli: sandbox: [^\n]*\n$/ : /^$/);
    expect(stdout).not.toContain('\u001b');
    if (line.includes('list.txt') && !line.includes(' -o ')) expect(stdout.match(/scored|no_score/g)).toHaveLength(40);
  });
});

describe('a limit on the addresses of a process', () => {
  // Any lower, and node itself ends: it has to be able to begin.
  const LIMIT = 'ulimit -v 4000000';
  const lines = [`profile ${WALLET}`, 'profile -f list.txt --csv', 'health'];
  // From Node 24 on WebAssembly does without the addresses that it would guard its memory with.
  const needsAddresses = Number(process.versions.node.split('.')[0]) < 24;

  it.runIf(!needsAddresses).each(lines)('[57] leaves room for the parser of HTTP on this Node: %s', async (line) => {
    const { sh } = await startStage();
    expect(await sh(`${LIMIT}; r ${line}`)).toMatchObject({ exitCode: 0 });
  });

  it.runIf(needsAddresses).each(lines)(
    '[57] that leaves no room for the parser of HTTP is exit 8, and what helps is told: %s',
    async (line) => {
      const { sh } = await startStage();
      const refused = await sh(`${LIMIT}; r ${line}`);
      expect(refused).toMatchObject({ exitCode: 8, stderr: expect.stringMatching(/^[^\n]+\n$/) });
      expect(refused.stderr).toContain('does not give this process enough memory');
      const [advice] = /NODE_OPTIONS=\S+[a-z]/.exec(refused.stderr) ?? [];
      expect(await sh(`${LIMIT}; export ${advice}; r ${line}`)).toMatchObject({ exitCode: 0 });
    },
  );
});

describe('a list on a standard input that is closed', () => {
  it('[57] is empty: exit 9', async () => {
    const { sh } = await startStage();
    expect(await sh('r profile - --csv <&-')).toMatchObject({ exitCode: 9, stdout: '' });
    expect(await sh('r keys set <&-')).toMatchObject({ exitCode: 4, stdout: '' });
  });
});

describe.skipIf(!installed('script'))('a terminal', () => {
  /** Runs `line` on a terminal of `columns`; what it shows, without colour. */
  async function onTerminal(line: string, { columns, env = {} }: { columns: number; env?: Record<string, string> }) {
    const place = await startStage({ TERM: 'xterm', PAGER: 'cat', ...env });
    place.write('list.txt', addresses(5).join('\n'));
    place.write('line.sh', `stty cols ${columns} rows 24\n${RISKCLI_WORDS} ${line}\n`);
    const shown = await place.sh('script -qec "bash line.sh" /dev/null < /dev/null');
    return { ...shown, lines: shown.stdout.replaceAll(/\u001b\[[\d;?]*[A-Za-z]/g, '').split(/[\r\n]+/) };
  }

  // All widths are tried in test/cli/every-command/output.test.ts, where they need no terminal.
  it.each([`profile ${WALLET}`, 'profile -f list.txt', 'health'])('[57] of 80 columns: %s fits', async (line) => {
    const { lines, exitCode } = await onTerminal(line, { columns: 80 });
    expect(exitCode).toBe(0);
    expect(lines.filter((text) => text.length > 80)).toEqual([]);
  });

  it('[57] that does not know its columns is no matter', async () => {
    expect(await onTerminal('profile -f list.txt', { columns: 0 })).toMatchObject({ exitCode: 0 });
  });

  it('[57] that is dumb gets no colour and no cursor movement', async () => {
    for (const line of [`profile ${WALLET}`, 'profile -f list.txt']) {
      const { stdout, exitCode } = await onTerminal(line, { columns: 80, env: { TERM: 'dumb' } });
      expect(exitCode).toBe(0);
      expect(stdout).not.toMatch(/\u001b/);
    }
  });
});

describe('a home that is', () => {
  const title = '[53] %s: the key from the environment works, nothing lands in the working directory';

  it.each<[string, Record<string, string>]>([
    ['empty', { HOME: '' }],
    ['relative', { HOME: 'home', XDG_CONFIG_HOME: 'config', XDG_STATE_HOME: 'state', XDG_CACHE_HOME: 'cache' }],
  ])(title, async (_, home) => {
    const place = await startStage(home);
    place.write('list.txt', addresses(2).join('\n'));
    const before = readdirSync(place.folder);
    expect(await place.sh('r profile -f list.txt --csv')).toMatchObject({ exitCode: 0, stderr: '' });
    expect(readdirSync(place.folder)).toEqual(before);
  });

  // Any absolute path is taken for the home as it is.
  it.each([
    ['missing', '/nonexistent/home'],
    ['a file', '/etc/passwd'],
    ['a device', '/dev/null'],
    ['read-only', '/proc'],
  ])(title, async (_, home) => {
    const place = await startStage({ HOME: home, RISKCLI_CONFIG_DIR: '' });
    place.write('list.txt', addresses(2).join('\n'));
    const before = readdirSync(place.folder);
    for (const line of ['profile -f list.txt --csv', 'keys show']) {
      const { stderr, exitCode } = await inside(place)(...line.split(' '));
      expect({ line, exitCode, stderr }).toEqual({ line, exitCode: 0, stderr: '' });
    }
    expect(readdirSync(place.folder)).toEqual(before);
  });

  it('[51,53] one with damaged settings: the same, said once', async () => {
    const place = await startStage();
    mkdirSync(place.path('home/.config/riskcli'), { recursive: true, mode: 0o700 });
    for (const file of ['config.json', 'keys.json']) place.write(`home/.config/riskcli/${file}`, '{"torn');
    for (const line of [`profile ${WALLET}`, 'profile -f list.txt --csv', 'profile -f list.txt --dry-run']) {
      const { stderr, exitCode } = await inside(place)(...line.split(' '));
      expect({ line, exitCode }).toEqual({ line, exitCode: 0 });
      expect(stderr).toMatch(/^riskcli: [^\n]*config\.json is damaged[^\n]*\n$/);
    }
  });

  it('[53] unset: the same, from the password file', async () => {
    const place = await startStage();
    expect(await place.sh(`unset HOME; r profile ${WALLET}`)).toMatchObject({ exitCode: 0, stderr: '' });
  });

  const asNobody = (args: readonly string[], env: Record<string, string>, cwd = '/') =>
    start(args, { ...OTHER_USER, cwd, env }).done;

  it.skipIf(!canBeOtherUser())("[53] nobody's: no entry in the password file", async () => {
    const { env } = await startStage();
    const { HOME: _, ...homeless } = env;
    const cwd = temporaryFolder();
    chmodSync(cwd, 0o777);
    // The home is looked for at the start, whatever the command is.
    const list = await asNobody(['profile', WALLET, address(1), '--csv'], homeless, cwd);
    expect(list).toMatchObject({ exitCode: 0, stderr: '' });
    const stored = await asNobody(['keys', 'set'], homeless, cwd);
    expect(stored).toMatchObject({ exitCode: 8, stdout: '' });
    expect(readdirSync(cwd)).toEqual([]);
  });

  it.skipIf(!canBeOtherUser())("[53] full of somebody else's files: cannot be read, and says so", async () => {
    const { env } = await startStage();
    const home = temporaryFolder();
    mkdirSync(`${home}/.config`, { mode: 0o700 });
    const { stderr, exitCode } = await asNobody(['keys', 'list'], { ...env, HOME: home });
    expect({ exitCode, stderr }).toEqual({ exitCode: 8, stderr: expect.stringContaining('cannot be read') });
  });
});
