import {
  chmodSync,
  closeSync,
  constants,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openKeyState } from '../../../src/session/key-state.ts';
import { testHost } from '../../fixtures/cli/here.ts';
import { failCall, openFiles, replaceCall } from '../../fixtures/place/calls.ts';
import { makeFifo } from '../../fixtures/place/fifo.ts';
import { temporaryFolder } from '../../fixtures/place/folder.ts';

const KEY = 'wrp_q7Zt-Xk_2Lm9Rv4Bn8';
const ORIGIN = 'https://api.example.com';
const JUNE = Date.parse('2026-06-30T23:59:59Z');
const JULY = Date.parse('2026-07-01T00:00:00Z');

function place(home = temporaryFolder(), now = JUNE) {
  const folder = join(home, 'riskcli');
  const host = (at = now, pid = 1) => testHost({ env: { XDG_STATE_HOME: home }, now: () => at, pid });
  return {
    folder,
    host,
    open: (at = now, identity = { key: KEY, origin: ORIGIN }) => openKeyState(host(at), identity),
    files: () => readdirSync(folder).sort(),
  };
}

const LIMIT = { limit: 50, remaining: 7, resetAt: JUNE + 1_000, learnedAt: JUNE };
/** Every file of a limit is as long. */
const LIMIT_BYTES = 256;

describe('key state', () => {
  it('knows nothing at first, and writes nothing to find out', () => {
    const { open, folder } = place();
    const state = open();
    expect(state.learned()).toBeUndefined();
    expect(state.sentThisMonth()).toBe(0);
    state.close();
    expect(() => statSync(folder)).toThrow('ENOENT');
  });

  it('remembers the limit and counts the requests of the month', () => {
    const { open, folder } = place();
    const first = open();
    for (let i = 0; i < 3; i++) first.reserve();
    expect(first.sentThisMonth()).toBe(3);
    first.learn(LIMIT);
    first.close();
    const second = open();
    expect(second.learned()).toEqual(LIMIT);
    second.reserve();
    expect(open().sentThisMonth()).toBe(4);
    second.close();
    expect(openFiles(`${folder}/`)).toEqual([]);
  });

  it('starts anew with the month, and drops earlier counts', () => {
    const { open, files } = place();
    const june = open();
    june.reserve();
    june.close();
    const july = open(JULY);
    expect(july.sentThisMonth()).toBe(0);
    july.reserve();
    july.close();
    expect(open(JULY).sentThisMonth()).toBe(1);
    expect(files().map((file) => file.slice(-7))).toEqual(['2026-07']);
  });

  it('survives a concurrent run that drops earlier counts', () => {
    const { open } = place();
    replaceCall('readdirSync', (list) => (folder) => [...list(folder), `requests-${'0'.repeat(32)}-2026-05`]);
    const state = open();
    state.reserve();
    state.learn(LIMIT);
    state.close();
    expect([open().sentThisMonth(), open().learned()]).toEqual([1, LIMIT]);
  });

  it('keeps keys and origins apart', () => {
    const { open } = place();
    const one = open();
    one.reserve();
    one.learn(LIMIT);
    one.close();
    for (const other of [
      { key: `${KEY}x`, origin: ORIGIN },
      { key: KEY, origin: 'https://other.example' },
    ]) {
      expect(open(JUNE, other).sentThisMonth()).toBe(0);
      expect(open(JUNE, other).learned()).toBeUndefined();
    }
  });

  it('writes files that only their owner can read, without the key', () => {
    const { open, folder, files } = place();
    const state = open();
    state.reserve();
    state.learn(LIMIT);
    state.close();
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
    state.learn(LIMIT);
    state.learn({ ...LIMIT, limit: 99 });
    expect(open().learned()?.limit).toBe(50);
    state.close();
    expect(open().learned()?.limit).toBe(99);
  });

  it.each([
    '',
    '{',
    'null',
    '[]',
    '{"limit":"50","learnedAt":1}',
    '{"limit":-1,"learnedAt":1}',
    '{"limit":50}',
    '{"limit":50,"learnedAt":-1}',
    '{"limit":0.00001,"learnedAt":1}',
    '{"limit":1e15,"learnedAt":1}',
    ' '.repeat(9_999),
    JSON.stringify(LIMIT).padEnd(LIMIT_BYTES + 1),
  ])('ignores a file that is not its own: %j', (text) => {
    const { open, folder, files } = place();
    const state = open();
    state.learn(LIMIT);
    state.close();
    writeFileSync(join(folder, files()[0] ?? ''), text.padEnd(LIMIT_BYTES));
    expect(open().learned()).toBeUndefined();
    const repaired = open();
    repaired.learn(LIMIT);
    repaired.close();
    expect(open().learned()).toEqual(LIMIT);
  });

  it('[70] drops implausible values of a plausible limit', () => {
    const { open } = place();
    const state = open();
    state.learn({ limit: 10, remaining: 1e15, resetAt: JUNE + 1e13, learnedAt: JUNE });
    state.close();
    expect(open().learned()).toEqual({ limit: 10, learnedAt: JUNE });
  });

  it('continues without a message if it cannot write', () => {
    const home = temporaryFolder();
    const { open, folder } = place(home);
    writeFileSync(folder, 'a file where the folder should be');
    const state = open();
    state.reserve();
    state.learn(LIMIT);
    state.close();
    expect(state.sentThisMonth()).toBe(0);
    expect(
      openKeyState(testHost({ env: { XDG_STATE_HOME: '' } }), { key: KEY, origin: ORIGIN }).learned(),
    ).toBeUndefined();
  });

  it('accepts regular files only', () => {
    const { open, folder, files } = place();
    const state = open();
    state.reserve();
    state.learn(LIMIT);
    state.close();
    for (const file of files()) {
      rmSync(join(folder, file));
      mkdirSync(join(folder, file));
    }
    const again = open();
    expect(again.sentThisMonth()).toBe(0);
    expect(again.learned()).toBeUndefined();
    again.reserve();
    again.learn(LIMIT);
    again.close();
    expect(files()).toHaveLength(2);
    expect(openFiles(`${folder}/`)).toEqual([]);
  });

  it('writes into no pipe that stands where its files should', () => {
    const { open, folder, files } = place();
    const state = open();
    state.reserve();
    state.learn(LIMIT);
    state.close();
    const readers = files().map((file) => {
      rmSync(join(folder, file));
      makeFifo(join(folder, file));
      return openSync(join(folder, file), constants.O_RDONLY | constants.O_NONBLOCK);
    });
    const again = open();
    again.learn(LIMIT);
    again.reserve();
    expect([again.sentThisMonth(), again.learned()]).toEqual([1, LIMIT]);
    again.close();
    for (const fd of readers) {
      expect(readSync(fd, Buffer.alloc(10))).toBe(0);
      closeSync(fd);
    }
  });

  it('writes no limit a second time, and remembers that nothing is left', () => {
    const { open, folder, files } = place();
    const state = open();
    state.learn({ ...LIMIT, remaining: 0 });
    const path = join(folder, files()[0] ?? '');
    utimesSync(path, 1, 1);
    state.close();
    expect(statSync(path).mtimeMs).toBe(1_000);
    expect(open().learned()).toEqual({ ...LIMIT, remaining: 0 });
  });

  it('does not write through a symbolic link', () => {
    const { open, folder, files } = place();
    const state = open();
    state.reserve();
    state.close();
    const count = join(folder, files()[0] ?? '');
    const elsewhere = join(folder, 'elsewhere');
    writeFileSync(elsewhere, '');
    rmSync(count);
    symlinkSync(elsewhere, count);
    const again = open();
    again.reserve();
    again.close();
    expect(readFileSync(elsewhere, 'utf8')).toBe('');
  });

  it('counts a request in the month in which it is sent', () => {
    const { folder } = place();
    let now = JUNE;
    const home = join(folder, '..');
    const state = openKeyState(testHost({ env: { XDG_STATE_HOME: home }, now: () => now }), {
      key: KEY,
      origin: ORIGIN,
    });
    expect([1, 2, 3].map(() => state.reserve(2))).toEqual([true, true, false]);
    now = JULY;
    expect(state.sentThisMonth()).toBe(0);
    expect([1, 2, 3].map(() => state.reserve(2))).toEqual([true, true, false]);
    expect(state.sentThisMonth()).toBe(2);
    state.close();
  });

  it('[66] neither reads nor changes files in a folder that others can write', () => {
    const { open, folder, files } = place();
    const own = open();
    own.reserve();
    own.learn(LIMIT);
    own.close();
    const contents = () => files().map((file) => readFileSync(join(folder, file), 'utf8'));
    const before = contents();
    for (const mode of [0o777, 0o702, 0o720]) {
      chmodSync(folder, mode);
      const state = open();
      expect([state.sentThisMonth(), state.learned()]).toEqual([0, undefined]);
      expect([1, 2].map(() => state.reserve(1))).toEqual([true, false]);
      state.learn({ ...LIMIT, limit: 99 });
      state.close();
      expect(contents()).toEqual(before);
    }
    chmodSync(folder, 0o755);
    expect([open().sentThisMonth(), open().learned()]).toEqual([1, LIMIT]);
  });

  it('lets several runs share a budget, and at most one request of each beyond it', () => {
    const { open } = place();
    const [state, other] = [open(), open()];
    expect([state.reserve(2), other.reserve(2), state.reserve(2), other.reserve(2)]).toEqual([
      true,
      true,
      false,
      false,
    ]);
    let isOwn = true;
    replaceCall('writeSync', (write) => (fd, text) => {
      if (isOwn) {
        isOwn = false;
        other.reserve(3);
      }
      return write(fd, text);
    });
    expect([state.reserve(3), state.sentThisMonth(), state.reserve(4), other.reserve(4)]).toEqual([
      true,
      4,
      false,
      false,
    ]);
    state.close();
    other.close();
  });

  it('keeps a budget while the disk is full for a while', () => {
    const { open } = place();
    const state = open();
    expect(state.reserve(4)).toBe(true);
    let fails = 2;
    failCall('writeSync', 'ENOSPC', () => fails-- > 0);
    expect([1, 2, 3, 4].map(() => state.reserve(4))).toEqual([true, true, true, false]);
    expect([state.sentThisMonth(), open().sentThisMonth()]).toEqual([4, 2]);
    state.close();
  });

  it('drops only counts of earlier months', () => {
    const { open, folder, files } = place();
    const kept = [`requests-${'0'.repeat(32)}-2026-07`, 'requests-mine-2026-05', `limit-${'0'.repeat(32)}.json`];
    mkdirSync(folder, { mode: 0o700 });
    for (const name of [...kept, `requests-${'0'.repeat(32)}-2026-05`]) writeFileSync(join(folder, name), '');
    const state = open();
    state.reserve();
    state.close();
    expect(files().filter((name) => !name.endsWith('-2026-06'))).toEqual(kept.sort());
  });

  it('keeps a budget in memory if nothing can be written', () => {
    const state = openKeyState(testHost(), { key: KEY, origin: ORIGIN });
    expect([1, 2, 3].map(() => state.reserve(2))).toEqual([true, true, false]);
    expect(state.sentThisMonth()).toBe(2);
  });
});
