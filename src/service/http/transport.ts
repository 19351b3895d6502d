/**
 * One GET over HTTP/1.1: sockets, TLS, time, size. The only file that imports undici, and only `request` of it, which
 * follows no redirect and repeats nothing: what an answer means is for others to say.
 */
import { setFlagsFromString } from 'node:v8';
import type { Dispatcher } from 'undici';
import request from 'undici/lib/api/api-request.js';
import buildConnect from 'undici/lib/core/connect.js';
import Agent from 'undici/lib/dispatcher/agent.js';
import type { Clock } from '../../context.ts';
import { RiskcliError, TemporaryError } from '../../errors.ts';
import { Abort, onAbort } from './abort.ts';
import { type ByteBudget, createByteBudget, type Share } from './byte-budget.ts';
import { createConnector } from './connector.ts';
import { createNames, type SystemLookup } from './dns.ts';
import { bodyTooLong, cutShort, describeFailure, encodingNotAskedFor } from './failure.ts';
import type { HttpProxy } from './proxy.ts';

/** What is worth waiting for a connection, TLS included: milliseconds. */
const CONNECT_TIMEOUT_MS = 10_000;
/** A risk profile has 200 kB at most; what is a hundred times as long is no profile. */
const MOST_BODY_BYTES = 16 * 1024 * 1024;
const MOST_HEADER_BYTES = 32 * 1024;
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export interface TransportOptions {
  /** The judged origin: a request for another one ends where its socket would be opened. */
  readonly origin: string;
  readonly clock: Pick<Clock, 'monotonic'>;
  /** Sockets at most; no lower than the requests in flight, or they queue where no pacer sees them. */
  readonly connections?: number;
  readonly proxy?: HttpProxy;
  /** Finds the addresses of a name; the system's own way when undefined. */
  readonly lookup?: SystemLookup;
  /** The process sends a request or two and ends: what speeds up the thousandth is not worth its start. */
  readonly oneShot?: boolean;
  /** The version of node, which says how such a process is best begun. */
  readonly nodeVersion?: string;
}

export interface TransportRequest {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** From now to the last byte, milliseconds. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  readonly maxBytes?: number;
}

export interface TransportAnswer {
  readonly status: number;
  /** Names in lower case; a header given several times is joined with `, `. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** Whether a length or a last chunk vouches for the end of the body; otherwise a close may have cut it (RFC 9112, 8). */
  readonly complete: boolean;
}

export interface Transport {
  /**
   * Sends one GET.
   * @throws TemporaryError when no whole answer came, UntrustedError when what came cannot be trusted, the signal's
   * reason when it aborts.
   */
  send(request: TransportRequest): Promise<TransportAnswer>;
  /** Ends every socket at once, those still connecting too. */
  close(): Promise<void>;
}

/** Opens nothing until the first request. */
export function createTransport(options: TransportOptions): Transport {
  const { origin, clock, connections = 1, proxy, lookup, oneShot = false, nodeVersion = '' } = options;
  // Node 20 spends half of a one-request run on optimising undici's WASM parser (102 ms instead of 50); later ones do not.
  if (oneShot && nodeVersion.startsWith('20.')) setFlagsFromString('--liftoff-only');
  const names = createNames({ clock, lookup });
  const open = buildConnect(CONNECT);
  const connector = createConnector({ origin, proxy, names, open });
  const { connect } = connector;
  // The deadline of the whole request covers headers and body.
  const agent = new Agent({
    connections,
    connect,
    maxHeaderSize: MOST_HEADER_BYTES,
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  const budget = createByteBudget();
  return {
    async send(sent) {
      const deadline = startDeadline(sent, clock);
      const { limit } = deadline;
      try {
        return await unlessAborted(exchange(agent, { sent, deadline, budget }), limit);
      } catch (error) {
        throw limit.aborted
          ? limit.reason
          : describeFailure(error, { peer: nameOf(sent.url, proxy), setting: 'the base URL' });
      } finally {
        deadline.end();
      }
    },
    async close() {
      names.close();
      const ended = agent.destroy();
      connector.close();
      await ended;
    },
  };
}

/** `rejectUnauthorized` is said aloud because it then beats NODE_TLS_REJECT_UNAUTHORIZED=0 in the environment. */
const CONNECT = { rejectUnauthorized: true, timeout: CONNECT_TIMEOUT_MS };

function nameOf({ host }: URL, proxy: HttpProxy | undefined): string {
  return proxy ? `${host} (through the proxy ${proxy.url.host})` : host;
}

/** What ends a request early, the caller or the clock. */
interface Deadline {
  readonly limit: Abort;
  /** Stops the clock until `work` is done: what this process makes an answer wait is not the service's time. */
  pauseFor(work: Promise<void>): Promise<void>;
  /** Leaves nothing behind on the caller's signal. */
  end(): void;
}

function startDeadline({ signal, timeoutMs }: TransportRequest, clock: TransportOptions['clock']): Deadline {
  const limit = new Abort();
  const expire = () => limit.abort(new TemporaryError('no answer in time', { code: 'timeout' }));
  let leftMs = Math.min(Math.max(0, timeoutMs), LONGEST_TIMER_MS);
  let since = clock.monotonic();
  let timer = setTimeout(expire, leftMs);
  const forget = signal && onAbort(signal, () => limit.abort(signal.reason));
  return {
    limit,
    async pauseFor(work) {
      clearTimeout(timer);
      leftMs -= clock.monotonic() - since;
      await work;
      since = clock.monotonic();
      if (!limit.aborted) timer = setTimeout(expire, leftMs);
    },
    end() {
      clearTimeout(timer);
      forget?.();
    },
  };
}

/** undici looks at a signal only once it is connected, so a black hole would hold the caller. */
function unlessAborted<T>(work: Promise<T>, limit: Abort): Promise<T> {
  return new Promise((resolve, reject) => {
    limit.once('abort', () => reject(limit.reason));
    work.then(resolve, reject);
  });
}

interface Exchange {
  readonly sent: TransportRequest;
  readonly deadline: Deadline;
  readonly budget: ByteBudget;
}

async function exchange(dispatcher: Dispatcher, { sent, deadline, budget }: Exchange): Promise<TransportAnswer> {
  const { limit } = deadline;
  if (limit.aborted) throw limit.reason;
  const answer = await request.call(dispatcher, {
    origin: sent.url.origin,
    path: sent.url.pathname + sent.url.search,
    method: 'GET',
    headers: { ...sent.headers, 'accept-encoding': 'identity' },
    signal: limit,
  });
  const headers = joinHeaders(answer.headers);
  const share = budget.open();
  const maxBytes = sent.maxBytes ?? MOST_BODY_BYTES;
  const body = await readBody(answer.body, { peer: sent.url.host, headers, maxBytes, share, deadline })
    .catch((error) => {
      // The status and the headers of a refusal say what matters; a body that is lost or odd takes nothing from them.
      if (answer.statusCode === 200) throw error;
      return new Uint8Array();
    })
    .finally(share.release);
  const complete = 'content-length' in headers || 'transfer-encoding' in headers;
  return { status: answer.statusCode, headers, body, complete };
}

function joinHeaders(headers: Dispatcher.ResponseData['headers']): Record<string, string> {
  const joined: Record<string, string> = Object.create(null);
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) joined[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return joined;
}

interface BodyLimits {
  readonly peer: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly maxBytes: number;
  readonly share: Share;
  readonly deadline: Deadline;
}

/** What a body without a length is given to begin with. */
const FIRST_ROOM_BYTES = 16 * 1024;

/** Into one block, of the right size where a length is told: chunks to be joined in the end would need twice the memory. */
async function readBody(body: Dispatcher.ResponseData['body'], limits: BodyLimits): Promise<Uint8Array> {
  const { peer, headers, maxBytes, share, deadline } = limits;
  const stop = (error: Error) => {
    body.on('error', () => {}).destroy();
    throw error;
  };
  const encoding = headers['content-encoding'];
  if (encoding && encoding.toLowerCase() !== 'identity') return stop(encodingNotAskedFor(peer, encoding));
  const length = Number(headers['content-length']) || FIRST_ROOM_BYTES;
  if (length > maxBytes) return stop(bodyTooLong(peer, maxBytes));
  const reserve = async (bytes: number) => {
    const room = share.take(bytes);
    if (room) await deadline.pauseFor(room);
    return Buffer.allocUnsafeSlow(bytes);
  };
  let block = await reserve(length);
  let size = 0;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      if (size + chunk.length > block.length) {
        if (size + chunk.length > maxBytes) throw bodyTooLong(peer, maxBytes);
        const larger = await reserve(Math.min(maxBytes, 2 * (size + chunk.length)));
        block.copy(larger, 0, 0, size);
        block = larger;
      }
      size += chunk.copy(block, size);
    }
  } catch (error) {
    throw error instanceof RiskcliError ? error : cutShort(peer, error);
  }
  return block.subarray(0, size);
}
