/**
 * A run of pacers against a limiter, without waiting: network, answers of 1 to 5 seconds, timers
 * that fire late, others on the same key. The gate's queue is modelled here; the pacer and the
 * reading of headers are the real ones.
 */

import { seededRandom } from '../../../src/sandbox/random.ts';
import { Pacer } from '../../../src/service/pacing/pacer.ts';
import { rateLimitWait, readRateLimit, readRetryAfterMs } from '../../../src/service/pacing/rate-limit.ts';
import { type Agenda, createAgenda } from './agenda.ts';
import type { Limiter, LimiterKind, Plan, Verdict } from './limiters.ts';

/** How the answers spell the limit. */
export const SPELLINGS = ['epoch', 'float', 'milliseconds', 'delta', 'absent'] as const;
export type Spelling = (typeof SPELLINGS)[number];

export interface Scenario {
  readonly limiter: LimiterKind;
  readonly plan: Plan;
  readonly seed: number;
  readonly wallets?: number;
  /**
   * Another client on the key: the share of the rate that it uses, evenly, whatever happens to it.
   */
  readonly rival?: number;
  readonly spelling?: Spelling;
  /** How far the local clock is ahead of the server's, milliseconds. */
  readonly skew?: number;
  /** Limit as remembered from an earlier run. */
  readonly remembered?: number;
  /** Processes that share the list and the key. */
  readonly processes?: number;
  /** --rate and --concurrency. */
  readonly rate?: number;
  readonly concurrency?: number;
}

export interface Figures {
  /** Milliseconds from the start to the last answer; Infinity when there was none. */
  readonly makespan: number;
  /** The same at best, for someone who knows the limiter. */
  readonly ideal: number;
  readonly refusedPerThousand: number;
  /** Most sends in any trailing second, of one process. */
  readonly mostPerSecond: number;
  /** Milliseconds to the first answer. */
  readonly firstAnswer: number;
  /** Share of the rival's requests that were refused. */
  readonly rivalLoss: number;
  /** Most requests in flight, of one process. */
  readonly mostInFlight: number;
}

const NETWORK_MS = 20;
/** How long an answer takes (docs/service.md, Profiles). */
const ANSWER_MS = { least: 1_000, most: 5_000 };
/** A run that has not ended by then never will. */
const GIVE_UP_MS = 3_600_000;

interface World {
  readonly agenda: Agenda;
  readonly limiter: Limiter;
  readonly random: () => number;
  readonly scenario: Scenario;
  /** The server's clock less the simulation's. */
  readonly epoch: number;
}

export function simulate(scenario: Scenario): Figures {
  const { wallets = 2_000, processes = 1, plan, limiter, seed, rival = 0 } = scenario;
  const random = seededRandom(seed);
  const epoch = Date.UTC(2030, 0, 1) + random() * 1_000;
  const world: World = {
    agenda: createAgenda(),
    limiter: limiter.open(plan),
    random,
    scenario,
    epoch,
  };
  const share = Math.ceil(wallets / processes);
  const clients = Array.from({ length: processes }, (_, i) => startClient(world, Math.min(share, wallets - i * share)));
  const other = rival > 0 ? startRival(world, plan.rate * rival) : undefined;
  const isDone = () => clients.every((client) => client.left === 0);
  world.agenda.run(() => isDone() || world.agenda.now() > GIVE_UP_MS);
  const refused = clients.reduce((total, client) => total + client.refused, 0);
  return {
    makespan: isDone() ? world.agenda.now() : Number.POSITIVE_INFINITY,
    ideal: limiter.ideal(wallets, plan, 1 - rival) + ANSWER_MS.most + 2 * NETWORK_MS,
    refusedPerThousand: (1000 * refused) / wallets,
    mostPerSecond: Math.max(...clients.map((client) => mostInASecond(client.sends))),
    firstAnswer: Math.min(...clients.map((client) => client.firstAnswer)),
    rivalLoss: other ? other.refused / other.sent : 0,
    mostInFlight: Math.max(...clients.map((client) => client.mostInFlight)),
  };
}

/** One riskcli: its pacer, its gate in small, and what became of its requests. */
interface Client {
  readonly world: World;
  readonly pacer: Pacer;
  readonly sends: number[];
  /** Wallets that wait to be sent; retries are among them, since all wallets are alike here. */
  ready: number;
  readonly wallets: number;
  left: number;
  wake: number;
  refused: number;
  firstAnswer: number;
  inFlight: number;
  mostInFlight: number;
}

function startClient(world: World, wallets: number): Client {
  const { remembered, rate, concurrency } = world.scenario;
  const client: Client = {
    world,
    pacer: new Pacer({ limit: remembered, rate, concurrency }),
    sends: [],
    ready: wallets,
    wallets,
    left: wallets,
    wake: Number.POSITIVE_INFINITY,
    refused: 0,
    firstAnswer: Number.POSITIVE_INFINITY,
    inFlight: 0,
    mostInFlight: 0,
  };
  world.agenda.at(0, () => pump(client));
  return client;
}

/** Sends what may be sent now, and sets the timer for the next. */
function pump(client: Client): void {
  const { agenda, random } = client.world;
  const now = agenda.now();
  while (client.ready > 0) {
    const due = client.pacer.readyAt();
    if (due <= now) {
      client.ready--;
      client.pacer.take(now);
      client.pacer.sent(now);
      send(client, now);
      continue;
    }
    if (due === client.wake || due === Number.POSITIVE_INFINITY) return;
    client.wake = due;
    // setTimeout has whole milliseconds and a loop that is busy.
    agenda.at(Math.ceil(due) + random() * 2, () => {
      if (client.wake !== due) return;
      client.wake = Number.POSITIVE_INFINITY;
      pump(client);
    });
    return;
  }
}

function send(client: Client, sentAt: number): void {
  const { world } = client;
  const { agenda, random } = world;
  client.sends.push(sentAt);
  client.mostInFlight = Math.max(client.mostInFlight, ++client.inFlight);
  agenda.at(sentAt + network(world), () => {
    const verdict = world.limiter.arrive(world.epoch + agenda.now());
    const { least, most } = ANSWER_MS;
    const work = least + random() * (most - least);
    const took = verdict.admitted ? verdict.delay + work : 0;
    agenda.at(agenda.now() + took + network(world), () => answered(client, { verdict, took, sentAt }));
  });
}

interface Reply {
  readonly verdict: Verdict;
  readonly took: number;
  readonly sentAt: number;
}

function answered(client: Client, { verdict, took, sentAt }: Reply): void {
  const { world } = client;
  const { agenda, random, epoch, scenario } = world;
  const now = agenda.now();
  const { headers, retryAfter } = spell(world, { verdict, took });
  const local = epoch + now + (scenario.skew ?? 0);
  const rateLimit = readRateLimit(headers, local);
  // No quota is simulated: every wait is waited for.
  const named = { retryAfterMs: readRetryAfterMs(headers, retryAfter, local), rateLimit };
  const waitMs = rateLimitWait(named, Number.POSITIVE_INFINITY);
  client.inFlight--;
  client.pacer.answered(sentAt, { status: verdict.admitted ? 200 : 429, rateLimit, waitMs }, now);
  if (verdict.admitted) {
    client.left--;
    client.firstAnswer = Math.min(client.firstAnswer, now);
  } else {
    client.refused++;
    agenda.at(now + waitMs * (1 + 0.2 * random()), () => {
      client.ready++;
      pump(client);
    });
  }
  pump(client);
}

/**
 * One way through the network: 20 ms give or take a quarter, one in a hundred up to 60 ms later.
 */
function network({ random }: World): number {
  return NETWORK_MS * (1 + (random() - 0.5) * 0.5) + (random() < 0.01 ? random() * 60 : 0);
}

/**
 * The answer's headers: the limit as it was when the request came in, dated when the answer went
 * out.
 */
function spell({ agenda, epoch, scenario }: World, { verdict, took }: Pick<Reply, 'verdict' | 'took'>) {
  const { admitted, limit, remaining, resetAt } = verdict;
  const now = epoch + agenda.now();
  const reset: Readonly<Record<Spelling, () => string>> = {
    epoch: () => String(Math.ceil(resetAt / 1000)),
    float: () => (resetAt / 1000).toFixed(3),
    milliseconds: () => String(Math.round(resetAt)),
    delta: () => String(Math.max(0, Math.ceil((resetAt - (now - took)) / 1000))),
    absent: () => '',
  };
  const spelling = scenario.spelling ?? 'epoch';
  const shown = {
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': reset[spelling](),
  };
  const date = new Date(now).toUTCString();
  return {
    headers: spelling === 'absent' ? { date } : { ...shown, date },
    retryAfter: admitted ? undefined : Math.max(1, Math.ceil((resetAt - now) / 1000)),
  };
}

/** Someone else on the key, who sends at an even rate and drops what is refused. */
function startRival({ agenda, random, limiter, epoch }: World, rate: number) {
  const rival = { sent: 0, refused: 0 };
  const step = () => {
    rival.sent++;
    if (!limiter.arrive(epoch + agenda.now()).admitted) rival.refused++;
    agenda.at(agenda.now() + (1000 / rate) * (0.75 + random() / 2), step);
  };
  agenda.at((random() * 1000) / rate, step);
  return rival;
}

function mostInASecond(sends: readonly number[]): number {
  let most = 0;
  let first = 0;
  for (const [i, at] of sends.entries()) {
    while (sends[first]! <= at - 1_000) first++;
    most = Math.max(most, i - first + 1);
  }
  return most;
}
