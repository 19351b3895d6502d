/** The gate of one wallet: its first request is free, and its retries wait exactly as they would for the gate of a list. */
import { expect, it } from 'vitest';
import { FirstGate } from '../../../../src/service/pacing/first-gate.ts';
import { Gate } from '../../../../src/service/pacing/gate.ts';
import { Pacer, type PacerOptions } from '../../../../src/service/pacing/pacer.ts';
import type { Observation } from '../../../../src/service/pacing/rate-limit.ts';
import { stillClock } from '../../../fixtures/service/client.ts';

const kinds = {
  first: (clock: ReturnType<typeof stillClock>, pacing: PacerOptions) => new FirstGate({ clock, pacing }),
  list: (clock: ReturnType<typeof stillClock>, pacing: PacerOptions) => new Gate({ clock, pacer: new Pacer(pacing) }),
};

/** When each of three attempts may start, in milliseconds; every one is answered 100 ms later with `observation`. */
async function startsOf(kind: keyof typeof kinds, observation: Observation, rate?: number): Promise<readonly number[]> {
  const clock = stillClock();
  const gate = kinds[kind](clock, { rate, concurrency: 1 });
  const starts: number[] = [];
  for (const retry of [false, true, true]) {
    const permit = await gate.enter({ retry });
    starts.push(clock.monotonic());
    permit.sent();
    clock.advance(100);
    permit.answered(observation);
  }
  return starts;
}

it.each<[string, Observation, number?]>([
  ['a fault', { status: 503, rate: {} }],
  ['no answer', { rate: {} }],
  ['a fault that tells a limit', { status: 503, rate: { limit: 1, remaining: 0, resetMs: 5_000 } }],
  ['a refusal', { status: 429, rate: { limit: 10, remaining: 0, resetMs: 2_000 }, waitMs: 2_000 }],
  ['a fault, below a rate that was typed', { status: 503, rate: {} }, 0.1],
])('after %s the next attempts start when those of a list would', async (_, observation, rate) => {
  const starts = await startsOf('list', observation, rate);
  expect(await startsOf('first', observation, rate)).toEqual(starts);
  if (rate !== undefined) expect(starts.at(-1)).toBeGreaterThan(9_000);
});

it('a run that is stopped gets no permit, and one that was not used frees the place', async () => {
  const clock = stillClock();
  const gate = new FirstGate({ clock, pacing: { concurrency: 1 } });
  const stopped = AbortSignal.abort(new Error('stopped'));
  await expect(gate.enter({ signal: stopped })).rejects.toThrow('stopped');
  (await gate.enter({})).cancel();
  const permit = await gate.enter({});
  expect(clock.monotonic()).toBe(0);
  permit.cancel();
  await expect(gate.enter({ signal: stopped })).rejects.toThrow('stopped');
});
