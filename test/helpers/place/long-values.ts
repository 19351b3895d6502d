/** A journal of values of a megabyte, which together are more than a small heap holds. */
import { closeSync, openSync, writeSync } from 'node:fs';
import { encodeRecord } from '../../../src/journal/record.ts';

export const LONG_VALUES = 60;
/** Less than half of the values, in MB; node alone takes five. */
export const SMALL_HEAP = '--max-old-space-size=24';
const FILLING = 'y'.repeat(1_000_000);

/** A number that stands before the `i`th value, by which it is ordered. */
export const orderOf = (i: number) => (i * 37) % LONG_VALUES;

export function writeLongValues(path: string, walletOf: (i: number) => string, keyOf = (_: number) => 'note'): void {
  const fd = openSync(path, 'w', 0o600);
  writeSync(fd, '{"riskcli_journal":1,"base_url":"https://api.example.com"}\n');
  for (let i = 0; i < LONG_VALUES; i++) {
    const note = `${orderOf(i)}`.padStart(3, '0') + FILLING;
    const score = `{"defi_score":${i}}`;
    const text = `{"wallet_address":"${walletOf(i)}","total_collateral_usd":1,"defi_score":${score},"${keyOf(i)}":"${note}"}`;
    writeSync(fd, encodeRecord(walletOf(i), { answeredAt: 1_700_000_000_000 + i, text }));
  }
  closeSync(fd);
}
