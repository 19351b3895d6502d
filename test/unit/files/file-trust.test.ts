import { chmodSync, lstatSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { refuseUntrusted, refuseUntrustedFolder } from '../../../src/files/file-trust.ts';
import { failCall, replaceCall } from '../../fixtures/place/calls.ts';
import { temporaryFolder } from '../../fixtures/place/folder.ts';

const judge = (path: string) =>
  refuseUntrustedFolder(path, { uid: process.getuid?.(), alternative: 'use another folder' });

it('refuses a folder that others can write, but not one to be created in it', () => {
  const open = join(temporaryFolder(), 'open');
  mkdirSync(open);
  chmodSync(open, 0o777);
  // 131: its mode may be that of a mount.
  const refusal = {
    message: `'${open}' is writable by others (mode 0777)`,
    hint: 'check its contents and run chmod go-w on it; where its mode cannot be changed, use another folder',
  };
  expect(() => judge(open)).toThrow(expect.objectContaining(refusal));
  expect(() => judge(join(open, 'new'))).not.toThrow();
});

it('leaves a dangling link to the code that creates the folder', () => {
  const link = join(temporaryFolder(), 'link');
  symlinkSync('nowhere', link);
  expect(() => judge(link)).not.toThrow();
});

it('refuses a folder or a link that another user owns', () => {
  const folder = temporaryFolder();
  const stats = Object.assign(lstatSync(folder), { uid: 4_321 });
  const refusal = (uid: number | undefined) => () =>
    refuseUntrusted(folder, { stats, uid, alternative: 'go elsewhere' });
  const expected = { message: `'${folder}' belongs to another user`, hint: 'change its owner, or go elsewhere' };
  for (const uid of [0, 1_234]) expect(refusal(uid)).toThrow(expect.objectContaining(expected));
  for (const uid of [4_321, undefined]) expect(refusal(uid)).not.toThrow();
  const link = join(folder, 'link');
  mkdirSync(join(folder, 'real'));
  symlinkSync('real', link);
  replaceCall(
    'lstatSync',
    (look) => (path, options) => Object.assign(look(path, options), path === link && { uid: 4_321 }),
  );
  for (const path of [link, join(link, 'new')]) expect(() => judge(path)).toThrow(`'${link}' belongs to another user`);
});

it('reports a folder that cannot be checked', () => {
  const folder = temporaryFolder();
  failCall('statSync', 'EIO');
  const expected = { message: `'${folder}' cannot be checked: EIO`, hint: 'make it readable, or use another folder' };
  expect(() => judge(folder)).toThrow(expect.objectContaining(expected));
});

it('leaves a folder below a file to the code that creates it', () => {
  const file = join(temporaryFolder(), 'file');
  writeFileSync(file, '', { mode: 0o600 });
  expect(() => judge(join(file, 'folder'))).not.toThrow();
});
