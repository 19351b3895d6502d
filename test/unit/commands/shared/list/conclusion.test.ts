import { describe, expect, it } from 'vitest';
import { endOfBoth } from '../../../../../src/commands/shared/list/conclusion.ts';
import {
  ExitCode,
  FindingError,
  IoError,
  KeyError,
  ReaderGoneError,
  SignalError,
  TemporaryError,
} from '../../../../../src/errors.ts';

const counts = { scored: 1, no_score: 0, invalid: 0, failed: 0, pending: 2 };
const disk = new IoError('out.csv cannot be written', { hint: 'make room', counts });
const matched = new FindingError('it matched', { exitCode: ExitCode.matched, code: 'fail_if', hint: 'ask the desk' });

describe('the error of a list that failed twice', () => {
  it('is the more severe one, and also names the other failed file, its hint and its rows', () => {
    const key = new KeyError('no key', { hint: 'set one', httpStatus: 401, isResumable: true, resumeAt: 7 });
    for (const end of [endOfBoth(key, disk), endOfBoth(disk, key)]) {
      expect(end).toMatchObject({
        exitCode: 4,
        code: 'key',
        message: 'no key, and out.csv cannot be written',
        hint: 'set one; make room',
        httpStatus: 401,
        isResumable: true,
        resumeAt: 7,
        counts,
        cause: key,
      });
    }
    const again = new IoError('j cannot be written', { hint: 'make room', counts: { ...counts, scored: 2 } });
    expect(endOfBoth(again, disk)).toMatchObject({ hint: 'make room', counts: { scored: 2 } });
    expect(endOfBoth(new SignalError('SIGINT'), disk)).toMatchObject({
      exitCode: 130,
      message: 'stopped by Ctrl-C, and out.csv cannot be written',
      hint: 'make room',
    });
  });

  it('is that one alone if the other is not about a file, or messages are off', () => {
    const temporary = new TemporaryError('no network');
    expect(endOfBoth(temporary, matched)).toBe(temporary);
    expect(endOfBoth(matched, disk)).toBe(disk);
    const gone = new ReaderGoneError();
    expect(endOfBoth(disk, gone)).toBe(gone);
    const fault = new TypeError('a fault');
    expect(endOfBoth(fault, disk)).toBe(fault);
    expect([endOfBoth(undefined, disk), endOfBoth(matched, undefined), endOfBoth(undefined, undefined)]).toEqual([
      disk,
      matched,
      undefined,
    ]);
  });
});
