import { expect, it } from 'vitest';
import { readProfile } from '../../../src/service/contract.ts';
import { PROFILE, WALLET } from '../../fixtures/service/client.ts';

const DOCUMENT = {
  ...PROFILE,
  total_collateral_usd: -12.5e-3,
  texts: ['\u0000\\"', '\ud83d\ude00\u00e9', '__proto__'],
  values: [true, false, null, {}, [], [[]], 1e21, 0],
};

it('reports an answer that breaks off at any byte as cut short if its length is unknown, else as invalid', () => {
  const bytes = Buffer.from(` ${JSON.stringify(DOCUMENT).replace('\u00e9', '\\u00e9')}`);
  const read = (body: Uint8Array, hasKnownLength: boolean) => {
    try {
      return readProfile({ body, hasKnownLength }, WALLET).text.length;
    } catch (error) {
      return error;
    }
  };
  const cut = { exitCode: 5, code: 'network', message: 'the answer from the service was cut short' };
  const invalid = { exitCode: 6, code: 'contract' };
  for (let length = 0; length < bytes.length; length++) {
    const body = bytes.subarray(0, length);
    expect({ length, open: read(body, false), whole: read(body, true) }).toMatchObject({
      length,
      open: cut,
      whole: invalid,
    });
  }
  expect(read(bytes, false)).toBeGreaterThan(0);
  expect(read(Buffer.from('{"a":1}}'), false)).toMatchObject(invalid);
});
