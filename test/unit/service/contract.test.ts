import { expect, it } from 'vitest';
import { readProfile } from '../../../src/service/contract.ts';
import { PROFILE, WALLET } from '../../fixtures/service/client.ts';

const DOCUMENT = {
  ...PROFILE,
  total_collateral_usd: -12.5e-3,
  texts: ['\u0000\\"', '\ud83d\ude00\u00e9', '__proto__'],
  values: [true, false, null, {}, [], [[]], 1e21, 0],
};

it('a document that breaks off counts as cut without a Content-Length, and otherwise as invalid', () => {
  const read = (body: string, complete: boolean) => () => readProfile({ body: Buffer.from(body), complete }, WALLET);
  const cut = { exitCode: 5, code: 'network', message: 'the answer from the service was cut short' };
  for (const body of ['', '{"wallet_address":"0x', `${JSON.stringify(DOCUMENT).slice(0, -1)}`]) {
    expect(read(body, false)).toThrow(expect.objectContaining(cut));
    expect(read(body, true)).toThrow(expect.objectContaining({ exitCode: 6, code: 'contract' }));
  }
  expect(read('{"a":1}}', false)).toThrow(expect.objectContaining({ exitCode: 6, code: 'contract' }));
});

it('[21] a document that breaks off at any byte counts as cut, not as invalid', () => {
  const bytes = Buffer.from(` ${JSON.stringify(DOCUMENT).replace('\u00e9', '\\u00e9')}`);
  const cut = { exitCode: 5, code: 'network' };
  const read = (length: number) => {
    try {
      return readProfile({ body: bytes.subarray(0, length), complete: false }, WALLET).text.length;
    } catch (error) {
      return error;
    }
  };
  for (let length = 0; length < bytes.length; length++)
    expect({ length, error: read(length) }).toMatchObject({ length, error: cut });
  expect(read(bytes.length)).toBeGreaterThan(0);
});
