/**
 * Sends one GET over HTTP/1.1 with limits of time and size. No HTTP client follows redirects or retries here: what an answer means
 * is decided elsewhere.
 */
import type { PeerCertificate, TLSSocket } from 'node:tls';
import type { Clock } from '../../context.ts';
import { TemporaryError } from '../../errors.ts';
import { onAbort } from '../../host/abort.ts';
import { startTimeLimit } from '../../host/clock.ts';
import { AnswerReader, type TransportAnswer } from './answer-reader.ts';
import { Connector, strayRequest } from './connector.ts';
import { Names, type SystemLookup } from './dns.ts';
import { describeFailure } from './failure.ts';
import type { OpenHttpClient } from './http-client.ts';
import type { HttpProxy } from './proxy.ts';
import { createSocketOpener, type OpenSocket } from './socket.ts';

/** A risk profile has at most 200 kB; as many of the longest as may be in flight at once still fit into memory. */
const MAX_BODY_BYTES = 4 * 1024 * 1024;
const MAX_HEADER_BYTES = 32 * 1024;

export interface TransportOptions {
  /** The checked origin: requests and sockets for another one are refused. */
  readonly origin: string;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly openHttpClient: OpenHttpClient;
  /** Maximum sockets; at least the requests in flight, which would otherwise queue unseen by the pacer. */
  readonly connections?: number;
  readonly proxy?: HttpProxy;
  /** Finds the addresses of a name; the system's own look-up when undefined. */
  readonly lookup?: SystemLookup;
  /** Called with the service's certificate, once it has been verified, for each connection. */
  readonly onCertificate?: ((certificate: PeerCertificate) => void) | undefined;
}

/** The parts of a URL that a request needs: creating a URL for each would cost more than all other preparations. */
export type Address = Pick<URL, 'origin' | 'host' | 'pathname' | 'href'>;

export interface TransportRequest {
  readonly url: Address;
  /** All headers sent, including HEADERS. */
  readonly headers: Readonly<Record<string, string>>;
  /** From now to the last byte, in milliseconds. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

export interface Transport {
  /**
   * Sends one GET.
   * @throws TemporaryError if no complete answer arrived, UntrustedError if the answer is invalid, the signal's reason if it aborts
   */
  send(request: TransportRequest): Promise<TransportAnswer>;
  /** Destroys every socket at once, including those still connecting. */
  close(): Promise<void>;
}

/** Opens nothing until the first request. */
export function createTransport(options: TransportOptions): Transport {
  const { origin, clock, proxy, lookup } = options;
  const names = new Names(clock, lookup);
  const { connector, http } = createConnections(options, names);

  /** Stops at once on an abort, even before there is a connection. */
  function send(sent: TransportRequest): Promise<TransportAnswer> {
    const { url, headers, signal } = sent;
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      if (url.origin !== origin) return reject(strayRequest(origin, url.origin));
      const reader = new AnswerReader({
        peer: url.host,
        maxBytes: MAX_BODY_BYTES,
        onAnswer(answer) {
          deadline.end();
          resolve(answer);
        },
        onError(error) {
          deadline.end();
          reject(describeFailure(error, { peer: nameOf(url, proxy), setting: 'the base URL' }));
        },
      });
      const deadline = startDeadline(sent, (reason) => reader.giveUp(reason));
      http.dispatch({ path: url.pathname, headers }, reader);
    });
  }

  return {
    send,
    async close() {
      names.close();
      // Before undici destroys them with an error: formatting its stack takes 2 ms of a short list.
      connector.close();
      await http.destroy();
    },
  };
}

function createConnections(options: TransportOptions, names: Names) {
  const { origin, connections = 1, proxy } = options;
  const open = showing(createSocketOpener(), options);
  const connector = new Connector({ origin, proxy, names, open });
  const { connect } = connector;
  const http = options.openHttpClient({ origin, connect, maxHeaderBytes: MAX_HEADER_BYTES, connections });
  return { connector, http };
}

/** `open`, which also passes on the certificate of the service, but not that of a proxy. */
function showing(open: OpenSocket, { origin, onCertificate }: TransportOptions): OpenSocket {
  if (!onCertificate) return open;
  const { host } = new URL(origin);
  return (peer, done) =>
    open(peer, (error, socket) => {
      if (peer.host === host && socket && 'getPeerCertificate' in socket) {
        onCertificate((socket as TLSSocket).getPeerCertificate());
      }
      // Exactly one of error and socket is set.
      if (socket) done(null, socket);
      else done(error as Error, null);
    });
}

function nameOf({ host }: Address, proxy: HttpProxy | undefined): string {
  return proxy ? `${host} (through the proxy ${proxy.url.host})` : host;
}

/** Calls `expire` on the signal or the timeout. `end` removes the listener from the signal. */
function startDeadline({ signal, timeoutMs }: TransportRequest, expire: (reason: unknown) => void) {
  const late = () => expire(new TemporaryError('no answer in time', { code: 'timeout' }));
  const callOff = startTimeLimit(timeoutMs, late);
  const forget = signal && onAbort(signal, () => expire(signal.reason));
  return {
    end(): void {
      callOff();
      forget?.();
    },
  };
}
