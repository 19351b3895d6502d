import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import type { ProgramEnd } from '../../../../src/context.ts';
import { SignalError } from '../../../../src/errors.ts';
import { parseKeyCommand, runKeyCommand } from '../../../../src/settings/key/command.ts';
import type { RunOptions } from '../../../fixtures/cli/here.ts';
import { testContext } from '../../../fixtures/place/config-folder.ts';
import { temporaryFolder } from '../../../fixtures/place/folder.ts';
import { KEY } from '../../../fixtures/service/client.ts';

const END: ProgramEnd = { output: `${KEY}\n`, exitCode: 0, killedBy: null, timedOut: false };

/** The key of a command that ends so, what was run, and for how long was waited. */
async function run(
  end: Partial<ProgramEnd> | Error,
  { mayAsk = true, program = 'pass', ...options }: RunOptions & { mayAsk?: boolean; program?: string } = {},
) {
  const runs: unknown[] = [];
  const sleeps: number[] = [];
  const context = testContext({
    ...options,
    sleep: async (ms) => void sleeps.push(ms),
    async runProgram(words, { signal: _, ...limits }) {
      runs.push([words, limits]);
      if (end instanceof Error) throw end;
      return { ...END, ...end };
    },
  });
  const key = await runKeyCommand([program, 'risk key'], context, mayAsk).catch((error: unknown) => error);
  return { key, runs, sleeps };
}

it.each([`${KEY}\n`, KEY, `${KEY}\r\n`, `${KEY}\nuser: me\n`, `${KEY}\r\nuser: me`])(
  'takes the first line that a key command prints: %j',
  async (output) => {
    expect(await run({ output })).toMatchObject({ key: KEY, sleeps: [] });
  },
);

it.each([true, false])(
  'runs a key command once, with limits of 30 s and 8 KB; it may ask the user: %s',
  async (mayAsk) => {
    const { runs } = await run({}, { mayAsk });
    expect(runs).toEqual([[['pass', 'risk key'], { mayAsk, timeoutMs: 30_000, maxBytes: 8_192 }]]);
  },
);

// A signal for all that riskcli has started may reach the command first, and is waited for.
it.each<[Partial<ProgramEnd>, string, number[]]>([
  [{ exitCode: 2 }, 'failed with exit code 2', [100]],
  [{ exitCode: null, killedBy: 'SIGKILL' }, 'was ended by SIGKILL', [100]],
  [{ exitCode: null, killedBy: 'SIGTERM', timedOut: true }, 'did not end within 30s', []],
])('names a key command that fails, and nothing that it has printed: %j', async (end, problem, waits) => {
  const { key, sleeps } = await run(end);
  expect(key).toMatchObject({
    name: 'KeyError',
    code: 'key_command',
    message: `'pass', which should print the key, ${problem}`,
    hint: "run it yourself: pass 'risk key'",
  });
  expect([JSON.stringify(key).includes(KEY), sleeps]).toEqual([false, waits]);
});

it('stops a key command by the signal that stops the run', async () => {
  const signal = new SignalError('SIGINT');
  expect((await run(signal)).key).toBe(signal);
});

const folder = temporaryFolder();
const there = (name: string) => join(folder, name);
for (const name of ['a.EXE', 'b.com', 'c.cmd', 'pass.exe']) writeFileSync(there(name), '', { mode: 0o700 });
mkdirSync(there('d.exe'));
writeFileSync(there('e.exe'), '', { mode: 0o600 });

it.each([
  ['pass', 'pass.exe'],
  ['a.EXE', 'a.EXE'],
  ['b', 'b.com'],
  [there('b'), 'b.com'],
])('finds the program %s on Windows as %s in PATH, or where its path says', async (program, file) => {
  const { key, runs } = await run({}, { platform: 'win32', env: { PATH: `.:${folder}` }, program });
  expect([key, runs]).toEqual([KEY, [[[there(file), 'risk key'], expect.anything()]]]);
});

it.each([
  ['a script', 'c.cmd', folder],
  ['a folder', 'd', folder],
  ['what cannot be run', 'e', folder],
  ['what stands in the working folder', 'pass', '.'],
  ['anything without PATH', 'pass', undefined],
])('refuses on Windows as a key command, without running it, %s', async (_, program, PATH) => {
  const { key, runs } = await run({}, { platform: 'win32', env: PATH === undefined ? {} : { PATH }, program });
  expect(runs).toEqual([]);
  expect(key).toMatchObject({
    message: `'${program}', which should print the key, cannot be run: there is no such program`,
    hint: 'install it, or see riskcli keys show; if it is a .cmd or .bat file, store it as cmd /c NAME',
  });
});

const parse = (...typed: string[]) => parseKeyCommand(typed, testContext({ env: { RISKCLI_API_KEY: ' sesame ' } }));

it('stores the words of a key command unchanged, except that a path is made absolute', () => {
  expect(parse('pass', 'show', './risk')).toEqual(['pass', 'show', './risk']);
  expect(parse('./vault', 'x')).toEqual([resolve('vault'), 'x']);
  expect(parse('bin\\vault')).toEqual([resolve('bin\\vault')]);
  expect(parseKeyCommand(['pass'], testContext())).toEqual(['pass']);
});

it.each([[], [''], ['  ', 'x']])('refuses a key command without a program: %j', (...typed) => {
  const needs = { message: '--command needs a program', hint: 'see riskcli help keys set' };
  expect(() => parse(...typed)).toThrow(expect.objectContaining(needs));
});
