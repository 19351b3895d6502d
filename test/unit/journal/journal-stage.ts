/** A journal in a folder of its own, for the tests of what it does and of what is done to it. */
import { join } from 'node:path';
import { openJournal } from '../../../src/journal/journal.ts';
import { testHost } from '../../fixtures/cli/here.ts';
import { temporaryFolder } from '../../fixtures/place/folder.ts';
import { address } from '../../fixtures/place/wallets.ts';

export const host = testHost();
export const base = 'https://api.example/prefix';
export const open = (path: string, options = {}) => openJournal(path, { base, host, ...options });
export const newPath = () => join(temporaryFolder(), 'wallets.csv.journal');
export const answer = (text: string, answeredAt = 1_700_000_000_000) => ({ answeredAt, text });

/** A journal with wallets 0 to `count` - 1, closed. */
export async function journalOf(count: number): Promise<string> {
  const path = newPath();
  const journal = await open(path);
  for (let i = 0; i < count; i++) journal.append(address(i), answer(`{"n":${i}}`));
  journal.close();
  return path;
}
