/**
 * The sandbox's server on loopback, which sends what service.ts decides. Used by `riskcli sandbox`,
 * by `--sandbox` of other commands, and by the tests.
 */
import { once, setMaxListeners } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Clock } from '../context.ts';
import { IoError } from '../errors.ts';
import { SANDBOX_KEY } from './keys.ts';
import { type Limits, PLANS, type Plan } from './limiter.ts';
import { profileOf } from './profile.ts';
import { createService, hasBody, type SandboxAnswer, type SandboxRequest, type ServiceOptions } from './service.ts';

/** No latency, no failures, and profiles that never change when these are absent. */
export interface SandboxOptions {
  readonly latencyMs?: ServiceOptions['latencyMs'];
  readonly failing?: ServiceOptions['failing'] | undefined;
  readonly profile?: ServiceOptions['profile'] | undefined;
  readonly clock: Clock;
  /** A free one when absent or 0. */
  readonly port?: number;
  /** `developer` when absent. */
  readonly plan?: Plan;
  /** Replaces the plan's limits. */
  readonly limits?: Limits;
  /**
   * Longest time that the headers, and then the rest, of a request may take to arrive, in
   * milliseconds (10 s).
   */
  readonly requestMs?: number;
  readonly onRequest?: ((line: RequestLine) => void) | undefined;
}

export interface RequestLine {
  readonly method: string;
  /** Without the query: it may hold a key. */
  readonly path: string;
  readonly status: number;
  readonly ms: number;
  readonly reason: string | undefined;
}

export interface Sandbox {
  /** `http://127.0.0.1:PORT` */
  readonly baseUrl: string;
  readonly key: string;
  readonly limits: Limits;
  /** Requests received so far, on every path. */
  requests(): number;
  close(): Promise<void>;
}

/** Loopback only, by address: a name could resolve to something else. */
const HOST = '127.0.0.1';
/** Thousands of clients may connect in the same moment; the system's own limit applies. */
const BACKLOG = 4096;
const IDLE_CONNECTION_MS = 60_000;
const NEVER = { share: 0 };

/**
 * Starts a sandbox; it answers when this resolves.
 * @throws IoError when the port cannot be listened on.
 */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { clock, plan = 'developer', requestMs = 10_000 } = options;
  const {
    limits = PLANS[plan],
    latencyMs = [0, 0],
    failing = NEVER,
    profile = (wallet: string) => profileOf(wallet),
  } = options;
  const answer = createService({ clock, limits, latencyMs, failing, profile });
  const stopping = new AbortController();
  setMaxListeners(0, stopping.signal);
  const server = createServer({
    headersTimeout: requestMs,
    requestTimeout: requestMs,
    connectionsCheckingInterval: Math.min(1000, requestMs),
    keepAliveTimeout: IDLE_CONNECTION_MS,
  });
  let requests = 0;
  const handle = createHandler(answer, options, stopping.signal);
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    requests += 1;
    handle(request, response);
  });
  const port = await listen(server, options.port ?? 0);
  const close = async () => {
    stopping.abort();
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  };
  return { baseUrl: `http://${HOST}:${port}`, key: SANDBOX_KEY, limits, requests: () => requests, close };
}

/**
 * Sends what `answer` decides: now, after the body of the request, or after the answer's delay,
 * unless `signal` ends that wait.
 */
function createHandler(
  answer: (asked: SandboxRequest) => SandboxAnswer,
  { clock, onRequest }: SandboxOptions,
  signal: AbortSignal,
) {
  return (request: IncomingMessage, response: ServerResponse) => {
    const startedAt = clock.monotonic();
    const { method = '', url = '', headers } = request;
    const decided = answer({ method, url, headers });
    const finish = () => {
      send(response, decided, clock.now());
      const { status, reason } = decided;
      onRequest?.({ method, path: url.split('?', 1)[0] ?? '', status, ms: clock.monotonic() - startedAt, reason });
    };
    // Discarded first: closing a connection with unread data would lose the answer.
    if (hasBody(headers)) request.resume().once('end', finish);
    else if (decided.holdMs > 0) clock.sleep(decided.holdMs, signal).then(finish, () => {});
    else finish();
  };
}

function send(response: ServerResponse, answer: SandboxAnswer, now: number): void {
  const { socket } = response;
  if (!socket || socket.destroyed) return;
  if (answer.breaks === 'reset') {
    socket.resetAndDestroy();
    return;
  }
  const length = Buffer.byteLength(answer.body);
  response.sendDate = false;
  response.writeHead(answer.status, { Date: httpDate(now), ...answer.headers, 'Content-Length': length });
  if (answer.breaks === 'cut') response.write(answer.body.slice(0, length / 2), () => socket.destroy());
  else response.end(answer.body);
}

const httpDate = (now: number) => new Date(now).toUTCString();

async function listen(server: Server, port: number): Promise<number> {
  server.listen({ host: HOST, port, backlog: BACKLOG });
  try {
    await once(server, 'listening');
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
    const what = code === 'EADDRINUSE' ? 'is taken' : `cannot be listened on (${code})`;
    throw new IoError(`port ${port} of ${HOST} ${what}`, {
      hint: 'choose another with --port, or 0 for a free one',
      cause,
    });
  }
  const address = server.address();
  return typeof address === 'object' && address ? address.port : port;
}
