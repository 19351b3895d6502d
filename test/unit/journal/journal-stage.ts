/** A journal in a folder of its own, for the tests of what it does and of what is done to it. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { openJournal } from '../../../src/journal/journal.ts';
import type { ResultStore } from '../../../src/journal/store.ts';
import { testHost } from '../../fixtures/cli/here.ts';
import { temporaryFolder } from '../../fixtures/place/folder.ts';
import { address } from '../../fixtures/place/wallets.ts';

export const host = testHost();
export const baseUrl = 'https://api.example/prefix';
export const ELSEWHERE = 'choose another file with --journal';
export const open = (path: string, options = {}) =>
  openJournal({ path, baseUrl, host, alternative: ELSEWHERE, ...options });
export const newPath = () => join(temporaryFolder(), 'wallets.csv.journal');
export const answer = (text: string, answeredAt = 1_700_000_000_000) => ({ answeredAt, text });

/** The answer for wallet `i`. */
export const document = (i: number, n: unknown = i) =>
  `{"wallet_address":"${address(i)}","total_collateral_usd":1,"n":${JSON.stringify(n)}}`;

/** A journal with wallets 0 to `count` - 1, closed. */
export async function journalOf(count: number): Promise<string> {
  const path = newPath();
  const journal = await open(path);
  for (let i = 0; i < count; i++) journal.append(address(i), answer(document(i)));
  journal.close();
  return path;
}

/** A host whose clock moves at each call, so that the lock is checked each time. */
export function lookingHost() {
  let now = 0;
  return testHost({ monotonic: () => (now += 100) });
}

export const heldBy = (path: string) => open(path, { host: lookingHost() });

/** A journal with wallet 0, whose holder has lost the lock. */
export async function lostJournal(): Promise<{ readonly path: string; readonly holder: ResultStore }> {
  const path = newPath();
  const holder = await heldBy(path);
  holder.append(address(0), answer(document(0), 1_000));
  rmSync(`${path}.lock`);
  return { path, holder };
}
