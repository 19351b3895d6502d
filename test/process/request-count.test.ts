/** Requests of a month, counted by processes at once: a file to which each of them appends. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import type { Context } from '../../src/context.ts';
import { KeyState } from '../../src/session/key-state.ts';
import { testHost } from '../fixtures/cli/here.ts';
import { temporaryFolder } from '../fixtures/place/folder.ts';
import { writeScript } from '../fixtures/process/script.ts';

const KEY = 'wrp_q7Zt-Xk_2Lm9Rv4Bn8';
const ORIGIN = 'https://api.example.com';
const JUNE = Date.parse('2026-06-30T23:59:59Z');

it('lets two processes share a monthly budget, and counts every request', async () => {
  const home = temporaryFolder();
  const script = join(home, 'spend.mjs');
  writeScript(
    `import { KeyState } from './src/session/key-state.ts';
    const host = { env: process.env, platform: 'linux', uid: process.getuid(), now: () => ${JUNE} };
    const state = new KeyState(host, '${KEY}', '${ORIGIN}');
    let granted = 0;
    try {
      for (;;) {
        state.reserve(2_000);
        state.learn({ limit: ++granted });
        if (granted % 3 === 0) state.close();
      }
    } catch {}
    state.close();
    console.log(granted);`,
    script,
  );
  const env = { XDG_STATE_HOME: home };
  const spend = async () => Number((await promisify(execFile)(process.execPath, [script], { env })).stdout);
  const [one, other] = await Promise.all([spend(), spend()]);
  const total = one + other;
  expect(total).toBeGreaterThanOrEqual(2_000);
  expect(total).toBeLessThan(2_002);
  const state = new KeyState(testHost({ env, now: () => JUNE }) as Context, KEY, ORIGIN);
  expect(state.sentThisMonth()).toBe(total);
  expect([one, other]).toContain(state.learned()?.limit);
});
