/**
 * Sends GETs over HTTP/1.1 with limits of time and size, through one undici pool. It follows no
 * redirect and repeats no request: what an answer means is decided elsewhere.
 */
import { type LookupAddress, type LookupAllOptions, type LookupOptions, lookup as systemLookup } from 'node:dns';
import { setMaxListeners } from 'node:events';
import type { LookupFunction } from 'node:net';
import type { Dispatcher } from 'undici';
// The part that is needed: all of undici takes 50 ms more to load.
import Pool from 'undici/lib/dispatcher/pool.js';
import type { Clock } from '../../context.ts';
import { RiskcliError, TemporaryError, UntrustedError } from '../../errors.ts';
import { startTimeLimit } from '../../host/clock.ts';
import { leaveParserUnoptimised } from '../../host/engine.ts';
import { bodyTooLongError, cutShortError, encodingError, isTooLong, toRiskcliError } from './failure.ts';
import { type HttpProxy, isLoopbackAddress } from './proxy.ts';
import { type ConnectOptions, MAX_HEADER_BYTES, throughTunnel } from './tunnel.ts';

/** A risk profile has at most 200 kB. */
const MAX_BODY_BYTES = 4 * 1024 * 1024;
/**
 * How long to wait for a connection with TLS; through a proxy, for its answer, and again for TLS.
 * Milliseconds.
 */
const CONNECT_TIMEOUT_MS = 10_000;
/**
 * When the next address of a name is tried. Node's 250 ms are too short for hundreds of handshakes
 * at once, which keep this process busy.
 */
const NEXT_ADDRESS_AFTER_MS = 2_000;
/** How long addresses are kept, since getaddrinfo(3) reports no time to live. */
const DNS_TTL_MS = 30_000;

/** dns.lookup of node, with all addresses. */
export type SystemLookup = (
  name: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

export interface TransportOptions {
  /** The checked origin: no request leaves for another one. */
  readonly origin: string;
  readonly clock: Clock;
  /**
   * Maximum sockets; at least the requests in flight, which would otherwise queue unseen by the
   * pacer.
   */
  readonly connections?: number;
  readonly proxy?: HttpProxy;
  /** Finds the addresses of a name; the system's own look-up when undefined. */
  readonly lookup?: SystemLookup;
}

export interface HttpRequest {
  /** On the origin. */
  readonly path: string;
  /** All headers that are sent. */
  readonly headers: Readonly<Record<string, string>>;
  /** From now to the last byte, in milliseconds. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

export interface HttpResponse {
  readonly status: number;
  /** Names in lower case; a header given several times is joined with `, `. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /**
   * Whether a length or a last chunk marks the end of the body; otherwise a close may have cut it
   * short (RFC 9112, 8).
   */
  readonly hasKnownLength: boolean;
}

/** Opens nothing until the first request. */
export class Transport {
  private readonly pool: Pool;
  private readonly host: string;
  /**
   * undici knows only connected sockets; one that is still connecting would keep the process alive.
   */
  private readonly closing = new AbortController();

  constructor(private readonly options: TransportOptions) {
    setMaxListeners(0, this.closing.signal);
    this.host = new URL(options.origin).host;
    this.pool = openPool(options, this.closing.signal);
  }

  /**
   * Sends one GET.
   * @throws TemporaryError if no answer arrived, UntrustedError if it is invalid, the signal's
   * reason if it aborts
   */
  async send(request: HttpRequest): Promise<HttpResponse> {
    request.signal?.throwIfAborted();
    const { host } = this;
    const response: PartialResponse = { host, body: new BodyBuffer() };
    try {
      await receive(this.pool, request, response);
      return toResponse(response);
    } catch (error) {
      // A status that is not 200 stands, whatever became of its body.
      if (response.head && response.head.status !== 200) return toResponse(response);
      throw response.head ? bodyError(error, host) : toRiskcliError(error, failedService(host, this.options.proxy));
    }
  }

  /** Destroys every socket at once, including those still connecting. */
  async close(): Promise<void> {
    this.closing.abort();
    await this.pool.destroy();
  }
}

function openPool(options: TransportOptions, signal: AbortSignal): Pool {
  const { origin, connections = 1, proxy } = options;
  leaveParserUnoptimised();
  const connect: ConnectOptions = {
    timeout: CONNECT_TIMEOUT_MS,
    signal,
    // Explicit, so that it overrides NODE_TLS_REJECT_UNAUTHORIZED=0 in the environment.
    rejectUnauthorized: true,
    lookup: cachedLookup(options),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_AFTER_MS,
  };
  return new Pool(origin, {
    connections,
    connect: proxy ? throughTunnel(new URL(origin), proxy, connect) : connect,
    maxHeaderSize: MAX_HEADER_BYTES,
    maxResponseSize: MAX_BODY_BYTES,
    // The deadline of the whole request covers headers and body.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
}

/** The part of a response that has arrived. */
interface PartialResponse {
  /** Who answers. */
  readonly host: string;
  head?: Pick<HttpResponse, 'status' | 'headers'>;
  readonly body: BodyBuffer;
}

/**
 * Collects a body in one piece of at most twice its size: a service may send each byte in a chunk
 * of its own, and four million Buffers would take half a gigabyte.
 */
class BodyBuffer {
  private bytes = Buffer.alloc(0);
  private size = 0;

  add(chunk: Buffer): void {
    const end = this.size + chunk.length;
    if (end > this.bytes.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(end, 2 * this.bytes.length));
      this.bytes.copy(larger, 0, 0, this.size);
      this.bytes = larger;
    }
    chunk.copy(this.bytes, this.size);
    this.size = end;
  }

  whole(): Buffer {
    return this.bytes.subarray(0, this.size);
  }
}

/**
 * Sends the request and collects what arrives in `response`. Uses undici's handlers, not its
 * streams: these print their contents where NODE_DEBUG is set, and a service may repeat the key.
 * @throws the signal's reason, also while undici connects; TemporaryError when the time is up;
 * UntrustedError for a body that is not read; undici's errors
 */
function receive(pool: Pool, request: HttpRequest, response: PartialResponse): Promise<void> {
  const { path, headers } = request;
  return new Promise((resolve, reject) => {
    // undici has no controller until it sends the request.
    let controller: Dispatcher.DispatchController | undefined;
    let aborted: Error | undefined;
    const cancelLimits = limitRequest(request, (reason) => {
      aborted = reason;
      controller?.abort(reason);
      fail(reason);
    });
    function fail(error: Error): void {
      cancelLimits();
      reject(error);
    }
    pool.dispatch(
      { path, method: 'GET', headers },
      {
        onRequestStart(started) {
          controller = started;
          if (aborted) started.abort(aborted);
        },
        onResponseStart(started, status, raw) {
          // An interim answer (RFC 9110, 15.2) is followed by another.
          if (status < 200) return;
          response.head = { status, headers: joinHeaders(raw) };
          const error = unreadableBodyError(response.head.headers, response.host);
          if (error) started.abort(error);
        },
        onResponseData(_, chunk) {
          response.body.add(chunk);
        },
        onResponseEnd() {
          cancelLimits();
          resolve();
        },
        onResponseError: (_, error) => fail(error),
      },
    );
  });
}

/**
 * Calls `abort` when the caller's signal aborts, or the time is up. Returns a function that cancels
 * both.
 */
function limitRequest({ signal, timeoutMs }: HttpRequest, abort: (reason: Error) => void): () => void {
  const onTimer = () => abort(new TemporaryError('no answer in time', { code: 'timeout' }));
  const cancel = startTimeLimit(timeoutMs, onTimer);
  const onAbort = () => abort(signal?.reason);
  signal?.addEventListener('abort', onAbort);
  return () => {
    cancel();
    signal?.removeEventListener('abort', onAbort);
  };
}

/** The error for a body that is not to be read, from the headers. */
function unreadableBodyError(headers: HttpResponse['headers'], host: string): UntrustedError | undefined {
  const { 'content-encoding': encoding = 'identity', 'content-length': length } = headers;
  if (encoding.toLowerCase() !== 'identity') return encodingError(host);
  return Number(length) > MAX_BODY_BYTES ? bodyTooLongError(host, MAX_BODY_BYTES) : undefined;
}

function toResponse({ head, body }: PartialResponse): HttpResponse {
  if (!head) throw new TypeError('there is no answer');
  const hasKnownLength = 'content-length' in head.headers || 'transfer-encoding' in head.headers;
  return { ...head, body: body.whole(), hasKnownLength };
}

const failedService = (host: string, proxy: HttpProxy | undefined) => ({
  peer: proxy ? `${host} (through the proxy ${proxy.url.host})` : host,
  setting: 'the base URL',
});

/** The error for the body of a 200 that was not received whole. */
function bodyError(error: unknown, host: string): unknown {
  if (error instanceof RiskcliError) return error;
  return isTooLong(error) ? bodyTooLongError(host, MAX_BODY_BYTES) : cutShortError(host, error);
}

function joinHeaders(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  const joined: Record<string, string> = Object.create(null);
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) joined[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return joined;
}

/**
 * Looks a name up once for all sockets, and again after a while: node would do so for each socket,
 * four at a time in its thread pool.
 */
function cachedLookup({ origin, clock, lookup = systemLookup }: TransportOptions): LookupFunction {
  const isPlain = origin.startsWith('http:');
  const known = new Map<string, { readonly until: number; readonly addresses: Promise<LookupAddress[]> }>();
  const lookUpAll = (name: string, options: LookupOptions) =>
    new Promise<LookupAddress[]>((resolve, reject) => {
      lookup(name, { ...options, all: true }, (error, addresses) => {
        const failure = error ?? (isPlain ? notLoopbackError(name, addresses) : undefined);
        if (failure) reject(failure);
        else resolve(addresses);
      });
    });
  return (name, options, callback) => {
    const now = clock.monotonic();
    let found = known.get(name);
    if (!found || now >= found.until) {
      found = { addresses: lookUpAll(name, options), until: now + DNS_TTL_MS };
      known.set(name, found);
      found.addresses.catch(() => known.delete(name));
    }
    found.addresses.then(
      (addresses) => callback(null, addresses),
      (error) => callback(error, []),
    );
  };
}

/** The error for a name such as localhost that resolves to another machine. */
function notLoopbackError(name: string, addresses: readonly LookupAddress[]): UntrustedError | undefined {
  const other = addresses.find(({ address }) => !isLoopbackAddress(address));
  if (!other) return undefined;
  return new UntrustedError(
    `${name} resolves to ${other.address}, not to this machine, and plain http would expose the key`,
    { code: 'not_loopback', hint: 'write http://127.0.0.1 in the base URL, or use https' },
  );
}
