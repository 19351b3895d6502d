import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SignalError } from '../../../src/errors.ts';
import { withLock } from '../../../src/settings/lock.ts';
import { temporaryFolder } from '../../helpers/folder.ts';
import { testHost } from '../../helpers/run.ts';

const DEAD_PID = 2 ** 22 + 1;
const holder = (pid: number, nonce: string, host = hostname()) => `${pid} - ${host} ${nonce}`;

function stage(lock?: string) {
  const folder = temporaryFolder();
  const path = join(folder, 'lock');
  if (lock !== undefined) writeFileSync(path, lock);
  return { path, files: () => readdirSync(folder).sort(), folder };
}

describe('withLock', () => {
  it('holds the lock while the work is done, with the name of its holder in it, and no longer', async () => {
    const { path, files } = stage();
    const seen = await withLock(path, testHost(), () => readFileSync(path, 'utf8'));
    expect(seen).toMatch(new RegExp(`^${process.pid} \\S+ ${hostname()} [0-9a-f]{12}$`));
    expect(files()).toEqual([]);
  });

  it('lets go when the work fails', async () => {
    const { path, files } = stage();
    const work = () => {
      throw new Error('no');
    };
    await expect(withLock(path, testHost(), work)).rejects.toThrow('no');
    expect(files()).toEqual([]);
  });

  it('waits for a holder that lives', async () => {
    const { path } = stage(holder(process.ppid, 'aaaaaaaaaaaa'));
    let pauses = 0;
    const sleep = async () => {
      if (++pauses === 3) writeFileSync(path, holder(DEAD_PID, 'aaaaaaaaaaaa'));
    };
    expect(await withLock(path, testHost({ sleep }), () => 'mine')).toBe('mine');
    expect(pauses).toBe(3);
  });

  it.each([
    ['lives', holder(process.ppid, 'aaaaaaaaaaaa')],
    ['is on another host, where nobody can look', holder(DEAD_PID, 'aaaaaaaaaaaa', 'elsewhere')],
    ['is not riskcli', 'something else'],
  ])('gives up in the end, naming the file, when the holder %s', async (_, text) => {
    const { path } = stage(text);
    await expect(withLock(path, testHost(), () => 'mine')).rejects.toThrow(path);
    expect(readFileSync(path, 'utf8')).toBe(text);
  });

  it.each([
    ['is dead', holder(DEAD_PID, 'aaaaaaaaaaaa')],
    ['had a pid that another process has now', `${process.pid} 1 ${hostname()} aaaaaaaaaaaa`],
  ])('takes over from a holder that %s', async (_, text) => {
    const { path, files } = stage(text);
    expect(await withLock(path, testHost(), () => 'mine')).toBe('mine');
    expect(files()).toEqual([]);
  });

  it('takes over although whoever was taking over was killed too', async () => {
    const { path, files, folder } = stage(holder(DEAD_PID, 'aaaaaaaaaaaa'));
    writeFileSync(join(folder, 'lock.aaaaaaaaaaaa'), holder(DEAD_PID, 'bbbbbbbbbbbb'));
    expect(await withLock(path, testHost(), () => 'mine')).toBe('mine');
    expect(files()).toEqual([]);
  });

  it('lets somebody who lives finish taking over', async () => {
    const dead = holder(DEAD_PID, 'aaaaaaaaaaaa');
    const { path, folder } = stage(dead);
    writeFileSync(join(folder, 'lock.aaaaaaaaaaaa'), holder(process.ppid, 'bbbbbbbbbbbb'));
    await expect(withLock(path, testHost(), () => 'mine')).rejects.toThrow(path);
    expect(readFileSync(path, 'utf8')).toBe(dead);
  });

  it('stops waiting when asked to', async () => {
    const { path } = stage(holder(process.ppid, 'aaaaaaaaaaaa'));
    const reason = new SignalError('SIGTERM');
    const sleep = (_: number, signal?: AbortSignal) => Promise.reject(signal?.reason);
    const host = testHost({ sleep, signal: AbortSignal.abort(reason) });
    await expect(withLock(path, host, () => 'mine')).rejects.toBe(reason);
  });
});
