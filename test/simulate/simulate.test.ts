/** The simulator itself, and a few histories; `npm run test:simulate` plays as many as wanted. */
import { expect, it } from 'vitest';
import { openStage, play } from './play.ts';
import { playPart } from './run.ts';
import { generate } from './scenario.ts';

const stage = openStage();

it.each([7, 40])('plays the history of seed %i the same each time, to the byte', async (seed) => {
  const record = async () => {
    const { history, events, covered } = await play(generate(seed), await stage);
    const files = [...history.files].map(([path, bytes]) => [path, bytes.toString('latin1')]);
    return JSON.stringify({ ...history, events, covered: [...covered], files });
  };
  const [one, other] = [await record(), await record()];
  expect(one.length).toBeGreaterThan(1_000);
  expect(other).toBe(one);
});

it('breaks no rule in fifteen histories', async () => {
  expect((await playPart({ firstSeed: 1, runs: 15 }, await stage)).findings).toEqual([]);
});
