import { describe, expect, it } from 'vitest';
import { ByteBudget, type Share } from '../../../../src/service/http/byte-budget.ts';
import { turn } from '../../../fixtures/manual-clock.ts';

/** Takes `bytes` of a share; the result tells whether there was room yet. */
function taking(share: Share, bytes: number) {
  const state = { granted: false };
  const room = share.take(bytes);
  if (room) void room.then(() => Object.assign(state, { granted: true }));
  else state.granted = true;
  return state;
}

describe('the bytes of all answers under way', () => {
  it('are bounded, except for the answer that began first', async () => {
    const budget = new ByteBudget(100);
    const [first, second, third] = [budget.open(), budget.open(), budget.open()];
    expect(taking(second, 60).granted).toBe(true);
    const late = taking(third, 60);
    expect(late.granted).toBe(false);
    expect(taking(first, 60).granted).toBe(true);
    expect(taking(first, 1000).granted).toBe(true);
    second.release();
    await turn();
    expect(late.granted).toBe(false);
    first.release();
    await turn();
    expect(late.granted).toBe(true);
  });

  it('never block all answers, in any order of requests', async () => {
    const budget = new ByteBudget(100);
    const sizes = Array.from({ length: 50 }, (_, i) => 10 + ((i * 37) % 200));
    let most = 0;
    let held = 0;
    await Promise.all(
      sizes.map(async (size) => {
        const share = budget.open();
        for (let left = size; left > 0; left -= 10) {
          await share.take(10);
          held += 10;
          most = Math.max(most, held);
          await turn();
        }
        held -= Math.ceil(size / 10) * 10;
        share.release();
      }),
    );
    expect(held).toBe(0);
    expect(most).toBeLessThanOrEqual(100 + 210);
  });

  it('are given back by an answer that never got its share', async () => {
    const budget = new ByteBudget(100);
    const [first, second, third] = [budget.open(), budget.open(), budget.open()];
    first.take(100);
    taking(second, 50);
    second.release();
    const late = taking(third, 50);
    first.release();
    await turn();
    expect(late.granted).toBe(true);
  });
});
