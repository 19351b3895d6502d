/**
 * Sends one GET over HTTP/1.1 within limits of time and size. This is the only file that imports undici, and only its
 * dispatcher, which follows no redirect and repeats nothing: what an answer means is decided elsewhere.
 */
import type { PeerCertificate, TLSSocket } from 'node:tls';
import buildConnect from 'undici/lib/core/connect.js';
import Client from 'undici/lib/dispatcher/client.js';
import Pool from 'undici/lib/dispatcher/pool.js';
import type { Clock } from '../../context.ts';
import { TemporaryError } from '../../errors.ts';
import { onAbort } from '../../host/abort.ts';
import { startTimeLimit } from '../../host/time-limit.ts';
import { AnswerReader, type TransportAnswer } from './answer-reader.ts';
import { ByteBudget } from './byte-budget.ts';
import { Connector, type ConnectorOptions, strayRequest } from './connector.ts';
import { Names, type SystemLookup } from './dns.ts';
import { describeFailure } from './failure.ts';
import type { HttpProxy } from './proxy.ts';

/** How long to wait for a connection, TLS included, in milliseconds. */
const CONNECT_TIMEOUT_MS = 10_000;
/** A risk profile has 200 kB at most; an answer a hundred times as long is no profile. */
const MAX_BODY_BYTES = 16 * 1024 * 1024;
const MAX_HEADER_BYTES = 32 * 1024;

export interface TransportOptions {
  /** The judged origin: a request for another one is refused, and so is a socket. */
  readonly origin: string;
  readonly clock: Pick<Clock, 'monotonic' | 'halted'>;
  /** The most sockets; no fewer than the requests in flight, or these would queue where no pacer sees them. */
  readonly connections?: number;
  readonly proxy?: HttpProxy;
  /** Finds the addresses of a name; the system's own look-up when undefined. */
  readonly lookup?: SystemLookup;
  /** Called with the service's certificate, once it has been verified, for each connection. */
  readonly onCertificate?: ((certificate: PeerCertificate) => void) | undefined;
}

/** The parts of a URL that a request needs: making a whole URL for each would cost more than all other preparations. */
export type Address = Pick<URL, 'origin' | 'host' | 'pathname' | 'href'>;

export interface TransportRequest {
  readonly url: Address;
  /** All that are sent, HEADERS among them. */
  readonly headers: Readonly<Record<string, string>>;
  /** From now to the last byte, in milliseconds. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  readonly maxBytes?: number;
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
  const { origin, clock, connections = 1, proxy, lookup } = options;
  const names = new Names(clock, lookup);
  const open = showing(buildConnect(CONNECT), options);
  const connector = new Connector({ origin, clock, proxy, names, open });
  const { connect, endCurrent } = connector;
  // The deadline of the whole request covers headers and body.
  const limits = { connect, maxHeaderSize: MAX_HEADER_BYTES, headersTimeout: 0, bodyTimeout: 0 };
  const dispatcher = connections === 1 ? new Client(origin, limits) : new Pool(origin, { ...limits, connections });
  const budget = new ByteBudget();

  /** Unlike undici, which looks at an abort only once it is connected, this ends at once even when the peer never answers. */
  function send(sent: TransportRequest): Promise<TransportAnswer> {
    const { url, headers, signal, maxBytes = MAX_BODY_BYTES } = sent;
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      if (url.origin !== origin) return reject(strayRequest(origin, url.origin));
      const reader = new AnswerReader({
        peer: url.host,
        maxBytes,
        budget,
        pauseFor: (work) => deadline.pauseFor(work),
        onAnswer(answer) {
          deadline.end();
          resolve(answer);
        },
        onError(error) {
          deadline.end();
          reject(describeFailure(error, { peer: nameOf(url, proxy), setting: 'the base URL' }));
        },
        // `Connection: close` among them holds for undici's parser, and not for undici: the next answer would be lost.
        onTrailers: endCurrent,
      });
      const deadline = startDeadline(sent, (reason) => reader.giveUp(reason), clock);
      dispatcher.dispatch({ origin: url.origin, path: url.pathname, method: 'GET', headers }, reader);
    });
  }

  return {
    send,
    async close() {
      names.close();
      // Before undici ends them with an error, whose stack node would spell out: 2 ms of a short run.
      connector.close();
      await dispatcher.destroy();
    },
  };
}

/** `rejectUnauthorized` is said aloud because it then beats NODE_TLS_REJECT_UNAUTHORIZED=0 in the environment. */
const CONNECT = { rejectUnauthorized: true, timeout: CONNECT_TIMEOUT_MS };

/** `open`, which shows the certificate of the service; that of a proxy is nobody's business. */
function showing(
  open: ConnectorOptions['open'],
  { origin, onCertificate }: TransportOptions,
): ConnectorOptions['open'] {
  if (!onCertificate) return open;
  const { host } = new URL(origin);
  return (peer, done) =>
    open(peer, (error, socket) => {
      if (peer.host === host && socket && 'getPeerCertificate' in socket) {
        onCertificate((socket as TLSSocket).getPeerCertificate());
      }
      // Either there is an error or there is a socket, as for the one that is wrapped.
      if (socket) done(null, socket);
      else done(error as Error, null);
    });
}

function nameOf({ host }: Address, proxy: HttpProxy | undefined): string {
  return proxy ? `${host} (through the proxy ${proxy.url.host})` : host;
}

/** Calls `expire` for the caller, by its signal, or for the clock. `end` leaves nothing behind on the signal. */
function startDeadline(
  { signal, timeoutMs }: TransportRequest,
  expire: (reason: unknown) => void,
  clock: TransportOptions['clock'],
) {
  const late = () => expire(new TemporaryError('no answer in time', { code: 'timeout' }));
  let leftMs = timeoutMs;
  let since = clock.monotonic();
  let callOff = startTimeLimit(leftMs, late, clock);
  let hasEnded = false;
  const forget = signal && onAbort(signal, () => expire(signal.reason));
  return {
    async pauseFor(work: Promise<void>): Promise<void> {
      callOff();
      leftMs -= clock.monotonic() - since;
      await work;
      since = clock.monotonic();
      if (!hasEnded) callOff = startTimeLimit(leftMs, late, clock);
    },
    end(): void {
      hasEnded = true;
      callOff();
      forget?.();
    },
  };
}
