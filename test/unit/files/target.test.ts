import {
  chmodSync,
  chownSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { isMainThread } from 'node:worker_threads';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { IoError } from '../../../src/errors.ts';
import { openTarget, type TargetOptions } from '../../../src/files/target.ts';
import { testHost } from '../../fixtures/cli/here.ts';
import { turn } from '../../fixtures/manual-clock.ts';
import { openFiles } from '../../fixtures/place/calls.ts';
import { makeFifo } from '../../fixtures/place/fifo.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'riskcli-target-'));
  const own = folder;
  onTestFinished(() => {
    const open = openFiles(`${own}/`);
    rmSync(own, { recursive: true, force: true });
    expect(open).toEqual([]);
  });
});

const at = (name: string) => join(folder, name);
const read = (name: string) => readFileSync(at(name), 'utf8');
const modeOf = (name: string) => (statSync(at(name)).mode & 0o777).toString(8);
const HOST = { ...testHost(), stdout: new PassThrough() };
const into = (output: string, options: TargetOptions = {}) => openTarget({ output, ...options }, HOST);

async function put(output: string, text: string, options?: TargetOptions) {
  const target = await into(output, options);
  await target.write(text);
  await target.commit();
}

it.each([undefined, '-'])('prints to standard output for %s', async (output) => {
  const stdout = new PassThrough();
  const target = await openTarget({ output }, { ...HOST, stdout });
  await target.write('one\n');
  await target.commit();
  target.discard();
  expect(stdout.read().toString()).toBe('one\n');
  expect(stdout.writableEnded).toBe(false);
});

it('waits for a slow reader of standard output', async () => {
  const taken: (() => void)[] = [];
  const stdout = new Writable({
    write(_chunk, _encoding, done) {
      taken.push(done);
    },
  });
  const target = await openTarget({}, { ...HOST, stdout });
  let written = false;
  const writing = target.write('row\n')?.then(() => {
    written = true;
  });
  await turn();
  expect(written).toBe(false);
  taken[0]?.();
  await writing;
});

// A worker thread, as used by Stryker, cannot set it.
it.runIf(isMainThread)(
  'creates a file with the umask, the mode of the old one, or the mode that was asked for',
  async () => {
    const umask = process.umask(0o027);
    try {
      await put(at('new'), '');
      writeFileSync(at('old'), '');
      chmodSync(at('old'), 0o604);
      await put(at('old'), '');
      await put(at('metrics.prom'), '', { mode: 0o644 });
    } finally {
      process.umask(umask);
    }
    expect([modeOf('new'), modeOf('old'), modeOf('metrics.prom')]).toEqual(['640', '604', '644']);
  },
);

it('never gives a file wider permissions while it is written than afterwards', async () => {
  writeFileSync(at('secret'), '', { mode: 0o600 });
  const target = await into(at('secret'));
  const temporary = readdirSync(folder).find((name) => name !== 'secret') ?? '';
  expect(modeOf(temporary)).toBe('600');
  target.discard();
});

it.skipIf(process.getuid?.() !== 0).each([
  [4321, 1234],
  [4321, 0],
  [0, 1234],
])('keeps the owner %i and the group %i of a file', async (owner, group) => {
  writeFileSync(at('out.csv'), 'old');
  chmodSync(at('out.csv'), 0o640);
  chownSync(at('out.csv'), owner, group);
  await put(at('out.csv'), 'new');
  const { uid, gid, mode } = statSync(at('out.csv'));
  expect([uid, gid, mode & 0o777]).toEqual([owner, group, 0o640]);
});

it('leaves a file unchanged if its new content was removed or replaced meanwhile', async () => {
  for (const foreign of [undefined, 'foreign']) {
    writeFileSync(at('out.csv'), 'old');
    const target = await into(at('out.csv'));
    await target.write('new');
    const temporary = readdirSync(folder).find((name) => name.endsWith('.tmp')) ?? '';
    rmSync(at(temporary));
    if (foreign) writeFileSync(at(temporary), foreign);
    await expect(target.commit()).rejects.toThrow('was removed or replaced meanwhile');
    target.discard();
    expect(readdirSync(folder).sort()).toEqual(foreign ? [temporary, 'out.csv'].sort() : ['out.csv']);
    expect(read('out.csv')).toBe('old');
  }
});

const LINK = 'a symbolic link; give the file it points to, or -o - for stdout';
const unchanged = async (output: string, options: TargetOptions = {}) => {
  const before = readdirSync(folder);
  const refused = await into(output, options).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(IoError);
  expect(readdirSync(folder)).toEqual(before);
  const { message, hint } = refused as IoError;
  return `${message}; ${hint}`;
};

it.each([
  ['a directory', (path: string) => mkdirSync(path), 'a directory; give a file in it'],
  ['a FIFO', makeFifo, 'not a regular file; give another name, or -o - for stdout'],
  ['a link', (path: string) => symlinkSync(at('real'), path), LINK],
  ['a dangling link', (path: string) => symlinkSync(at('nowhere'), path), LINK],
])('refuses %s without opening it', async (_, make, says) => {
  writeFileSync(at('real'), 'old');
  make(at('there'));
  expect(await unchanged(at('there'))).toBe(`'${at('there')}' is ${says}`);
  expect(read('real')).toBe('old');
});

it('refuses a device', async () => expect(await unchanged('/dev/null')).toContain('is not a regular file'));

it('refuses the list itself, also under another name', async () => {
  writeFileSync(at('list.csv'), 'old');
  linkSync(at('list.csv'), at('hard'));
  symlinkSync(at('list.csv'), at('link'));
  for (const name of ['list.csv', 'hard', 'link', `../${folder.split('/').at(-1)}/list.csv`]) {
    expect(await unchanged(at('list.csv'), { forbidden: [at(name)] })).toContain(
      'a file that this run reads; write to another file',
    );
  }
  await put(at('list.csv'), 'new', { forbidden: [at('absent')] });
});

it('refuses a file in a missing folder', async () => {
  expect(await unchanged(at('absent/out.csv'))).toBe(
    `'${at('absent/out.csv')}' cannot be written: its folder does not exist; fix this or choose another file, then run the same command again`,
  );
  writeFileSync(at('file'), '');
  expect(await unchanged(at('file/out.csv'))).toContain('a part of its path is not a directory');
});
