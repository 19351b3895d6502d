/** What is said when a list is through or was stopped: why rows have no answer, and which score was meant. */
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
