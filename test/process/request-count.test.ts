/** Requests of a month, counted by processes at once: a file to which each of them appends. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import type { Context } from '../../src/context.ts';
import { openKeyState } from '../../src/session/key-state.ts';
import { testHost } from '../fixtures/cli/here.ts';
import { temporaryFolder } from '../fixtures/place/folder.ts';
import { writeScript } from '../fixtures/process/script.ts';
import { isSlow } from '../fixtures/sweep.ts';

const KEY = 'wrp_q7Zt-Xk_2Lm9Rv4Bn8';
const ORIGIN = 'https://api.example.com';
const JUNE = Date.parse('2026-06-30T23:59:59Z');
/** Two are a race; in test/slow it is one of four. */
const RACERS = isSlow ? 4 : 2;

/** RACERS processes at once that each run `body`, with a state in `state`: what they print, and the state that is left. */
async function race(body: string) {
  const home = temporaryFolder();
  const script = join(home, 'state.mjs');
  writeScript(
    `import { openKeyState } from './src/session/key-state.ts';
    const host = { env: process.env, platform: 'linux', uid: process.getuid(), now: () => ${JUNE} };
    const state = openKeyState(host, '${KEY}', '${ORIGIN}');
    ${body}`,
    script,
  );
  const env = { XDG_STATE_HOME: home };
  const runs = Array.from({ length: RACERS }, () => promisify(execFile)(process.execPath, [script], { env }));
  const printed = (await Promise.all(runs)).map(({ stdout }) => stdout);
  return { printed, state: openKeyState(testHost({ env, now: () => JUNE }) as Context, KEY, ORIGIN) };
}

it('every request of concurrent processes is counted', async () => {
  const { state } = await race(`
    for (let i = 0; i < 500; i++) {
      state.reserve();
      state.learn({ limit: i + 1 });
      if (i % 3 === 0) state.close();
    }
    state.close();`);
  expect(state.sentThisMonth()).toBe(RACERS * 500);
  expect(state.learned()?.limit).toBe(500);
});

it('[72] processes that share a budget send all of it, and each at most one request more', async () => {
  const { printed, state } = await race(`
    let granted = 0;
    try { for (;;) { state.reserve(${RACERS * 1_000}); granted++; } } catch {}
    console.log(granted);`);
  const total = printed.reduce((sum, each) => sum + Number(each), 0);
  expect(total).toBeGreaterThanOrEqual(RACERS * 1_000);
  expect(total).toBeLessThan(RACERS * 1_001);
  expect(state.sentThisMonth()).toBe(total);
});
