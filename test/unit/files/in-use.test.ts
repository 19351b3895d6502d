import { expect, it } from 'vitest';
import { IoError } from '../../../src/errors.ts';
import { isDenied, retryWhileInUse } from '../../../src/files/in-use.ts';
import { systemError } from '../../fixtures/place/calls.ts';

/**
 * What is thrown `failures` times before it works: how often it was called, and after which pauses.
 */
async function tried(platform: NodeJS.Platform, failures: number, error: Error) {
  const pauses: number[] = [];
  let calls = 0;
  const sleep = async (ms: number) => void pauses.push(ms);
  const work = () => {
    calls += 1;
    if (calls <= failures) throw error;
    return 'done';
  };
  const result = await retryWhileInUse(work, { platform, sleep }).catch((thrown: unknown) => thrown);
  return { result, calls, pauses };
}

it.each(['EPERM', 'EACCES', 'EBUSY'])('repeats a call that Windows denies for a moment: %s', async (code) => {
  expect(await tried('win32', 3, systemError(code))).toEqual({ result: 'done', calls: 4, pauses: [10, 20, 40] });
});

it('gives up a call that Windows keeps denying after 2.5 seconds', async () => {
  const error = systemError('EBUSY');
  const { result, calls, pauses } = await tried('win32', 99, error);
  expect([result, calls, pauses.reduce((sum, ms) => sum + ms)]).toEqual([error, 9, 2_550]);
});

it('reports other errors, and denials on other systems, at once', async () => {
  const [full, denied] = [systemError('ENOSPC'), systemError('EACCES')];
  expect(await tried('win32', 1, full)).toEqual({ result: full, calls: 1, pauses: [] });
  expect(await tried('linux', 1, denied)).toEqual({ result: denied, calls: 1, pauses: [] });
});

it('recognises a denial by its code, even in a wrapped error', () => {
  const wrapped = (code: string) => new IoError('the file cannot be opened', { cause: systemError(code) });
  expect([wrapped('EPERM'), wrapped('ENOENT'), new IoError('no cause'), 'EPERM'].map(isDenied)).toEqual([
    true,
    false,
    false,
    false,
  ]);
});
