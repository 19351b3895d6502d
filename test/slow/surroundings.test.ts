/**
 * Where riskcli may have to run: no terminal, a tiny one, few files, no home, no name, a C locale,
 * a closed input.
 */

import { chmodSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { RISKCLI_WORDS, start } from '../fixtures/cli/process.ts';
import { canBeOtherUser, OTHER_USER } from '../fixtures/cli/users.ts';
import { temporaryFolder } from '../fixtures/place/folder.ts';
import { address, addresses } from '../fixtures/place/wallets.ts';
import { ONE_LINE, workplace } from '../fixtures/place/workplace.ts';
import { type Service, startService } from '../fixtures/service/sandbox.ts';
import { isSlow } from '../fixtures/sweep.ts';

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

/** What somebody wants to see, a list in each of its forms. `npm test` tries the first two. */
const LINES = [
  `r profile ${WALLET}`,
  'r profile -f list.txt -o out.jsonl',
  'r --help',
  'r profile -f list.txt --csv',
  'r profile -f list.txt --sandbox --format table',
  'r health',
  'r keys show',
].slice(0, isSlow ? undefined : 2);

// A closed input allows one more open file.
const before = 'exec <&-; ulimit -n 39';

it('works with a dumb terminal, a C locale, stdin closed and 40 open files at most', async () => {
  const { sh } = await startStage({ TERM: 'dumb', LANG: 'C', LC_ALL: 'C' });
  for (const line of LINES) {
    const { stdout, stderr, exitCode } = await sh(`${before}\n${line}`);
    expect({ line, exitCode }).toEqual({ line, exitCode: 0 });
    expect(stderr).toMatch(line.includes('--sandbox') ? /^riskcli: sandbox: [^\n]*\n$/ : /^$/);
    expect(stdout).not.toContain('\u001b');
    if (line.includes('list.txt') && !line.includes(' -o ')) expect(stdout.match(/scored|no_score/g)).toHaveLength(40);
  }
});

it('exits with 9 for a list on a standard input that is closed', async () => {
  const { sh } = await startStage();
  expect(await sh('r profile - --csv <&-')).toMatchObject({ exitCode: 9, stdout: '' });
  expect(await sh('r keys set <&-')).toMatchObject({ exitCode: 4, stdout: '' });
});

const title = 'uses the key from the environment, and writes nothing here, with a home that is %s';

it(title.replace('%s', 'empty, relative or unset'), async () => {
  const place = await startStage();
  place.write('list.txt', addresses(2).join('\n'));
  const before = readdirSync(place.folder);
  const homes = [
    'export HOME=',
    'export HOME=home XDG_CONFIG_HOME=config XDG_STATE_HOME=state XDG_CACHE_HOME=cache',
    // It is that of the password file then.
    'unset HOME',
  ];
  for (const home of isSlow ? homes : homes.slice(1)) {
    const ended = await place.sh(`${home}; r profile -f list.txt --csv`);
    expect(ended).toMatchObject({ exitCode: 0, stderr: '', stdout: expect.stringContaining('scored') });
  }
  expect(readdirSync(place.folder)).toEqual(before);
});

// Any absolute path is taken for the home as it is.
it.each([
  ['missing', join(temporaryFolder(), 'home')],
  ['a file', '/etc/passwd'],
  ['a device', '/dev/null'],
  ['read-only', '/proc'],
])(title, async (_, home) => {
  const place = await startStage({ HOME: home, RISKCLI_CONFIG_DIR: '' });
  place.write('list.txt', addresses(2).join('\n'));
  const before = readdirSync(place.folder);
  for (const line of ['profile -f list.txt --csv', 'keys show']) {
    const { stderr, exitCode } = await place.cli(line.split(' '));
    expect({ line, exitCode, stderr }).toEqual({ line, exitCode: 0, stderr: '' });
  }
  expect(readdirSync(place.folder)).toEqual(before);
});

const asNobody = (args: readonly string[], env: Record<string, string>, cwd = '/') =>
  start(args, { ...OTHER_USER, cwd, env }).done;

it.skipIf(!canBeOtherUser())('uses the key from the environment without an entry in the password file', async () => {
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

it.skipIf(!canBeOtherUser())('reports settings in the home of another user that cannot be read', async () => {
  const { env } = await startStage();
  const home = temporaryFolder();
  mkdirSync(`${home}/.config`, { mode: 0o700 });
  const { stderr, exitCode } = await asNobody(['keys', 'list'], { ...env, HOME: home });
  expect({ exitCode, stderr }).toEqual({ exitCode: 8, stderr: expect.stringContaining('cannot be read') });
});

// mkdir(2) answers ENOENT there, though what is above exists: also on a stale mount, and in a
// deleted working directory.
const IN = 'mkdir gone; cd gone; rmdir ../gone\n';
it.each([
  ['skips what would be learned', { HOME: '/proc', XDG_STATE_HOME: '' }, `r profile ${WALLET}`, 0],
  ['stores no setting', { HOME: '/proc' }, 'r config set timeout 5s', 8],
  ['stores no key', { RISKCLI_CONFIG_DIR: '/proc/a/b' }, 'r keys set < <(printf wrk_1234567890123456)', 8],
  ['keeps no review', {}, 'r review list.txt --keep /proc/a/b', 8],
  ['keeps no review in a deleted one', {}, `f=$PWD/list.txt; ${IN}r review "$f" --keep a/b`, 8],
])('%s where the system makes no folder, and ends at once', async (_, env: Record<string, string>, line, exitCode) => {
  const { sh } = await startStage({ RISKCLI_CONFIG_DIR: '', ...env });
  const ended = await sh(`r() { timeout -s KILL 30 ${RISKCLI_WORDS} "$@"; }\n${line}`);
  expect(ended).toMatchObject({ exitCode, stderr: exitCode === 0 ? '' : expect.stringMatching(ONE_LINE) });
});

it('reports a current folder that was deleted if a relative path is given', async () => {
  const { sh, path } = await startStage();
  const { stderr, exitCode } = await sh(
    `mkdir gone; cd gone; rmdir ../gone\nr profile -f '${path('list.txt')}' -o out.csv`,
  );
  expect(stderr).toBe(
    "riskcli: 'out.csv' cannot be found: the current folder has been deleted; change to another folder, or give absolute paths\n",
  );
  expect(exitCode).toBe(8);
});
