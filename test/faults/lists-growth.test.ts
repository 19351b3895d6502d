/** Hostile lists that grow: twice the input costs twice the time. One of each kind; the others are in test/slow. */
import { describe, expect, it } from 'vitest';
import { TOO_MUCH } from '../helpers/growth.ts';
import { growthOf, LISTS } from './linear/lists.ts';

const OFTEN = [
  'members of an element',
  'nested elements',
  'digits of a number',
  'columns',
  'cells beyond the columns',
  'quotes',
  'blank lines in CSV',
  'a line of groups of digits',
  'a line byte by byte',
  'an array byte by byte',
];

describe('twice the input takes at most 2.5 times the CPU', () => {
  const shapes = LISTS.filter(({ name }) => OFTEN.includes(name));
  it.each(shapes)('[69] $name', async (shape) => {
    expect(await growthOf(shape)).toBeLessThanOrEqual(TOO_MUCH);
  });

  it('is asked of all kinds', () => expect(shapes).toHaveLength(OFTEN.length));
});
