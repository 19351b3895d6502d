import { closeSync, createWriteStream, openSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, it, onTestFinished } from 'vitest';
import { checkTargets } from '../../../src/files/targets.ts';
import { testHost } from '../../fixtures/cli/here.ts';
import { temporaryFolder } from '../../fixtures/place/folder.ts';

const HOST = { ...testHost(), stdout: new PassThrough() };

it.each([
  ['-', './-'],
  ['./-', '-'],
])('standard output and a file called - are two outputs: %s %s', async (...outputs) => {
  expect(await checkTargets({ outputs }, HOST)).toBeUndefined();
});

it('standard output that is no file is none that the run reads', async () => {
  expect(await checkTargets({ outputs: ['-'], forbidden: ['list.csv'] }, HOST)).toBeUndefined();
});

/** A run whose standard output goes to a file. */
function redirected() {
  const path = join(temporaryFolder(), 'out.csv');
  const fd = openSync(path, 'w');
  onTestFinished(() => closeSync(fd));
  return { path, host: { ...HOST, stdout: createWriteStream('', { fd, autoClose: false }) } };
}

it('standard output that goes to the file that the run reads is refused', async () => {
  const { path, host } = redirected();
  const message = 'standard output is a file that this run reads';
  await expect(checkTargets({ outputs: ['-'], forbidden: [path] }, host)).rejects.toMatchObject({ message });
});

it('a file that standard output goes to as well is refused, in whatever order they are given', async () => {
  const { path, host } = redirected();
  const message = `standard output goes to '${path}', which is an output as well`;
  for (const outputs of [
    ['-', path],
    [path, '-'],
  ]) {
    await expect(checkTargets({ outputs }, host)).rejects.toMatchObject({ exitCode: 2, message });
  }
});
