import { expect, it } from 'vitest';
import {
  KeyError,
  LimitError,
  ListError,
  ReaderGoneError,
  RefusedError,
  SignalError,
  TemporaryError,
  UntrustedError,
} from '../../../src/errors.ts';
import { exitCodes, stopReasons } from '../../../src/list-run/outcome.ts';
import { PathChecker } from '../../../src/paths/path-checker.ts';
import type { Row } from '../../../src/row/row.ts';
import { rowNode } from '../../../src/row/row-node.ts';
import type { Permit } from '../../../src/service/pacing/gate.ts';
import { turn } from '../../fixtures/manual-clock.ts';
import { address, recordsOf, wallet } from '../../fixtures/place/wallets.ts';
import { answerOf, documentOf, FULL, type StageOptions, startList, temporaryStore, until } from './stage.ts';

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i);
const addresses = (from: number, to: number) => range(from, to).map(address);
/** A list of `count` wallets, asked one after the other. */
const inTurn = (count: number, reply: StageOptions['reply'], options: StageOptions = {}) =>
  startList(recordsOf(range(0, count)), { maxInFlight: 1, reply, ...options });
const down = () => new TemporaryError('the service is in trouble (503)', { code: 'unavailable', httpStatus: 503 });
const refused = (httpStatus: number) => new RefusedError(`refused (${httpStatus})`, { httpStatus });

it('emits a row for each record, in the order of the input, whatever the order of the answers', async () => {
  const list = startList(recordsOf(range(0, 5)), { reply: () => 'later' });
  await until(() => list.asked.length === 5);
  for (const i of [4, 2, 0, 3, 1]) {
    list.answer(address(i));
    await turn();
  }
  const outcome = await list.done;
  expect(list.rows.map(({ line, wallet }) => [line, wallet])).toEqual(range(0, 5).map((i) => [i + 1, address(i)]));
  expect(list.rows[0]).toMatchObject({
    input: address(0),
    status: 'scored',
    score: { spelling: '7' },
    answeredAt: '2023-11-14T22:13:20.000Z',
  });
  expect(outcome).toMatchObject({ reused: 0, stop: undefined, isComplete: true });
  expect(outcome.counts).toEqual({ scored: 5, no_score: 0, invalid: 0, failed: 0, pending: 0 });
  expect([...exitCodes(outcome)]).toEqual([]);
});

it('emits a row as soon as it and all before it are known', async () => {
  const list = startList(recordsOf([1, 2, 3]), { reply: () => 'later' });
  await until(() => list.asked.length === 3);
  list.answer(address(2));
  await turn();
  expect(list.rows).toHaveLength(0);
  list.answer(address(1));
  await until(() => list.rows.length === 2);
  list.answer(address(3));
  await list.done;
});

it('requests at most 40 wallets until the paths are confirmed', async () => {
  const paths = new PathChecker([{ from: '--fields', path: ['defi_score', 'score'], isOptional: false }]);
  const onRow = (row: Row) => paths.observe(row.wallet ?? '', () => rowNode(row));
  const list = startList(recordsOf(range(0, 100)), { reply: () => 'later', paths, onRow: (row) => void onRow(row) });
  await until(() => list.asked.length === 40);
  for (let i = 0; i < 20; i++) await turn();
  expect(list.asked).toHaveLength(40);
  list.answer(address(0));
  await until(() => list.asked.length === 100);
  for (const i of range(0, 100)) list.answer(address(i));
  expect((await list.done).counts.scored).toBe(100);
});

it('requests each wallet once, however often, however spelled and however far apart it occurs', async () => {
  const upper = {
    line: 9,
    input: 'other case',
    wallet: { ...wallet(0xabcd), address: `0x${address(0xabcd).slice(2).toUpperCase()}` },
  };
  async function* records() {
    yield* recordsOf([0xabcd, 1, 1, 2]);
    yield* recordsOf(range(10, 500));
    yield [upper];
    yield* recordsOf([2, 1]);
  }
  const list = startList(records());
  await list.done;
  expect(list.asked).toEqual([address(0xabcd), address(1), address(2), ...addresses(10, 500)]);
  expect(list.rows).toHaveLength(497);
  expect(list.rows.at(-3)).toMatchObject({ input: 'other case', status: 'scored', wallet: upper.wallet.address });
});

it('does not request wallets in the store, and reports how many and how old', async () => {
  const store = temporaryStore();
  store.append(address(1), { answeredAt: 2000, text: documentOf(address(1)) });
  store.append(address(2), { answeredAt: 1000, text: documentOf(address(2)) });
  store.append(address(9), { answeredAt: 1, text: documentOf(address(9)) });
  const list = startList(recordsOf([1, 2, 3, 2, 3]), { store });
  const outcome = await list.done;
  expect(list.asked).toEqual([address(3)]);
  expect(outcome).toMatchObject({ reused: 2, oldestReused: 1000 });
  expect([...exitCodes(outcome)]).toEqual([]);
  expect(list.rows[1]).toMatchObject({ answeredAt: '1970-01-01T00:00:01.000Z' });
});

it('pauses when the next row is not ready and at the end, so that buffered rows are written', async () => {
  const events: unknown[] = [];
  const list = startList(recordsOf([1, 2]), {
    reply: () => 'later',
    onRow: ({ line }) => void events.push(line),
    onPause: () => void events.push('pause'),
  });
  await until(() => list.asked.length === 2);
  events.length = 0;
  for (const i of [1, 2]) {
    list.answer(address(i));
    for (let turns = 0; turns < 5; turns++) await turn();
  }
  await list.done;
  expect(events).toEqual([1, 'pause', 2, 'pause']);
});

it('settles the row of a wallet that the service refuses permanently', async () => {
  const refused = new RefusedError('the service refused the request (404)', { httpStatus: 404 });
  const store = temporaryStore();
  const list = startList(recordsOf([1, 2, 3]), {
    store,
    reply: (asked) => (asked === address(2) ? refused : answerOf(asked)),
  });
  const outcome = await list.done;
  expect(list.rows[1]).toEqual({
    line: 2,
    input: address(2),
    wallet: address(2),
    status: 'failed',
    error: { code: 'refused', message: 'the service refused the request (404)', httpStatus: 404 },
  });
  expect(outcome).toMatchObject({ failures: { refused: 1, temporary: 0 }, isComplete: true });
  expect([...exitCodes(outcome)]).toEqual([3]);
  expect([...exitCodes(outcome, new Set(['failed']))]).toEqual([]);
  const again = startList(recordsOf([2]), { store });
  await again.done;
  expect([again.asked, again.statuses()]).toEqual([[], ['failed']]);
});

it.each([
  ['temporary', down(), 5],
  ['untrusted', new UntrustedError('not the contract'), 6],
] as const)(
  'writes a row for a failed wallet, and requests it again in the next run: %s',
  async (kind, error, exitCode) => {
    const store = temporaryStore();
    const list = startList(recordsOf([1, 2]), {
      store,
      reply: (asked) => (asked === address(1) ? error : answerOf(asked)),
    });
    const outcome = await list.done;
    expect(list.statuses()).toEqual(['failed', 'scored']);
    expect(outcome).toMatchObject({ failures: { [kind]: 1 }, stop: undefined, isComplete: false });
    expect([...exitCodes(outcome)]).toEqual([exitCode]);
    expect([...exitCodes(outcome, new Set(['failed']))]).toEqual(kind === 'temporary' ? [] : [exitCode]);
    const again = startList(recordsOf([1, 2]), { store });
    expect(await again.done).toMatchObject({ isComplete: true });
    expect([again.asked, again.statuses()]).toEqual([[address(1)], ['scored', 'scored']]);
  },
);

it('names two reasons of failed wallets in an error, and a single reason once', async () => {
  const why = ['a', 'a', 'b', 'c', 'a'];
  const list = inTurn(6, (asked, nth) => (nth > 5 ? answerOf(asked) : new TemporaryError(why[nth - 1] ?? '')));
  expect((await list.done).reasons).toEqual({ refused: [], temporary: ['a', 'b'], untrusted: [] });
});

it('stops the list in an outage after 20 wallets in a row, and does not mark the rest failed', async () => {
  const list = inTurn(1000, (asked, nth) => (nth > 50 ? down() : answerOf(asked)));
  const outcome = await list.done;
  expect(list.asked).toHaveLength(70);
  expect(outcome.counts).toMatchObject({ scored: 50, failed: 20 });
  expect(list.rows.filter(({ status }) => status === 'failed').map((row) => row.wallet)).toEqual(addresses(50, 70));
  expect([...exitCodes(outcome)]).toEqual([5]);
  expect(outcome.stop?.reason).toBeInstanceOf(TemporaryError);
  const message = expect.stringContaining('20 wallets in a row');
  expect(outcome.stop?.reason).toMatchObject({ message, isResumable: true });
});

it('does not fail wallets that wait for a retry when an outage stops the list', async () => {
  const list = startList(recordsOf(range(0, 30)), { reply: (_, nth) => (nth <= 20 ? down() : 'waiting') });
  const outcome = await list.done;
  expect(outcome.counts).toMatchObject({ scored: 0, failed: 20 });
  expect(outcome.stop?.reason).toMatchObject({ message: expect.stringContaining('20 wallets in a row') });
});

it('sees no outage in 19 failures, an answer or a refusal and 19 more, nor in 39 of different kinds', async () => {
  const other = new UntrustedError('not the contract');
  const reply = (asked: string, nth: number) => {
    if (nth % 20 === 0) return nth === 40 ? refused(404) : answerOf(asked);
    return nth < 60 || nth % 2 ? down() : other;
  };
  const list = inTurn(90, reply);
  expect(await list.done).toMatchObject({ stop: undefined, counts: { scored: 3, failed: 87 } });
});

it('sees an outage by the order of the rows, in whatever order their wallets fail', async () => {
  const list = startList(recordsOf(range(0, 100)), { reply: () => 'later', maxInFlight: 21 });
  await until(() => list.asked.length === 21);
  for (const i of range(1, 21).reverse()) {
    list.fail(address(i), down());
    await turn();
  }
  expect(() => list.budget.spend()).not.toThrow();
  list.answer(address(0));
  await until(() => list.rows.length === 21);
  expect(() => list.budget.spend()).toThrow('20 wallets in a row');
  list.abort(new SignalError('SIGINT'));
});

it('counts only different wallets that this run requested towards an outage', async () => {
  const store = temporaryStore();
  for (const id of addresses(0, 30)) store.append(id, { answeredAt: 0, text: documentOf(id) });
  const reply = () => down();
  const copies = startList(recordsOf([0, ...Array(30).fill(99)]), { store, reply });
  expect(await copies.done).toMatchObject({ stop: undefined, counts: { scored: 1, failed: 30 } });
  const mixed = startList(recordsOf(range(0, 30).flatMap((i) => [i, 100 + i])), { store, reply, maxInFlight: 1 });
  expect((await mixed.done).stop?.reason).toMatchObject({ message: expect.stringContaining('20 wallets in a row') });
});

it('sees an outage if no answer is valid', async () => {
  const list = inTurn(100, () => new UntrustedError('html'));
  const outcome = await list.done;
  expect(list.asked).toHaveLength(20);
  expect([...exitCodes(outcome)]).toEqual([6]);
});

it.each([
  [402, 4],
  [403, 4],
  [404, 6],
  [451, 6],
])('stops the list after %i for 20 wallets in a row, settles none, exits with %i', async (status, exitCode) => {
  const store = temporaryStore();
  const list = inTurn(100, () => refused(status), { store });
  const outcome = await list.done;
  expect(list.asked).toHaveLength(20);
  expect(Math.min(...exitCodes(outcome))).toBe(3);
  expect(exitCodes(outcome)).toContain(exitCode);
  expect([store.size, outcome.isComplete]).toEqual([0, false]);
  const hint = exitCode === 4 ? 'check what the key and its plan allow' : 'check the base URL';
  const message = expect.stringContaining('20 wallets in a row');
  expect(outcome.stop?.reason).toMatchObject({ message, exitCode, hint });
});

it('stores refusals as they arrive once a wallet was answered, whatever rows are before them', async () => {
  const store = temporaryStore();
  const list = startList(recordsOf(range(0, 5)), { store, reply: () => 'later' });
  await until(() => list.asked.length === 5);
  const kept: number[][] = [];
  for (const work of [
    () => list.fail(address(1), refused(404)),
    () => list.answer(address(2)),
    () => list.fail(address(3), refused(404)),
    // It is about the key.
    () => list.fail(address(4), refused(402)),
  ]) {
    work();
    await turn();
    kept.push(range(0, 5).filter((i) => store.has(address(i))));
  }
  expect(kept).toEqual([[], [1, 2], [1, 2, 3], [1, 2, 3]]);
  list.answer(address(0));
  expect(await list.done).toMatchObject({ failures: { refused: 3 }, stop: undefined, isComplete: false });
  expect(store.has(address(4))).toBe(false);
});

it.each([405, 413, 421, 425, 426, 431])('settles no wallet by %i, which says nothing about it', async (status) => {
  const store = temporaryStore();
  const reply = (asked: string, nth: number) => (nth % 2 ? answerOf(asked) : refused(status));
  const list = inTurn(10, reply, { store });
  expect(await list.done).toMatchObject({ stop: undefined, isComplete: false, failures: { refused: 5 } });
  expect(store.size).toBe(5);
  const outage = startList(recordsOf(range(10, 50)), { store, maxInFlight: 1, reply: () => refused(status) });
  expect((await outage.done).stop?.reason).toMatchObject({ exitCode: 6, hint: 'check the base URL' });
  expect(outage.asked).toHaveLength(20);
});

it('sees no outage in refusals of different statuses', async () => {
  const list = inTurn(60, (_, nth) => refused(nth % 2 ? 402 : 451));
  expect(await list.done).toMatchObject({ stop: undefined, failures: { refused: 60 } });
});

it('settles the refusal of one wallet by the answer to the next one, even if the list stops then', async () => {
  const store = temporaryStore();
  const replies = [refused(404), undefined, new KeyError('rejected')];
  const reply = (asked: string, nth: number) => replies[nth - 1] ?? answerOf(asked);
  const list = inTurn(5, reply, { store });
  await list.done;
  expect([list.asked.length, store.size]).toEqual([3, 2]);
});

it('takes stored refusals for results where no wallet of the list has an answer', async () => {
  const store = temporaryStore();
  store.append(address(50), { answeredAt: 0, text: documentOf(address(50)) });
  const list = inTurn(2, (_, nth) => (nth === 1 ? refused(404) : down()), { store });
  expect(await list.done).toMatchObject({ stop: undefined, failures: { refused: 1, temporary: 1 } });
  expect(store.size).toBe(2);
});

it('stops the list if a refusal cannot be stored', async () => {
  const store = temporaryStore((added) => 'refusal' in added);
  const list = inTurn(10, (asked, nth) => (nth === 2 ? refused(404) : answerOf(asked)), { store });
  expect((await list.done).stop).toEqual({ reason: FULL });
});

it.each([400, 404, 410, 422])(
  'writes any number of refusals with %i as rows once a wallet was answered',
  async (status) => {
    const store = temporaryStore();
    const reply = (asked: string, nth: number) => (nth === 10 ? answerOf(asked) : refused(status));
    const list = inTurn(100, reply, { store });
    expect(await list.done).toMatchObject({ stop: undefined, isComplete: true, failures: { refused: 99 } });
    expect(store.size).toBe(100);
    // The next run knows the service, too.
    const next = startList(recordsOf(range(100, 200)), {
      store,
      maxInFlight: 1,
      reply: () => refused(status),
    });
    expect(await next.done).toMatchObject({ stop: undefined, isComplete: true, failures: { refused: 100 } });
  },
);

it('requests refused wallets again in the next run if there was no answer at all', async () => {
  const store = temporaryStore();
  const reply = (asked: string, nth: number) => (nth > 90 ? refused(402) : answerOf(asked));
  const list = inTurn(100, reply, { store });
  const outcome = await list.done;
  expect(outcome).toMatchObject({ stop: undefined, isComplete: false, failures: { refused: 10 } });
  expect([...exitCodes(outcome)]).toEqual([3]);
  expect(store.size).toBe(90);
});

it('does not settle refusals by slow answers to earlier requests', async () => {
  const store = temporaryStore();
  const reply = (_: string, nth: number) => (nth > 50 ? refused(402) : 'later');
  const list = startList(recordsOf(range(0, 1000)), { store, reply });
  await until(() => list.asked.length === 80);
  for (let i = 0; i < 50; i++) list.answer(address(i));
  const outcome = await list.done;
  expect(outcome.stop?.reason).toMatchObject({ exitCode: 4 });
  expect(store.size).toBe(50);
  expect(list.asked).toHaveLength(80);
});

it('does not stop the list by refusals that are only faster than answers', async () => {
  const reply = (_: string, nth: number) => (nth % 3 === 0 ? refused(403) : 'later');
  const list = startList(recordsOf(range(0, 150)), { reply });
  await until(() => list.asked.length === 150);
  await turn();
  for (const asked of list.asked) list.answer(asked);
  expect(await list.done).toMatchObject({ stop: undefined, counts: { scored: 100, failed: 50 } });
});

const fullDisk = () => temporaryStore((_, size) => size === 10);

it.each([
  ['a rejected key', new KeyError('rejected'), {}, 4],
  ['a spent quota', new LimitError('spent'), {}, 7],
  ['a fault of our own', new TypeError('bug'), {}, 1],
  ['a full disk', undefined, { store: true }, 8],
] as const)(
  'sends no further request after a stop by %s, and fails no other wallet',
  async (_, error, { store }: { store?: true }, exitCode) => {
    const reply = (asked: string, nth: number) => (error && nth === 11 ? error : answerOf(asked));
    const list = inTurn(100, reply, store && { store: fullDisk() });
    const outcome = await list.done;
    expect(list.asked).toHaveLength(11);
    expect(outcome.counts).toMatchObject({ scored: 10, failed: 0 });
    expect([...exitCodes(outcome)]).toEqual([exitCode]);
    expect(outcome).toMatchObject({ isComplete: false });
  },
);

it('reports an output or a store that fails after the stop', async () => {
  const later = () => 'later' as const;
  const broken = inTurn(100, later, { onRow: () => Promise.reject(FULL), maxInFlight: 2 });
  await until(() => broken.asked.length === 2);
  broken.fail(address(1), new LimitError('spent'));
  await turn();
  broken.answer(address(0));
  const outcome = await broken.done;
  expect(outcome.stop).toEqual({ reason: new LimitError('spent'), also: FULL });
  expect([new Set(exitCodes(outcome)), outcome.isOutputWhole]).toEqual([new Set([7, 8]), false]);

  const list = inTurn(100, later, { store: fullDisk(), maxInFlight: 20 });
  await until(() => list.asked.length === 20);
  list.abort(new SignalError('SIGINT'));
  for (let i = 0; i < 20; i++) list.answer(address(i));
  const interrupted = await list.done;
  expect([...exitCodes(interrupted)]).toEqual([130, 8]);
  expect(interrupted.isOutputWhole).toBe(true);
});

it('reports an output that keeps failing once', async () => {
  const fail = () => Promise.reject(FULL);
  const list = startList(recordsOf([1, 2]), { onRow: fail, onPause: fail });
  const { stop } = await list.done;
  expect(stop && stopReasons({ stop })).toEqual([FULL]);
});

it('waits after a stop for requests under way however long they take, and sends no retry', async () => {
  const list = startList(recordsOf(range(0, 10)), { reply: () => 'later', maxInFlight: 4 });
  await until(() => list.asked.length === 4);
  list.fail(address(1), new LimitError('spent'));
  await turn();
  expect(() => list.budget.spend()).toThrow('spent');
  await list.clock.pass(600_000);
  for (const asked of [0, 2, 3]) list.answer(address(asked));
  const outcome = await list.done;
  expect(list.asked).toHaveLength(4);
  expect(list.statuses()).toEqual(['scored', 'scored', 'scored']);
  expect(outcome.failures).toEqual({ refused: 0, temporary: 0, untrusted: 0 });
  expect(list.drains).toEqual([]);
});

it('waits 8 seconds for requests under way after a signal, says so, and reports the signal', async () => {
  const list = startList(recordsOf(range(0, 10)), { reply: () => 'later', maxInFlight: 3 });
  await until(() => list.asked.length === 3);
  list.answer(address(0));
  await until(() => list.asked.length === 4);
  list.abort(new SignalError('SIGINT'));
  await list.clock.pass(7_999);
  list.answer(address(1));
  await list.clock.pass(1);
  const outcome = await list.done;
  expect(list.asked).toHaveLength(4);
  expect([list.statuses(), list.store.size]).toEqual([['scored', 'scored'], 2]);
  expect(list.drains).toEqual([{ requests: 3, withinMs: 8_000 }]);
  expect([...exitCodes(outcome)]).toEqual([130]);
});

it('stops at once on a signal if nothing is under way', async () => {
  const list = startList(recordsOf(range(0, 10)), { reply: () => 'waiting', maxInFlight: 3 });
  await until(() => list.asked.length === 3);
  list.abort(new SignalError('SIGTERM'));
  const outcome = await list.done;
  expect([...exitCodes(outcome)]).toEqual([143]);
  expect(outcome.counts).toMatchObject({ failed: 0 });
  expect(list.drains).toEqual([]);
});

it('leaves no timer after a stop, closes the file of the list, and ignores a stop after the end', async () => {
  let isClosed = false;
  async function* closing() {
    try {
      yield* recordsOf(range(0, 10));
    } finally {
      isClosed = true;
    }
  }
  const stops: unknown[] = [];
  const list = startList(closing(), { reply: () => 'later', maxInFlight: 2, onStop: () => stops.push('stop') });
  await until(() => list.asked.length === 2);
  list.abort(new SignalError('SIGINT'));
  await list.clock.pass(1);
  for (const asked of list.asked) list.answer(asked);
  await list.done;
  await turn();
  expect([isClosed, list.clock.sleepers.size, stops.length]).toEqual([true, 0, 1]);
  const through = startList(recordsOf([1]), { onStop: () => stops.push('stop') });
  await through.done;
  through.abort(new SignalError('SIGINT'));
  expect(stops).toHaveLength(1);
});

it('reports a signal that follows another stop, within the time of the signal', async () => {
  const stops: unknown[] = [];
  const list = startList(recordsOf(range(0, 10)), {
    reply: () => 'later',
    maxInFlight: 2,
    onStop: () => stops.push(list.clock.now()),
  });
  await until(() => list.asked.length === 2);
  const start = list.clock.now();
  list.fail(address(0), new KeyError('rejected'));
  await list.clock.pass(60_000);
  list.abort(new SignalError('SIGTERM'));
  await list.clock.pass(8_000);
  expect([...exitCodes(await list.done)]).toEqual([143]);
  expect(stops).toEqual([start]);
  expect(list.drains).toEqual([{ requests: 1, withinMs: 8_000 }]);
});

it('does not wait after a stop for a silent list', async () => {
  async function* silent() {
    yield* recordsOf([1]);
    await new Promise(() => {});
  }
  const list = startList(silent());
  await until(() => list.rows.length === 1);
  list.abort(new SignalError('SIGINT'));
  expect(await list.done).toMatchObject({ isComplete: false, counts: { scored: 1 } });
  expect(list.drains).toEqual([]);
});

it('returns a permit that is granted at the moment of a stop', async () => {
  let permit: (value: Permit) => void = () => {};
  const cancelled: string[] = [];
  const enter = () =>
    new Promise<Permit>((resolve) => {
      permit = resolve;
    });
  const list = startList(recordsOf([1, 2]), { gate: { enter } });
  await turn();
  list.abort(new SignalError('SIGINT'));
  permit({ cancel: () => cancelled.push('given back'), sent() {}, answered() {} });
  await list.done;
  expect([cancelled, list.asked]).toEqual([['given back'], []]);
});

it('keeps the rows before an error of the list', async () => {
  async function* torn() {
    yield* recordsOf([1, 2]);
    throw new ListError('line 3 is not UTF-8');
  }
  const list = startList(torn());
  const outcome = await list.done;
  expect(list.statuses()).toEqual(['scored', 'scored']);
  expect([...exitCodes(outcome)]).toEqual([9]);
  expect(outcome.isComplete).toBe(false);
});

it.each([
  ['what was paid for is stored', true],
  ['nothing is waited for when nothing would be kept', false],
])('writes nothing more to an output that fails, and %s', async (_, isKept) => {
  const rows: string[] = [];
  const store = temporaryStore();
  const list = startList(recordsOf(range(0, 50)), {
    store: Object.assign(store, { isKept }),
    reply: () => 'later',
    maxInFlight: 10,
    onRow: async (row) => {
      rows.push(row.status);
      throw new ReaderGoneError();
    },
  });
  await until(() => list.asked.length === 10);
  list.answer(address(0));
  await until(() => rows.length === 1);
  await turn();
  if (isKept) for (const asked of list.asked) list.answer(asked);
  const outcome = await list.done;
  expect(rows).toEqual(['scored']);
  expect(store.size).toBe(isKept ? list.asked.length : 1);
  expect([...exitCodes(outcome)]).toEqual([141]);
});

it('pauses the input if the oldest unanswered row is 10,000 rows behind', async () => {
  let taken = 0;
  async function* counted() {
    for await (const record of recordsOf([0, ...Array(10_498).fill(null), 1])) {
      taken += 1;
      yield record;
    }
  }
  const list = startList(counted(), { reply: () => 'later' });
  await until(() => taken >= 10_000);
  await turn();
  expect([taken, list.asked.length, list.rows.length]).toEqual([10_001, 1, 0]);
  list.answer(address(0));
  await until(() => list.asked.length === 2);
  list.answer(address(1));
  await list.done;
  expect(list.rows.map(({ line }) => line)).toEqual(range(1, 10_501));
});

it('reads the answers that have arrived before the second request', async () => {
  const list = startList(recordsOf(range(0, 500)), { reply: () => 'later' });
  await turn();
  expect(list.asked).toHaveLength(1);
  await until(() => list.asked.length === 500);
  list.abort(new SignalError('SIGINT'));
});
