/** The simulated disk against the one of this machine, and what a power cut leaves of it. */
import * as realFs from 'node:fs';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { fc } from '../fixtures/properties.ts';
import { type Caller, type CrashModel, createDisk, type Disk } from './disk.ts';
import { randomOf } from './random.ts';

type Fs = ReturnType<Disk['fsFor']>;

/**
 * One call in words: the name of a function of node:fs, and its arguments; `{fd}` stands for one of
 * the descriptors.
 */
interface Call {
  readonly name: string;
  readonly args: readonly unknown[];
}

/**
 * The program moves no folders, and follows no links: a name is that of a file or of a folder for
 * good.
 */
const FILES = ['a', 'b', 'c', 'folder/a', 'folder/b', 'none/a', 'a/b'];
const FOLDERS = ['folder', 'folder/deep'];
const file = fc.constantFrom(...FILES);
const folder = fc.constantFrom(...FOLDERS);
const name = fc.constantFrom(...FILES, ...FOLDERS);
const descriptor = fc.nat(3).map((fd) => ({ fd }));
const text = fc.nat(3_000).map((length) => 'wallet '.repeat(500).slice(0, length));
const bytes = text.map((content) => Buffer.from(content.padEnd(100)));
const place = fc.option(fc.nat(4_000), { nil: null });
const mode = fc.constantFrom(0o600, 0o644, 0o666, 0o777);
const { O_RDWR, O_WRONLY, O_CREAT, O_EXCL, O_APPEND, O_NOFOLLOW, O_NONBLOCK, O_TRUNC, O_RDONLY } = realFs.constants;
const flags = fc.constantFrom<string | number>(
  ...['r', 'r+', 'w', 'wx', 'wx+', 'a'],
  O_RDONLY | O_NOFOLLOW | O_NONBLOCK,
  O_RDWR | O_APPEND | O_NOFOLLOW | O_NONBLOCK,
  O_RDWR | O_APPEND | O_CREAT | O_EXCL | O_NOFOLLOW,
  O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW,
  O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK,
  O_WRONLY | O_TRUNC,
);
const statOptions = fc.constantFrom({}, { bigint: true }, { throwIfNoEntry: false });

const call = (name: string, ...args: fc.Arbitrary<unknown>[]): fc.Arbitrary<Call> =>
  fc.tuple(...args).map((args) => ({ name, args }));

const opening = call('openSync', name, flags, mode);
const calls = fc.oneof(
  opening,
  opening,
  opening,
  call('closeSync', descriptor),
  call('writeSync', descriptor, text, place),
  call('writeSync', descriptor, bytes, fc.constant(0), fc.nat(100), place),
  call('writeSync', descriptor, text),
  call('readSync', descriptor, fc.constant('buffer'), fc.nat(10), fc.nat(4_000), place),
  call('read', descriptor, fc.constant('buffer'), fc.nat(10), fc.nat(4_000), place),
  call('ftruncateSync', descriptor, fc.nat(4_000)),
  call('fsync', descriptor),
  call('fdatasync', descriptor),
  call('fstatSync', descriptor, statOptions),
  call('fchmodSync', descriptor, mode),
  call('unlinkSync', name),
  call('renameSync', file, file),
  call('renameSync', file, file),
  call('mkdirSync', folder, fc.constantFrom({ mode: 0o700 }, { mode: 0o755 })),
  call('rmdirSync', name),
  call('rmSync', name, fc.constantFrom({ force: true }, { force: true, recursive: true })),
  call('statSync', name, statOptions),
  call('lstatSync', name, statOptions),
  call('readdirSync', name),
  call('readFileSync', name, fc.constantFrom('utf8', 'latin1')),
  call('existsSync', name),
  call('promises.stat', name, fc.constantFrom({}, { bigint: true })),
  call('promises.access', name, fc.constant(4)),
);

const roots: string[] = [];
afterEach(() => {
  for (const root of roots.splice(0)) rmSync(root, { recursive: true, force: true });
});

const CALLER: Caller = {
  name: 'A',
  uid: process.getuid?.() ?? 0,
  gid: process.getgid?.() ?? 0,
  later: (_ms, callback) => void setImmediate(callback),
  Promise,
};

function createEmpty(): Disk {
  return createDisk(() => 0.5, { now: Date.now, onCall() {} });
}

// Newer Nodes take a file in the place of a folder for no entry, in some calls and not in others.
const hasItsManners = process.versions.node.startsWith('20.');

test.skipIf(!hasItsManners)(
  '500 sequences of calls end alike on the simulated and on the real disk of Node 20',
  async () => {
    const parent = realpathSync(mkdtempSync(join(tmpdir(), 'riskcli-disk-')));
    roots.push(parent);
    let played = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(calls, { minLength: 1, maxLength: 60, size: 'max' }), async (sequence) => {
        const root = join(parent, String(played++));
        realFs.mkdirSync(root, 0o755);
        const disk = createEmpty();
        disk.mkdir(root, CALLER);
        const simulated = createPlayer(root, disk.fsFor(CALLER));
        const real = createPlayer(root, realFs as unknown as Fs);
        try {
          const [expected, actual]: unknown[][] = [[], []];
          for (const call of sequence) {
            expected?.push(call, await real.play(call));
            actual?.push(call, await simulated.play(call));
          }
          expect(actual).toEqual(expected);
          expect(simulated.tree()).toEqual(real.tree());
        } finally {
          real.close();
        }
      }),
      { numRuns: 500 },
    );
  },
);

type Called = (...args: unknown[]) => void;
const WITH_CALLBACK = ['read', 'fsync', 'fdatasync'];
const called = (work: Called, args: readonly unknown[]) =>
  new Promise((resolve, reject) =>
    work(...args, (error: unknown, value: unknown) => (error ? reject(error) : resolve(value))),
  );

/**
 * Plays calls below `root`, and says what each has given in words that are alike for both disks.
 */
function createPlayer(root: string, fs: Fs) {
  const open: number[] = [];
  const functions = fs as unknown as Readonly<Record<string, (...args: unknown[]) => unknown>>;
  const whole = (name: string) => `${root}/${name}`;

  function argumentOf({ name, args }: Call, i: number): unknown {
    const value = args[i];
    if (typeof value === 'object' && value !== null && 'fd' in value) return open[value.fd as number] ?? 999;
    if (value === 'buffer') return Buffer.alloc(5_000);
    return i === 0 || (i === 1 && name === 'renameSync') ? whole(String(value)) : value;
  }

  async function invoke(call: Call, args: unknown[]): Promise<unknown> {
    const { name } = call;
    const member = name.startsWith('promises.')
      ? (fs.promises as unknown as typeof functions)[name.slice('promises.'.length)]
      : functions[name];
    const result = await (WITH_CALLBACK.includes(name) ? called(member as Called, args) : member!(...args));
    if (name === 'openSync') return open.push(result as number);
    if (name === 'closeSync') open.splice(open.indexOf(args[0] as number), 1);
    return name === 'readSync' || name === 'read' ? [result, String(args[1])] : result;
  }

  return {
    async play(call: Call): Promise<unknown> {
      const args = call.args.map((_, i) => argumentOf(call, i));
      try {
        return described(await invoke(call, args));
      } catch (error) {
        const { code, errno, syscall, message, path, dest } = error as Record<string, unknown>;
        // Made of several calls, and node has changed which.
        return call.name === 'rmSync' ? { code } : { code, errno, syscall, message, path, dest };
      }
    },
    /** Everything below the root: kinds, modes, bytes. */
    tree() {
      const found = new Map<string, unknown>();
      const visit = (path: string) => {
        for (const name of fs.readdirSync(path)) {
          const below = `${path}/${name}`;
          const stats = fs.lstatSync(below) as unknown as realFs.Stats;
          const content = stats.isFile() ? String(fs.readFileSync(below, 'latin1')) : undefined;
          found.set(below, { ...(described(stats) as object), content });
          if (stats.isDirectory()) visit(below);
        }
      };
      visit(root);
      return found;
    },
    close() {
      for (const fd of open) fs.closeSync(fd);
    },
  };
}

function described(result: unknown): unknown {
  if (typeof result !== 'object' || result === null || !('isFile' in result)) return result;
  const stats = result as unknown as realFs.Stats;
  const kind = stats.isFile() ? 'file' : stats.isDirectory() ? 'folder' : 'other';
  const { mode, uid, gid } = stats;
  // How large a folder is, and how many names it has, differs between file systems.
  return { kind, mode, uid, gid, ...(kind !== 'folder' && { size: stats.size, nlink: stats.nlink }) };
}

/** Who waits for nothing. */
const AT_ONCE: Caller = { ...CALLER, later: (_ms, callback) => callback() };

interface Powered {
  readonly disk: Disk;
  readonly fs: Fs;
}

/** A disk whose folder /work is empty, with chance from a seed. */
function createPowered(seed: number): Powered {
  const disk = createDisk(randomOf(seed), { now: () => 0, onCall() {} });
  disk.mkdir('/work', CALLER);
  return { disk, fs: disk.fsFor(AT_ONCE) };
}

/** What may be found in /work after a power cut behind `work`, one way a member. */
function outcomes(work: (world: Powered) => void, model?: CrashModel): Set<string> {
  const found = new Set<string>();
  for (let seed = 1; seed <= 300; seed++) {
    const world = createPowered(seed);
    work(world);
    world.disk.crash(model);
    const files = [...world.disk.files()].map(([path, content]) => `${path.slice('/work/'.length)}=${content}`);
    found.add(files.sort().join(' '));
  }
  return found;
}

function fsync(fs: Fs, fd: number): void {
  fs.fsync(fd, (error: unknown) => {
    if (error) throw error;
  });
}

const sync = ({ fs }: Powered, path: string) => {
  const fd = fs.openSync(path, 'r');
  fsync(fs, fd);
  fs.closeSync(fd);
};

/** `b`, which holds `new`, takes the name of `a`. */
function replaceFile({ disk, fs }: Powered, isSynced: boolean): void {
  disk.write('/work/a', 'old');
  fs.writeFileSync('/work/b', 'new');
  if (isSynced) sync({ disk, fs }, '/work/b');
  fs.renameSync('/work/b', '/work/a');
}

function removeTwo({ disk, fs }: Powered): void {
  disk.write('/work/a', '1');
  disk.write('/work/b', '2');
  fs.unlinkSync('/work/a');
  fs.unlinkSync('/work/b');
}

test.each<[title: string, found: readonly string[], work: (world: Powered) => void, model?: CrashModel]>([
  [
    'a file that was not synced is there or not, empty or whole',
    ['', 'a=', 'a=one', 'a=\0\0\0'],
    ({ fs }) => fs.writeFileSync('/work/a', 'one'),
  ],
  [
    'a file that was synced, with its folder, stays',
    ['a=one'],
    (world) => {
      world.fs.writeFileSync('/work/a', 'one');
      sync(world, '/work/a');
      sync(world, '/work');
    },
  ],
  // By POSIX a name is on the disk only with its folder; in a common journal a sync of the file
  // brings it there.
  [
    'a rename without a synced folder may be undone, and never leaves neither or both',
    ['a=old', 'a=old b=new', 'a=new'],
    (world) => replaceFile(world, true),
    'reordered',
  ],
  ['a rename in one journal is there or not', ['a=old b=new', 'a=new'], (world) => replaceFile(world, true), 'ordered'],
  [
    'a rename of a file that was not synced may leave an empty one',
    ['a=', 'a=new', 'a=\0\0\0'],
    (world) => {
      replaceFile(world, false);
      sync(world, '/work');
    },
  ],
  ['changes of different files are undone in any subset', ['a=1 b=2', 'a=1', 'b=2', ''], removeTwo, 'reordered'],
  ['changes in one journal are undone from the last one on', ['a=1 b=2', 'b=2', ''], removeTwo, 'ordered'],
])('%s', (_title, found, work, model) => {
  expect(outcomes(work, model)).toEqual(new Set(found));
});

test('what was overwritten or appended since the last sync is torn by sectors of 512 bytes', () => {
  const [A, B] = ['a'.repeat(512), 'b'.repeat(512)];
  const found = outcomes(({ disk, fs }) => {
    disk.write('/work/a', A + A);
    fs.writeSync(fs.openSync('/work/a', 'r+'), B + B + B, 0);
  });
  const starts = [A + A, A + B, B + A, B + B];
  const expected = starts.flatMap((start) => [start, start + B, start + '\0'.repeat(512)]);
  expect(found).toEqual(new Set(expected.map((content) => `a=${content}`)));
});

test('a sync keeps what was written before it began, not what came while it was under way', () => {
  const found = outcomes(({ disk, fs }) => {
    disk.write('/work/a', '');
    const fd = fs.openSync('/work/a', 'a');
    fs.writeSync(fd, 'before ');
    const waiting: (() => void)[] = [];
    const slow: Caller = { ...CALLER, name: 'B', later: (_ms, callback) => waiting.push(callback) };
    const other = disk.fsFor(slow);
    other.fdatasync(other.openSync('/work/a', 'r'), () => {});
    fs.writeSync(fd, 'after');
    for (const callback of waiting) callback();
  });
  expect(found).toEqual(new Set(['a=before ', 'a=before after', `a=before ${'\0'.repeat(5)}`]));
});

test('what a failed sync was to keep is lost to every later one', () => {
  const found = outcomes((world) => {
    world.disk.write('/work/a', '');
    const fd = world.fs.openSync('/work/a', 'a');
    world.fs.writeSync(fd, 'one');
    world.disk.faults.fails = (call) => (call === 'fsync' ? 'EIO' : undefined);
    expect(() => fsync(world.fs, fd)).toThrow('EIO: i/o error, fsync');
    world.disk.faults.fails = undefined;
    fsync(world.fs, fd);
  });
  expect(found).toEqual(new Set(['a=one', 'a=\0\0\0']));
});

test('a full disk takes what fits, then says ENOSPC, and has room again when something goes', () => {
  const { disk, fs } = createPowered(1);
  disk.write('/work/other', 'x'.repeat(90));
  disk.faults.fullAt = 100;
  const fd = fs.openSync('/work/a', 'wx');
  expect(fs.writeSync(fd, 'y'.repeat(20))).toBe(10);
  expect(() => fs.writeSync(fd, 'z')).toThrow('ENOSPC: no space left on device, write');
  disk.remove('/work/other');
  expect(fs.writeSync(fd, 'z')).toBe(1);
  expect(disk.used).toBe(11);
});

test('a file without a name keeps its room until its process ends', () => {
  const { disk, fs } = createPowered(1);
  const fd = fs.openSync('/work/a', 'wx+');
  fs.unlinkSync('/work/a');
  fs.writeSync(fd, 'room');
  expect(disk.used).toBe(4);
  disk.end(AT_ONCE);
  expect(disk.used).toBe(0);
});

test('a call is announced before it has an effect, and one that throws there has none', () => {
  const seen: string[] = [];
  let isDead = false;
  const onCall = (process: Caller, call: string, path: string) => {
    if (isDead) throw new Error('killed');
    seen.push(`${process.name} ${call} ${path}`);
  };
  const disk = createDisk(() => 0.5, { now: () => 0, onCall });
  disk.mkdir('/work', CALLER);
  const fs = disk.fsFor(CALLER);
  const fd = fs.openSync('/work/a', 'wx');
  fs.writeSync(fd, 'one');
  isDead = true;
  for (const call of [() => fs.writeSync(fd, 'two'), () => fs.unlinkSync('/work/a'), () => fs.closeSync(fd)]) {
    expect(call).toThrow('killed');
  }
  expect(seen).toEqual(['A open /work/a', 'A write /work/a']);
  expect(String(disk.files().get('/work/a'))).toBe('one');
});
