/** Every shape of list that grows. */
import { describe, expect, it } from 'vitest';
import { TOO_MUCH } from './cost.ts';
import { growthOf, LISTS } from './lists.ts';

describe('a list twice as long takes at most 2.5 times the CPU', () => {
  it.each(LISTS)('[69] $name', async (shape) => {
    expect(await growthOf(shape)).toBeLessThanOrEqual(TOO_MUCH);
  });
});
