/** The simulated disk against the one of this machine, and what a power cut leaves of it. */
import * as realFs from 'node:fs';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, expect, test } from 'vitest';
import { fc } from '../fixtures/properties.ts';
import { type Caller, createDisk, type Disk } from './disk.ts';

type Fs = ReturnType<Disk['fsFor']>;

/** One call in words: the name of a function of node:fs, and its arguments; `{fd}` stands for one of the descriptors. */
interface Call {
  readonly name: string;
  readonly args: readonly unknown[];
}

const NAMES = [
  'a',
  'b',
  'c',
  'folder',
  'folder/a',
  'folder/b',
  'folder/deep',
  'none/a',
  'a/b',
  'folder/',
  'folder/../a',
];
const name = fc.constantFrom(...NAMES);
const descriptor = fc.nat(3).map((fd) => ({ fd }));
const text = fc.nat(3_000).map((length) => 'wallet '.repeat(500).slice(0, length));
const bytes = text.map((content) => Buffer.from(content.padEnd(100)));
const place = fc.option(fc.nat(4_000), { nil: null });
const mode = fc.constantFrom(0o600, 0o644, 0o666, 0o444, 0o200, 0o777);
const { O_RDWR, O_WRONLY, O_CREAT, O_EXCL, O_APPEND, O_NOFOLLOW, O_NONBLOCK, O_TRUNC, O_RDONLY } = realFs.constants;
const flags = fc.constantFrom<string | number>(
  'r',
  'r+',
  'w',
  'wx',
  'wx+',
  'w+',
  'a',
  'a+',
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
  call('linkSync', name, name),
  call('unlinkSync', name),
  call('renameSync', name, name),
  call('renameSync', name, name),
  call('mkdirSync', name, fc.constantFrom(0o700, 0o755)),
  call('rmdirSync', name),
  call('rmSync', name, fc.constantFrom({ force: true }, { force: true, recursive: true })),
  call('statSync', name, statOptions),
  call('lstatSync', name, statOptions),
  call('readdirSync', name),
  call('readFileSync', name, fc.constantFrom('utf8', 'latin1')),
  call('existsSync', name),
  call('accessSync', name, fc.constantFrom(0, 1, 2, 4)),
  call('realpathSync', name),
  call('readlinkSync', name),
  call('chmodSync', name, mode),
  call('symlinkSync', fc.constantFrom('a', 'folder', 'folder/../c', 'none'), fc.constantFrom('b', 'c', 'folder/b')),
  call('copyFileSync', fc.constantFrom('a', 'b', 'none/a'), name, fc.constantFrom(0, realFs.constants.COPYFILE_EXCL)),
  call('promises.stat', name, fc.constantFrom({}, { bigint: true })),
  call('promises.access', name, fc.constantFrom(2, 4)),
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

/** Plays calls below `root`, and says what each has given in words that are alike for both disks. */
function createPlayer(root: string, fs: Fs) {
  const open: number[] = [];
  const functions = fs as unknown as Readonly<Record<string, (...args: unknown[]) => unknown>>;
  const whole = (name: string) => `${root}/${name}`;

  function argumentOf({ name, args }: Call, i: number): unknown {
    const value = args[i];
    if (typeof value === 'object' && value !== null && 'fd' in value) return open[value.fd as number] ?? 999;
    if (value === 'buffer') return Buffer.alloc(5_000);
    const isPath = i === 0 || (i === 1 && ['linkSync', 'renameSync', 'symlinkSync', 'copyFileSync'].includes(name));
    if (!isPath || (name === 'symlinkSync' && i === 0)) return value;
    return whole(String(value));
  }

  async function invoke(call: Call, args: unknown[]): Promise<unknown> {
    const { name } = call;
    const member = name.startsWith('promises.')
      ? (fs.promises as unknown as typeof functions)[name.slice('promises.'.length)]
      : functions[name];
    const work = ['read', 'fsync', 'fdatasync'].includes(name) ? promisify(member as never) : member;
    const result = await (work as typeof functions.x)!(...args);
    if (name === 'openSync') return open.push(result as number);
    if (name === 'closeSync') open.splice(open.indexOf(args[0] as number), 1);
    if (name === 'read') return [(result as { bytesRead: number }).bytesRead, String(args[1])];
    return name === 'readSync' ? [result, String(args[1])] : result;
  }

  return {
    async play(call: Call): Promise<unknown> {
      const args = call.args.map((_, i) => argumentOf(call, i));
      try {
        return described(await invoke(call, args));
      } catch (error) {
        const { code, errno, syscall, message, path, dest } = error as Record<string, unknown>;
        // Made of several calls, and node has changed which.
        return ['rmSync', 'realpathSync'].includes(call.name)
          ? { code }
          : { code, errno, syscall, message, path, dest };
      }
    },
    /** Everything below the root: kinds, modes, bytes, and hard links. */
    tree() {
      const [found, files] = [new Map<string, unknown>(), new Map<number, string>()];
      const visit = (path: string) => {
        for (const name of fs.readdirSync(path)) {
          const below = `${path}/${name}`;
          const stats = fs.lstatSync(below) as unknown as realFs.Stats;
          const first = files.get(stats.ino) ?? below;
          files.set(stats.ino, first);
          const isReadable = stats.isFile() && (stats.mode & 0o400) !== 0;
          const content = isReadable ? String(fs.readFileSync(below, 'latin1')) : undefined;
          const target = stats.isSymbolicLink() ? fs.readlinkSync(below) : undefined;
          found.set(below, { ...(described(stats) as object), first, content, target });
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
  const kind = stats.isFile() ? 'file' : stats.isDirectory() ? 'folder' : stats.isSymbolicLink() ? 'link' : 'other';
  const { mode, uid, gid } = stats;
  // How large a folder is, and how many names it has, differs between file systems.
  return { kind, mode, uid, gid, ...(kind !== 'folder' && { size: stats.size, nlink: stats.nlink }) };
}

interface Powered {
  readonly disk: Disk;
  readonly fs: Fs;
}

/** A disk whose folder /work is empty, with chance from a seed. */
function createPowered(seed: number): Powered {
  let state = seed * 2_654_435_761 + 1;
  const random = () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) >>> 0;
    return ((state ^ (state >>> 13)) >>> 0) / 2 ** 32;
  };
  const disk = createDisk(random, { now: () => 0, onCall() {} });
  disk.mkdir('/work', CALLER);
  return { disk, fs: disk.fsFor(CALLER) };
}

/** What may be found in /work after a power cut behind `work`, one way a member. */
function outcomes(work: (world: Powered) => void, model?: 'ordered' | 'reordered'): Set<string> {
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

const sync = ({ fs }: Powered, path: string) => {
  const fd = fs.openSync(path, 'r');
  fs.fsyncSync(fd);
  fs.closeSync(fd);
};

test('a file that was not synced is there or not, empty or whole', () => {
  const found = outcomes(({ fs }) => fs.writeFileSync('/work/a', 'one'));
  expect(found).toEqual(new Set(['', 'a=', 'a=one', 'a=\0\0\0']));
});

test('a file that was synced, with its folder, stays', () => {
  const found = outcomes((world) => {
    world.fs.writeFileSync('/work/a', 'one');
    sync(world, '/work/a');
    sync(world, '/work');
  });
  expect(found).toEqual(new Set(['a=one']));
});

test('a rename without a synced folder may be undone, and never leaves neither or both', () => {
  const replace = (world: Powered) => {
    world.disk.write('/work/a', 'old');
    world.fs.writeFileSync('/work/b', 'new');
    sync(world, '/work/b');
    world.fs.renameSync('/work/b', '/work/a');
  };
  // By POSIX a name is on the disk only with its folder; in a common journal a sync of the file brings it there.
  expect(outcomes(replace, 'reordered')).toEqual(new Set(['a=old', 'a=old b=new', 'a=new']));
  expect(outcomes(replace, 'ordered')).toEqual(new Set(['a=old b=new', 'a=new']));
});

test('a rename of a file that was not synced may leave an empty one', () => {
  const found = outcomes((world) => {
    world.disk.write('/work/a', 'old');
    world.fs.writeFileSync('/work/b', 'new');
    world.fs.renameSync('/work/b', '/work/a');
    sync(world, '/work');
  });
  expect(found).toEqual(new Set(['a=', 'a=new', 'a=\0\0\0']));
});

test('changes of different files are undone in any subset, or in one journal from the last one on', () => {
  const work = ({ disk, fs }: Powered) => {
    disk.write('/work/a', '1');
    disk.write('/work/b', '2');
    fs.unlinkSync('/work/a');
    fs.unlinkSync('/work/b');
  };
  expect(outcomes(work, 'reordered')).toEqual(new Set(['a=1 b=2', 'a=1', 'b=2', '']));
  expect(outcomes(work, 'ordered')).toEqual(new Set(['a=1 b=2', 'b=2', '']));
});

test('what was overwritten or appended since the last sync is torn by sectors of 512 bytes', () => {
  const [A, B] = ['a'.repeat(512), 'b'.repeat(512)];
  const found = outcomes(({ disk, fs }) => {
    disk.write('/work/a', A + A);
    const fd = fs.openSync('/work/a', 'r+');
    fs.writeSync(fd, B + B + B, 0);
  });
  const [NULS, both] = ['\0'.repeat(512), [A + A, A + B, B + A, B + B]];
  const expected = both.flatMap((start) => [start, start + B, start + NULS]).map((content) => `a=${content}`);
  expect([...found].filter((content) => !expected.includes(content))).toEqual([]);
  expect(found.size).toBe(expected.length);
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
    expect(() => world.fs.fsyncSync(fd)).toThrow('EIO: i/o error, fsync');
    world.disk.faults.fails = undefined;
    world.fs.fsyncSync(fd);
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
  disk.end(CALLER);
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
