/**
 * Settings that are damaged, in the way, in use or in somebody else's hands; real files, real
 * processes, real kills.
 */
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { holderPlace } from '../../../src/files/lock-holder.ts';
import { cli, testHost } from '../../fixtures/cli/here.ts';
import { bareEnv, start } from '../../fixtures/cli/process.ts';
import { replaceCall } from '../../fixtures/place/calls.ts';
import { configFolder, storedKeys } from '../../fixtures/place/config-folder.ts';
import { makeFifo } from '../../fixtures/place/fifo.ts';
import { temporaryFolder } from '../../fixtures/place/folder.ts';
import { writeScript } from '../../fixtures/process/script.ts';
import { isSlow } from '../../fixtures/sweep.ts';

const KEY = 'wrp_q7Zt-Xk_2Lm9Rv4Bn8';
const KEYS = storedKeys({ default: { key: KEY, base_url: 'https://api.example.com' } });
const GIVEN = { RISKCLI_API_KEY: KEY, RISKCLI_BASE_URL: 'https://api.example.com' };
const FILES = ['config.json', 'keys.json'] as const;

/** Commands that read, and that write, one of the two files. */
const USES = {
  'config.json': [
    ['config', 'list'],
    ['config', 'set', 'timeout', '1s'],
    ['config', 'unset', 'timeout'],
  ],
  'keys.json': [
    ['keys', 'list'],
    ['keys', 'show'],
    ['keys', 'set', '--base-url', 'https://api.example.com'],
    ['keys', 'remove'],
  ],
};
const uses = FILES.flatMap((file) => USES[file].map((args) => ({ file, args, line: args.join(' ') })));

it('makes keys.json private that others can read, and says so', async () => {
  const folder = configFolder({ 'keys.json': KEYS });
  chmodSync(folder.file('keys.json'), 0o644);
  const { exitCode, stderr } = await cli(['keys', 'show'], { env: folder.env });
  expect(exitCode).toBe(0);
  expect(stderr).toMatch(/keys.json was readable by others \(mode 0644\)/);
  expect(statSync(folder.file('keys.json')).mode & 0o777).toBe(0o600);
  expect((await cli(['keys', 'show'], { env: folder.env })).stderr).toBe('');
});

it.each(uses)('refuses $file that others can write: $line', async ({ file, args }) => {
  for (const mode of [0o602, 0o620, 0o666]) {
    const folder = configFolder({ [file]: file === 'keys.json' ? KEYS : {} });
    chmodSync(folder.file(file), mode);
    const before = folder.read(file);
    const { exitCode, stderr } = await cli(args, { env: folder.env, stdin: KEY });
    expect(exitCode).toBe(8);
    expect(stderr).toContain('is writable by others');
    expect(folder.read(file)).toBe(before);
  }
});

it('refuses a folder that others can write, since they can replace what is in it', async () => {
  const folder = configFolder({ 'keys.json': KEYS });
  chmodSync(folder.path, 0o777);
  expect((await cli(['keys', 'show'], { env: folder.env })).exitCode).toBe(8);
  chmodSync(folder.path, 0o1777);
  expect((await cli(['keys', 'show'], { env: folder.env })).exitCode).toBe(0);
});

it('refuses keys.json of another user', async () => {
  const { env } = configFolder({ 'keys.json': KEYS });
  const uid = (process.getuid?.() ?? 0) + 1;
  // The user of this test owns the file: to another uid it is foreign, unless root owns it.
  expect((await cli(['keys', 'show'], { env, uid })).exitCode).toBe(uid === 1 ? 0 : 8);
});

it.each([0o644, 0o444, 0o600, 0o400])('reads config.json of mode %o in a folder of mode 0555', async (mode) => {
  const folder = configFolder({ 'config.json': { environments: { default: { timeout: '3s' } } } });
  chmodSync(folder.file('config.json'), mode);
  chmodSync(folder.path, 0o555);
  const outcome = await cli(['config', 'get', 'timeout'], { env: folder.env });
  expect(outcome).toEqual({ stdout: '3s\n', stderr: '', exitCode: 0 });
  expect(statSync(folder.file('config.json')).mode & 0o777).toBe(mode);
});

it.each(uses)('refuses something else in place of $file: $line', async ({ file, args }) => {
  const target = join(temporaryFolder(), 'target');
  writeFileSync(target, JSON.stringify(KEYS), { mode: 0o600 });
  const places: Record<string, (path: string) => unknown> = {
    directory: (path) => mkdirSync(path),
    FIFO: (path) => makeFifo(path, 0o600),
    'symbolic link': (path) => symlinkSync(target, path),
    'dangling symbolic link': (path) => symlinkSync(`${target}-none`, path),
  };
  for (const [kind, make] of Object.entries(places)) {
    const folder = configFolder();
    make(folder.file(file));
    const { exitCode, stderr } = await cli(args, { env: folder.env, stdin: KEY });
    expect({ kind, exitCode }).toEqual({ kind, exitCode: 8 });
    const said = `${file} is a ${kind.replace('dangling ', '')}; put a regular file there, or move it away\n`;
    expect(stderr.endsWith(said)).toBe(true);
    if (kind.includes('link')) expect(readlinkSync(folder.file(file))).toContain(target);
    expect(readdirSync(folder.path)).toEqual([file]);
  }
  expect(readFileSync(target, 'utf8')).toBe(JSON.stringify(KEYS));
  expect(() => statSync(`${target}-none`)).toThrow('ENOENT');
});

const damages = ['', ' ', 'null', '[]', '1', `{"x":"${KEY}"`, `{"version":2,"x":"${KEY}"}`, '{"version":"1"}'];
const shapes = {
  'config.json': ['{"environments":[]}', '{"environments":null}', '{"environments":{"default":1,"prod":{}}}'],
  'keys.json': [`{"keys":{"default":"${KEY}"}}`],
};

it.each(uses)('refuses and keeps a damaged $file, and does not quote it: $line', async ({ file, args }) => {
  for (const content of [...damages, ...shapes[file]]) {
    const folder = configFolder({ [file]: content });
    const { exitCode, stdout, stderr } = await cli([...args, '--debug'], { env: folder.env, stdin: KEY });
    expect({ content, exitCode, stdout }).toEqual({ content, exitCode: 8, stdout: '' });
    expect(stderr).toContain(folder.file(file));
    const isNewer = content.includes('"version":2');
    expect(stderr).toContain(isNewer ? 'update riskcli' : 'repair it, or move it away and store its settings again');
    expect(stderr).not.toContain('q7Zt');
    expect(folder.read(file)).toBe(content);
  }
});

it('takes a key from a variable although the files are damaged', async () => {
  for (const content of damages) {
    const { env } = configFolder({ 'config.json': content, 'keys.json': content });
    const { exitCode, stdout } = await cli(['keys', 'show'], { env: { ...env, ...GIVEN } });
    expect(exitCode).toBe(0);
    expect(stdout).toContain(`wrp_****${KEY.slice(-4)}`);
  }
});

it('exits with 8 if a folder cannot be made', async () => {
  const { env, stdin } = { env: { RISKCLI_CONFIG_DIR: '/dev/null/riskcli' }, stdin: KEY };
  const { exitCode, stderr } = await cli(['keys', 'set', '--base-url', 'https://x.example'], { env, stdin });
  expect(exitCode).toBe(8);
  expect(stderr).toContain('/dev/null/riskcli');
});

it('writes nothing when it reads settings', async () => {
  const folder = configFolder({ 'keys.json': KEYS, 'config.json': {} });
  const look = () => [folder.path, ...FILES.map(folder.file)].map((path) => statSync(path).mtimeMs);
  const before = look();
  for (const args of [
    ['keys', 'list'],
    ['keys', 'show'],
    ['config', 'list'],
  ]) {
    expect((await cli(args, { env: folder.env })).exitCode).toBe(0);
  }
  expect(look()).toEqual(before);
  expect(readdirSync(folder.path).sort()).toEqual(['config.json', 'keys.json']);
});

it('makes no folder when it reads settings', async () => {
  const path = join(temporaryFolder(), 'none');
  expect((await cli(['keys', 'list'], { env: { RISKCLI_CONFIG_DIR: path } })).exitCode).toBe(0);
  expect(() => statSync(path)).toThrow('ENOENT');
});

describe('several writers', () => {
  let writer: string;
  /** Stores the keys `<name>-0` to `<name>-<count - 1>`, and says so of each. */
  const SOURCE = `
    import { processHost } from './src/host/process-host.ts';
    import { storeKey } from './src/settings/store.ts';
    const [, , name, count] = process.argv;
    const host = processHost();
    for (let i = 0; i < Number(count); i++) {
      const environment = name + '-' + i;
      await storeKey(environment, { key: 'wrp_' + environment }, 'https://api.example.com', host);
      console.log(environment);
    }`;

  // Outside of any one test's folder, since all of them run it.
  beforeAll(() => {
    writer = join(temporaryFolder(), 'keys-writer.mjs');
    writeScript(SOURCE, writer);
  });
  const write = (name: string, count: number, env: Record<string, string>) =>
    start(`exec '${process.execPath}' '${writer}' ${name} ${count}`, { env: bareEnv(env) });

  // Two are several; in test/slow they are four.
  it('keeps all keys of several writers, even if the lock was left by a dead process', async () => {
    const names = ['a', 'b', 'c', 'd'].slice(0, isSlow ? undefined : 2);
    const folder = configFolder({ 'keys.json.lock': `4194305 - ${holderPlace(testHost())} aaaaaaaaaaaa` });
    const done = await Promise.all(names.map((name) => write(name, 10, folder.env).done));
    for (const end of done) expect(end).toMatchObject({ exitCode: 0, stderr: '' });
    const { keys } = JSON.parse(folder.read('keys.json'));
    expect(Object.keys(keys)).toHaveLength(names.length * 10);
    for (const [name, { key }] of Object.entries<{ key: string }>(keys)) expect(key).toBe(`wrp_${name}`);
    expect(readdirSync(folder.path)).toEqual(['keys.json']);
  });

  it('leaves the old or the new file after kill -9, and removes leftovers at the next write', async () => {
    const folder = configFolder();
    for (let kill = 0; kill < (isSlow ? 8 : 1); kill++) {
      const { child, done } = write(`k${kill}`, 1_000, folder.env);
      // A write after the first heartbeat, at a different moment for each kill.
      await new Promise((resolve) => child.stdout?.once('data', resolve));
      await new Promise((resolve) => setTimeout(resolve, kill));
      child.kill('SIGKILL');
      const said = (await done).stdout.trim().split('\n');
      const { keys } = JSON.parse(folder.read('keys.json'));
      for (const name of said) expect(keys).toHaveProperty([name]);
      for (const file of readdirSync(folder.path)) expect(statSync(folder.file(file)).mode & 0o777).toBe(0o600);
    }
    const last = await cli(['keys', 'set', '-e', 'last', '--base-url', 'https://x.example'], {
      env: folder.env,
      stdin: KEY,
    });
    expect(last).toEqual({ stdout: '', stderr: '', exitCode: 0 });
    expect(readdirSync(folder.path)).toEqual(['keys.json']);
  });

  // 121
  it.each([
    ['keys.json', ['keys', 'set', '-e', 'late', '--base-url', 'https://x.example']],
    ['config.json', ['config', 'set', '-e', 'late', 'timeout', '9s']],
  ] as const)('loses nothing of %s when a writer was halted and its lock was taken over', async (file, args) => {
    const folder = configFolder();
    const other = file === 'keys.json' ? KEYS : { version: 1, environments: { default: { timeout: '3s' } } };
    replaceCall('fsync', (real) => (...given) => {
      // By now the command has read the file. Another host takes over its lock, removes what is
      // temporary, writes and leaves.
      rmSync(folder.file(`${file}.lock`), { force: true });
      for (const name of readdirSync(folder.path)) if (name !== file) rmSync(folder.file(name));
      writeFileSync(folder.file(file), JSON.stringify(other), { mode: 0o600 });
      real(...given);
    });
    const { exitCode, stderr } = await cli(args, { env: folder.env, stdin: KEY });
    expect({ exitCode, stderr }).toEqual({
      exitCode: 11,
      stderr: `riskcli: ${folder.file(file)} was not changed, since another run took over its lock; run the same command again\n`,
    });
    expect(JSON.parse(folder.read(file))).toEqual(other);
    expect(readdirSync(folder.path)).toEqual([file]);
  });

  it('leaves foreign files next to keys.json alone', async () => {
    const folder = configFolder({ 'keys.json': KEYS, 'keys.json.bak': KEYS, 'keys.json.new': '' });
    await cli(['keys', 'remove'], { env: folder.env });
    expect(readdirSync(folder.path).sort()).toEqual(['keys.json', 'keys.json.bak', 'keys.json.new']);
  });
});
