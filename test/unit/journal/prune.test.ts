import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { eraseRule, pruneRule, removeAnswers } from '../../../src/journal/prune.ts';
import { openReviewMemory } from '../../../src/journal/review-memory.ts';
import { failCall, openFiles } from '../../fixtures/place/calls.ts';
import { address } from '../../fixtures/place/wallets.ts';
import { answer, host, journalOf, open } from './journal-stage.ts';

/** `a5`: an answer for the wallet `a` at the time 5; `a5!`: a refusal. */
function pruned(records: string, rule: { readonly keep?: number; readonly since?: number }) {
  const { observe, keeps, takesUntil } = pruneRule(rule);
  const heads = records.split(' ').map((text) => ({
    id: `0x${(text[0] ?? '').repeat(40)}`,
    answeredAt: Number.parseInt(text.slice(1), 10),
    isRefusal: text.endsWith('!'),
    contentAt: 0,
  }));
  for (const head of heads) observe?.(head);
  const until = takesUntil?.();
  const kept = records.split(' ').filter((_, i) => keeps(heads[i]!, Buffer.alloc(0)));
  return [kept.join(' '), until];
}

it.each<[string, { keep?: number; since?: number }, string, number | undefined]>([
  ['a1', { keep: 1 }, 'a1', undefined],
  ['a1 b2', { keep: 1 }, 'a1 b2', undefined],
  ['a1 a5 b2', { keep: 1 }, 'a5 b2', 5],
  ['a1 b2 a5 b9 a7', { keep: 1 }, 'b9 a7', 9],
  ['a1 a5 a7', { keep: 2 }, 'a5 a7', 7],
  ['a1 a5!', { keep: 1 }, 'a1 a5!', undefined],
  ['a1! a5! a7', { keep: 1 }, 'a5! a7', undefined],
  ['a3 a20', { since: 10 }, 'a20', 20],
  ['a10 a20', { since: 10 }, 'a10 a20', 10],
  ['a9', { since: 10 }, '', 10],
  ['a3 a5 b4 b20', { keep: 1, since: 10 }, 'a5 b20', 20],
])('of %s with %j stays %j, and what counted until then may be taken: %s', (records, rule, kept, until) => {
  expect(pruned(records, rule)).toEqual([kept, until]);
});

it('an erasure keeps records that mention other wallets or none', () => {
  const { rule } = eraseRule({ find: (id) => (id === address(1) ? 0 : -1) });
  const head = (id: string) => ({ id, answeredAt: 1, isRefusal: false, contentAt: 0 });
  const kept = [head('name.eth'), head(address(2)), head(address(1))].map((one) =>
    rule.keeps(one, Buffer.from(JSON.stringify(one))),
  );
  expect(kept).toEqual([true, true, false]);
});

it('a journal that cannot be replaced stays, and the error has a hint', async () => {
  const path = await journalOf(2);
  const before = readFileSync(path);
  failCall('renameSync', 'EROFS', (_, to) => to === path);
  await expect(removeAnswers(pruneRule({ since: Date.now() }), { path, host })).rejects.toMatchObject({
    exitCode: 8,
    message: `the journal '${path}' cannot be replaced: the file system is read-only`,
    hint: expect.stringContaining('it is unchanged'),
    isResumable: true,
  });
  expect(readFileSync(path)).toEqual(before);
});

it('a journal without anything to remove is not rewritten', async () => {
  const path = await journalOf(2);
  const { ino, mtimeMs } = statSync(path);
  expect(await removeAnswers(pruneRule({ keep: 1 }), { path, host })).toMatchObject({ answersRemoved: 0 });
  expect(statSync(path)).toMatchObject({ ino, mtimeMs });
  expect([readdirSync(dirname(path)), openFiles(`${dirname(path)}/`)]).toEqual([[basename(path)], []]);
});

/** What is remembered of a review of a list with these wallets, for which `journal` is the journal. */
async function remembered(journal: string, ids: readonly string[]) {
  const memory = await openReviewMemory({ journal, list: 'list.csv', host, at: 10, onDamage: expect.unreachable });
  for (const id of ids) memory.list({ id, label: `label of ${id}` });
  const judged = { rules: 'r', invalid: 0 };
  await memory.commit({ endedAt: 10, begunAt: 10, baseline: 0, judged, baselineJudged: undefined });
  const [name = ''] = readdirSync(dirname(journal)).filter((file) => file.includes('.review-'));
  return () => readFileSync(join(dirname(journal), name), 'utf8');
}

it('a prune removes answers, and nothing of the memory of reviews', async () => {
  const path = await journalOf(2);
  const journal = await open(path);
  journal.append(address(0), answer('{"n":"new"}'));
  journal.close();
  const memory = await remembered(path, [address(0)]);
  const before = memory();
  const removed = await removeAnswers(pruneRule({ keep: 1 }), { path, host });
  expect(removed).toMatchObject({ answersRemoved: 1, walletsAffected: 1, answersLeft: 2 });
  expect(memory()).toBe(before);
});
