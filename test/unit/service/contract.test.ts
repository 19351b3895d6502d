import { expect, it } from 'vitest';
import { TemporaryError } from '../../../src/errors.ts';
import { readProfile } from '../../../src/service/contract.ts';
import { PROFILE, WALLET } from '../../fixtures/service/client.ts';

const DOCUMENT = {
  ...PROFILE,
  total_collateral_usd: -12.5e-3,
  texts: ['\u0000\\"', '\ud83d\ude00\u00e9', '__proto__'],
  values: [true, false, null, {}, [], [[]], 1e21, 0],
};

it('[21] a document that breaks off at any byte was cut, and is not taken for one that is wrong', () => {
  const bytes = Buffer.from(` ${JSON.stringify(DOCUMENT).replace('\u00e9', '\\u00e9')}`);
  const cutBy = new TemporaryError('cut');
  const read = (length: number) => {
    try {
      return readProfile({ body: bytes.subarray(0, length), complete: false, cutBy }, WALLET).text.length;
    } catch (error) {
      return error;
    }
  };
  for (let length = 0; length < bytes.length; length++)
    expect({ length, error: read(length) }).toEqual({ length, error: cutBy });
  expect(read(bytes.length)).toBeGreaterThan(0);
});
