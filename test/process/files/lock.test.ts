import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { IoError, LockedError, SignalError } from '../../../src/errors.ts';
import { takeLock, withLock } from '../../../src/files/lock.ts';
import { lockState } from '../../../src/files/lock-holder.ts';
import { identityOfProcess } from '../../../src/files/process-identity.ts';
import { testHost } from '../../fixtures/cli/here.ts';
import { manualClock } from '../../fixtures/manual-clock.ts';
import { failCall, replaceCall, systemError } from '../../fixtures/place/calls.ts';
import { makeFifo } from '../../fixtures/place/fifo.ts';
import { temporaryFolder } from '../../fixtures/place/folder.ts';
import { GONE_PID } from '../../fixtures/process/pid.ts';
import { writeScript } from '../../fixtures/process/script.ts';
import { isSlow } from '../../fixtures/sweep.ts';

/** No process has it: Linux gives out pids below 2^22. */
const DEAD_PID = 2 ** 22 + 1;
const { host: HERE, space: SPACE } = identityOfProcess(testHost());
const holder = (pid: number, { started = '-', host = HERE, space = SPACE, nonce = 'aaaaaaaaaaaa' } = {}) =>
  `${pid} ${started} ${host} ${space} ${nonce}`;
const DEAD = holder(DEAD_PID);
const ALIVE = holder(process.ppid);
const onLinux = process.platform === 'linux';

/** The lock and its holder's own file. */
const HELD = ['lock', expect.stringMatching(/^lock\.[0-9a-f]{12}\.new$/)];

function stage(lock?: string) {
  const folder = temporaryFolder();
  const path = join(folder, 'lock');
  if (lock !== undefined) writeFileSync(path, lock);
  return { path, files: () => readdirSync(folder).sort(), text: () => readFileSync(path, 'utf8') };
}

const refusal = (path: string) => takeLock(path, testHost()).catch((error: unknown) => error);

/** A file system that cannot link, such as FAT. */
function withoutHardLinks() {
  failCall('linkSync', 'EPERM');
}

describe.each(['with', 'without'])('takeLock, %s hard links', (links) => {
  it('is refused to a second run, and free once it is released', async () => {
    if (links === 'without') withoutHardLinks();
    const { path, files, text } = stage();
    const lock = await takeLock(path, testHost());
    expect(text()).toMatch(new RegExp(`^${process.pid} ${onLinux ? '\\d+' : '\\S+'} ${HERE} ${SPACE} [0-9a-f]{12}$`));
    expect(files()).toEqual(HELD);
    const refused = await refusal(path);
    expect(refused).toBeInstanceOf(LockedError);
    expect(refused).toMatchObject({ exitCode: 11, message: `another run (process ${process.pid}) holds '${path}'` });
    lock.release();
    expect(files()).toEqual([]);
    (await takeLock(path, testHost())).release();
  });

  it.each([
    ['a process that has ended', DEAD],
    ['a process whose pid another one has now', holder(process.pid, { started: '1' })],
    ['a process that was killed before it wrote its name', ''],
  ])('takes over from %s', async (_, left) => {
    if (links === 'without') withoutHardLinks();
    const { path, files, text } = stage(left);
    const lock = await takeLock(path, testHost());
    expect(text()).toContain(`${process.pid} `);
    lock.release();
    expect(files()).toEqual([]);
  });
});

describe('takeLock', () => {
  it.runIf(onLinux)('takes over from a process that has ended but was never waited for', async () => {
    // The shell execs a sleep, which never waits for its child, so the child stays a zombie.
    const parent = spawn('bash', ['-c', 'cat <&0 & echo $!; exec sleep 60 0<&-'], {
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    onTestFinished(() => void parent.kill('SIGKILL'));
    const zombie = await new Promise<number>((resolve) => parent.stdout.once('data', (text) => resolve(Number(text))));
    const until = async (file: string, text: string) => {
      while (!readFileSync(file, 'latin1').includes(text)) await new Promise(setImmediate);
    };
    await until(`/proc/${parent.pid}/comm`, 'sleep');
    parent.stdin.end();
    await until(`/proc/${zombie}/stat`, ') Z ');
    (await takeLock(stage(holder(zombie)).path, testHost())).release();
  });

  it('takes over even if a previous take-over was killed', async () => {
    const { path, files } = stage(DEAD);
    writeFileSync(`${path}.aaaaaaaaaaaa`, holder(DEAD_PID, { nonce: 'bbbbbbbbbbbb' }));
    (await takeLock(path, testHost())).release();
    expect(files()).toEqual([]);
  });

  it('waits for a running process to finish taking over', async () => {
    const { path, text } = stage(DEAD);
    writeFileSync(`${path}.aaaaaaaaaaaa`, holder(process.ppid, { nonce: 'bbbbbbbbbbbb' }));
    expect(await refusal(path)).toBeInstanceOf(LockedError);
    expect(text()).toBe(DEAD);
  });

  it.each([0, 1, 7, 8, 10, 15, 40, ALIVE.length - 1])(
    'takes over one of which only the first %i bytes were written, as on a full disk',
    async (bytes) => {
      const { path, files, text } = stage(ALIVE.slice(0, bytes));
      const lock = await takeLock(path, testHost());
      expect(text()).toContain(`${process.pid} `);
      lock.release();
      expect(files()).toEqual([]);
    },
  );

  it.each([
    ['nothing but NULs', '\0'.repeat(ALIVE.length)],
    ['NULs behind its beginning', ALIVE.slice(0, 20).padEnd(ALIVE.length, '\0')],
  ])('[79] takes over one that a power cut has left with %s', async (_, left) => {
    const { path, files } = stage(left);
    expect(lockState(path, testHost())).toBe('left');
    (await takeLock(path, testHost())).release();
    expect(files()).toEqual([]);
  });

  it('knows who holds it on Android as on Linux (emulated)', () => {
    expect(identityOfProcess(testHost({ platform: 'android' }))).toEqual({ host: HERE, space: SPACE });
  });

  it('leaves no partial lock if the disk is full, and says so', async () => {
    const { path, files } = stage();
    let room = 40;
    replaceCall('writeSync', (write) => (fd, data, ...rest) => {
      if (room === 0) throw systemError('ENOSPC');
      const written = write(fd, Buffer.from(data).subarray(0, room), ...rest);
      room -= written;
      return written;
    });
    expect(await refusal(path)).toMatchObject({
      exitCode: 8,
      message: `the lock '${path}' cannot be created: no space left on the device`,
      hint: 'make its folder writable, or choose a file in another folder',
    });
    expect(files()).toEqual([]);
  });

  it('leaves no part of a lock behind where there are no hard links and the disk takes no more', async () => {
    withoutHardLinks();
    const { path, files } = stage();
    let writes = 0;
    replaceCall('writeSync', (write) => (fd, data, ...rest) => {
      if (++writes === 1) return write(fd, data, ...rest);
      write(fd, Buffer.from(data).subarray(0, 10));
      throw systemError('ENOSPC');
    });
    expect(await refusal(path)).toMatchObject({ exitCode: 8 });
    expect(files()).toEqual([]);
  });

  it('is taken though it could not be read back for a moment', async () => {
    const { path, text } = stage();
    let fails = 1;
    // A lock is read from its beginning, up to so many bytes.
    replaceCall('readSync', (read) => (...given) => {
      const isLock = given[3] === 512 && given[4] === 0;
      return isLock && fails-- > 0 ? 0 : read(...given);
    });
    const lock = await takeLock(path, testHost());
    expect([lock.isHeld(), text()]).toEqual([true, expect.stringMatching(new RegExp(`^${process.pid} `))]);
    lock.release();
  });

  it('is taken by a link though whoever had it has tidied away what this run had prepared', async () => {
    const { path } = stage();
    let fails = 1;
    failCall('linkSync', 'ENOENT', () => fails-- > 0);
    const lock = await takeLock(path, testHost());
    expect([lock.isHeld(), statSync(path).nlink]).toEqual([true, 2]);
    lock.release();
  });

  it.each(['EIO', 'EROFS'])('reports a leftover lock that cannot be removed: %s', async (code) => {
    const { path } = stage(DEAD);
    failCall('rmSync', code, (name) => name === path);
    expect(await refusal(path)).toMatchObject({
      exitCode: 8,
      message: expect.stringMatching(/^the lock '.*', which no run holds any more, cannot be removed: /),
      hint: expect.stringContaining('run the same command again'),
    });
  });

  it('removes files left by killed processes, and nothing else', async () => {
    const { path, files } = stage();
    for (const name of ['.bbbbbbbbbbbb.new', '.bbbbbbbbbbbb', '.bbbbbbbbbbbb.unnamed', '.unnamed']) {
      writeFileSync(path + name, '');
    }
    const others = ['.aaaaaaaaaaaa.lock', '.bak', '.new', 'smith'];
    for (const name of others) writeFileSync(path + name, '');
    (await takeLock(path, testHost())).release();
    expect(files()).toEqual(others.map((name) => `lock${name}`));
  });

  it.each([
    ['of another host', holder(DEAD_PID, { host: 'elsewhere' }), /^a run on host elsewhere \(process 4194305\) holds /],
    ['that is something else', 'my notes', /^something other than riskcli holds /],
  ])('leaves one %s, and names it as the file to delete', async (_, left, message) => {
    const { path, text } = stage(left);
    const refused = await refusal(path);
    expect(refused).toBeInstanceOf(LockedError);
    expect(refused).toMatchObject({
      message: expect.stringMatching(message),
      hint: expect.stringContaining(`delete '${path}'`),
    });
    expect(text()).toBe(left);
  });

  it.each([
    ['another host', { host: 'elsewhere' }],
    ['another pid namespace of this host', { space: '4026999999/another-boot' }],
    ['a system without /proc', { space: '-' }],
  ])('takes over from %s only when the holder has been silent for more than a minute', async (_, where) => {
    const left = holder(process.ppid, where);
    const { path, text, files } = stage(left);
    const silentFor = (seconds: number) => {
      const at = Date.now() / 1000 - seconds;
      utimesSync(path, at, at);
    };
    for (const seconds of [0, 50, -50]) {
      silentFor(seconds);
      expect(await refusal(path)).toMatchObject({ exitCode: 11, hint: expect.stringContaining(`delete '${path}'`) });
      expect(text()).toBe(left);
    }
    for (const seconds of [70, -70]) {
      writeFileSync(path, left);
      silentFor(seconds);
      (await takeLock(path, testHost())).release();
      expect(files()).toEqual([]);
    }
  });

  it.each(['My Mac', '', 'tab\tand\nline'])('recognises its own lock on a host called %j', async (hostName) => {
    const { path, files } = stage();
    const host = testHost({ hostName: () => hostName });
    const lock = await takeLock(path, host);
    await expect(takeLock(path, host)).rejects.toThrow('another run');
    lock.release();
    const { host: name } = identityOfProcess(host);
    writeFileSync(path, holder(DEAD_PID, { host: name }));
    (await takeLock(path, host)).release();
    expect(files()).toEqual([]);
  });

  it('reads no more of a file that is not a lock than needed', async () => {
    const { path } = stage(`${'x'.repeat(600)} `);
    truncateSync(path, 3 * 2 ** 30);
    expect(await refusal(path)).toMatchObject({ exitCode: 11, message: expect.stringContaining('other than riskcli') });
  });

  it('ignores missing heartbeats of a holder that is known to run', async () => {
    const { path } = stage(ALIVE);
    utimesSync(path, 1, 1);
    expect(await refusal(path)).toBeInstanceOf(LockedError);
  });

  describe.each(['darwin', 'win32'] as const)(
    'on %s, emulated: no /proc, and every process can be asked for',
    (platform) => {
      const place = (left: string, uptimeMs = 1_000_000) => {
        const staged = stage(left);
        const silentFor = (ms: number) => utimesSync(staged.path, new Date(), new Date(Date.now() - ms));
        return { ...staged, silentFor, host: testHost({ platform, uptime: () => uptimeMs }) };
      };
      const MACHINE = { space: identityOfProcess(testHost({ platform })).space };

      it('takes over at once if the holder is gone', async () => {
        const { path, host } = place(holder(DEAD_PID, MACHINE));
        (await takeLock(path, host)).release();
      });

      it('respects the lock of a running process without heartbeats, and names the file to delete, because the process may be another one', async () => {
        const { path, text, host, silentFor } = place(holder(process.ppid, MACHINE));
        for (const ms of [0, 999_000]) {
          silentFor(ms);
          expect(await takeLock(path, host).catch((error: unknown) => error)).toMatchObject({
            exitCode: 11,
            message: `another run (process ${process.ppid}) holds '${path}'`,
            hint: expect.stringContaining(`if process ${process.ppid} is not riskcli, delete '${path}'`),
          });
        }
        expect(text()).toBe(holder(process.ppid, MACHINE));
      });

      it('takes over one that is older than the boot, even if its process number is in use again', async () => {
        const { path, host, silentFor } = place(holder(process.ppid, MACHINE));
        silentFor(1_001_000);
        (await takeLock(path, host)).release();
      });
    },
  );

  it('takes over one that is older than the boot at once if holders cannot be looked up (no /proc, emulated)', async () => {
    const { path } = stage(holder(process.ppid, { space: '-' }));
    const host = testHost({ platform: 'freebsd', uptime: () => 30_000 });
    const at = Date.now() / 1000;
    utimesSync(path, at, at - 29);
    await expect(takeLock(path, host)).rejects.toThrow(LockedError);
    utimesSync(path, at, at - 31);
    (await takeLock(path, host)).release();
  });

  it('treats the lock of an earlier version, which names no pid namespace, as one of an invisible holder', async () => {
    const { path } = stage(`${DEAD_PID} - ${HERE} aaaaaaaaaaaa`);
    expect(await refusal(path)).toBeInstanceOf(LockedError);
    utimesSync(path, 1, 1);
    (await takeLock(path, testHost())).release();
  });

  it('updates its heartbeat while it is held, and touches no other file in its place', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const { path, text } = stage();
    const lock = await takeLock(path, testHost());
    const own = text();
    utimesSync(path, 1, 1);
    vi.advanceTimersByTime(5_000);
    expect(Date.now() - statSync(path).mtimeMs).toBeLessThan(60_000);
    expect(text()).toBe(own);
    rmSync(path);
    writeFileSync(path, ALIVE);
    utimesSync(path, 1, 1);
    vi.advanceTimersByTime(5_000);
    expect([text(), statSync(path).mtimeMs]).toEqual([ALIVE, 1_000]);
    lock.release();
    expect(vi.getTimerCount()).toBe(0);
  });

  describe.each([
    ['deleted', (path: string) => rmSync(path)],
    [
      'replaced',
      (path: string) => {
        rmSync(path);
        writeFileSync(path, ALIVE);
      },
    ],
    ['written over', (path: string) => writeFileSync(path, ALIVE)],
  ])('once it is %s', (_, lose) => {
    it('[81] notices at the next check, 50 ms after the last one, that it is no longer held', async () => {
      const clock = manualClock();
      const { path } = stage();
      const lock = await takeLock(path, testHost({ monotonic: clock.monotonic }));
      expect(() => lock.check()).not.toThrow();
      lose(path);
      await clock.pass(49);
      expect(lock.isHeld()).toBe(true);
      await clock.pass(1);
      expect([lock.isHeld(), lock.lost.aborted]).toEqual([false, true]);
      expect(() => lock.check()).toThrow(LockedError);
      expect(lock.lost.reason).toMatchObject({
        exitCode: 11,
        message: `the lock '${path}' was deleted, replaced or taken over while this run held it`,
        hint: 'answers up to then are kept; when no other run is using the journal, rerun the same command to resume',
        isResumable: true,
      });
      const after = existsSync(path) && readFileSync(path, 'utf8');
      lock.release();
      expect(existsSync(path) && readFileSync(path, 'utf8')).toBe(after);
    });

    it('[81] notices at the next heartbeat of an idle holder that it is no longer held', async () => {
      vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
      onTestFinished(() => void vi.useRealTimers());
      const { path } = stage();
      const lock = await takeLock(path, testHost());
      lose(path);
      vi.advanceTimersByTime(5_000);
      expect(lock.lost.aborted).toBe(true);
      lock.release();
    });
  });

  it('stays held if one check of it fails, as on a network drive', async () => {
    let now = 0;
    const lock = await takeLock(stage().path, testHost({ monotonic: () => (now += 100) }));
    let fails = 1;
    failCall('lstatSync', 'EIO', () => fails-- > 0);
    expect(lock.isHeld()).toBe(true);
    lock.release();
  });

  it('[81] tells a new holder, after it was deleted, that the previous holder still runs', async () => {
    const { path, files } = stage();
    const first = await takeLock(path, testHost());
    expect(first.formerHolder()).toBeUndefined();
    rmSync(path);
    const second = await takeLock(path, testHost());
    expect([second.formerHolder(), first.formerHolder()]).toEqual([String(process.pid), String(process.pid)]);
    first.release();
    expect(second.formerHolder()).toBeUndefined();
    second.release();
    expect(files()).toEqual([]);
  });

  it.each([
    ['has ended', DEAD, 0],
    ['has been silent for more than a minute', ALIVE, 61],
    ['is no lock', 'my notes', 0],
  ])('does not take for such a holder what %s', async (_, text, silentSeconds) => {
    const { path } = stage();
    const draft = `${path}.aaaaaaaaaaaa.new`;
    writeFileSync(draft, text);
    const at = Date.now() / 1000 - silentSeconds;
    utimesSync(draft, at, at);
    const lock = await takeLock(path, testHost());
    expect(lock.formerHolder()).toBeUndefined();
    lock.release();
  });

  it('does not release one that was deleted and taken by another run', async () => {
    const { path, text } = stage();
    const lock = await takeLock(path, testHost());
    writeFileSync(path, ALIVE);
    lock.release();
    expect(text()).toBe(ALIVE);
  });

  it.each([
    ['a folder', (path: string) => mkdirSync(path)],
    ['a link to nothing', (path: string) => symlinkSync('nowhere', path)],
    ['a FIFO', makeFifo],
  ])('does not wait for %s', async (_, make) => {
    const { path } = stage();
    make(path);
    expect(await refusal(path)).toMatchObject({ exitCode: 8, message: expect.stringContaining('not a regular file') });
  });

  it('fails if no file can be made', async () => {
    const { path } = stage();
    expect(await refusal(join(path, 'lock'))).toBeInstanceOf(IoError);
    expect(existsSync(path)).toBe(false);
  });
});

describe('withLock', () => {
  it('holds the lock during the work, and no longer', async () => {
    const { path, files } = stage();
    expect(await withLock(path, testHost(), files)).toEqual(HELD);
    expect(files()).toEqual([]);
  });

  it('releases the lock if the work fails', async () => {
    const { path, files } = stage();
    const work = () => {
      throw new Error('no');
    };
    await expect(withLock(path, testHost(), work)).rejects.toThrow('no');
    expect(files()).toEqual([]);
  });

  it('waits for a running holder', async () => {
    const { path } = stage(ALIVE);
    let pauses = 0;
    const sleep = async () => {
      if (++pauses === 3) writeFileSync(path, DEAD);
    };
    expect(await withLock(path, testHost({ sleep }), () => 'mine')).toBe('mine');
    expect(pauses).toBe(3);
  });

  it.each([
    ['lives', ALIVE],
    ['is on another host, where nobody can look', holder(DEAD_PID, { host: 'elsewhere' })],
    ['is not riskcli', 'something else'],
  ])('gives up in the end, naming the file, when the holder %s', async (_, left) => {
    const { path, text } = stage(left);
    const refused = await withLock(path, testHost(), () => 'mine').catch((error: unknown) => error);
    expect(refused).toMatchObject({ exitCode: 8, message: expect.stringContaining(path) });
    expect(text()).toBe(left);
  });

  it('stops waiting when aborted', async () => {
    const { path } = stage(ALIVE);
    const reason = new SignalError('SIGTERM');
    const sleep = (_: number, signal?: AbortSignal) => Promise.reject(signal?.reason);
    const host = testHost({ sleep, signal: AbortSignal.abort(reason) });
    await expect(withLock(path, host, () => 'mine')).rejects.toBe(reason);
  });
});

/** Takes the lock when told to, says how that went, and holds it until stdin ends. */
const RACER = `
  import { processHost } from './src/host/process-host.ts';
  import { takeLock } from './src/files/lock.ts';
  const host = processHost();
  process.stdout.write('ready\\n');
  process.stdin.once('data', async () => {
    try {
      await takeLock(process.argv[2], host);
      process.stdout.write('won\\n');
    } catch (error) {
      process.stdout.write(error.exitCode + '\\n');
    }
  });
`;

describe('processes that find the same stale lock', () => {
  // Two are enough for a race; test/slow has four, and an empty lock.
  it('take it over in exactly one of them, every time', async () => {
    const folder = temporaryFolder();
    const script = join(folder, 'racer.mjs');
    writeScript(RACER, script);
    const count = isSlow ? 4 : 2;
    for (let round = 0; round < (isSlow ? 3 : 1); round++) {
      const path = join(folder, `${round}.lock`);
      writeFileSync(path, round % 3 === 2 ? '' : holder(GONE_PID));
      const racers = Array.from({ length: count }, () => spawn(process.execPath, [script, path]));
      const lines = racers.map((racer) => racer.stdout.setEncoding('utf8').iterator());
      const said = () => Promise.all(lines.map(async (line) => String((await line.next()).value).trim()));
      expect(await said()).toEqual(Array(count).fill('ready'));
      for (const racer of racers) racer.stdin.write('go\n');
      expect((await said()).sort()).toEqual([...Array(count - 1).fill('11'), 'won']);
      for (const racer of racers) racer.stdin.end();
    }
  });
});
