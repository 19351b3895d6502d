import { chmodSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { refuseUntrustedFolder } from '../../../src/files/file-trust.ts';
import { temporaryFolder } from '../../fixtures/place/folder.ts';

const judge = (path: string) =>
  refuseUntrustedFolder(path, { uid: process.getuid?.(), elsewhere: 'use another folder' });

it('a folder that others can write is refused, but not one to be created in it', () => {
  const open = join(temporaryFolder(), 'open');
  mkdirSync(open);
  chmodSync(open, 0o777);
  expect(() => judge(open)).toThrow('is writable by others (mode 0777)');
  expect(() => judge(join(open, 'new'))).not.toThrow();
});

it('a dangling link is left to the code that creates the folder', () => {
  const link = join(temporaryFolder(), 'link');
  symlinkSync('nowhere', link);
  expect(() => judge(link)).not.toThrow();
});
