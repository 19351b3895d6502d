/** What rate limits do to whole runs: who waits, for how long, and what is known of it afterwards. */
import { chmodSync, chownSync, mkdirSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { cliIn } from '../fixtures/cli/cli.ts';
import { start } from '../fixtures/cli/process.ts';
import { canBeOtherUser, OTHER_USER } from '../fixtures/cli/users.ts';
import { address, addresses } from '../fixtures/place/wallets.ts';
import { ONE_LINE, type Workplace, workplace } from '../fixtures/place/workplace.ts';
import { KEY, profileOf } from '../fixtures/service/client.ts';
import { type Responder, startServer } from '../fixtures/service/server.ts';
import { startSlowService } from '../fixtures/service/slow-service.ts';
import { waitedClock } from '../fixtures/waited-clock.ts';

const list = (count: number, from = 0) => ({ stdin: addresses(count, from).join('\n') });

/** A key of this rate need not be probed for it. */
const RATE = { 'x-ratelimit-limit': '400', 'x-ratelimit-remaining': '390' };
const good: Responder = ({ path }) => ({ headers: RATE, body: profileOf(path) });
const refusal = (headers: Record<string, string>) => ({ status: 429, headers: { ...RATE, ...headers } });

/** A place whose riskcli asks `url`. */
const facing = (url: URL | string, extra: Record<string, string> = {}) =>
  workplace({ RISKCLI_BASE_URL: String(url), RISKCLI_API_KEY: KEY, ...extra });

/** The command that scores `count` wallets from a file of `place` to another. */
function listIn(place: Pick<Workplace, 'path' | 'write'>, count: number) {
  const file = place.write('list.txt', addresses(count).join('\n'));
  return ['profile', '-f', file, '-o', place.path('out.csv'), '--concurrency', '1'];
}

/** A service that also notes when it was asked, milliseconds. */
async function startNoting(respond: Responder) {
  const times: number[] = [];
  const server = await startServer((request, count) => {
    times.push(performance.now());
    return respond(request, count);
  });
  return Object.assign(server, { times });
}

describe.concurrent('refusals', () => {
  it('[25] of several requests delay all requests once, for the time the service named', async () => {
    const [WELL, REFUSED, IN_FLIGHT] = [10, 8, 20];
    const isRefused = (nth: number) => nth > WELL && nth <= WELL + REFUSED;
    const times: number[] = [];
    await using service = await startSlowService({
      latency: (nth) => {
        times[nth] = performance.now();
        // Requests under way at the refusals are answered after the pause: a client that was slow to read them must not find
        // room for more before.
        return nth > WELL + REFUSED && nth <= WELL + REFUSED + IN_FLIGHT ? 3_000 : 0;
      },
      // No answer arrives before all have been requested.
      after: (nth) => (isRefused(nth) ? service.reached(WELL + REFUSED) : undefined),
      status: (nth) => (isRefused(nth) ? 429 : 200),
      headers: (nth) => ({ ...RATE, ...(isRefused(nth) && { 'retry-after': '2' }) }),
    });
    const command = ['profile', '-', '--csv', '-v', '--concurrency', String(IN_FLIGHT)];
    const { exitCode, stderr } = await facing(service.url).cli(command, { ...waitedClock(), ...list(60) });
    expect({ exitCode, requests: service.requests() }).toEqual({ exitCode: 0, requests: 60 + REFUSED });
    // Requests under way at the refusals still arrive; later ones are not sent before the named time.
    const pauseEnds = (times[WELL + REFUSED] ?? 0) + 1_999;
    expect(times.filter((time, nth) => nth > WELL + REFUSED && time < pauseEnds).length).toBeLessThan(IN_FLIGHT);
    expect(stderr.match(/rate limited: all requests wait for [\d.]+ s, then continue at /g), stderr).toHaveLength(1);
    expect(stderr).toMatch(/ 200 in \d+ ms, limit 400\/s, 390 left, pace [\d.]+\/s of 400\/s, \d+ in flight\n/);
  });

  it('[25] of one request delay only that one', async () => {
    await using server = await startNoting((request, count) =>
      count === 11 ? refusal({ 'retry-after': '2' }) : good(request, count),
    );
    const command = ['profile', '-', '--csv', '-v', '--concurrency', '5'];
    const { exitCode, stderr } = await facing(server.url).cli(command, { ...waitedClock(), ...list(60) });
    expect({ exitCode, requests: server.requests.length }).toEqual({ exitCode: 0, requests: 61 });
    expect(stderr).not.toContain('every request');
    const [refused = 0, again = 0] = server.requests.flatMap(({ path }, i) =>
      path === server.requests[10]?.path ? [i] : [],
    );
    expect((server.times[again] ?? 0) - (server.times[refused] ?? 0)).toBeGreaterThanOrEqual(1_990);
    // More than were under way: the others continued.
    expect(again - refused).toBeGreaterThan(5);
  });

  it('[25] whose waits add up to more than --max-wait stop the list; an answer in between resets the sum', async () => {
    let isOver = false;
    await using server = await startServer((request, count) =>
      [12, 14, 16].includes(count) ? refusal({ 'retry-after': '1' }) : good(request, count),
    );
    const place = facing(server.url);
    // Three seconds in all, one at a time.
    const waited = await place.cli([...listIn(place, 24), '--max-wait', '2s']);
    expect(waited).toMatchObject({ exitCode: 0, stderr: '' });
    await using closed = await startServer((request, count) =>
      isOver || count < 12 ? good(request, count) : refusal({ 'retry-after': '1' }),
    );
    const other = facing(closed.url);
    const command = [...listIn(other, 24), '--max-wait', '2s'];
    const { exitCode, stderr } = await other.cli(command);
    expect(exitCode).toBe(7);
    expect(stderr).toMatch(ONE_LINE);
    expect(stderr).toContain('--max-wait is 2s');
    isOver = true;
    const asked = closed.requests.length;
    expect(await other.cli(command)).toMatchObject({ exitCode: 0 });
    expect(closed.requests.length - asked).toBe(24 - 11);
  });

  it('[24] that mean a spent quota stop the list at once and say when the same command can resume', async () => {
    const reset = Math.ceil(Date.now() / 1000) + 86_400;
    let isSpent = true;
    await using server = await startServer((request, count) =>
      isSpent && count > 5
        ? refusal({ 'retry-after': '1', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(reset) })
        : good(request, count),
    );
    const place = facing(server.url);
    const command = listIn(place, 24);
    const { exitCode, stderr } = await place.cli(command);
    expect({ exitCode, requests: server.requests.length }).toEqual({ exitCode: 7, requests: 6 });
    const [, from = ''] = /run the same command again after (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)/.exec(stderr) ?? [];
    // By the service's Date, which has whole seconds.
    expect(Math.abs(Date.parse(from) / 1000 - reset)).toBeLessThanOrEqual(2);
    isSpent = false;
    expect(await place.cli(command)).toMatchObject({ exitCode: 0 });
    expect(server.requests).toHaveLength(6 + 19);
  });
});

describe.concurrent('several processes on one key', () => {
  it('record every request and the limit, as riskcli keys show says', async () => {
    await using server = await startServer(good);
    const place = facing(server.url);
    const env = { XDG_STATE_HOME: place.path('state') };
    const command = ['profile', '-', '--csv'];
    // This process is the second one.
    const runs = [
      place.cli(command, { via: 'process', ...list(10), env }),
      place.cli(command, { ...list(10, 100), env }),
    ];
    for (const run of await Promise.all(runs)) expect(run).toMatchObject({ exitCode: 0, stderr: '' });
    const { stdout } = await place.cli(['keys', 'show', '--json'], { env });
    expect(JSON.parse(stdout)).toMatchObject({ limit: 400, remaining: 390, requests_this_month: 20 });
    expect(server.requests).toHaveLength(20);
  });
});

describe.skipIf(!canBeOtherUser())('a state folder of somebody else', { concurrent: true }, () => {
  it.each([0o755, 0o700])('[66] with mode %o is ignored without a message', async (mode) => {
    await using server = await startServer(good);
    const place = facing(server.url, { XDG_STATE_HOME: '' });
    const state = place.path('home/.local/state/riskcli');
    mkdirSync(state, { recursive: true });
    chmodSync(place.folder, 0o755);
    chmodSync(state, mode);
    const as = { ...OTHER_USER, cwd: '/', env: { ...place.env, RISKCLI_CONFIG_DIR: '/nowhere' } };
    expect(await start(['profile', address(1), '--json'], as).done).toMatchObject({ exitCode: 0, stderr: '' });
    // That was a process of the other user. The rest is done here with that uid.
    const theirs = cliIn(place, { as: OTHER_USER });
    const { stdout, exitCode } = await theirs(['keys', 'show', '--json']);
    expect({ exitCode, ...JSON.parse(stdout) }).toMatchObject({ exitCode: 0, limit: null, requests_this_month: 0 });
    expect(readdirSync(state)).toEqual([]);
    // Once the folder is their own, data is stored in it.
    chownSync(state, as.uid, as.gid);
    expect(await theirs(['profile', address(1), '--json'])).toMatchObject({ exitCode: 0, stderr: '' });
    expect(readdirSync(state)).not.toEqual([]);
  });
});
