/** What is said where riskcli cannot start. */
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { BINARY, runLine } from '../../fixtures/cli/process.ts';
import { temporaryFolder } from '../../fixtures/place/folder.ts';

it('reports in one line that a clone is not built', async () => {
  const folder = temporaryFolder();
  cpSync(dirname(BINARY), join(folder, 'bin'), { recursive: true });
  expect(await runLine(`'${process.execPath}' bin/riskcli.js --help`, { cwd: folder })).toMatchObject({
    stdout: '',
    stderr: 'riskcli: the built program is missing; run npm run build in a clone, or install riskcli again\n',
    exitCode: 1,
  });
});

it('shows errors of the program that it loads for a command', async () => {
  const folder = temporaryFolder();
  cpSync(dirname(BINARY), join(folder, 'bin'), { recursive: true });
  mkdirSync(join(folder, 'dist'));
  for (const [name, args] of Object.entries({ main: 'health', profile: 'profile', complete: '__complete' })) {
    writeFileSync(join(folder, `dist/${name}.cjs`), `throw new Error("${name} is broken");`);
    const { stderr, exitCode } = await runLine(`'${process.execPath}' bin/riskcli.js ${args}`, { cwd: folder });
    expect({ exitCode, stderr }).toEqual({
      exitCode: 1,
      stderr: expect.stringContaining(`Error: ${name} is broken`),
    });
  }
});

it('reports in one line that Node is too old', async () => {
  const old = join(temporaryFolder(), 'old.cjs');
  writeFileSync(
    old,
    `Object.defineProperty(process.versions, 'node', { value: '20.18.3' });
      Object.defineProperty(process.features, 'require_module', { value: undefined });`,
  );
  expect(await runLine(`'${process.execPath}' -r '${old}' '${BINARY}' --version`)).toMatchObject({
    stdout: '',
    stderr: 'riskcli: needs Node 20.19, 22.12 or newer, this is 20.18.3; install a newer Node\n',
    exitCode: 1,
  });
});

it('prints the version, or reports that stdout is full', async () => {
  const { version } = JSON.parse(readFileSync(join(dirname(BINARY), '../package.json'), 'utf8'));
  const line = `'${process.execPath}' '${BINARY}' --version`;
  expect(await runLine(line)).toMatchObject({ stdout: `${version}\n`, stderr: '', exitCode: 0 });
  expect(await runLine(`${line} > /dev/full`)).toMatchObject({
    stderr: expect.stringContaining('no space left'),
    exitCode: 8,
  });
});
