/**
 * The simulator sees: each mutation of the program is found within 2,000 histories, by a rule that
 * the program itself keeps.
 */
import { describe, expect, it } from 'vitest';
import { judge } from '../simulate/judge.ts';
import { MUTATIONS, type MutationEdit } from '../simulate/mutations.ts';
import { openStage, play, type Stage } from '../simulate/play.ts';
import { generate } from '../simulate/scenario.ts';

const HISTORIES = 2_000;

const rulesOf = async (seed: number, stage: Stage) =>
  new Set(judge((await play(generate(seed), stage)).history).map(({ rule }) => rule));

describe('the simulator', async () => {
  const program = await openStage();

  async function firstSeed({ file, find, put }: MutationEdit): Promise<number | undefined> {
    const ending = new RegExp(`${file.replaceAll('.', '\\.')}$`);
    const mutated = await openStage({ file: ending, change: (source) => source.replace(find, put) });
    for (let seed = 1; seed <= HISTORIES; seed++) {
      const rules = await rulesOf(seed, mutated);
      if (rules.size === 0) continue;
      const own = await rulesOf(seed, program);
      if ([...rules].some((rule) => !own.has(rule))) return seed;
    }
    return undefined;
  }

  it.each(MUTATIONS)(`finds within ${HISTORIES} histories that $name`, async (mutation) => {
    expect(await firstSeed(mutation)).toBeLessThanOrEqual(HISTORIES);
  });
});
