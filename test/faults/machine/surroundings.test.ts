/** Where riskcli may have to run: no terminal, a tiny one, few files, no home, no name, a C locale, a closed input. */

import { chmodSync, mkdirSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../helpers/place/folder.ts';
import { address, addresses } from '../../helpers/place/wallets.ts';
import { workplace } from '../../helpers/place/workplace.ts';
import { RISKCLI_WORDS, start } from '../../helpers/process/binary.ts';
import { installed } from '../../helpers/process/installed.ts';
import { canBeOtherUser, OTHER_USER } from '../../helpers/process/other-user.ts';
import { type Service, startService } from '../../helpers/service/sandbox.ts';

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

/** Commands that show something, as lines of bash. */
const SHOWING = [
  'r --help',
  `r profile ${WALLET}`,
  'r profile -f list.txt --sandbox --format table',
  'r health',
  'r keys show',
];
/** These, and those that read and write files. */
const LINES = [...SHOWING, 'r profile -f list.txt --csv', 'r profile -f list.txt -o out.jsonl'];

describe.each<[string, string, readonly string[], Record<string, string>]>([
  ['standard input closed', 'exec <&-', LINES, {}],
  ['40 open files at most', 'ulimit -n 40', LINES, {}],
  ['no terminal, a dumb one, a C locale', '', SHOWING, { TERM: 'dumb', LANG: 'C', LC_ALL: 'C' }],
])('[57] %s', (_, before, lines, env) => {
  it('changes nothing', async () => {
    const { sh } = await startStage(env);
    for (const line of lines) {
      const { stdout, stderr, exitCode } = await sh(`${before}\n${line}`);
      const note = line.includes('--sandbox') ? /^riskcli: sandbox: [^\n]*\n$/ : /^$/;
      expect({ line, exitCode }).toEqual({ line, exitCode: 0 });
      expect(stderr).toMatch(note);
      expect(stdout).not.toContain('\u001b');
      if (line.includes('list.txt') && !line.includes(' -o '))
        expect(stdout.match(/scored|no_score/g)).toHaveLength(40);
    }
  });
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
    place.write('line.sh', `stty cols ${columns} rows 24\n${RISKCLI_WORDS} ${line}\n`);
    const shown = await place.sh('script -qec "bash line.sh" /dev/null < /dev/null');
    return { ...shown, lines: shown.stdout.replaceAll(/\u001b\[[\d;?]*[A-Za-z]/g, '').split(/[\r\n]+/) };
  }

  // Other widths are tried in test/commands/conduct/output.test.ts, where they need no terminal.
  it.each([0, 20, 80])('[57] of %i columns: card, list and health fit', async (columns) => {
    for (const line of [`profile ${WALLET}`, 'profile -f list.txt', 'health']) {
      const { lines, exitCode } = await onTerminal(line, { columns });
      expect({ line, exitCode }).toEqual({ line, exitCode: 0 });
      const widest = lines.reduce((widest, text) => (text.length > widest.length ? text : widest), '');
      // A table of five columns cannot be narrower than its separators and one character each.
      if (columns >= 80) expect({ line, widest, fits: widest.length <= columns }).toMatchObject({ fits: true });
    }
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
  it.each<[string, Record<string, string>]>([
    ['empty', { HOME: '' }],
    ['relative', { HOME: 'home', XDG_CONFIG_HOME: 'config', XDG_STATE_HOME: 'state', XDG_CACHE_HOME: 'cache' }],
    ['missing', { HOME: '/nonexistent/home' }],
    ['a file', { HOME: '/etc/passwd' }],
    ['a device', { HOME: '/dev/null' }],
    ['read-only', { HOME: '/proc' }],
  ])('[53] %s: the key from the environment works, nothing lands in the working directory', async (_, home) => {
    const place = await startStage(home);
    place.write('list.txt', addresses(2).join('\n'));
    const before = readdirSync(place.folder);
    for (const line of ['r profile -f list.txt --csv', 'r keys show']) {
      const { stderr, exitCode } = await place.sh(line);
      expect({ line, exitCode, stderr }).toEqual({ line, exitCode: 0, stderr: '' });
    }
    expect(readdirSync(place.folder)).toEqual(before);
  });

  it('[51,53] one with damaged settings: the same, said once', async () => {
    const place = await startStage();
    mkdirSync(place.path('home/.config/riskcli'), { recursive: true, mode: 0o700 });
    for (const file of ['config.json', 'keys.json']) place.write(`home/.config/riskcli/${file}`, '{"torn');
    for (const line of [`r profile ${WALLET}`, 'r profile -f list.txt --csv', 'r profile -f list.txt --dry-run']) {
      const { stderr, exitCode } = await place.sh(line);
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
    for (const args of [['profile', WALLET], ['profile', WALLET, address(1), '--csv'], ['keys', 'show'], ['health']]) {
      const { stderr, exitCode } = await asNobody(args, homeless, cwd);
      expect({ args, exitCode, stderr }).toEqual({ args, exitCode: 0, stderr: '' });
    }
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
