/** What the pacer has to reach, and the mean of several runs to hold against it. */
import { LIMITERS, type LimiterKind, type Plan } from './limiters.ts';
import { type Figures, type Scenario, simulate } from './simulate.ts';

export const PLANS: readonly Plan[] = [
  { rate: 10, burst: 20 },
  { rate: 50, burst: 100 },
  { rate: 200, burst: 400 },
];

/** A figure for each of the three plans. */
type PerPlan = readonly [number, number, number];

interface Bound {
  /** Makespan at most: this many times the ideal, */
  readonly times: PerPlan;
  /** and this many milliseconds more. */
  readonly plus: number;
  readonly refusedPerThousand: PerPlan;
  /** Share of another client's requests that are refused. */
  readonly rivalLoss?: PerPlan;
}

export interface Row {
  readonly name: string;
  readonly limiter: LimiterKind;
  readonly extra: Partial<Scenario>;
  /** None where only the table shows how it goes. */
  readonly bound?: Bound;
}

const WINDOW: Bound = { times: [1.03, 1.03, 1.03], plus: 4_000, refusedPerThousand: [3, 1, 0.5] };
/** It stands for express-rate-limit, @fastify/rate-limit and rate-limiter-flexible. */
const FROM_FIRST: Bound = { times: [1.06, 1.06, 1.06], plus: 4_000, refusedPerThousand: [2, 2, 2] };
const LOG: Bound = { times: [1.06, 1.06, 1.06], plus: 3_000, refusedPerThousand: [8, 3, 1] };
const BUCKET: Bound = { times: [1.01, 1.01, 1.01], plus: 1_500, refusedPerThousand: [0.5, 0.5, 0.5] };
const STRICT: Bound = { times: [1.25, 1.15, 1.05], plus: 3_000, refusedPerThousand: [30, 6, 1] };
const SHARED: Bound = {
  times: [1.18, 1.18, 1.18],
  plus: 5_000,
  refusedPerThousand: [100, 6, 10],
  rivalLoss: [0.1, 0.01, 0.01],
};
const ANY_TIME: PerPlan = [Number.MAX_VALUE, Number.MAX_VALUE, Number.MAX_VALUE];
const SEVERAL: Bound = { times: ANY_TIME, plus: 0, refusedPerThousand: [75, 75, 75] };

const L = LIMITERS;

function row(name: string, limiter: LimiterKind, extra: Partial<Scenario>, bound?: Bound): Row {
  return { name: `${limiter.name}${name}`, limiter, extra, ...(bound && { bound }) };
}

export const ALONE: readonly Row[] = [
  row('', L.fixed, {}, WINDOW),
  row('', L.fixedBurst, {}, WINDOW),
  row('', L.sliding, {}, LOG),
  row('', L.bucket, {}, BUCKET),
  row('', L.gcra, {}, BUCKET),
  row('', L.queue, {}, BUCKET),
  row('', L.strict, {}, STRICT),
  row('', L.fixedFirst, {}, FROM_FIRST),
  row('', L.counter, {}, STRICT),
  row('', L.fixedLong, {}),
  row('', L.fixedLongUntold, {}),
  row('', L.fixedUntold, {}),
  row('', L.gcraBurst, {}),
];

export const RIVAL: readonly Row[] = [
  ...[L.fixed, L.fixedBurst, L.sliding, L.bucket, L.gcra, L.queue].map((l) =>
    row(', rival', l, { rival: 0.5 }, SHARED),
  ),
  ...[L.strict, L.fixedUntold, L.gcraBurst].map((l) => row(', rival', l, { rival: 0.5 })),
];

export const PROCESSES: readonly Row[] = [2, 8].flatMap((processes) => [
  ...[L.fixed, L.fixedBurst, L.sliding, L.bucket, L.gcra, L.queue].map((l) =>
    row(`, ${processes} processes`, l, { processes }, SEVERAL),
  ),
  ...[L.strict, L.fixedUntold, L.gcraBurst].map((l) => row(`, ${processes} processes`, l, { processes })),
]);

/** So many seeds, from that one on. */
export interface Seeds {
  readonly count: number;
  readonly first: number;
}

/** The mean of a run for each seed; the most of what is a most. */
export function meanOf({ limiter, extra }: Row, plan: Plan, { count, first }: Seeds): Figures {
  const runs = Array.from({ length: count }, (_, i) => simulate({ limiter, plan, seed: first + i, ...extra }));
  const mean = (figure: (run: Figures) => number) => runs.reduce((total, run) => total + figure(run), 0) / count;
  const most = (figure: (run: Figures) => number) => Math.max(...runs.map(figure));
  return {
    makespan: mean((run) => run.makespan),
    ideal: mean((run) => run.ideal),
    refusedPerThousand: mean((run) => run.refusedPerThousand),
    mostPerSecond: most((run) => run.mostPerSecond),
    firstAnswer: mean((run) => run.firstAnswer),
    rivalLoss: mean((run) => run.rivalLoss),
    mostInFlight: most((run) => run.mostInFlight),
  };
}

/**
 * What of `figures` is out of bounds on the plan with that index, in words; empty when all is well.
 */
export function misses({ bound }: Row, figures: Figures, plan: number): readonly string[] {
  if (!bound) return [];
  const limits: readonly (readonly [string, number, number])[] = [
    ['makespan', figures.makespan, bound.times[plan]! * figures.ideal + bound.plus],
    ['429s per 1,000', figures.refusedPerThousand, bound.refusedPerThousand[plan]!],
    ['loss of the other', figures.rivalLoss, bound.rivalLoss?.[plan] ?? 1],
  ];
  return limits.flatMap(([name, value, most]) => (value <= most ? [] : [`${name} ${value.toFixed(3)} > ${most}`]));
}
