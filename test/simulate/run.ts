/** Histories one after the other, judged, counted, and shrunk where they break a rule. */
import type { Violation } from './history.ts';
import { judge } from './judge.ts';
import { type Played, play, type Stage } from './play.ts';
import { generate, type Scenario, VERSION } from './scenario.ts';
import { shrink } from './shrink.ts';

export const violationsOf = ({ history }: Played): readonly Violation[] => judge(history);

export interface Finding {
  readonly seed: number;
  readonly violations: readonly Violation[];
}

/** The seeds from `firstSeed` on. */
export interface Part {
  readonly firstSeed: number;
  readonly runs: number;
}

export interface Report {
  /** How often each kind of event happened. */
  readonly covered: ReadonlyMap<string, number>;
  readonly findings: readonly Finding[];
}

export async function playPart({ firstSeed, runs }: Part, stage: Stage): Promise<Report> {
  const covered = new Map<string, number>();
  const findings: Finding[] = [];
  for (let seed = firstSeed; seed < firstSeed + runs; seed++) {
    const played = await play(generate(seed), stage);
    for (const [kind, count] of played.covered) covered.set(kind, (covered.get(kind) ?? 0) + count);
    const violations = violationsOf(played);
    if (violations.length > 0) findings.push({ seed, violations });
  }
  return { covered, findings };
}

/** The shortest history that breaks the first rule of `seed`. */
export async function shortest(seed: number, stage: Stage): Promise<Scenario> {
  const scenario = generate(seed);
  const [first] = violationsOf(await play(scenario, stage));
  if (!first) return scenario;
  return shrink(scenario, async (next) =>
    violationsOf(await play(next, stage)).some(({ rule }) => rule === first.rule),
  );
}

/**
 * `scenario` as a file that is kept in test/simulate/found, so that it is played in every test run.
 */
export function keptHistory(scenario: Scenario, { rule, detail }: Violation): string {
  const note = `Seed ${scenario.seed} of scenarios ${VERSION}: ${rule} (${detail.split('\n')[0]?.slice(0, 200)}).`;
  return JSON.stringify({ note, rule, scenario }, undefined, 2);
}
