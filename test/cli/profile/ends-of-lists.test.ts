/**
 * What is said when a list is through or was stopped: why rows have no answer, and which score was
 * meant.
 */
import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
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

/** What comes for a wallet from a service that is down, from a portal in front of it, and so on. */
const DOWN = { status: 502, body: 'bad gateway' };
const PORTAL = { headers: { 'content-type': 'text/html' }, body: '<html>sign in</html>' };
const SPENT = { status: 402, body: { error: 'the plan has ended' } };
const UNKNOWN = { status: 404, body: { error: 'no such wallet' } };

it('names the reason of the first wallet without an answer, and says how to ask only for such wallets', async () => {
  await using both = await stage({ [ONE]: { status: 503 } });
  const same = await both.profile('-o', 'out.csv');
  expect(same.stderr).toMatch(
    /^riskcli: some rows got no answer: \S+ failed \(503\) after 4 attempts \(scored 1, failed 1\); run the same command again to ask only for these\n$/,
  );
  expect(same.exitCode).toBe(5);
});

it.each<[string, Reply, Reply, number, boolean]>([
  ['a service that is down', DOWN, DOWN, 5, true],
  ['a portal', PORTAL, PORTAL, 6, true],
  ['a plan that has ended', SPENT, SPENT, 4, true],
  ['a portal after an outage', DOWN, PORTAL, 6, true],
  ['an outage after a plan that has ended', SPENT, DOWN, 4, true],
  ['wallets that the service does not know', UNKNOWN, UNKNOWN, 3, false],
  ['an outage and a wallet that is not known', DOWN, UNKNOWN, 5, false],
])('replaces the output and keeps a review only if the service said something about a wallet: %s', async (...row) => {
  const [, one, other, exitCode, isStopped] = row;
  await using place = await stage({ [ONE]: one, [OTHER]: other });
  place.write('list.txt', `${ONE}\n${OTHER}\nno wallet\n`);
  place.write('out.csv', 'yesterday\n');
  const { stderr, ...end } = await place.profile('-o', 'out.csv');
  expect([end.exitCode, place.read('out.csv') === 'yesterday\n']).toEqual([exitCode, isStopped]);
  expect(stderr.includes('no wallet got an answer')).toBe(isStopped);
  const streamed = await place.profile('--csv');
  expect([streamed.exitCode, streamed.stdout.split('\n')]).toEqual([exitCode, expect.objectContaining({ length: 5 })]);
  const review = await place.cli(['review', 'list.txt'], { sleep: async () => {} });
  expect([review.exitCode, review.stdout === '']).toEqual([isStopped ? exitCode : 3, isStopped]);
  expect(existsSync(place.path('list.txt.reviews'))).toBe(!isStopped);
});

it('writes the output in an outage if an answer of the list was stored before', async () => {
  const replies: Record<string, Reply> = { [OTHER]: UNKNOWN };
  await using place = await stage(replies);
  await place.profile('--journal', 'kept');
  replies[OTHER] = DOWN;
  expect((await place.profile('--journal', 'kept', '-o', 'out.csv')).stderr).toContain('some rows got no answer');
  expect(place.read('out.csv').split('\n')).toHaveLength(4);
});

it('asks again for a wallet that was refused with 402 before other answers, once the plan is paid for', async () => {
  const replies: Record<string, Reply> = { [ONE]: SPENT };
  await using place = await stage(replies);
  expect(await place.profile('-o', 'out.csv')).toMatchObject({ exitCode: 3 });
  delete replies[ONE];
  expect(await place.profile('-o', 'out.csv')).toMatchObject({ exitCode: 0 });
  expect(place.read('out.csv').match(/scored/g)).toHaveLength(2);
  expect(place.server.requests).toHaveLength(3);
});

it.each([
  ['an outage', DOWN, 0],
  ['a refusal', UNKNOWN, 0],
  ['a portal', PORTAL, 6],
] as const)(
  'exits with 0 under --accept failed after %s, unless an answer cannot be trusted',
  async (_, reply, exitCode) => {
    await using place = await stage({ [ONE]: reply });
    expect((await place.profile('--csv', '--accept', 'failed')).exitCode).toBe(exitCode);
    expect((await place.profile('--csv')).exitCode).not.toBe(0);
  },
);

it('names no journal where no wallet was answered', async () => {
  const wallets = Array.from({ length: 21 }, (_, i) => address(i + 100));
  const down = Object.fromEntries(wallets.map((wallet) => [wallet, { status: 503 }]));
  await using all = await stage(down);
  all.write('list.txt', `${wallets.join('\n')}\n`);
  const { exitCode, stderr } = await all.profile('-o', 'out.csv');
  expect([exitCode, stderr]).toEqual([5, expect.stringContaining('20 wallets in a row failed')]);
  expect(stderr).not.toContain('journal');
});

it('reports once that no answer has the score that the setting names, and suggests another', async () => {
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
