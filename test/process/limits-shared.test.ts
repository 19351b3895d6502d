/** The month's budget: shared by all runs of the machine to the last request, and new with the month. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import type { Context } from '../../src/context.ts';
import { openKeyState } from '../../src/session/key-state.ts';
import { cli, testHost } from '../fixtures/cli/here.ts';
import { RISKCLI_WORDS } from '../fixtures/cli/process.ts';
import { configFolder } from '../fixtures/place/config-folder.ts';
import { temporaryFolder } from '../fixtures/place/folder.ts';
import { address } from '../fixtures/place/wallets.ts';
import { workplace } from '../fixtures/place/workplace.ts';
import { writeScript } from '../fixtures/process/script.ts';
import { startSlowService } from '../fixtures/service/slow-service.ts';
import { isSlow } from '../fixtures/sweep.ts';

const KEY = 'wrp_q7Zt-Xk_2Lm9Rv4Bn8';
const lines = (from: number, count: number) => Array.from({ length: count }, (_, i) => address(from + i)).join('\n');
const budget = (monthly: number) => ({ environments: { default: { 'monthly-requests': monthly } } });

/** Where several runs share a key and `monthly` requests. */
async function stage(monthly: number) {
  const service = await startSlowService({ latency: () => 50 });
  const place = workplace({
    RISKCLI_BASE_URL: service.url,
    RISKCLI_API_KEY: KEY,
    XDG_STATE_HOME: temporaryFolder(),
    ...configFolder({ 'config.json': budget(monthly) }).env,
  });
  return { service, place };
}

describe('monthly-requests', () => {
  it('[72] is shared by two lists at once, without a request too many', async () => {
    const { service, place } = await stage(25);
    await using _ = service;
    // One is a separate process, the other is this process.
    const lists = [
      place.cli(['profile', '-', '--csv'], { via: 'process', stdin: lines(0, 30) }),
      place.cli(['profile', '-', '--csv'], { stdin: lines(100, 30) }),
    ];
    for (const { exitCode, stderr } of await Promise.all(lists)) {
      expect(exitCode).toBe(7);
      expect(stderr).toContain('monthly-requests');
    }
    expect(service.requests()).toBe(25);
  });

  it.runIf(isSlow)('[72] is shared by a list and single wallets beside it', async () => {
    const { service, place } = await stage(12);
    await using _ = service;
    writeFileSync(place.path('singles.txt'), lines(100, 4));
    const singles = `xargs -P 2 -n 1 ${RISKCLI_WORDS} profile --json < singles.txt > /dev/null 2>&1`;
    const [list] = await Promise.all([
      place.cli(['profile', '-', '--csv', '--rate', '20'], { via: 'process', stdin: lines(0, 20) }),
      place.sh(singles),
    ]);
    expect(list.exitCode).toBe(7);
    expect(service.requests()).toBe(12);
  });

  it('[72] starts anew in a run across the end of the month, and names the current month', async () => {
    await using service = await startSlowService();
    const env = {
      ...configFolder({ 'config.json': budget(3) }).env,
      RISKCLI_BASE_URL: service.url,
      RISKCLI_API_KEY: KEY,
      XDG_STATE_HOME: temporaryFolder(),
    };
    // The third request is the last of November.
    const now = () => Date.parse(service.requests() < 3 ? '2026-11-30T23:59:59Z' : '2026-12-01T00:00:01Z');
    const { exitCode, stderr } = await cli(['profile', '-', '--csv', '--concurrency', '1'], {
      env,
      now,
      stdin: lines(0, 9),
    });
    expect(service.requests()).toBe(6);
    expect(exitCode).toBe(7);
    expect(stderr).toContain('the 3 requests allowed for December are used up');
    expect(stderr).toContain('on 1 January 2027 (UTC), in 31 days');
    expect(stderr).toContain('after 2027-01-01T00:00:00Z');
  });
});

const ORIGIN = 'https://api.example.com';
const JUNE = Date.parse('2026-06-30T23:59:59Z');

describe('what is kept of a key', () => {
  function place() {
    const home = temporaryFolder();
    const host = testHost({ env: { XDG_STATE_HOME: home }, now: () => JUNE }) as Context;
    return { folder: join(home, 'riskcli'), open: () => openKeyState(host, KEY, ORIGIN) };
  }

  /** Two are a race; in test/slow it is one of four. */
  const RACERS = isSlow ? 4 : 2;

  /** RACERS processes at once that each run `body`, with a state in `state`; what they print. */
  async function race(folder: string, body: string): Promise<string[]> {
    mkdirSync(folder, { mode: 0o700 });
    const script = join(folder, 'state.mjs');
    const source = `
      import { openKeyState } from './src/session/key-state.ts';
      const place = { env: process.env, platform: 'linux', pid: process.pid, uid: process.getuid(), home: undefined, hostName: () => 'here', isRunning: () => true, now: () => ${JUNE} };
      const state = openKeyState(place, '${KEY}', '${ORIGIN}');
      ${body}`;
    writeScript(source, script);
    const env = { PATH: process.env.PATH ?? '', XDG_STATE_HOME: join(folder, '..') };
    const runs = Array.from({ length: RACERS }, async () => {
      const child = spawn(process.execPath, [script], { env, stdio: ['ignore', 'pipe', 'inherit'] });
      const [printed] = await Promise.all([text(child.stdout), once(child, 'close')]);
      expect(child.exitCode).toBe(0);
      return printed;
    });
    return Promise.all(runs);
  }

  it('counts every request of concurrent processes', async () => {
    const { folder, open } = place();
    await race(
      folder,
      `for (let i = 0; i < 500; i++) {
        state.reserve();
        state.learn({ limit: i + 1 });
        if (i % 3 === 0) state.close();
      }
      state.close();`,
    );
    expect(open().sentThisMonth()).toBe(RACERS * 500);
    expect(open().learned()?.limit).toBe(500);
  });

  it('[72] lets processes that share a budget send all of it, and each at most one request more', async () => {
    const { folder, open } = place();
    const granted = await race(
      folder,
      `let granted = 0;
      try { for (;;) { state.reserve(${RACERS * 1_000}); granted++; } } catch {}
      console.log(granted);`,
    );
    const total = granted.reduce((sum, each) => sum + Number(each), 0);
    expect(total).toBeGreaterThanOrEqual(RACERS * 1_000);
    expect(total).toBeLessThan(RACERS * 1_001);
    expect(open().sentThisMonth()).toBe(total);
  });
});
