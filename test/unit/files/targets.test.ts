import { closeSync, createWriteStream, linkSync, openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, it, onTestFinished } from 'vitest';
import type { UsageError } from '../../../src/errors.ts';
import { checkTargets, commitTargets, discardTargets, openTargets } from '../../../src/files/targets.ts';
import { testHost } from '../../fixtures/cli/here.ts';
import { failCall, openFiles } from '../../fixtures/place/calls.ts';
import { temporaryFolder } from '../../fixtures/place/folder.ts';

const HOST = { ...testHost(), stdout: new PassThrough() };

it.each([
  ['-', './-'],
  ['./-', '-'],
])('standard output and a file called - are two outputs: %s %s', async (...outputs) => {
  expect(await checkTargets({ outputs }, HOST)).toBeUndefined();
});

it('standard output that is not a file is never an input of the run', async () => {
  expect(await checkTargets({ outputs: ['-'], forbidden: ['list.csv'] }, HOST)).toBeUndefined();
});

/** A run whose standard output goes to a file. */
function redirected() {
  const path = join(temporaryFolder(), 'out.csv');
  const fd = openSync(path, 'w');
  onTestFinished(() => closeSync(fd));
  return { path, host: { ...HOST, stdout: createWriteStream('', { fd, autoClose: false }) } };
}

it('standard output redirected to an input of the run is refused', async () => {
  const { path, host } = redirected();
  const message = 'standard output is a file that this run reads';
  await expect(checkTargets({ outputs: ['-'], forbidden: [path] }, host)).rejects.toMatchObject({ message });
});

it('a file that standard output is also redirected to is refused, in any order', async () => {
  const { path, host } = redirected();
  const message = `standard output goes to '${path}', which is an output as well`;
  for (const outputs of [
    ['-', path],
    [path, '-'],
  ]) {
    await expect(checkTargets({ outputs }, host)).rejects.toMatchObject({ exitCode: 2, message });
  }
});

it.each([
  ['linux', ['rows.csv', 'rows.csv'], "'rows.csv' is given twice"],
  ['linux', ['rows.csv', './rows.csv'], "'rows.csv' and './rows.csv' are the same file"],
  ['linux', ['old.csv', 'link.csv'], "'old.csv' and 'link.csv' are the same file"],
  ['linux', ['rows.csv', 'Rows.csv'], undefined],
  ['darwin', ['rows.csv', 'Rows.csv'], "'rows.csv' and 'Rows.csv' are the same file"],
  ['win32', ['é.csv', 'e\u0301.csv'], "'é.csv' and 'e\u0301.csv' are the same file"],
  ['linux', ['old.csv', 'rows.csv', 'other.csv'], undefined],
] as const)('on %s (emulated) two outputs are one file or are not: %j', async (platform, names, message) => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'old.csv'), '');
  linkSync(join(folder, 'old.csv'), join(folder, 'link.csv'));
  const outputs = names.map((name) => `${folder}/${name}`);
  const told = await checkTargets({ outputs }, { ...HOST, platform }).catch((error: UsageError) => error);
  expect(told && [told.exitCode, told.message.replaceAll(`${folder}/`, ''), told.hint]).toEqual(
    message && [2, message, 'give each output a file of its own'],
  );
});

/** Outputs that are written and wait to be put in place. */
async function written(...names: readonly string[]) {
  const folder = temporaryFolder();
  const outputs = names.map((name) => join(folder, name));
  for (const output of outputs) writeFileSync(output, 'old');
  const targets = await openTargets({ outputs }, HOST);
  for (const target of targets) await target.write('new');
  const texts = () => outputs.map((output) => readFileSync(output, 'utf8'));
  return { folder, outputs, targets, texts };
}

it('an error about several outputs names those that are new and those left unchanged', async () => {
  const { folder, outputs, targets, texts } = await written('a', 'b', 'c');
  failCall('renameSync', 'EROFS', (_, to) => to === outputs[1]);
  const [a, b, c] = outputs.map((output) => `'${output}'`);
  await expect(commitTargets(targets)).rejects.toMatchObject({
    message: `${b} cannot be written: the file system is read-only (new: ${a}; as before: ${b}, ${c})`,
    hint: 'fix this or choose another file, then run the same command again',
    isResumable: true,
  });
  await discardTargets(targets);
  expect([texts(), readdirSync(folder).sort(), openFiles(`${folder}/`)]).toEqual([
    ['new', 'old', 'old'],
    ['a', 'b', 'c'],
    [],
  ]);
});

it('an error about a single output is reported as it is', async () => {
  const { outputs, targets } = await written('a');
  failCall('renameSync', 'EROFS');
  await expect(commitTargets(targets)).rejects.toMatchObject({
    message: `'${outputs[0]}' cannot be written: the file system is read-only`,
  });
  await discardTargets(targets);
});

it('no output is put in place before all are complete', async () => {
  const { targets, texts } = await written('a', 'b');
  let calls = 0;
  failCall('fchmodSync', 'EIO', () => ++calls === 2);
  await expect(commitTargets(targets)).rejects.toThrow('cannot be written: EIO');
  await discardTargets(targets);
  expect(texts()).toEqual(['old', 'old']);
});

it('outputs opened before one that fails are discarded', async () => {
  const folder = temporaryFolder();
  failCall('openSync', 'EMFILE', (path) => String(path).includes('.b.'));
  const outputs = ['a', 'b'].map((name) => join(folder, name));
  await expect(openTargets({ outputs }, HOST)).rejects.toThrow(`'${outputs[1]}' cannot be written: EMFILE`);
  expect([readdirSync(folder), openFiles(`${folder}/`)]).toEqual([[], []]);
});

it('a file that the run reads through a descriptor is refused as well', async () => {
  const { path } = redirected();
  const fd = openSync(path, 'r');
  onTestFinished(() => closeSync(fd));
  const message = `'${path}' is a file that this run reads`;
  await expect(checkTargets({ outputs: [path], forbidden: [fd] }, HOST)).rejects.toMatchObject({ message });
});
