/**
 * The service's answer to a request (docs/service.md), decided without a socket. Where it is
 * not known what the service does, a comment gives the choice.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { Clock } from '../context.ts';
import { presentedKey, SANDBOX_KEY } from './keys.ts';
import { createLimiter, createQuota, type LimiterAllowance, type Limits, UNLIMITED } from './limiter.ts';
import { type Random, seededRandom } from './random.ts';

export interface SandboxRequest {
  readonly method: string;
  /** The request target as it stands in the request line. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
}

export interface SandboxAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | number>>;
  readonly body: string;
  /** How long the answer is held back, in milliseconds. */
  readonly holdMs: number;
  /** `reset`: the connection is reset instead; `cut`: it ends in the middle of the body. */
  readonly breaks?: 'reset' | 'cut';
  /** Why it is this answer, for the log. */
  readonly reason?: string;
}

/** Statuses are answered; `reset` and `cut` break the connection before and within the answer. */
const FAULT_KINDS = ['429', '500', '502', '503', '504', 'reset', 'cut'] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

/** Failures on demand. */
export interface Failing {
  /** The share of all answers, 0 to 1. */
  readonly share: number;
  /** Each as often as the others; all kinds when absent. */
  readonly kinds?: readonly FaultKind[];
}

export interface ServiceOptions {
  readonly clock: Clock;
  readonly limits: Limits;
  /** Shortest and longest time that a profile takes, in milliseconds. */
  readonly latencyMs: readonly [shortest: number, longest: number];
  readonly failing: Failing;
  /**
   * The document of a wallet at a time (milliseconds since 1970); undefined for one that is not
   * found: a 404.
   */
  readonly profile: (wallet: string, now: number) => string | undefined;
}

const PROFILE_PATH = '/v1/risk-profile/';
/** The service documents no length of an address, so any is accepted. */
const SERVED_WALLET = /^0x[0-9a-f]+$/i;
const LOOPBACK_HOST = /^(?:127\.0\.0\.1|localhost)(?::\d+)?$/i;

/** A service in its first second; each call answers one request. */
export function createService(options: ServiceOptions): (asked: SandboxRequest) => SandboxAnswer {
  const { clock, failing } = options;
  const answerProfile = createProfileEndpoint(options);
  const random = seededRandom(0);
  const answerHealth = () => {
    const body = `{"status":"ok","timestamp":"${new Date(clock.now()).toISOString()}"}`;
    const fault = drawFault(failing, random);
    // The health endpoint is not rate limited (docs/service.md, Requests).
    return fault && fault !== '429' ? failed(fault, json(200, body)) : json(200, body);
  };
  return ({ method, url, headers }) => {
    const refusal = refuseRequest(headers);
    if (refusal) return refusal;
    const queryAt = url.indexOf('?');
    const path = queryAt < 0 ? url : url.slice(0, queryAt);
    const segment = path.startsWith(PROFILE_PATH) ? path.slice(PROFILE_PATH.length) : '';
    const isProfile = segment !== '' && !segment.includes('/');
    if (path !== '/health' && !isProfile) return json(404, error('not found'));
    if (method !== 'GET') return json(405, error('method not allowed'), { Allow: 'GET' });
    if (hasBody(headers)) return json(413, error('a request body is not accepted'));
    if (!isProfile) return answerHealth();
    return answerProfile(segment, presentedKey(headers, queryAt < 0 ? '' : url.slice(queryAt + 1)));
  };
}

/**
 * Keeps web pages out of the sandbox: browsers send Origin with every cross-origin request that a
 * page can read, and a name that was rebound to loopback shows in Host.
 */
function refuseRequest(headers: IncomingHttpHeaders): SandboxAnswer | undefined {
  if (headers.origin !== undefined) return json(403, error('requests from web pages are not answered'));
  if (!LOOPBACK_HOST.test(headers.host ?? '')) return json(403, error('only requests to loopback are answered'));
  return undefined;
}

/** Whether the headers announce a body; neither endpoint takes one. */
export const hasBody = (headers: IncomingHttpHeaders) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

function createProfileEndpoint(options: ServiceOptions): (wallet: string, key: string | undefined) => SandboxAnswer {
  const { clock, limits, failing } = options;
  const limiter = createLimiter(limits);
  const takeQuota = createQuota(limits.quota);
  const faultRandom = seededRandom(0);
  const answer = createProfiles(options);
  return (wallet, key) => {
    const rateHeaders = (allowance: LimiterAllowance) => headersOf(limits, allowance, clock.now());
    if (key !== SANDBOX_KEY) {
      const reason = key === undefined ? 'no key' : 'unknown key';
      const headers = rateHeaders(limiter.peek(clock.monotonic()));
      return { ...json(401, error('missing or invalid API key'), headers), reason };
    }
    const allowance = limiter.take(clock.monotonic());
    if (!allowance.allowed) return tooMany(allowance.retryMs, rateHeaders(allowance), 'rate limit');
    const quotaMs = takeQuota(clock.now());
    // It is not known what the service answers then; here it is a 429 until the next month.
    if (quotaMs > 0) {
      return tooMany(quotaMs, rateHeaders({ ...allowance, remaining: 0, resetMs: quotaMs }), 'monthly quota');
    }
    const headers = rateHeaders(allowance);
    const fault = drawFault(failing, faultRandom);
    if (fault === '429') return tooMany(0, headers, 'injected fault');
    return fault ? failed(fault, answer(wallet, headers)) : answer(wallet, headers);
  };
}

/** Answers for wallets, after the time that the service takes. */
function createProfiles({ clock, profile, latencyMs }: ServiceOptions) {
  const random = seededRandom(0);
  return (wallet: string, headers: SandboxAnswer['headers']): SandboxAnswer => {
    if (!SERVED_WALLET.test(wallet)) return json(400, error('invalid wallet address'), headers);
    const body = profile(wallet, clock.now());
    if (body === undefined) return json(404, error('wallet not found'), headers);
    return { ...json(200, body, headers), holdMs: between(latencyMs, random) };
  };
}

const between = ([shortest, longest]: readonly [number, number], random: Random) =>
  longest === 0 ? 0 : shortest + random() * (longest - shortest);

/** See docs/service.md, Rate limits. */
function headersOf(limits: Limits, allowance: LimiterAllowance, now: number): SandboxAnswer['headers'] {
  return {
    'X-RateLimit-Limit': Math.min(limits.rate, UNLIMITED),
    'X-RateLimit-Remaining': allowance.remaining,
    'X-RateLimit-Reset': Math.ceil((now + allowance.resetMs) / 1000),
  };
}

/** Without the header Retry-After, which the service does not document. */
function tooMany(retryMs: number, headers: SandboxAnswer['headers'], reason: string): SandboxAnswer {
  const retryAfter = Math.max(1, Math.ceil(retryMs / 1000));
  return { ...json(429, `{"error":"rate limit exceeded","retry_after":${retryAfter}}`, headers), reason };
}

const JSON_TYPE = 'application/json; charset=utf-8';

/** The bodies that a failing service, or a proxy before it, sends: JSON, a page, nothing. */
const FAILURES = {
  '500': { contentType: JSON_TYPE, body: '{"error":"internal server error"}' },
  '502': { contentType: 'text/html', body: '<html><body><h1>502 Bad Gateway</h1></body></html>\n' },
  '503': { contentType: JSON_TYPE, body: '{"error":"service unavailable"}' },
  '504': { contentType: 'text/plain', body: '' },
} as const;

/** The fault of the next answer, if any. */
function drawFault({ share, kinds = FAULT_KINDS }: Failing, random: Random): FaultKind | undefined {
  return random() < share ? kinds[Math.floor(random() * kinds.length)] : undefined;
}

/** `whole` with `fault` applied. */
function failed(fault: Exclude<FaultKind, '429'>, whole: SandboxAnswer): SandboxAnswer {
  const reason = 'injected fault';
  if (fault === 'reset' || fault === 'cut') return { ...whole, breaks: fault, reason };
  const { contentType, body } = FAILURES[fault];
  return { ...whole, status: Number(fault), headers: { ...whole.headers, 'Content-Type': contentType }, body, reason };
}

const error = (text: string) => JSON.stringify({ error: text });

function json(status: number, body: string, headers: SandboxAnswer['headers'] = {}): SandboxAnswer {
  return { status, headers: { 'Content-Type': JSON_TYPE, ...headers }, body, holdMs: 0 };
}
