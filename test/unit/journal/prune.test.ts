import fs, { readdirSync, readFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { eraseRule, pruneRule, removeAnswers } from '../../../src/journal/prune.ts';
import { openReviewMemory } from '../../../src/journal/review-memory.ts';
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

it('an erasure keeps records that mention none of its wallets, and such as mention none at all', () => {
  const { rule } = eraseRule({ find: (id) => (id === address(1) ? 0 : -1) });
  const head = (id: string) => ({ id, answeredAt: 1, isRefusal: false, contentAt: 0 });
  const kept = [head('name.eth'), head(address(2)), head(address(1))].map((one) =>
    rule.keeps(one, Buffer.from(JSON.stringify(one))),
  );
  expect(kept).toEqual([true, true, false]);
});

it('a journal that cannot be replaced stays, and says what helps', async () => {
  const path = await journalOf(2);
  const before = readFileSync(path);
  const { renameSync } = fs;
  const set = (rename: typeof renameSync) => {
    fs.renameSync = rename;
    syncBuiltinESMExports();
  };
  onTestFinished(() => set(renameSync));
  set((from, to) => {
    if (to === path) throw Object.assign(new Error('EROFS: rename'), { code: 'EROFS' });
    renameSync(from, to);
  });
  await expect(removeAnswers(pruneRule({ since: Date.now() }), { path, host })).rejects.toMatchObject({
    exitCode: 8,
    message: `the journal '${path}' cannot be replaced: the file system is read-only`,
    hint: expect.stringContaining('it is unchanged'),
    isResumable: true,
  });
  expect(readFileSync(path)).toEqual(before);
});

it('a prune takes answers, and nothing of what is remembered of reviews', async () => {
  const path = await journalOf(2);
  const journal = await open(path);
  journal.append(address(0), answer('{"n":"new"}'));
  journal.close();
  const memory = await openReviewMemory({
    journal: path,
    list: 'list.csv',
    host,
    at: 10,
    onDamage: expect.unreachable,
  });
  memory.list({ id: address(0), label: 'Ann' });
  const judged = { rules: 'r', invalid: 0 };
  await memory.commit({ endedAt: 10, begunAt: 10, baseline: 0, judged, baselineJudged: undefined });
  const [name = ''] = readdirSync(dirname(path)).filter((file) => file.includes('.review-'));
  const remembered = readFileSync(join(dirname(path), name), 'utf8');
  expect(remembered).toContain('Ann');
  const removed = await removeAnswers(pruneRule({ keep: 1 }), { path, host });
  expect(removed).toMatchObject({ answersRemoved: 1, walletsAffected: 1, answersLeft: 2 });
  expect(readFileSync(join(dirname(path), name), 'utf8')).toBe(remembered);
});
