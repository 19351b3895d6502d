/**
 * Another user of this machine has put something where riskcli looks: it is not believed and not
 * written through. It takes root to play both users.
 */
import { chmodSync, existsSync, lchownSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { cliIn } from '../../fixtures/cli/cli.ts';
import { start } from '../../fixtures/cli/process.ts';
import { canBeOtherUser, OTHER_USER } from '../../fixtures/cli/users.ts';
import { address } from '../../fixtures/place/wallets.ts';
import { ONE_LINE, workplace } from '../../fixtures/place/workplace.ts';
import { PROFILE } from '../../fixtures/service/client.ts';
import { startServer } from '../../fixtures/service/server.ts';

const KEY = 'wrp_q7Zt-Xk_2Lm9Rv4Bn8';
const WALLET = PROFILE.wallet_address;

/**
 * A place whose home, and all in it, belongs to another user than root, who runs riskcli there in
 * this process.
 */
function homeOfAnother() {
  const place = workplace({ XDG_STATE_HOME: '', RISKCLI_CONFIG_DIR: '' });
  chmodSync(place.folder, 0o755);
  const home = (name = '') => place.path(`home/${name}`);
  return {
    ...place,
    cli: cliIn(place, { as: { uid: process.getuid?.() } }),
    /**
     * As the user whose home it is would run it. `asThatUser` is a process of that user, which all
     * of them cannot be.
     */
    cliOfThatUser: cliIn(place, { as: OTHER_USER }),
    home,
    /** Puts a file there as that user would. */
    plant(name: string, content: string) {
      mkdirSync(home(name.replace(/[^/]*$/, '')), { recursive: true });
      place.write(`home/${name}`, content);
      chmodSync(home(name), 0o600);
      this.handOver();
    },
    /** Leads `name` to a folder of root's, which is given back. */
    lead(name: string) {
      const target = place.path('target');
      mkdirSync(target);
      mkdirSync(home(name.replace(/[^/]*$/, '')), { recursive: true });
      symlinkSync(target, home(name));
      this.handOver();
      return target;
    },
    handOver() {
      for (const name of ['', ...readdirSync(home(), { recursive: true, encoding: 'utf8' })]) {
        lchownSync(home(name), OTHER_USER.uid, OTHER_USER.gid);
      }
    },
    asThatUser: (...args: string[]) => start(args, { ...OTHER_USER, cwd: '/', env: place.env, input: KEY }).done,
    /** All that is in the home, with its contents. */
    content: () =>
      readdirSync(home(), { recursive: true, withFileTypes: true }).map((entry) => {
        const path = `${entry.parentPath}/${entry.name}`;
        return entry.isFile() ? `${path}: ${readFileSync(path, 'utf8')}` : path;
      }),
  };
}

describe.skipIf(!canBeOtherUser())('root in the home of another user', () => {
  it('sends no key to a base URL that another user has stored', async () => {
    await using server = await startServer(() => ({ body: PROFILE }));
    const place = homeOfAnother();
    const settings = { environments: { default: { 'base-url': server.url.href } } };
    place.plant('.config/riskcli/config.json', JSON.stringify(settings));
    for (const args of [['profile', WALLET], ['keys', 'check'], ['keys', 'show'], ['config', 'list'], ['health']]) {
      const { stdout, stderr, exitCode } = await place.cli(args, { env: { RISKCLI_API_KEY: KEY } });
      expect({ args, exitCode, stdout }).toEqual({ args, exitCode: 8, stdout: '' });
      expect(stderr).toMatch(ONE_LINE);
      expect(stderr).toContain('belongs to another user');
    }
    expect(server.connections()).toBe(0);
  });

  it('runs no key command that another user has stored', async () => {
    const place = homeOfAnother();
    const ran = place.path('ran');
    const entry = { command: ['touch', ran], base_url: 'https://api.example.com' };
    place.plant('.config/riskcli/keys.json', JSON.stringify({ version: 1, keys: { default: entry } }));
    for (const args of [['profile', WALLET], ['keys', 'check'], ['keys', 'show'], ['doctor']]) {
      const { stderr, exitCode } = await place.cli(args);
      expect({ args, exitCode }).toEqual({ args, exitCode: 8 });
      expect(stderr).toMatch(ONE_LINE);
    }
    expect(existsSync(ran)).toBe(false);
  });

  it('reads and writes nothing in the home of another user if it needs nothing there', async () => {
    await using server = await startServer(({ path }) => ({
      body: { ...PROFILE, wallet_address: path.split('/').at(-1) },
      headers: { 'x-ratelimit-limit': '10', 'x-ratelimit-remaining': '9' },
    }));
    const place = homeOfAnother();
    place.handOver();
    Object.assign(place.env, { RISKCLI_API_KEY: KEY, RISKCLI_BASE_URL: server.url.href });
    expect(await place.asThatUser('profile', WALLET)).toMatchObject({ exitCode: 0, stderr: '' });
    const before = place.content();
    expect(before.join('\n')).toContain('limit-');
    for (const args of [
      ['profile', WALLET],
      ['profile', WALLET, address(1), '--csv'],
    ]) {
      expect(await place.cli(args)).toMatchObject({ exitCode: 0, stderr: '' });
    }
    const { stdout } = await place.cli(['keys', 'show', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ limit: null, requests_this_month: 0 });
    expect(place.content()).toEqual(before);
  });

  it.each(['.config', '.config/riskcli'])('stores nothing through a link of another user at %s', async (name) => {
    const place = homeOfAnother();
    const target = place.lead(name);
    for (const args of [
      ['keys', 'set', '--base-url', 'https://api.example.com'],
      ['config', 'set', 'timeout', '3s'],
    ]) {
      const { exitCode, stderr } = await place.cli(args, { stdin: KEY });
      expect({ args, exitCode }).toEqual({ args, exitCode: 8 });
      expect(stderr).toMatch(ONE_LINE);
    }
    expect(readdirSync(target)).toEqual([]);
  });

  it.each(['.local', '.local/state', '.local/state/riskcli'])(
    'counts no requests through a link of another user at %s',
    async (name) => {
      await using server = await startServer(() => ({ body: PROFILE, headers: { 'x-ratelimit-limit': '10' } }));
      const place = homeOfAnother();
      const target = place.lead(name);
      const env = { RISKCLI_API_KEY: KEY, RISKCLI_BASE_URL: server.url.href };
      expect(await place.cli(['profile', WALLET], { env })).toMatchObject({ exitCode: 0, stderr: '' });
      expect(readdirSync(target)).toEqual([]);
    },
  );
});

const THIRD = OTHER_USER.uid + 1;

it.skipIf(!canBeOtherUser()).each([0o755, 0o700])(
  'silently ignores a state folder of a third user with mode %o',
  async (mode) => {
    await using server = await startServer(() => ({ body: PROFILE, headers: { 'x-ratelimit-limit': '10' } }));
    const place = homeOfAnother();
    Object.assign(place.env, { RISKCLI_API_KEY: KEY, RISKCLI_BASE_URL: server.url.href });
    mkdirSync(place.home('.local/state/riskcli'), { recursive: true });
    place.handOver();
    const state = place.home('.local/state/riskcli');
    chmodSync(state, mode);
    lchownSync(state, THIRD, THIRD);
    const profile = () => place.cliOfThatUser(['profile', WALLET]);
    expect(await profile()).toMatchObject({ exitCode: 0, stderr: '' });
    const { stdout } = await place.cliOfThatUser(['keys', 'show', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ limit: null, requests_this_month: 0 });
    expect(readdirSync(state)).toEqual([]);
    lchownSync(state, OTHER_USER.uid, OTHER_USER.gid);
    expect(await profile()).toMatchObject({ exitCode: 0, stderr: '' });
    expect(readdirSync(state)).not.toEqual([]);
  },
);

it('runs no code from a cache folder', async () => {
  const place = workplace();
  mkdirSync(place.path('home/.cache/riskcli'), { recursive: true });
  const env = { XDG_CACHE_HOME: place.path('home/.cache') };
  expect(await place.cli(['keys', 'list'], { via: 'process', env })).toMatchObject({ exitCode: 0 });
  expect(readdirSync(place.path('home/.cache'), { recursive: true })).toEqual(['riskcli']);
});
