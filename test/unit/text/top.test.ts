import { expect, it } from 'vitest';
import { createTop } from '../../../src/text/top.ts';

const compare = (a: number, b: number) => a - b;

it.each([1, 3, 10, 100])('keeps the first %i items in order, and the earlier one of equal items', (limit) => {
  const top = createTop<number, string>(limit, compare);
  const offered = Array.from({ length: 60 }, (_, i) => ({ key: (i * 37) % 11, item: `${i}` }));
  let made = 0;
  for (const { key, item } of offered) {
    top.offer(key, () => {
      made += 1;
      return item;
    });
  }
  const sorted = offered.toSorted((a, b) => compare(a.key, b.key)).slice(0, limit);
  expect(top.all()).toEqual(sorted.map(({ item }) => item));
  expect(top.count).toBe(60);
  expect(made).toBeLessThanOrEqual(60);
  if (limit === 1) expect(made).toBeLessThan(5);
});
