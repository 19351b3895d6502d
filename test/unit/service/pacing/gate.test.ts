import { expect, it } from 'vitest';
import { Gate, type Permit } from '../../../../src/service/pacing/gate.ts';
import { Pacer, type PacerOptions } from '../../../../src/service/pacing/pacer.ts';
import { manualClock, turn } from '../../../fixtures/manual-clock.ts';

function open(options: PacerOptions = {}) {
  const clock = manualClock();
  const gate = new Gate(new Pacer(options), clock);
  const admitted: string[] = [];
  const enter = (name: string, { retry = false, signal }: { retry?: boolean; signal?: AbortSignal } = {}) =>
    gate.enter({ retry, signal }).then((permit) => {
      admitted.push(name);
      permit.sent();
      return permit;
    });
  return { clock, gate, admitted, enter };
}

const OK = { status: 200, rateLimit: {} };
const many = (gate: Gate, count: number) => Array.from({ length: count }, () => gate.enter({}));

it('lets the first request through at once, without a timer', async () => {
  const { clock, enter, admitted } = open();
  await enter('a');
  expect(admitted).toEqual(['a']);
  expect(clock.sleepers.size).toBe(0);
});

it('admits in order, retries before new requests', async () => {
  const { clock, enter, admitted } = open({ rate: 1 });
  await enter('first');
  const waiting = [enter('b'), enter('c'), enter('r1', { retry: true }), enter('r2', { retry: true })];
  await clock.pass(4_000);
  expect(admitted).toEqual(['first', 'r1', 'r2', 'b', 'c']);
  await Promise.all(waiting);
});

it('admits thousands in order, even if some give up', async () => {
  const { clock, enter, admitted } = open({ limit: 10_000 });
  const leaving = Array.from({ length: 1_334 }, () => new AbortController());
  const names = Array.from({ length: 4_000 }, (_, i) => `${i}`);
  const entered = names.map(async (name) => {
    const permit = await enter(name, { signal: leaving[Number(name) / 3]?.signal });
    permit.answered(OK);
  });
  for (const one of leaving) one.abort(new Error('stopped'));
  const outcomes = Promise.allSettled(entered);
  await clock.pass(60_000);
  const rejected = (await outcomes).flatMap(({ status }, i) => (status === 'rejected' ? [`${i}`] : []));
  expect(rejected.length).toBeGreaterThan(1_000);
  expect(admitted).toEqual(names.filter((name) => !rejected.includes(name)));
});

it('keeps one timer however many wait', async () => {
  const { clock, gate } = open({ rate: 1 });
  many(gate, 5_000);
  await turn();
  expect(clock.sleepers.size).toBe(1);
});

it('drops a request that gives up, passes on the reason, and leaves no timer behind the last one', async () => {
  const { clock, enter, admitted } = open({ rate: 1 });
  await enter('first');
  for (const others of [[enter('stays')], []]) {
    const controller = new AbortController();
    const gone = enter('gone', { signal: controller.signal });
    expect(clock.sleepers.size).toBe(1);
    controller.abort(new Error('stopped'));
    await expect(gone).rejects.toThrow('stopped');
    expect(clock.sleepers.size).toBe(others.length);
    await clock.pass(1_100);
    await Promise.all(others);
  }
  expect(admitted).toEqual(['first', 'stays']);
});

it('rejects at once a request that is aborted before it enters', async () => {
  const { gate } = open();
  await expect(gate.enter({ signal: AbortSignal.abort(new Error('before')) })).rejects.toThrow('before');
});

it('respects the limit of requests in flight, and continues when one is answered or cancelled', async () => {
  const { clock, gate } = open({ concurrency: 2, limit: 1_000 });
  const permits: Permit[] = [];
  for (const entered of many(gate, 4)) entered.then((permit) => permits.push(permit));
  await clock.pass(60_000);
  expect(permits).toHaveLength(2);
  expect(gate.state().waiting).toBe('waiting for answers, in flight 2');
  permits[0]?.sent();
  permits[0]?.answered(OK);
  permits[1]?.cancel();
  await clock.pass(1_000);
  expect(permits).toHaveLength(4);
});

it('delays all requests once if several are refused', async () => {
  const { clock, gate, enter, admitted } = open({ limit: 10 });
  const entered = [enter('a'), enter('b')];
  await clock.pass(200);
  for (const permit of await Promise.all(entered)) permit.answered({ status: 429, rateLimit: {}, waitMs: 5_000 });
  expect(gate.state().waiting).toBe('rate limited for 5 s');
  const waiting = [enter('c'), enter('retry', { retry: true })];
  await clock.pass(4_990);
  expect(admitted).toEqual(['a', 'b']);
  await clock.pass(1_500);
  await Promise.all(waiting);
  expect(admitted).toEqual(['a', 'b', 'retry', 'c']);
});

it('does not spin if a timer fires a fraction early', async () => {
  let sleeps = 0;
  const clock = { ...manualClock(), sleep: () => Promise.resolve(void sleeps++) };
  const gate = new Gate(new Pacer({ rate: 1 }), clock);
  await Promise.all(many(gate, 10));
  expect(sleeps).toBeLessThanOrEqual(10);
});
