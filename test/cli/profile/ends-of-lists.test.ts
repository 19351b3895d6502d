/** What is said when a list is through or was stopped: why rows have no answer, what was reused, how to go on. */
import { describe, expect, it } from 'vitest';
import { address } from '../../fixtures/place/wallets.ts';
import { workplace } from '../../fixtures/place/workplace.ts';
import { KEY, profileOf } from '../../fixtures/service/client.ts';
import { type Reply, startServer } from '../../fixtures/service/server.ts';

const ONE = address(1);
const OTHER = address(2);

/** A list of two wallets, and a service that answers all but those in `replies`. */
async function stage(replies: Readonly<Record<string, Reply>> = {}) {
  const server = await startServer(
    ({ path }) => replies[path.slice(path.lastIndexOf('/') + 1)] ?? { body: profileOf(path) },
  );
  const place = workplace({ RISKCLI_BASE_URL: server.url.href, RISKCLI_API_KEY: KEY });
  place.write('list.txt', `${ONE}\n${OTHER}\n`);
  const profile = (...args: readonly string[]) =>
    place.cli(['profile', '-f', 'list.txt', ...args], { sleep: async () => {} });
  return { ...place, server, profile, [Symbol.asyncDispose]: () => server.close() };
}

describe('a list without all of its answers', () => {
  it('names the reason of the first, and asks again only for these', async () => {
    await using both = await stage({ [ONE]: { status: 503 }, [OTHER]: { status: 503 } });
    const same = await both.profile('-o', 'out.csv');
    expect(same.stderr).toMatch(
      /^riskcli: some rows got no answer: \S+ failed \(503\) after 4 attempts \(2 failed\); run the same command again to ask only for these\n$/,
    );
    expect(same.exitCode).toBe(5);
  });

  it('names no journal where none was answered', async () => {
    const wallets = Array.from({ length: 21 }, (_, i) => address(i + 100));
    const down = Object.fromEntries(wallets.map((wallet) => [wallet, { status: 503 }]));
    await using all = await stage(down);
    all.write('list.txt', `${wallets.join('\n')}\n`);
    const { exitCode, stderr } = await all.profile('-o', 'out.csv');
    expect([exitCode, stderr]).toEqual([5, expect.stringContaining('20 wallets in a row failed')]);
    expect(stderr).not.toContain('journal');
  });

  it('says where it stands why the service refused them', async () => {
    await using place = await stage({ [ONE]: { status: 404 }, [OTHER]: { status: 404 } });
    place.write('list.txt', `${ONE}\nno wallet\n`);
    expect(await place.profile('--csv')).toMatchObject({
      exitCode: 3,
      stderr: 'riskcli: some rows were refused, or are not wallets (1 invalid, 1 failed); column `error` says why\n',
    });
  });
});

describe('a list whose answers are known', () => {
  it('says how many were reused, and how old they are', async () => {
    await using place = await stage();
    place.write('one.txt', `${ONE}\n`);
    const kept = ['--csv', '--journal', 'kept'];
    expect((await place.cli(['profile', '-f', 'one.txt', ...kept])).stderr).toBe('');
    expect((await place.profile(...kept)).stderr).toMatch(
      /^riskcli: answers used again: 1, the oldest dated \d{4}-\d\d-\d\dT\S+Z\n$/,
    );
    expect((await place.profile(...kept)).stderr).toMatch(
      /^riskcli: answers used again: 2, the oldest dated \d{4}-\d\d-\d\dT\S+Z\n$/,
    );
    expect(place.server.requests).toHaveLength(2);
  });
});

describe('a setting for the score that no answer has', () => {
  it('is told once, with what it could be', async () => {
    await using place = await stage();
    await place.cli(['config', 'set', 'score', 'defi_score.defi_scor']);
    const { stderr, exitCode } = await place.profile('--csv');
    expect([exitCode, stderr]).toEqual([
      0,
      'riskcli: the setting score names defi_score.defi_scor, which the answer does not have; it could be defi_score.defi_score: choose one with riskcli config set score PATH\n',
    ]);
    await place.cli(['config', 'set', 'score', 'defi_score.defi_score']);
    expect((await place.profile('--csv')).stderr).toBe('');
  });
});

describe('a list that is not asked yet', () => {
  it('tells a person what it would cost', async () => {
    await using place = await stage();
    const seen = { tty: { stdout: true }, env: { NO_COLOR: '1' } };
    const dry = (...args: readonly string[]) => place.cli(['profile', '-f', 'list.txt', '--dry-run', ...args], seen);
    const { stdout } = await dry();
    expect(stdout).toMatch(/requests needed +2\n/);
    expect(stdout).toMatch(/left this month +unknown \(set monthly-requests\)\n/);
    expect(stdout).toMatch(/rate +not known yet: it is learned from the answers\n/);
    expect(stdout).not.toMatch(/not wallets|known from the journal|fits this month/);
    place.write('list.txt', `${ONE}\nno wallet\n`);
    await place.profile('--csv', '--journal', 'kept');
    await place.cli(['config', 'set', 'monthly-requests', '10']);
    const { stdout: known } = await dry('--journal', 'kept', '--rate', '5');
    expect(known).toMatch(/not wallets +1\n/);
    expect(known).toMatch(/known from the journal +1\n/);
    expect(known).toMatch(/fits this month +yes\n/);
    expect(known).toMatch(/rate +5 a second\n/);
  });
});
