/** Wallets and list records by number, for tests that do not care what the addresses look like. */
import type { ListRecord } from '../../../src/lists/list.ts';
import type { Wallet } from '../../../src/wallet/reading.ts';

/** Lower-case hex: an address and its id at once. */
export const address = (number: number) => `0x${number.toString(16).padStart(40, '0')}`;

/** So many of them, from that number on. */
export const addresses = (count: number, from = 0) => Array.from({ length: count }, (_, i) => address(from + i));

export const wallet = (number: number): Wallet => ({ ok: true, address: address(number), id: address(number) });

/** A row a number, each as if it had come alone; `null` is a row that is no wallet. */
export async function* recordsOf(numbers: Iterable<number | null>): AsyncGenerator<readonly ListRecord[], void, void> {
  let line = 0;
  for (const number of numbers) {
    line += 1;
    if (number !== null) yield [{ line, input: address(number), wallet: wallet(number) }];
    else {
      const reading = { ok: false, code: 'not_hex', message: 'it is no wallet', hint: 'pass one' } as const;
      yield [{ line, input: 'nonsense', wallet: reading }];
    }
  }
}
