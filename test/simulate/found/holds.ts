/** A history that once broke a rule, as a test. */
import { expect, it } from 'vitest';
import { openStage, play, type Stage } from '../play.ts';
import { violationsOf } from '../run.ts';
import type { Scenario } from '../scenario.ts';

let stage: Promise<Stage> | undefined;

export function holds(rule: string, scenario: Scenario): void {
  it(`seed ${scenario.seed} no longer shows: ${rule}`, async () => {
    stage ??= openStage();
    expect(violationsOf(await play(scenario, await stage))).toEqual([]);
  });
}
