/** The room of a realm: what a process leaves there is overwritten by the next one, what a module made for itself is not. */
import { expect, it } from 'vitest';
import { createMemory } from './memory.ts';

type Numbers = new (length: number) => Uint32Array;

/** More than is left to node. */
const LENGTH = 4_096;

it('the memory of a realm gives the next process the room of the last one', () => {
  const memory = createMemory();
  const Own = memory.globals.Uint32Array as Numbers;
  const first = new Own(LENGTH);
  memory.takeBack();
  new Own(LENGTH)[7] = 1;
  expect(first[7]).toBe(1);
});

// fastest-levenshtein keeps an array, and wrote into an index of wallets: one of them was asked twice (seed 1858 of scenarios 5).
it('the memory of a realm leaves alone what a module has made for itself', () => {
  const memory = createMemory();
  const Own = memory.globals.Uint32Array as Numbers;
  const ofModule = memory.outlasting(() => new Own(LENGTH));
  memory.takeBack();
  new Own(LENGTH).fill(1);
  expect(ofModule[7]).toBe(0);
});
