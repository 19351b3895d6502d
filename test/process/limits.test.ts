/** What rate limits do to whole runs: who waits, for how long, and what is known of it afterwards. */
import { chmodSync, chownSync, mkdirSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { cliIn } from '../fixtures/cli/cli.ts';
import { start } from '../fixtures/cli/process.ts';
import { canBeOtherUser, OTHER_USER } from '../fixtures/cli/users.ts';
import { address, addresses } from '../fixtures/place/wallets.ts';
import { workplace } from '../fixtures/place/workplace.ts';
import { KEY, profileOf } from '../fixtures/service/client.ts';
import { type Responder, startServer } from '../fixtures/service/server.ts';
import { startSlowService } from '../fixtures/service/slow-service.ts';
import { waitedClock } from '../fixtures/waited-clock.ts';

const list = (count: number, from = 0) => ({ stdin: addresses(count, from).join('\n') });

/** A key of this rate need not be probed for it. */
const RATE = { 'x-ratelimit-limit': '400', 'x-ratelimit-remaining': '390' };
const good: Responder = ({ path }) => ({ headers: RATE, body: profileOf(path) });

/** A place whose riskcli asks `url`. */
const facing = (url: URL | string, extra: Record<string, string> = {}) =>
  workplace({ RISKCLI_BASE_URL: String(url), RISKCLI_API_KEY: KEY, ...extra });

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
    expect(stderr.match(/rate limited: all requests wait for \d+ ms, then continue at /g), stderr).toHaveLength(1);
    expect(stderr).toMatch(/ 200 in \d+ ms, limit 400\/s, left 390, pace [\d.]+\/s of 400\/s, in flight \d+\n/);
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
