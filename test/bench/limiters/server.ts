/**
 * The service behind a limiter of npm, as a process: `server.mjs KIND RATE LEAST MOST`. The
 * packages are not dependencies of riskcli: they are loaded from the folder into which the bench
 * has installed them, with the defaults of their authors.
 */
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { seededRandom } from '../../../src/sandbox/random.ts';

const [kind = 'none', rate, least, most] = process.argv.slice(2);
const limit = Number(rate);
const load = createRequire(new URL('package.json', import.meta.url));
const random = seededRandom(1);

const WINDOW_MS = 1_000;
const keyOf = ({ headers }: IncomingMessage) => String(headers['x-api-key']);

/** A profile, after a while. */
function answer(request: IncomingMessage, response: ServerResponse): void {
  const wallet = request.url?.split('/').at(-1);
  const body = { wallet_address: wallet, total_collateral_usd: 1, defi_score: { defi_score: 700 } };
  response.setHeader('content-type', 'application/json');
  setTimeout(() => response.end(JSON.stringify(body)), Number(least) + random() * (Number(most) - Number(least)));
}

function express(): Server {
  const app = load('express')();
  const { rateLimit } = load('express-rate-limit');
  app.use(rateLimit({ windowMs: WINDOW_MS, limit, legacyHeaders: true, standardHeaders: false, keyGenerator: keyOf }));
  app.use(answer);
  return createServer(app);
}

async function fastify(): Promise<Server> {
  const app = load('fastify')();
  await app.register(load('@fastify/rate-limit'), { timeWindow: WINDOW_MS, max: limit, keyGenerator: keyOf });
  app.get('/v1/risk-profile/:wallet', (request: { raw: IncomingMessage }, reply: FastifyReply) => {
    for (const [name, value] of Object.entries(reply.getHeaders())) reply.raw.setHeader(name, value);
    reply.hijack();
    answer(request.raw, reply.raw);
  });
  await app.ready();
  return app.server;
}

interface FastifyReply {
  readonly raw: ServerResponse;
  getHeaders(): Record<string, string>;
  hijack(): void;
}

/** It has no headers of its own; these are those of its manual. */
function flexible(): Server {
  const { RateLimiterMemory } = load('rate-limiter-flexible');
  const limiter = new RateLimiterMemory({ points: limit, duration: WINDOW_MS / 1_000 });
  return createServer(async (request, response) => {
    const consumed = limiter.consume(keyOf(request));
    const [result, isRefused] = await consumed.then(
      (accepted: Consumed) => [accepted, false],
      (refused: Consumed) => [refused, true],
    );
    response.setHeader('Retry-After', result.msBeforeNext / 1_000);
    response.setHeader('X-RateLimit-Limit', limit);
    response.setHeader('X-RateLimit-Remaining', result.remainingPoints);
    response.setHeader('X-RateLimit-Reset', Math.ceil((Date.now() + result.msBeforeNext) / 1_000));
    if (isRefused) response.writeHead(429).end('Too Many Requests');
    else answer(request, response);
  });
}

interface Consumed {
  readonly msBeforeNext: number;
  readonly remainingPoints: number;
}

const SERVERS: Readonly<Record<string, () => Server | Promise<Server>>> = {
  none: () => createServer(answer),
  express,
  fastify,
  flexible,
};

let refused = 0;
const count: RequestListener = (_, response) => {
  response.on('finish', () => {
    if (response.statusCode === 429) refused++;
  });
};

const server = (await SERVERS[kind]?.()) ?? createServer(answer);
server.keepAliveTimeout = 60_000;
server.prependListener('request', count);
server.listen(0, '127.0.0.1', 4_096, () => process.send?.((server.address() as AddressInfo).port));
process.on('message', () => process.send?.(refused));
process.on('disconnect', () => process.exit());
