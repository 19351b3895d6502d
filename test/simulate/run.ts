/** Histories one after the other, judged, counted, and shrunk where they break a rule. */
import type { Violation } from './history.ts';
import { judge } from './judge.ts';
import { openStage, type Played, play, type Stage } from './play.ts';
import { generate, type Scenario, VERSION } from './scenario.ts';
import { shrink } from './shrink.ts';

/** What is wrong with a history: what the play has seen, and what the judge finds. */
export const violationsOf = ({ history }: Played): readonly Violation[] => judge(history);

export interface Finding {
  readonly seed: number;
  readonly violations: readonly Violation[];
}

export interface Sweep {
  readonly runs: number;
  readonly firstSeed: number;
  readonly stage?: Stage;
  readonly onPlayed?: (played: Played, seed: number) => void;
  /** Called for each history that breaks a rule; `false` ends the sweep. */
  readonly onFinding: (finding: Finding) => boolean | undefined;
}

export async function sweep({ runs, firstSeed, stage, onPlayed, onFinding }: Sweep): Promise<void> {
  const open = stage ?? (await openStage());
  for (let seed = firstSeed; seed < firstSeed + runs; seed++) {
    const played = await play(generate(seed), open);
    onPlayed?.(played, seed);
    const violations = violationsOf(played);
    if (violations.length > 0 && onFinding({ seed, violations }) === false) return;
  }
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

/** `scenario` as a file that is kept in test/simulate/found, so that it is played in every test run. */
export function keptHistory(scenario: Scenario, { rule, detail }: Violation): string {
  const note = `Seed ${scenario.seed} of scenarios ${VERSION}: ${rule} (${detail.split('\n')[0]?.slice(0, 200)}).`;
  // What is short stands in a line.
  const text = JSON.stringify({ note, rule, scenario }, undefined, 2).replace(
    /\{\n\s+([^{}]*?)\n\s+\}/g,
    (whole, inside) => {
      const line = `{ ${inside.replaceAll(/\n\s+/g, ' ')} }`;
      return line.length > 100 ? whole : line;
    },
  );
  return `${text}\n`;
}
