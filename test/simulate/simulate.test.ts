/** The simulator itself, and a few histories; `npm run test:simulate` plays as many as wanted. */
import { describe, expect, it } from 'vitest';
import { openStage, play } from './play.ts';
import { playPart } from './run.ts';
import { generate, type Scenario } from './scenario.ts';
import { shrink } from './shrink.ts';

const stage = openStage();

describe('a history', () => {
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
});

describe('shrinking', () => {
  it('shrinks a history to the events that its failure needs', async () => {
    const scenario = generate(4);
    const needed = { at: 5, do: 'kill', run: 'A' } as const;
    const events = [...scenario.events, needed, { at: 6, do: 'step clock', ms: 9 } as const];
    const fails = ({ events: left }: Scenario) => Promise.resolve(left.includes(needed));
    const shrunk = await shrink({ ...scenario, events }, fails);
    expect(shrunk.events.filter((event) => event.do !== 'run')).toEqual([needed]);
    expect(shrunk.events.filter((event) => event.do === 'run')).toHaveLength(1);
  });
});
