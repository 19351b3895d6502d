import { describe, expect, it } from 'vitest';
import { Names, type SystemLookup } from '../../../../src/service/http/dns.ts';
import { stillClock } from '../../../fixtures/service/client.ts';

const FIRST = '192.0.2.1';
const SECOND = '192.0.2.2';
const coded = (code: string) => Object.assign(new Error(code), { code });

/** A name server that answers the `nth` question (from 1) when the test says so. */
function nameServer(answer: (nth: number) => string[] | Error) {
  const clock = stillClock();
  let asked = 0;
  const lookup: SystemLookup = (_, __, callback) => {
    asked += 1;
    const found = answer(asked);
    setImmediate(() => {
      if (found instanceof Error) callback(found, []);
      else
        callback(
          null,
          found.map((address) => ({ address, family: 4 })),
        );
    });
  };
  return { names: new Names(clock, lookup), clock, asked: () => asked };
}

const find = (names: Names, name = 'a.test') => names.addresses(name);

describe('the addresses of a name', () => {
  it('are looked up once for concurrent requests', async () => {
    const { names, asked } = nameServer(() => [FIRST, SECOND]);
    const found = await Promise.all(Array.from({ length: 500 }, () => find(names)));
    expect(new Set(found.map((one) => JSON.stringify(one)))).toEqual(new Set([JSON.stringify([FIRST, SECOND])]));
    expect(asked()).toBe(1);
    await find(names, 'b.test');
    expect(asked()).toBe(2);
  });

  it('are cached for a minute, and used while they are refreshed', async () => {
    const { names, clock, asked } = nameServer((nth) => [nth === 1 ? FIRST : SECOND]);
    await find(names);
    clock.advance(59_999);
    expect(await find(names)).toEqual([FIRST]);
    expect(asked()).toBe(1);
    clock.advance(1);
    expect(await find(names)).toEqual([FIRST]);
    expect(asked()).toBe(2);
    await expect.poll(() => find(names)).toEqual([SECOND]);
    expect(asked()).toBe(2);
  });

  it('are kept while the name server fails', async () => {
    const { names, clock } = nameServer((nth) => (nth === 1 ? [FIRST] : coded('EAI_AGAIN')));
    await find(names);
    for (let i = 0; i < 5; i++) {
      clock.advance(60_000);
      expect(await find(names)).toEqual([FIRST]);
    }
  });

  it('are looked up a second time after a failure, and failures are not cached', async () => {
    const { names, asked } = nameServer((nth) => (nth === 4 ? [FIRST] : coded('EAI_AGAIN')));
    await expect(Promise.all([find(names), find(names)])).rejects.toThrow('EAI_AGAIN');
    expect(asked()).toBe(2);
    expect(await find(names)).toEqual([FIRST]);
    expect(asked()).toBe(4);
  });

  it.each([
    ['there is no such name', (names: Names) => names, coded('ENOTFOUND')],
    ['nobody wants them any more', (names: Names) => names.close(), coded('EAI_AGAIN')],
  ])('are not asked for a second time when %s', async (_, prepare, error) => {
    const { names, asked } = nameServer(() => error);
    prepare(names);
    await expect(find(names)).rejects.toBe(error);
    expect(asked()).toBe(1);
  });

  it('start with the one connected to last, also after a refresh', async () => {
    const { names, clock, asked } = nameServer(() => [FIRST, SECOND]);
    await find(names);
    names.reached('a.test', SECOND);
    names.reached('b.test', FIRST);
    expect(await find(names)).toEqual([SECOND, FIRST]);
    clock.advance(60_000);
    await find(names);
    await expect.poll(asked).toBe(2);
    expect(await find(names)).toEqual([SECOND, FIRST]);
  });

  it('are looked up again if none could be connected to', async () => {
    const { names, asked } = nameServer((nth) => [nth === 1 ? FIRST : SECOND]);
    await find(names);
    names.missed('a.test');
    await find(names);
    await expect.poll(() => find(names)).toEqual([SECOND]);
    expect(asked()).toBe(2);
  });

  it('are looked up again after none could be connected to before', async () => {
    const { names, asked } = nameServer(() => [FIRST]);
    names.missed('a.test');
    expect([await find(names), asked()]).toEqual([[FIRST], 1]);
  });
});
