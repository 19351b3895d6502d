import { truncateSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { prunedWords, surveyJournal, withHistory, withNewest } from '../../../src/journal/history.ts';
import { headerLine } from '../../../src/journal/journal-records.ts';
import { address } from '../../fixtures/place/wallets.ts';
import { base, journalOf, newPath } from './journal-stage.ts';

it('a journal without answers has no oldest and no newest', async () => {
  const path = newPath();
  writeFileSync(path, headerLine({ base }), { mode: 0o600 });
  expect(await surveyJournal({ path })).toMatchObject({ base, wallets: 0, answers: 0, oldest: undefined });
  expect((await surveyJournal({ path })).newest).toBeUndefined();
});

it('a journal without an answer that old exits with 9', async () => {
  const path = await journalOf(1);
  const newest = withNewest({ path, asOf: 1 }, async () => 'used');
  await expect(newest).rejects.toMatchObject({ code: 'no_answer', exitCode: 9, hint: 'name a later time' });
});

it('a journal that was cut short in its first line does not say whose answers it has', async () => {
  const path = await journalOf(1);
  const hasHeader = () => withNewest({ path }, async (newest) => newest.hasHeader);
  expect(await hasHeader()).toBe(true);
  truncateSync(path, 30);
  expect(await hasHeader()).toBe(false);
});

it.each([
  ['"2026-11-22T07:00:01.000Z"', Date.parse('2026-11-22T07:00:01Z')],
  ['"then"', undefined],
  ['5', undefined],
])('a journal that says it was pruned until %s was pruned until %s', async (pruned, expected) => {
  const path = newPath();
  writeFileSync(path, `{"riskcli_journal":1,"base_url":"${base}","pruned_until":${pruned}}\n`, { mode: 0o600 });
  expect(await withNewest({ path }, async ({ prunedUntil }) => prunedUntil)).toBe(expected);
});

it('answers removed by another program while they are read are reported', async () => {
  const path = await journalOf(2);
  const told = {
    message: `the journal '${path}' cannot be read: something else has changed it meanwhile`,
    hint: 'find out what did that, then run the same command again',
    isResumable: true,
  };
  const cut = (answers: Iterable<unknown>) => {
    truncateSync(path, 70);
    return [...answers];
  };
  await expect(withHistory(address(1), { path }, async ({ answers }) => cut(answers()))).rejects.toMatchObject(told);
  const other = await journalOf(2);
  const spoilt = withNewest({ path: other }, async ({ answers }) => {
    writeFileSync(other, 'x'.repeat(1_000));
    return [...answers];
  });
  await expect(spoilt).rejects.toMatchObject({ message: told.message.replace(path, other) });
});

it.each([
  [2, 10, 5, ': 2 wallets that have only newer answers than 1970-01-01T00:00:00Z may have had one by then'],
  [1, 10, 5, ': 1 wallet that has only newer answers than 1970-01-01T00:00:00Z may have had one by then'],
  [0, 10, 5, undefined],
  [2, 10, 10, undefined],
  [2, undefined, 5, undefined],
  [2, 10, undefined, undefined],
])('of %s wallets with later answers only, pruned until %s and asked for as of %s, is said %j', (...given) => {
  const [onlyLater, prunedUntil, asOf, words] = given;
  const told = prunedWords({ onlyLater, prunedUntil }, { path: 'j', asOf });
  expect(told).toBe(words && `the journal 'j' was pruned${words}`);
});
