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
import { holderPlace, processStart } from '../../../src/files/lock-holder.ts';
import { testHost } from '../../fixtures/cli/here.ts';
import { manualClock } from '../../fixtures/manual-clock.ts';
import { failCall, replaceCall, systemError } from '../../fixtures/place/calls.ts';
import { makeFifo } from '../../fixtures/place/fifo.ts';
import { temporaryFolder } from '../../fixtures/place/folder.ts';
import { writeScript } from '../../fixtures/process/script.ts';
import { isSlow } from '../../fixtures/sweep.ts';

/** No process has it: Linux gives out pids below 2^22. */
const DEAD_PID = 2 ** 22 + 1;
const HERE = holderPlace(testHost());
const holder = (pid: number, { started = '-', place = HERE, nonce = 'aaaaaaaaaaaa' } = {}) =>
  `${pid} ${started} ${place} ${nonce}`;
const DEAD = holder(DEAD_PID);
const ALIVE = holder(process.ppid, { started: processStart(process.ppid, testHost()) });
const onLinux = process.platform === 'linux';

function stage(lock?: string) {
  const folder = temporaryFolder();
  const path = join(folder, 'lock');
  if (lock !== undefined) writeFileSync(path, lock);
  return { path, files: () => readdirSync(folder).sort(), text: () => readFileSync(path, 'utf8') };
}

const refusal = (path: string) => takeLock(path, testHost()).catch((error: unknown) => error);

/** The lock at `path`, last rewritten so long ago. */
function silentFor(path: string, seconds: number): void {
  const at = Date.now() / 1000 - seconds;
  utimesSync(path, at, at);
}

it('refuses a lock to a second run until it is released', async () => {
  const { path, files, text } = stage();
  const lock = await takeLock(path, testHost());
  expect(text()).toMatch(new RegExp(`^${process.pid} ${onLinux ? '\\d+' : '-'} ${HERE} [0-9a-f]{12}$`));
  expect(files()).toEqual(['lock']);
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
  ['one that was killed before it wrote', ''],
  ['one that wrote the beginning, on a full disk', ALIVE.slice(0, 15)],
  ['one of which a power cut has left NULs', '\0'.repeat(ALIVE.length)],
])('takes over the lock of %s at once', async (_, left) => {
  const { path, files, text } = stage(left);
  const lock = await takeLock(path, testHost());
  expect(text()).toContain(`${process.pid} `);
  lock.release();
  expect(files()).toEqual([]);
});

it.runIf(onLinux)('takes over the lock of a zombie process', async () => {
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
  const started = processStart(zombie, testHost());
  parent.stdin.end();
  await until(`/proc/${zombie}/stat`, ') Z ');
  (await takeLock(stage(holder(zombie, { started })).path, testHost())).release();
});

it.each([
  ['of a take-over that was killed', DEAD],
  ['of a process that was killed before it took over', undefined],
])('removes the claim %s, and takes the lock', async (_, left) => {
  const { path, files } = stage(left);
  writeFileSync(`${path}.claim`, holder(DEAD_PID, { nonce: 'bbbbbbbbbbbb' }));
  (await takeLock(path, testHost())).release();
  expect(files()).toEqual([]);
});

it('leaves a stale lock to a running process that is taking it over', async () => {
  const { path, text } = stage(DEAD);
  writeFileSync(`${path}.claim`, ALIVE);
  expect(await refusal(path)).toBeInstanceOf(LockedError);
  expect(text()).toBe(DEAD);
});

it('waits for the maker of an empty lock to write it', async () => {
  const { path, text } = stage('');
  let pauses = 0;
  const sleep = async () => {
    if (++pauses === 3) writeFileSync(path, ALIVE);
  };
  await expect(takeLock(path, testHost({ sleep }))).rejects.toThrow('another run');
  expect([pauses, text()]).toEqual([3, ALIVE]);
});

it('leaves no part of a lock behind on a full disk', async () => {
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

it('leaves a lock to the run that took it while this process was halted', async () => {
  const { path, text } = stage();
  replaceCall('writeSync', (write) => (...given) => {
    rmSync(path);
    writeFileSync(path, ALIVE);
    return write(...given);
  });
  expect(await refusal(path)).toMatchObject({ message: `another run (process ${process.ppid}) holds '${path}'` });
  expect(text()).toBe(ALIVE);
});

it.each(['EIO', 'EROFS'])('reports a stale lock that cannot be taken over: %s', async (code) => {
  const { path } = stage(DEAD);
  failCall('renameSync', code, (_, name) => name === path);
  expect(await refusal(path)).toMatchObject({
    exitCode: 8,
    message: expect.stringMatching(/^the lock '.*', which no run holds any more, cannot be taken over: /),
    hint: expect.stringContaining('run the same command again'),
  });
});

it.each([
  [
    'of another host',
    holder(DEAD_PID, { place: 'elsewhere/1' }),
    /^a run on host elsewhere \(process 4194305\) holds /,
  ],
  ['that is something else', 'my notes', /^something other than riskcli holds /],
])('leaves a lock %s, and names it as the file to delete', async (_, left, message) => {
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
  ['another host', { place: 'elsewhere/1' }],
  ['another pid namespace of this host', { place: `${HERE}0` }],
  ['a system without /proc', { place: HERE.replace(/\/.*/, '/-') }],
  ['a process whose start is unknown', { started: '-' }],
])('takes over the lock of %s only after a minute of silence', async (_, where) => {
  const left = holder(process.ppid, where);
  const { path, text, files } = stage(left);
  for (const seconds of [0, 50, -50]) {
    silentFor(path, seconds);
    expect(await refusal(path)).toMatchObject({ exitCode: 11, hint: expect.stringContaining(`delete '${path}'`) });
    expect([text(), files()]).toEqual([left, ['lock']]);
  }
  for (const seconds of [70, -70]) {
    writeFileSync(path, left);
    silentFor(path, seconds);
    (await takeLock(path, testHost())).release();
    expect(files()).toEqual([]);
  }
});

it('leaves a lock to a holder that touched it after it seemed silent', async () => {
  const left = holder(process.ppid, { place: 'elsewhere/1' });
  const { path, text } = stage(left);
  silentFor(path, 70);
  replaceCall('openSync', (open) => (...given) => {
    const fd = open(...given);
    if (String(given[0]).endsWith('.claim') && given[1] === 'wx') silentFor(path, 0);
    return fd;
  });
  expect(await refusal(path)).toBeInstanceOf(LockedError);
  expect(text()).toBe(left);
});

it.each(['My Mac', '', 'tab\tand\nline'])('recognises its own lock on a host called %j', async (hostName) => {
  const { path, files } = stage();
  const host = testHost({ hostName: () => hostName });
  const lock = await takeLock(path, host);
  await expect(takeLock(path, host)).rejects.toThrow('another run');
  lock.release();
  writeFileSync(path, holder(DEAD_PID, { place: holderPlace(host) }));
  (await takeLock(path, host)).release();
  expect(files()).toEqual([]);
});

it('reads only the start of a large file in place of a lock', async () => {
  const { path } = stage(`${'x'.repeat(600)} `);
  truncateSync(path, 3 * 2 ** 30);
  expect(await refusal(path)).toMatchObject({ exitCode: 11, message: expect.stringContaining('other than riskcli') });
});

it('ignores missing heartbeats of a holder that is known to run', async () => {
  const { path } = stage(ALIVE);
  utimesSync(path, 1, 1);
  expect(await refusal(path)).toBeInstanceOf(LockedError);
});

it('takes over a lock without /proc at once if its holder is gone, else after a minute', async () => {
  const host = testHost({ platform: 'win32' });
  const { path } = stage(holder(DEAD_PID, { place: holderPlace(host) }));
  (await takeLock(path, host)).release();
  writeFileSync(path, holder(process.ppid, { place: holderPlace(host) }));
  await expect(takeLock(path, host)).rejects.toThrow(LockedError);
  silentFor(path, 70);
  (await takeLock(path, host)).release();
});

it('touches its own lock every few seconds, and no other file in its place', async () => {
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
  it('notices at the next check, after 50 ms, that its lock is lost', async () => {
    const clock = manualClock();
    const { path } = stage();
    const lock = await takeLock(path, testHost({ monotonic: clock.monotonic }));
    expect(() => lock.check()).not.toThrow();
    lose(path);
    await clock.pass(49);
    expect(lock.isHeld()).toBe(true);
    await clock.pass(1);
    expect(lock.isHeld()).toBe(false);
    expect(() => lock.check()).toThrow(LockedError);
    const thrown = await (async () => lock.check())().catch((error: unknown) => error);
    expect(thrown).toMatchObject({
      exitCode: 11,
      message: `the lock '${path}' was deleted, replaced or taken over while this run held it`,
      hint: 'answers up to then are kept; when no other run is using the journal, run the same command again to resume',
      isResumable: true,
    });
    const after = existsSync(path) && readFileSync(path, 'utf8');
    lock.release();
    expect(existsSync(path) && readFileSync(path, 'utf8')).toBe(after);
  });
});

it('keeps a lock if one check of it fails, as on a network drive', async () => {
  let now = 0;
  const lock = await takeLock(stage().path, testHost({ monotonic: () => (now += 100) }));
  let fails = 1;
  failCall('lstatSync', 'EIO', () => fails-- > 0);
  expect(lock.isHeld()).toBe(true);
  lock.release();
});

it('does not release a lock that another run took', async () => {
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
])('does not wait for %s in place of a lock', async (_, make) => {
  const { path } = stage();
  make(path);
  expect(await refusal(path)).toMatchObject({
    exitCode: 8,
    message: expect.stringMatching(/cannot be read: it is a (directory|symbolic link|FIFO)/),
  });
});

it('fails if no lock file can be made', async () => {
  const { path } = stage();
  expect(await refusal(join(path, 'lock'))).toBeInstanceOf(IoError);
  expect(existsSync(path)).toBe(false);
});

it('holds the lock during the work, and no longer', async () => {
  const { path, files } = stage();
  expect(await withLock(path, testHost(), files)).toEqual(['lock']);
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

it('waits for the lock of a running holder', async () => {
  const { path } = stage(ALIVE);
  let pauses = 0;
  const sleep = async () => {
    if (++pauses === 3) writeFileSync(path, DEAD);
  };
  expect(await withLock(path, testHost({ sleep }), () => 'mine')).toBe('mine');
  expect(pauses).toBe(3);
});

it('names the lock when its holder does not release it', async () => {
  const { path, text } = stage(ALIVE);
  const refused = await withLock(path, testHost(), () => 'mine').catch((error: unknown) => error);
  expect(refused).toMatchObject({ exitCode: 11, message: expect.stringContaining(path) });
  expect(text()).toBe(ALIVE);
});

it('stops waiting for a lock when it is aborted', async () => {
  const { path } = stage(ALIVE);
  const reason = new SignalError('SIGTERM');
  const sleep = (_: number, signal?: AbortSignal) => Promise.reject(signal?.reason);
  const host = testHost({ sleep, signal: AbortSignal.abort(reason) });
  await expect(withLock(path, host, () => 'mine')).rejects.toBe(reason);
});

/** Takes the lock when a line arrives, prints how that went, and holds it until stdin ends. */
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

// An unwritten lock in every second round; test/slow has more of all.
it('lets exactly one of several processes take over a stale lock', async () => {
  const folder = temporaryFolder();
  const script = join(folder, 'racer.mjs');
  writeScript(RACER, script);
  const count = isSlow ? 6 : 3;
  for (let round = 0; round < (isSlow ? 12 : 2); round++) {
    const path = join(folder, `${round}.lock`);
    writeFileSync(path, round % 2 === 1 ? '' : holder(DEAD_PID));
    const racers = Array.from({ length: count }, () => spawn(process.execPath, [script, path]));
    const lines = racers.map((racer) => racer.stdout.setEncoding('utf8').iterator());
    const said = () => Promise.all(lines.map(async (line) => String((await line.next()).value).trim()));
    expect(await said()).toEqual(Array(count).fill('ready'));
    for (const racer of racers) racer.stdin.write('go\n');
    expect((await said()).sort()).toEqual([...Array(count - 1).fill('11'), 'won']);
    for (const racer of racers) racer.stdin.end();
  }
});
