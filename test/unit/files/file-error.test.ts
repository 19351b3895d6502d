import { expect, it } from 'vitest';
import { IoError } from '../../../src/errors.ts';
import {
  asFileError,
  fileError,
  madePath,
  shownPath,
  systemCode,
  systemReason,
} from '../../../src/files/file-error.ts';
import { systemError } from '../../fixtures/place/calls.ts';

it('reports the reason of the system in words, or else by its code', () => {
  const words = { ENOSPC: 'no space left on the device', EIO: 'EIO' };
  for (const [code, reason] of Object.entries(words)) {
    const cause = systemError(code);
    const error = fileError('the file cannot be read', { cause, hint: 'look', isResumable: true });
    expect(error).toMatchObject({
      message: `the file cannot be read: ${reason}`,
      hint: 'look',
      isResumable: true,
      cause,
    });
  }
});

it('keeps the message of an error that is not from the system, if it has one', () => {
  expect([new Error('it is no file'), 'text', undefined].map(systemReason)).toEqual([
    'it is no file',
    'unknown',
    'unknown',
  ]);
  const known = new IoError('the disk fails', { cause: systemError('EIO') });
  expect([known, 'ENOENT', systemError('ENOENT')].map(systemCode)).toEqual([undefined, undefined, 'ENOENT']);
  expect(asFileError(known, 'the file cannot be read', { hint: 'look' })).toBe(known);
  expect(asFileError(systemError('EIO'), 'the file cannot be read', { hint: 'look' })).toMatchObject({
    message: 'the file cannot be read: EIO',
    hint: 'look',
  });
});

it('quotes a path in an error, and that of a created file only if needed', () => {
  const paths = ['out.csv', 'my rows.csv', "it's", 'a"b', 'a\\b', 'a\u001b[2J'];
  expect(shownPath('out.csv')).toBe("'out.csv'");
  expect(paths.map((path) => madePath(path) === shownPath(path))).toEqual([false, true, true, true, true, true]);
  expect(madePath('out.csv')).toBe('out.csv');
});
