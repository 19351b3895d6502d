/** Every shape of list and of answer that grows: `npm test` has one of each kind. */
import { describe, expect, it } from 'vitest';
import { growthOfViews } from '../faults/linear/growth.ts';
import { growthOf, LISTS } from '../faults/linear/lists.ts';
import { SHAPES } from '../faults/linear/shapes.ts';
import { TOO_MUCH } from '../helpers/growth.ts';

describe('twice the input takes at most 2.5 times the CPU', () => {
  it.each(LISTS)('[69] a list: $name', async (shape) => {
    expect(await growthOf(shape)).toBeLessThanOrEqual(TOO_MUCH);
  });
  it.each(Object.keys(SHAPES))('[69] an answer: %s', async (name) => {
    expect(await growthOfViews(name)).toBeLessThanOrEqual(TOO_MUCH);
  });
});
