import { appendFileSync, closeSync, constants, createWriteStream, openSync, renameSync } from 'node:fs';
import { chmod, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import type { InputStream } from '../../../src/context.ts';
import { SignalError } from '../../../src/errors.ts';
import { type ListSource, openSource } from '../../../src/lists/source.ts';
import { turn } from '../../fixtures/manual-clock.ts';
import { openFiles } from '../../fixtures/place/calls.ts';
import { makeFifo } from '../../fixtures/place/fifo.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'riskcli-source-'));
});
afterAll(() => rm(folder, { recursive: true }));

function hostWith({ stdin = Readable.from([]), signal = new AbortController().signal, isTTY = false } = {}) {
  return { signal: () => signal, stdin: (): InputStream => Object.assign(stdin, { isTTY }) };
}

async function textOf(source: ListSource) {
  const chunks: Uint8Array[] = [];
  for await (const chunk of source.read()) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

it('reads a file several times, also through a link', async () => {
  const file = join(folder, 'list.txt');
  await writeFile(file, '0x1\n');
  await symlink(file, join(folder, 'link.txt'));
  const source = await openSource(file, hostWith());
  const linked = await openSource(join(folder, 'link.txt'), hostWith());
  expect(source).toMatchObject({ name: `'${file}'`, unquotedName: file, isRegular: true });
  expect([await textOf(source), await textOf(source), await textOf(linked)]).toEqual(['0x1\n', '0x1\n', '0x1\n']);
});

it.each([
  ['another file is put in its place', (file: string) => renameSync(`${file}.new`, file)],
  ['lines are appended', (file: string) => appendFileSync(file, '0x3\n')],
])('reads the same file a second time when %s', async (what, change) => {
  const file = join(folder, `${what}.txt`);
  await writeFile(file, '0x1\n');
  await writeFile(`${file}.new`, '0x2\n');
  const source = await openSource(file, hostWith());
  expect(await textOf(source)).toBe('0x1\n');
  change(file);
  expect(await textOf(source)).toBe('0x1\n');
  source.close();
  expect(openFiles(file)).toEqual([]);
});

it.each(['0x2\n', '0x'])('refuses a list that was changed in place to %j since it was checked', async (after) => {
  const file = join(folder, 'changed.txt');
  await writeFile(file, '0x1\n');
  const source = await openSource(file, hostWith());
  await textOf(source);
  await writeFile(file, after);
  await expect(textOf(source)).rejects.toMatchObject({
    exitCode: 9,
    message: `'${file}' was changed while it was read`,
    hint: 'run the same command again',
  });
});

it('refuses a list that is missing or a directory', async () => {
  const missing = join(folder, 'missing.txt');
  await expect(openSource(missing, hostWith())).rejects.toMatchObject({
    exitCode: 9,
    message: `'${missing}' cannot be read: no such file or directory`,
    hint: 'name a file that can be read, or - for standard input',
  });
  await expect(openSource(folder, hostWith())).rejects.toMatchObject({
    exitCode: 9,
    message: `'${folder}' is a directory`,
    hint: 'give a file with a wallet list',
  });
});

it.skipIf(process.getuid?.() === 0)('refuses a list without permission to read it', async () => {
  const file = join(folder, 'secret.txt');
  await writeFile(file, '0x1\n');
  await chmod(file, 0o000);
  await expect(textOf(await openSource(file, hostWith()))).rejects.toMatchObject({
    exitCode: 9,
    message: `'${file}' cannot be read: permission denied`,
  });
});

it('reads a list from a FIFO, once', async () => {
  const file = join(folder, 'fifo');
  makeFifo(file);
  const source = await openSource(file, hostWith());
  expect(source).toMatchObject({ isRegular: false });
  createWriteStream(file).end('0x1\n');
  expect(await textOf(source)).toBe('0x1\n');
  source.close();
  expect(openFiles(file)).toEqual([]);
});

it.each(['signal', 'close'])('closes a FIFO whose writer is silent after a %s', async (how) => {
  const file = join(folder, `held-${how}`);
  makeFifo(file);
  const writer = openSync(file, constants.O_RDWR | constants.O_NONBLOCK);
  onTestFinished(() => closeSync(writer));
  const controller = new AbortController();
  const source = await openSource(file, hostWith({ signal: controller.signal }));
  const text = textOf(source).catch((error: unknown) => error);
  while (openFiles(file).length < 2) await turn();
  if (how === 'signal') controller.abort('stop');
  else source.close();
  expect(await text).toBe(how === 'signal' ? 'stop' : '');
  while (openFiles(file).length > 1) await turn();
});

it.each([
  ['signal', 0],
  ['signal', 3],
  ['close', 0],
  ['close', 3],
])('stops waiting for the writer of a FIFO after a %s, %i turns later', async (how, turns) => {
  const file = join(folder, `silent-${how}-${turns}`);
  makeFifo(file);
  const controller = new AbortController();
  const reason = new SignalError('SIGINT');
  const source = await openSource(file, hostWith({ signal: controller.signal }));
  const text = textOf(source);
  for (let i = 0; i < turns; i++) await turn();
  if (how === 'signal') controller.abort(reason);
  else source.close();
  if (how === 'signal') await expect(text).rejects.toBe(reason);
  else expect(await text).toBe('');
});

it('reads standard input as it arrives', async () => {
  const source = await openSource('-', hostWith({ stdin: Readable.from([Buffer.from('0x'), '1\n']) }));
  expect(source).toMatchObject({ name: 'standard input', isRegular: false });
  expect(await textOf(source)).toBe('0x1\n');
});

it('does not wait for a list from a terminal', async () => {
  await expect(openSource('-', hostWith({ isTTY: true }))).rejects.toMatchObject({
    exitCode: 2,
    message: 'standard input is a terminal, not a wallet list',
    hint: 'pipe a list into riskcli, or give a file with -f FILE',
  });
});

it('refuses a list from standard input that cannot be read', async () => {
  const stdin = new PassThrough();
  const source = await openSource('-', hostWith({ stdin }));
  stdin.destroy(Object.assign(new Error('illegal operation on a directory'), { code: 'EISDIR' }));
  await expect(textOf(source)).rejects.toMatchObject({ exitCode: 9, message: 'standard input is a directory' });
});

it.each([false, true])(
  'ends a list from standard input with the reason of a signal, before or while it is read (%s)',
  async (isBefore) => {
    const controller = new AbortController();
    const reason = new SignalError('SIGINT');
    const stdin = new PassThrough();
    const source = await openSource('-', hostWith({ stdin, signal: controller.signal }));
    if (isBefore) controller.abort(reason);
    const text = textOf(source);
    controller.abort(reason);
    await expect(text).rejects.toBe(reason);
  },
);

it('ends without an error when standard input is closed while it waits', async () => {
  const stdin = new PassThrough();
  stdin.write('0x1\n');
  const source = await openSource('-', hostWith({ stdin }));
  const text = textOf(source);
  source.close();
  expect(['', '0x1\n']).toContain(await text);
  expect(stdin.destroyed).toBe(true);
});
