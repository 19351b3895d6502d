/** Histories in which the model of the contract (test/model) and riskcli once differed. */
import { writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { stage } from '../../fixtures/cli/review-weeks.ts';
import { address } from '../../fixtures/place/wallets.ts';

interface Planned {
  readonly rules: readonly { readonly name: string; readonly if: string; readonly level?: string }[];
  readonly exceptions?: readonly { readonly wallet: string; readonly rule: string; readonly until?: string }[];
}

/** A list of one wallet, of which a review `days` after the first is asked for by a policy. */
async function history() {
  const { json, at, now } = await stage({}, [1]);
  return (days: number, score: number, { rules, exceptions = [] }: Planned, ...args: readonly string[]) => {
    const excused = exceptions.map((exception) => ({ reason: 'known', ...exception }));
    writeFileSync(at('policy.json'), JSON.stringify({ rules, exceptions: excused }));
    now.world = { 1: { score } };
    return json(days, '--policy', at('policy.json'), ...args);
  };
}

const excusedUntil = (until: string) => [{ wallet: address(1), rule: 'low', until }];

it('gives an answer as the cause of a closed alarm whose rule changed since the base, but not since the state', async () => {
  const review = await history();
  const exceptions = excusedUntil('2026-10-13');
  await review(0, 450, { rules: [{ name: 'low', if: 'score < 500' }], exceptions });
  const rules = [{ name: 'low', if: 'score < 600' }];
  await review(10, 450, { rules, exceptions });
  expect(await review(11, 700, { rules, exceptions })).toMatchObject({
    closed: { wallets: [{ closed: [{ rule: 'low', opened: '2026-10-05', cause: 'answer' }] }] },
  });
});

it('names a repeated wallet by the row that matches, not by one that only keeps the alarm open', async () => {
  const { json, at } = await stage({ 1: { errors: { a: 'late' } } });
  writeFileSync(at('holders.csv'), `name,wallet,limit\nLow,${address(1)},1\nHigh,${address(1)},7\n`);
  await json(0, '--fail-if', 'limit: input.limit > 2');
  expect(await json(7, '--fail-if', 'limit: input.limit > 2')).toMatchObject({
    open: { wallets: [{ label: 'High', line: 3 }] },
  });
});
