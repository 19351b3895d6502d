/**
 * A run whose lock was deleted, replaced or taken over: it writes nothing more, and leaves the
 * journal to whoever has it now.
 */
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { expect, it } from 'vitest';
import { LockedError } from '../../../src/errors.ts';
import { removeRecords } from '../../../src/journal/prune.ts';
import { testHost } from '../../fixtures/cli/here.ts';
import { address } from '../../fixtures/place/wallets.ts';
import { answer, document, heldBy, lookingHost, lostJournal, newPath, open } from './journal-stage.ts';

it('keeps the answers that it has after the lock is lost, and writes nothing more', async () => {
  const { path, holder } = await lostJournal();
  const before = readFileSync(path);
  const refusal = { answeredAt: 3_000, refusal: { code: 'refused', message: 'no' } };
  expect(() => holder.checkLock()).toThrow(LockedError);
  expect(() => holder.append(address(1), answer(document(1), 2_000))).toThrow(LockedError);
  expect(() => holder.append(address(2), refusal)).toThrow(LockedError);
  await expect(holder.sync()).rejects.toThrow(LockedError);
  expect([holder.size, holder.has(address(1)), holder.get(address(0))]).toMatchObject([
    1,
    false,
    { answeredAt: 1_000 },
  ]);
  holder.close();
  expect(readFileSync(path).equals(before)).toBe(true);
  expect(readdirSync(dirname(path))).toEqual([basename(path)]);
});

it('reports a lost lock, and not a changed journal, when another run has written to the journal', async () => {
  const path = newPath();
  const holder = await open(path, { host: testHost({ monotonic: () => 0 }) });
  rmSync(`${path}.lock`);
  const next = await open(path);
  next.append(address(0), answer(document(0)));
  await expect(holder.sync()).rejects.toThrow(LockedError);
  holder.close();
  next.close();
});

it('damages no answer of the run that took its lock when it writes one after a halt', async () => {
  const path = newPath();
  const holder = await open(path, { host: testHost({ monotonic: () => 0 }) });
  rmSync(`${path}.lock`);
  const next = await open(path);
  next.append(address(0), answer(document(0)));
  holder.append(address(1), answer(document(1)));
  next.append(address(2), answer(document(2)));
  expect([0, 2].map((i) => next.get(address(i)))).toMatchObject([{ text: document(0) }, { text: document(2) }]);
  holder.append(address(3), answer(document(3)));
  await next.sync();
  next.close();
  holder.close();
  const later = await open(path);
  for (const i of [0, 1, 2, 3]) expect(later.get(address(i))).toMatchObject({ text: document(i) });
  later.close();
});

it('removes no journal without its lock, whether the list is finished or wrote nothing', async () => {
  const { path, holder } = await lostJournal();
  await holder.remove();
  expect(existsSync(path)).toBe(true);
  const fresh = newPath();
  const unwritten = await heldBy(fresh);
  rmSync(`${fresh}.lock`);
  unwritten.close();
  expect(existsSync(fresh)).toBe(true);
});

it('does not replace a journal whose lock is lost while it is pruned: exit 11', async () => {
  const path = newPath();
  const store = await open(path);
  for (const i of [0, 1]) store.append(address(i), answer(document(i), i));
  store.close();
  const before = readFileSync(path);
  class Meanwhile extends Set<string> {
    override has(id: string): boolean {
      rmSync(`${path}.lock`, { force: true });
      return super.has(id);
    }
  }
  const refused = removeRecords({ wallets: new Meanwhile([address(1)]) }, { path, host: lookingHost() });
  await expect(refused).rejects.toThrow(LockedError);
  expect(readFileSync(path).equals(before)).toBe(true);
  expect(readdirSync(dirname(path))).toEqual([basename(path)]);
});
