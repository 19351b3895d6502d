import { expect, it } from 'vitest';
import { IoError } from '../../../src/errors.ts';
import {
  asFileError,
  cannotSync,
  fileError,
  isDiskFull,
  madePath,
  shownPath,
  systemCode,
  systemReason,
} from '../../../src/files/file-error.ts';
import { systemError } from '../../fixtures/place/calls.ts';

it.each([
  ['ENOENT', 'no such file or directory'],
  ['ENOTDIR', 'a part of its path is not a directory'],
  ['EEXIST', 'something else is in its place'],
  ['EISDIR', 'it is a directory'],
  ['ELOOP', 'it is a symbolic link'],
  ['EACCES', 'permission denied'],
  ['EPERM', 'permission denied'],
  ['EBUSY', 'another program is using it'],
  ['ENAMETOOLONG', 'its name is too long'],
  ['EROFS', 'the file system is read-only'],
  ['ENOSPC', 'no space left on the device'],
  ['EDQUOT', 'the disk quota is used up'],
  ['EFBIG', 'the file size limit is reached (ulimit -f)'],
  ['EIO', 'EIO'],
])('the system says %s, and riskcli says: %s', (code, words) => {
  const cause = systemError(code);
  expect(systemReason(cause)).toBe(words);
  const error = fileError('the file cannot be read', { cause, hint: 'look', isResumable: true });
  expect(error).toMatchObject({ message: `the file cannot be read: ${words}`, hint: 'look', isResumable: true, cause });
});

it('an error that is not from the system keeps its message, if it has one', () => {
  expect([new Error('it is no file'), 'text', undefined].map(systemReason)).toEqual([
    'it is no file',
    'unknown',
    'unknown',
  ]);
  const told = new IoError('told', { cause: systemError('EIO') });
  expect([told, 'ENOENT', systemError('ENOENT')].map(systemCode)).toEqual([undefined, undefined, 'ENOENT']);
  expect(asFileError(told, 'the file cannot be read', { hint: 'look' })).toBe(told);
  expect(asFileError(systemError('EIO'), 'the file cannot be read', { hint: 'look' })).toMatchObject({
    message: 'the file cannot be read: EIO',
    hint: 'look',
  });
});

it('a full disk, and one that cannot sync, are recognised by their codes', () => {
  const codes = ['ENOSPC', 'EDQUOT', 'EINVAL', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EROFS', 'EIO'];
  const those = (holds: (error: unknown) => boolean) => codes.filter((code) => holds(systemError(code)));
  expect(those(isDiskFull)).toEqual(['ENOSPC', 'EDQUOT']);
  expect(those(cannotSync)).toEqual(['EINVAL', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EROFS']);
});

it('a path is quoted in an error; the path of a created file is quoted only if needed', () => {
  const paths = ['out.csv', 'my rows.csv', "it's", 'a"b', 'a\\b', 'a\u001b[2J'];
  expect(shownPath('out.csv')).toBe("'out.csv'");
  expect(paths.map((path) => madePath(path) === shownPath(path))).toEqual([false, true, true, true, true, true]);
  expect(madePath('out.csv')).toBe('out.csv');
});
