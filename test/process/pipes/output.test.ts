/**
 * What standard output, standard error and -o can do wrong, with the built binary, real pipes,
 * files and full disks.
 */

import {
  closeSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { type Sandbox, startSandbox } from '../../../src/sandbox/server.ts';
import { cliIn } from '../../fixtures/cli/cli.ts';
import { bareEnv, runLine, start } from '../../fixtures/cli/process.ts';
import { makeFifo } from '../../fixtures/place/fifo.ts';
import { temporaryFolder } from '../../fixtures/place/folder.ts';
import { addresses } from '../../fixtures/place/wallets.ts';
import { ONE_LINE } from '../../fixtures/place/workplace.ts';
import { isSlow } from '../../fixtures/sweep.ts';

const WALLET = '0xd8da6bf26964af9d7eed9e03e53415d37aa96045';
const listOf = (count: number) =>
  `wallet,note\n${addresses(count)
    .map((wallet) => `${wallet},"a, b"`)
    .join('\n')}\n`;
/** Most tests need no more. */
const LIST = listOf(5);
/** Its answers are more than a pipe, a small disk or a file that may not grow can hold. */
const LONG_LIST = listOf(100);
/** What two runs have in common: when a row was answered they have not. */
const SAME = '--fields wallet_address,defi_score?';

let sandbox: Sandbox;
beforeAll(async () => {
  const clock = {
    now: Date.now,
    monotonic: () => performance.now(),
    sleep: (ms: number) => sleep(ms),
    random: Math.random,
  };
  sandbox = await startSandbox({ clock, limits: { rate: 10_000, burst: 20_000, quota: 10_000 } });
});
afterAll(() => sandbox.close());

/**
 * A folder with the list in it, and `sh`, which runs shell lines there; `r` is the built binary,
 * `run` needs no process.
 */
function stage(list = LIST) {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'list.csv'), list);
  const env = bareEnv({
    RISKCLI_BASE_URL: sandbox.baseUrl,
    RISKCLI_API_KEY: sandbox.key,
    RISKCLI_CONFIG_DIR: join(folder, 'config'),
    XDG_STATE_HOME: join(folder, 'state'),
  });
  const sh = (line: string) => runLine(line, { cwd: folder, env });
  const cli = cliIn({ folder, env });
  const run = (line: string) => cli(line.split(' '));
  return { folder, env, sh, run, cli, read: (name: string) => readFileSync(join(folder, name), 'utf8') };
}

/**
 * Names in `folder` that a run left there besides the list, its journal and what it learned of the
 * key.
 */
const leftIn = (folder: string) =>
  readdirSync(folder).filter((name) => !['list.csv', 'state', 'config'].includes(name) && !name.endsWith('.journal'));

it('exits with 141 without a message if the reader of stdout leaves', async () => {
  const { sh } = stage(LONG_LIST);
  const list = await sh('r profile -f list.csv --jsonl | head -1 | wc -l; exit ${PIPESTATUS[0]}');
  expect(list).toMatchObject({ stdout: '1\n', stderr: '', exitCode: 141 });
});

it('exits with 141 without a message if nobody reads stdout', async () => {
  // The reader exits, then lets the writer continue.
  const { folder, sh } = stage();
  makeFifo(join(folder, 'go'));
  for (const args of ['--help', 'profile -f list.csv', `profile ${WALLET}`].slice(0, isSlow ? undefined : 1)) {
    const { stderr } = await sh(`{ read < go; r ${args}; echo $? >&2; } | (exec <&-; echo > go)`);
    expect({ args, stderr }).toEqual({ args, stderr: '141\n' });
  }
});

it('delivers every byte to a slow reader of stdout', async () => {
  const { sh, run } = stage(LONG_LIST);
  const line = `profile -f list.csv --json ${SAME}`;
  const { stdout: all } = await run(line);
  expect(await sh(`r ${line} | (sleep 0.5; cat)`)).toMatchObject({ stdout: all, stderr: '' });
  // More than a pipe holds.
  expect(all.length).toBeGreaterThan(2 ** 16);
});

// Single texts are written by the same call; test/slow has all of them.
const TEXTS = ['profile -f list.csv --csv', `profile ${WALLET}`, 'keys show', '--help'];
it.each(TEXTS.slice(0, isSlow ? undefined : 1))('exits with 8 if stdout is full: %s', async (args) => {
  const { folder, env } = stage();
  const full = openSync('/dev/full', 'w');
  onTestFinished(() => closeSync(full));
  const { stderr, exitCode } = await start(args.split(' '), { cwd: folder, env, stdio: ['ignore', full, 'pipe'] }).done;
  expect(exitCode).toBe(8);
  expect(stderr).toMatch(ONE_LINE);
  expect(stderr).toContain('no space left on the device');
});

it('exits with 8 if stdout exceeds the file size limit', async () => {
  const { sh, read } = stage(listOf(30));
  const wallet = await sh(`ulimit -f 1; r profile ${WALLET} --json > out`);
  expect({ exitCode: wallet.exitCode, length: read('out').length }).toEqual({ exitCode: 8, length: 1024 });
  expect(wallet.stderr).toMatch(ONE_LINE);
  // A full device for rows of a list is covered above; test/slow has this, too.
  if (!isSlow) return;
  const list = await sh('ulimit -f 2; r profile -f list.csv --csv > rows');
  expect(list).toMatchObject({ exitCode: 8, stderr: expect.stringMatching(ONE_LINE) });
});

it.each(['2>/dev/full', '2>&-'])('keeps its exit code and data if stderr is full or closed: %s', async (redirect) => {
  const { sh, run } = stage();
  const list = await sh(`echo nonsense >> list.csv; r profile -f list.csv --jsonl -v ${redirect}`);
  expect({ exitCode: list.exitCode, rows: list.stdout.trimEnd().split('\n').length }).toEqual({
    exitCode: 3,
    rows: 6,
  });
  if (!isSlow) return;
  expect(await sh(`r profile vitalik.eth ${redirect}`)).toMatchObject({ stdout: '', exitCode: 2 });
  const { stdout } = await run(`profile ${WALLET} --json`);
  expect(await sh(`r profile ${WALLET} --json -v ${redirect}`)).toMatchObject({ stdout, exitCode: 0 });
  expect(await sh(`r profile ${WALLET} > /dev/full ${redirect}`)).toMatchObject({ exitCode: 8 });
});

it('refuses a directory, a symlink and the list itself for -o before anything is sent', async () => {
  const { folder, sh, cli, read } = stage();
  mkdirSync(join(folder, 'd.csv'));
  writeFileSync(join(folder, 'real.csv'), 'old');
  symlinkSync('real.csv', join(folder, 'link.csv'));
  linkSync(join(folder, 'list.csv'), join(folder, 'same.csv'));
  const before = { left: leftIn(folder), requests: sandbox.requests() };
  for (const output of ['d.csv', 'link.csv', './list.csv', 'same.csv', 'absent/out.csv']) {
    const { stdout, stderr, exitCode } = await cli(['profile', '-f', 'list.csv', '-o', output]);
    expect({ output, stdout, exitCode }).toEqual({ output, stdout: '', exitCode: 8 });
    expect(stderr).toMatch(ONE_LINE);
  }
  // Only a process has the list as a stream.
  for (const line of ['r profile - --csv -o list.csv < list.csv', 'r profile -f list.csv --csv >> list.csv']) {
    expect(await sh(line)).toMatchObject({ exitCode: 8 });
  }
  expect({ left: leftIn(folder), requests: sandbox.requests() }).toEqual(before);
  expect([read('real.csv'), read('list.csv')]).toEqual(['old', LIST]);
});

it('keeps the old file of -o if the new one exceeds the file size limit', async () => {
  const { folder, sh, read } = stage();
  writeFileSync(join(folder, 'out.json'), 'old');
  const { stderr, exitCode } = await sh(`ulimit -f 1; r profile ${WALLET} --json -o out.json`);
  expect(exitCode).toBe(8);
  expect(stderr).toMatch(ONE_LINE);
  expect(stderr).toContain("'out.json' cannot be written: the file size limit is reached");
  expect(read('out.json')).toBe('old');
  expect(leftIn(folder)).toEqual(['out.json']);
});

it('exits with 3 for nagios even if nothing can be written', async () => {
  const variables = { RISKCLI_BASE_URL: sandbox.baseUrl, RISKCLI_API_KEY: sandbox.key };
  const { exitCode, stderr } = await runLine('r health --format nagios > /dev/full', { env: bareEnv(variables) });
  expect({ exitCode, stderr }).toEqual({ exitCode: 3, stderr: '' });
});
