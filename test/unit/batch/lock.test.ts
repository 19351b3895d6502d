import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { acquireLock } from '../../../src/batch/lock.ts';
import { IoError, LockedError } from '../../../src/errors.ts';
import { temporaryFolder } from '../../helpers/folder.ts';
import { bundleScript } from '../../helpers/script.ts';

const host = { pid: process.pid, sleep: () => Promise.resolve() };
const newPath = () => join(temporaryFolder(), 'journal.lock');
/** The pid of a process that has ended. */
const gone = () => spawnSync(process.execPath, ['--version']).pid;
const holder = (fields: object) => JSON.stringify({ pid: process.pid, started: null, host: hostname(), ...fields });

describe('a lock', () => {
  it('is refused to a second run, and free once it is released', async () => {
    const path = newPath();
    const lock = await acquireLock(path, host);
    const refused = await acquireLock(path, host).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(LockedError);
    expect(refused).toMatchObject({ exitCode: 11, message: expect.stringContaining(`process ${process.pid}`) });
    lock.release();
    expect(existsSync(path)).toBe(false);
    (await acquireLock(path, host)).release();
  });

  it('says which process, since when, on which host', async () => {
    const path = newPath();
    const lock = await acquireLock(path, host);
    const written = JSON.parse(readFileSync(path, 'utf8'));
    expect(written).toMatchObject({ pid: process.pid, host: hostname() });
    if (process.platform === 'linux') expect(written.started).toMatch(/^\d+$/);
    lock.release();
  });

  it.each([
    ['a process that has ended', () => holder({ pid: gone() })],
    ['a process whose pid another one has now', () => holder({ started: '1' })],
    ['a process that was killed before it wrote its name', () => ''],
  ])('of %s is taken over', async (_, left) => {
    const path = newPath();
    writeFileSync(path, left());
    const lock = await acquireLock(path, host);
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ pid: process.pid });
    lock.release();
    expect(readdirSync(join(path, '..'))).toEqual([]);
  });

  it.runIf(process.platform === 'linux')(
    'of a process that has ended but was never waited for is taken over',
    async () => {
      const path = newPath();
      // The shell becomes a sleep that does not know that it has a child, so the child, once it ends, stays a zombie.
      const parent = spawn('bash', ['-c', 'cat <&0 & echo $!; exec sleep 60 0<&-'], {
        stdio: ['pipe', 'pipe', 'ignore'],
      });
      const zombie = await new Promise<number>((resolve) =>
        parent.stdout.once('data', (text) => resolve(Number(text))),
      );
      const until = async (file: string, text: string) => {
        while (!readFileSync(file, 'latin1').includes(text)) await new Promise(setImmediate);
      };
      await until(`/proc/${parent.pid}/comm`, 'sleep');
      parent.stdin.end();
      await until(`/proc/${zombie}/stat`, ') Z ');
      writeFileSync(path, holder({ pid: zombie }));
      (await acquireLock(path, host)).release();
      parent.kill('SIGKILL');
    },
  );

  it('is taken over even when a run was killed in the middle of taking it over', async () => {
    const path = newPath();
    writeFileSync(path, holder({ pid: gone() }));
    writeFileSync(`${path}.takeover`, holder({ pid: gone() }));
    (await acquireLock(path, host)).release();
    expect(readdirSync(join(path, '..'))).toEqual([]);
  });

  it.each([
    ['of another host', holder({ host: 'elsewhere', pid: 1 })],
    ['that is something else', 'my notes'],
  ])('%s stays, and is named as the file to delete', async (_, left) => {
    const path = newPath();
    writeFileSync(path, left);
    const refused = await acquireLock(path, host).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(LockedError);
    expect(refused).toMatchObject({ hint: expect.stringContaining(path) });
    expect(readFileSync(path, 'utf8')).toBe(left);
  });

  it('that was deleted and taken by another run is not released by the first', async () => {
    const path = newPath();
    const lock = await acquireLock(path, host);
    writeFileSync(path, holder({ host: 'elsewhere' }));
    lock.release();
    expect(existsSync(path)).toBe(true);
  });

  it('cannot be had where no file can be made', async () => {
    await expect(acquireLock(join(newPath(), 'lock'), host)).rejects.toThrow(IoError);
  });
});

/** Takes the lock when told to, says how that went, and holds it until stdin ends. */
const RACER = `
  import { acquireLock } from './src/batch/lock.ts';
  import { setTimeout as delay } from 'node:timers/promises';
  const host = { pid: process.pid, sleep: (ms) => delay(ms) };
  process.stdout.write('ready\\n');
  process.stdin.once('data', async () => {
    try {
      await acquireLock(process.argv[2], host);
      process.stdout.write('won\\n');
    } catch (error) {
      process.stdout.write(error.exitCode + '\\n');
    }
  });
`;

describe('four processes that find the same stale lock', () => {
  it('leave it to exactly one of them, every time', async () => {
    const folder = temporaryFolder();
    const script = join(folder, 'racer.mjs');
    await bundleScript(RACER, script);
    for (let round = 0; round < 6; round++) {
      const path = join(folder, `${round}.lock`);
      writeFileSync(path, round % 3 === 2 ? '' : holder({ pid: gone() }));
      const racers = Array.from({ length: 4 }, () => spawn(process.execPath, [script, path]));
      const lines = racers.map((racer) => racer.stdout.setEncoding('utf8').iterator());
      const said = () => Promise.all(lines.map(async (line) => String((await line.next()).value).trim()));
      expect(await said()).toEqual(Array(4).fill('ready'));
      for (const racer of racers) racer.stdin.write('go\n');
      expect((await said()).sort()).toEqual(['11', '11', '11', 'won']);
      for (const racer of racers) racer.stdin.end();
    }
  });
});
