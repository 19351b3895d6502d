/**
 * The service of a simulated world, and its ledger: what was asked, what was answered, and how much
 * of it got back. Nothing here comes from `src`, and what it answers for a wallet follows from the
 * seed alone, so that a row can be judged without it.
 */

import { LIMITERS, type Limiter, type Verdict } from '../bench/pacing/limiters.ts';
import type { SentRequest, Truth } from './history.ts';
import { between, chance, hash, pick, type Random, randomOf, spread } from './random.ts';
import type { World } from './world.ts';

export interface ServiceOptions {
  readonly kind: keyof typeof LIMITERS;
  readonly rate: number;
  readonly burst: number;
  /** Milliseconds; the latency of a request lies between these, evenly by its logarithm. */
  readonly fastest: number;
  readonly slowest: number;
  /** The share of requests that take `longest`. */
  readonly lagging: number;
  readonly longest: number;
  /** Which headers name the limit. */
  readonly headers: 'all' | 'none' | 'limit' | 'stale';
  /** How a 429 names the wait. */
  readonly wait: 'body' | 'header' | 'both' | 'date' | 'none' | 'past' | 'long';
  /** Requests a month, 429s not counted; undefined: no end. */
  readonly quota?: number | undefined;
  /** The shares of refused wallets, and of wallets without a score. */
  readonly unknown: number;
  readonly noScore: number;
  /** Characters added to an answer. */
  readonly padding: number;
  /** The share of requests affected by each. */
  readonly faults: Readonly<Record<string, number>>;
  /** Interval at which answers change, milliseconds; undefined: never. */
  readonly movesEach?: number | undefined;
}

/** Something that holds for a while, for all requests. World times. */
export interface Outage {
  readonly from: number;
  readonly until: number;
  readonly kind: string;
}

/** What the wire brings to whoever asked. */
export type Delivery =
  /** No connection. */
  | { readonly kind: 'unreachable'; readonly code: string; readonly afterMs: number }
  | {
      readonly kind: 'answer';
      /** When the head is there, and when all of it is. */
      readonly headMs: number;
      readonly endMs: number;
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      readonly chunks: readonly Buffer[];
      /** Why the rest of the body does not arrive. */
      readonly cutBy: string | undefined;
    }
  | { readonly kind: 'silence' };

/** What is true of wallets, in the order of time. */
export function truthsOf(seed: number, options: Pick<ServiceOptions, 'unknown' | 'noScore' | 'padding' | 'movesEach'>) {
  const { movesEach, unknown, noScore, padding } = options;
  const known = new Map<string, Truth>();
  function truth(wallet: string, version: number): Truth {
    const key = `${wallet} ${version}`;
    const found = known.get(key) ?? makeTruth(wallet, version);
    known.set(key, found);
    return found;
  }
  function makeTruth(wallet: string, version: number): Truth {
    const random = version === 0 ? randomOf(seed, 'truth', wallet) : randomOf(seed, 'truth', wallet, version);
    if (chance(random, unknown)) return { status: 404, body: '{"error":"unknown wallet"}' };
    const score = chance(random, noScore)
      ? null
      : { defi_score: between(random, 300, 850), risk_level: pick(random, ['Low Risk', 'Medium Risk', 'High Risk']) };
    const collateral = chance(random, 0.2) ? 0 : Math.round(spread(random, 1, 1e9) * 100) / 100;
    const note = padding > 0 ? 'x'.repeat(between(random, 0, padding)) : undefined;
    return {
      status: 200,
      body: JSON.stringify({ wallet_address: wallet, total_collateral_usd: collateral, defi_score: score, note }),
    };
  }
  /** All that was true up to the world time `at`. */
  return (wallet: string, at: number): readonly Truth[] => {
    const truths = [truth(wallet, 0)];
    const periods = movesEach === undefined ? 0 : Math.floor(at / movesEach);
    for (let period = 1; period <= periods; period++) {
      if (hash(seed, 'moves', wallet, period) % 2 === 0) truths.push(truth(wallet, truths.length));
    }
    return truths;
  };
}

const FAULTS_OF_BODY: Readonly<Record<string, (body: string, other: string) => string | Buffer>> = {
  html: () => '<html><head><title>Sign in</title></head><body>portal</body></html>',
  empty: () => '',
  truncated: (body) => body.slice(0, -9),
  array: () => '[]',
  null: () => 'null',
  'bad utf8': (body) => Buffer.from(body.replace('wallet_address', 'wallet_addr\u0000ess'), 'latin1').fill(0xff, 3, 4),
  'other wallet': (body, other) => body.replace(/0x[0-9a-f]{40}/, other),
  'no collateral': (body) => body.replace('total_collateral_usd', 'total'),
  'score list': (body) => body.replace(/"defi_score":(\{[^}]*\}|null)/, '"defi_score":[]'),
};
const STATUSES = [301, 302, 400, 402, 403, 408, 410, 422, 500, 502, 503, 504];
export const UNREACHABLE = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENETUNREACH',
  'EHOSTUNREACH',
  'ETIMEDOUT',
  'EMFILE',
];

/** Those of the bench that differ most, by name. */
export const LIMITER_KINDS = ['fixed', 'fixedBurst', 'sliding', 'bucket', 'gcra', 'queue', 'strict'] as const;

const QUICK_MS = 5;
const SLOW_MS = 25_000;

/** What is counted besides faults. */
export const ALSO_COUNTED = [
  '429',
  'quota spent',
  `an answer in less than ${QUICK_MS} ms`,
  `an answer after more than ${SLOW_MS / 1_000} s`,
];

/** The names of all faults. */
export const FAULTS: readonly string[] = [
  'silence',
  'drip',
  'reset before the head',
  'reset in the body',
  'close in the body',
  'encoded',
  'too long',
  ...Object.keys(FAULTS_OF_BODY),
  ...STATUSES.map((status) => `status ${status}`),
  ...UNREACHABLE,
];

export class Service {
  readonly requests: SentRequest[] = [];
  /** How often each fault happened, and what else is counted. */
  readonly counts = new Map<string, number>();
  outages: Outage[] = [];
  /** World time from which the key is refused. */
  revokedFrom = Number.POSITIVE_INFINITY;
  /** Without faults, and fast. */
  isInPeace = false;
  readonly truths: ReturnType<typeof truthsOf>;
  private readonly limiter: Limiter;
  private readonly attempts = new Map<string, number>();
  private counted = 0;
  private month = '';
  private readonly names: readonly string[];

  constructor(
    private readonly world: World,
    private readonly epoch: number,
    private readonly seed: number,
    readonly options: ServiceOptions,
  ) {
    this.truths = truthsOf(seed, options);
    this.limiter = LIMITERS[options.kind].open(options);
    this.names = Object.keys(options.faults);
  }

  /**
   * Sends a request now and returns its entry in the ledger. `onDelivery` is called once with the
   * answer and its timing.
   */
  ask(run: string, path: string, onDelivery: (delivery: Delivery) => void): SentRequest {
    const wallet = decodeURIComponent(path.slice(path.lastIndexOf('/') + 1)).toLowerCase();
    const attempt = (this.attempts.get(wallet) ?? 0) + 1;
    this.attempts.set(wallet, attempt);
    const random = randomOf(this.seed, 'request', wallet, attempt);
    const fault = this.faultOf(random);
    const request: SentRequest = {
      run,
      wallet,
      sentAt: this.epoch + this.world.now,
      arrivedAt: undefined,
      status: undefined,
      body: undefined,
      fault,
      deliveredAt: undefined,
      abandonedAt: undefined,
    };
    this.requests.push(request);
    if (fault) this.note(fault);
    const wayMs = between(random, 1, this.isInPeace ? 10 : 60);
    if (fault && UNREACHABLE.includes(fault)) {
      onDelivery({ kind: 'unreachable', code: fault, afterMs: fault === 'ETIMEDOUT' ? 10_000 : wayMs });
    } else {
      const number = this.requests.length;
      this.world.after(wayMs, () => onDelivery(this.answer({ request, random, fault, wayMs, number })));
    }
    return request;
  }

  private note(kind: string): void {
    this.counts.set(kind, (this.counts.get(kind) ?? 0) + 1);
  }

  private faultOf(random: Random): string | undefined {
    if (this.isInPeace) return undefined;
    const { now } = this.world;
    const outage = this.outages.find(({ from, until }) => now >= from && now < until);
    let drawn = random();
    if (outage) return outage.kind;
    for (const name of this.names) {
      drawn -= this.options.faults[name] ?? 0;
      if (drawn < 0) return name;
    }
    return undefined;
  }

  private answer({ request, random, fault, wayMs, number }: Arrival): Delivery {
    const { options } = this;
    const arrivesAt = this.world.now;
    const latency = this.isInPeace
      ? between(random, 1, 50)
      : chance(random, options.lagging)
        ? options.longest
        : spread(random, options.fastest, options.slowest);
    if (latency <= QUICK_MS) this.note(`an answer in less than ${QUICK_MS} ms`);
    if (latency >= SLOW_MS) this.note(`an answer after more than ${SLOW_MS / 1_000} s`);
    request.arrivedAt = this.epoch + arrivesAt;
    const verdict = this.limiter.arrive(arrivesAt);
    const refused = this.judge(arrivesAt, random, verdict);
    if (refused) {
      request.status = refused.status;
      request.body = refused.body;
      // The limiter comes before delays and faults.
      request.fault = undefined;
      return this.deliver({ ...refused, ms: wayMs, random, fault: undefined });
    }
    if (fault === 'silence') return { kind: 'silence' };
    const forced = fault?.startsWith('status ') ? Number(fault.slice(7)) : undefined;
    const truth = this.truths(request.wallet, arrivesAt).at(-1) as Truth;
    const served = `${truth.body.slice(0, -1)},"served":${number}}`;
    const [status, body] =
      forced !== undefined
        ? [forced, this.errorBody(random)]
        : [truth.status, truth.status === 200 ? served : truth.body];
    request.status = status;
    const changed =
      fault && status === 200
        ? FAULTS_OF_BODY[fault]?.(body, `0x${hash(request.wallet).toString(16).padStart(40, '0')}`)
        : undefined;
    request.body = changed === undefined ? body : changed.toString();
    const headers = {
      ...this.limitHeaders(arrivesAt, verdict),
      ...(fault === 'status 503' && chance(random, 0.3) ? { 'retry-after': '1' } : {}),
    };
    return this.deliver({ status, body: changed ?? body, headers, ms: wayMs + verdict.delay + latency, random, fault });
  }

  /** Faults that prevent a request from being handled. */
  private judge(
    at: number,
    random: Random,
    verdict: Verdict,
  ): { status: number; body: string; headers: Record<string, string> } | undefined {
    if (at >= this.revokedFrom && !this.isInPeace) {
      return { status: 401, body: '{"error":"missing or invalid API key"}', headers: {} };
    }
    const month = new Date(this.epoch + at).toISOString().slice(0, 7);
    if (month !== this.month) this.counted = 0;
    this.month = month;
    const { quota } = this.options;
    if (quota !== undefined && this.counted >= quota && !this.isInPeace) {
      this.note('quota spent');
      const next = new Date(this.epoch + at);
      const reset = Date.UTC(next.getUTCFullYear(), next.getUTCMonth() + 1);
      const seconds = Math.ceil((reset - this.epoch - at) / 1000);
      return {
        status: 429,
        body: JSON.stringify({ error: 'rate limit exceeded', retry_after: seconds }),
        headers: this.limitHeaders(at, verdict),
      };
    }
    if (!verdict.admitted) {
      this.note('429');
      return { status: 429, ...this.refusal(at, random, verdict) };
    }
    this.counted++;
    return undefined;
  }

  private refusal(at: number, random: Random, verdict: Verdict): { body: string; headers: Record<string, string> } {
    const seconds = this.isInPeace ? 1 : between(random, 1, 3);
    const error = 'rate limit exceeded';
    const headers = this.limitHeaders(at, verdict);
    const inBody = JSON.stringify({ error, retry_after: seconds });
    switch (this.isInPeace ? 'body' : this.options.wait) {
      case 'body':
        return { body: inBody, headers };
      case 'header':
        return { body: JSON.stringify({ error }), headers: { ...headers, 'retry-after': String(seconds) } };
      case 'both':
        return { body: inBody, headers: { ...headers, 'retry-after': String(seconds + 1) } };
      case 'date':
        return {
          body: '',
          headers: { ...headers, 'retry-after': new Date(this.epoch + at + seconds * 1000).toUTCString() },
        };
      case 'past':
        return { body: JSON.stringify({ error, retry_after: -5 }), headers: { ...headers, 'retry-after': 'soon' } };
      case 'long':
        return { body: JSON.stringify({ error, retry_after: 3600 }), headers };
      default:
        return { body: '<html>slow down</html>', headers };
    }
  }

  private limitHeaders(at: number, verdict: Verdict): Record<string, string> {
    const { headers, rate } = this.options;
    const date = { date: new Date(this.epoch + at).toUTCString() };
    if (headers === 'none') return date;
    const limit = { ...date, 'x-ratelimit-limit': String(rate) };
    if (headers === 'limit') return limit;
    const reset = Math.ceil((this.epoch + at) / 1000) + 1;
    const remaining = headers === 'stale' ? rate : verdict.remaining;
    return { ...limit, 'x-ratelimit-remaining': String(remaining), 'x-ratelimit-reset': String(reset) };
  }

  private errorBody(random: Random): string {
    return pick(random, [
      '',
      '{"error":"something is wrong"}',
      '<html><title>502 Bad Gateway</title></html>',
      '{"detail":[]}',
    ]);
  }

  private deliver({ status, body, headers, ms, random, fault }: Delivering): Delivery {
    const bytes = typeof body === 'string' ? Buffer.from(body) : body;
    if (fault === 'reset before the head')
      return { kind: 'unreachable', code: pick(random, ['ECONNRESET', 'UND_ERR_SOCKET', 'EPIPE']), afterMs: ms };
    const isCut = fault === 'reset in the body' || fault === 'close in the body';
    const sent = isCut ? bytes.subarray(0, between(random, 0, Math.max(0, bytes.length - 1))) : bytes;
    const pieces = chance(random, 0.3) ? between(random, 1, 4) : 1;
    const size = Math.ceil(sent.length / pieces) || 1;
    const chunks = Array.from({ length: Math.ceil(sent.length / size) }, (_, i) =>
      sent.subarray(i * size, (i + 1) * size),
    );
    const hasLength = !isCut || fault === 'reset in the body';
    return {
      kind: 'answer',
      headMs: ms,
      endMs: ms + (fault === 'drip' ? 120_000 : chance(random, 0.2) ? between(random, 1, 400) : 0),
      status,
      headers: {
        ...headers,
        'content-type': 'application/json',
        ...(hasLength ? { 'content-length': String(fault === 'too long' ? 17 * 1024 * 1024 : bytes.length) } : {}),
        ...(fault === 'encoded' ? { 'content-encoding': 'gzip' } : {}),
      },
      chunks,
      cutBy: fault === 'reset in the body' ? 'ECONNRESET' : undefined,
    };
  }
}

interface Arrival {
  readonly request: SentRequest;
  readonly random: Random;
  readonly fault: string | undefined;
  readonly wayMs: number;
  /** Of all requests. */
  readonly number: number;
}

interface Delivering {
  readonly status: number;
  readonly body: string | Buffer;
  readonly headers: Readonly<Record<string, string>>;
  readonly ms: number;
  readonly random: Random;
  readonly fault: string | undefined;
}
