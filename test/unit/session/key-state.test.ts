import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Context } from '../../../src/context.ts';
import { KeyState, monthlyUse } from '../../../src/session/key-state.ts';
import { requireCounting } from '../../../src/session/request-count.ts';
import { testHost } from '../../fixtures/cli/here.ts';
import { openFiles, replaceCall } from '../../fixtures/place/calls.ts';
import { temporaryFolder } from '../../fixtures/place/folder.ts';

const KEY = 'wrp_q7Zt-Xk_2Lm9Rv4Bn8';
const ORIGIN = 'https://api.example.com';
const JUNE = Date.parse('2026-06-30T23:59:59Z');
const JULY = Date.parse('2026-07-01T00:00:00Z');

function place() {
  const home = temporaryFolder();
  const folder = join(home, 'riskcli');
  const clock = { now: JUNE };
  const host = testHost({ env: { XDG_STATE_HOME: home }, now: () => clock.now }) as Context;
  return {
    folder,
    clock,
    open: (key = KEY, origin = ORIGIN) => new KeyState(host, key, origin),
    files: () => readdirSync(folder).sort(),
  };
}

const RATE = { limit: 50, remaining: 7, resetMs: 1_000 };
const LEARNED = { limit: 50, remaining: 7, resetAt: JUNE + 1_000, learnedAt: JUNE };

/** A run that sends one request. */
function run(state: KeyState): void {
  state.reserve();
  state.rememberLimit(RATE);
  state.close();
}

const UNCOUNTED = expect.objectContaining({
  exitCode: 8,
  message: expect.stringMatching(/^requests cannot be counted, as monthly-requests requires: /),
  hint: 'set XDG_STATE_HOME to a folder of your own with room for a file',
});

/** Of so many requests, those that may be sent. */
const granted = (states: readonly KeyState[], allowed: number) =>
  states.map((state) => {
    try {
      state.reserve(allowed);
      return true;
    } catch {
      return false;
    }
  });

it('knows nothing of a new key, and writes nothing to find out', () => {
  const { open, folder } = place();
  const state = open();
  expect([state.lastLimit(), state.sentThisMonth()]).toEqual([undefined, 0]);
  state.close();
  expect(() => statSync(folder)).toThrow('ENOENT');
});

it('remembers the limit and counts the requests of the month', () => {
  const { open, folder } = place();
  run(open());
  const second = open();
  expect(second.lastLimit()).toEqual(LEARNED);
  second.reserve();
  expect([second.sentThisMonth(), open().sentThisMonth()]).toEqual([2, 2]);
  second.close();
  expect(openFiles(`${folder}/`)).toEqual([]);
});

it('keeps the state of keys and origins apart', () => {
  const { open } = place();
  run(open());
  for (const other of [open(`${KEY}x`, ORIGIN), open(KEY, 'https://other.example')]) {
    expect([other.sentThisMonth(), other.lastLimit()]).toEqual([0, undefined]);
  }
});

it('writes the state of a key in files that only their owner can read, without the key', () => {
  const { open, folder, files } = place();
  run(open());
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(files()).toHaveLength(2);
  for (const file of files()) {
    expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600);
    expect(file + readFileSync(join(folder, file), 'utf8')).not.toMatch(/q7Zt|Xk_2L|Lm9Rv|v4Bn8|wrp/);
  }
});

it('writes a limit once during the run, and the newest at the end', () => {
  const { open } = place();
  const state = open();
  state.rememberLimit(RATE);
  state.rememberLimit({ ...RATE, limit: 99 });
  expect(open().lastLimit()?.limit).toBe(50);
  state.close();
  expect(open().lastLimit()?.limit).toBe(99);
});

it.each([
  ...['', '{', 'null', '[]', '{"limit":"50","learnedAt":1}', '{"limit":50}', '{"limit":50,"learnedAt":-1}'],
  ...['{"limit":0.00001,"learnedAt":1}', '{"limit":1e15,"learnedAt":1}'],
])('ignores a limit that is torn or not believable: %j', (text) => {
  const { open, folder, files } = place();
  run(open());
  writeFileSync(join(folder, files()[0] ?? ''), text);
  expect(open().lastLimit()).toBeUndefined();
  run(open());
  expect(open().lastLimit()).toEqual(LEARNED);
});

it('neither reads nor changes the state of a key in a folder that others can write', () => {
  const { open, folder, files } = place();
  run(open());
  const contents = () => files().map((file) => readFileSync(join(folder, file), 'utf8'));
  const before = contents();
  for (const mode of [0o777, 0o702, 0o720]) {
    chmodSync(folder, mode);
    const state = open();
    expect([state.sentThisMonth(), state.lastLimit()]).toEqual([0, undefined]);
    expect(() => state.reserve(100)).toThrow(UNCOUNTED);
    state.rememberLimit({ ...RATE, limit: 99 });
    state.close();
    expect(contents()).toEqual(before);
  }
  chmodSync(folder, 0o755);
  expect([open().sentThisMonth(), open().lastLimit()]).toEqual([1, LEARNED]);
});

it('counts anew with the month, also during a run, and drops earlier counts and nothing else', () => {
  const { open, clock, folder, files } = place();
  const others = [`requests-${'0'.repeat(32)}-2026-08`, 'requests-mine-2026-05', `limit-${'0'.repeat(32)}.json`];
  mkdirSync(folder, { mode: 0o700 });
  for (const name of others) writeFileSync(join(folder, name), '');
  const state = open();
  expect(granted([state, state, state], 2)).toEqual([true, true, false]);
  clock.now = JULY;
  expect(state.sentThisMonth()).toBe(0);
  expect(granted([state, state, state], 2)).toEqual([true, true, false]);
  state.close();
  expect(files().filter((name) => !others.includes(name))).toEqual([expect.stringMatching(/-2026-07$/)]);
  expect(files()).toEqual(expect.arrayContaining(others));
});

it('says when the same command can resume', () => {
  const { open } = place();
  expect(() => open().reserve(0)).toThrow(
    expect.objectContaining({
      exitCode: 7,
      code: 'monthly_requests',
      message: expect.stringMatching(/^the 0 requests allowed for June/),
      hint: expect.stringMatching(/after 2026-07-01T00:00:00Z$/),
      resumeAt: JULY,
      isResumable: true,
    }),
  );
});

it('shares a monthly budget among runs, each of which may exceed it by one request', () => {
  const { open } = place();
  const [state, other] = [open(), open()];
  expect(granted([state, other, state, other], 2)).toEqual([true, true, false, false]);
  let isOwn = true;
  replaceCall('writeSync', (write) => (fd, text) => {
    if (isOwn) {
      isOwn = false;
      other.reserve(3);
    }
    return write(fd, text);
  });
  expect(granted([state], 3)).toEqual([true]);
  expect(state.sentThisMonth()).toBe(4);
  expect(granted([state, other], 4)).toEqual([false, false]);
  state.close();
  other.close();
});

it.each([
  ['no folder', () => testHost()],
  [
    'a file in the place of the folder',
    () => {
      const home = temporaryFolder();
      writeFileSync(join(home, 'riskcli'), '');
      return testHost({ env: { XDG_STATE_HOME: home }, now: () => JUNE });
    },
  ],
])('allows no request where there is %s', (_, host) => {
  const context = host() as Context;
  expect(() => requireCounting(context)).toThrow(UNCOUNTED);
  const state = new KeyState(context, KEY, ORIGIN);
  expect(() => state.reserve(2)).toThrow(UNCOUNTED);
  // Without the setting nothing needs the count.
  run(state);
});

it.each([
  ['no key is known', 100, {}, { allowed: 100, sent: 0 }],
  ['a command that nobody has run prints the key', 100, { source: { kind: 'command' } }, undefined],
  ['the setting is not there', undefined, {}, undefined],
])('reports the monthly budget before anything is sent, when %s', (_, value, key, expected) => {
  const settings = { get: () => ({ value }), text: () => undefined };
  expect(monthlyUse({ settings } as never, key as never)).toEqual(expected);
});
