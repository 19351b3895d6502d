/**
 * Opens sockets to the service through a tunnel of a proxy (RFC 9110, 9.3.6), with TLS inside: the
 * proxy sees neither key nor wallet, and cannot answer for the service. Not by undici's ProxyAgent:
 * to a proxy that closes without an answer it connects again and again, thousands of times a
 * second.
 */
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction, type Socket } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import { startTimeLimit } from '../../host/clock.ts';
import { proxyAnsweredError, proxyRefusedError, toRiskcliError } from './failure.ts';
import { type HttpProxy, hostOf } from './proxy.ts';

/** How sockets are opened, to the service or to a proxy. */
export interface ConnectOptions {
  /** How long to wait for a connection, and again for TLS in a tunnel, in milliseconds. */
  readonly timeout: number;
  /** Aborts when every socket is to be destroyed. */
  readonly signal: AbortSignal;
  readonly rejectUnauthorized: true;
  readonly lookup: LookupFunction;
  readonly autoSelectFamily: true;
  readonly autoSelectFamilyAttemptTimeout: number;
}

/** The signature of undici's `connect` option. */
type Connector = (
  _: unknown,
  done: (...result: [error: null, socket: Socket] | [error: Error, socket: null]) => void,
) => void;

/** Opens sockets to `target` through `proxy`. */
export function throughTunnel(target: URL, proxy: HttpProxy, options: ConnectOptions): Connector {
  return (_, done) => {
    openTunnel(target, proxy, options)
      .then((tunnel) => openTls(tunnel, target, options))
      .then(
        (socket) => done(null, socket),
        (error) => done(error, null),
      );
  };
}

/** The longest head of an answer, the service's or a proxy's. */
export const MAX_HEADER_BYTES = 32 * 1024;

/**
 * @throws TemporaryError when the proxy refuses or is silent, UntrustedError when it does not speak
 * HTTP or is not trusted
 */
function openTunnel(target: URL, proxy: HttpProxy, { timeout, ...options }: ConnectOptions): Promise<Socket> {
  const { url, variable } = proxy;
  const host = hostOf(url);
  const authority = `${target.hostname}:${target.port || 443}`;
  const request = url.protocol === 'https:' ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const asked = request({
      ...options,
      method: 'CONNECT',
      host,
      port: url.port,
      // Node would take it from the header, which names the service.
      servername: isIP(host) ? '' : host,
      path: authority,
      headers: { host: authority, ...credentials(url) },
      agent: false,
      maxHeaderSize: MAX_HEADER_BYTES,
      // Explicit, so that it overrides the flag of node that has the same name.
      insecureHTTPParser: false,
    });
    const cancel = destroyAfter(asked, timeout);
    asked
      .on('connect', ({ statusCode = 0 }, socket: Socket, head) => {
        cancel();
        // A TLS server waits for the client to speak first (RFC 8446, 4.1), so further bytes are
        // the proxy's own page.
        const isOwnPage = head.length > 0;
        if (statusCode >= 200 && statusCode < 300 && !isOwnPage) return resolve(socket);
        socket.on('error', () => {}).destroy();
        reject(isOwnPage && statusCode < 300 ? proxyAnsweredError(proxy) : proxyRefusedError(statusCode, proxy));
      })
      .on('error', (error) => {
        cancel();
        reject(toRiskcliError(error, { peer: `the proxy ${url.host}`, setting: variable }));
      })
      .end();
  });
}

function openTls(
  tunnel: Socket,
  target: URL,
  { timeout, signal, rejectUnauthorized }: ConnectOptions,
): Promise<TLSSocket> {
  const host = hostOf(target);
  return new Promise((resolve, reject) => {
    const options = {
      socket: tunnel.setNoDelay(true).setKeepAlive(true, KEEP_ALIVE_AFTER_MS),
      host,
      ...(!isIP(host) && { servername: host }),
      ALPNProtocols: ['http/1.1'],
      rejectUnauthorized,
      // Node takes it, though its types do not say so.
      signal,
    };
    const socket = connect(options);
    const cancel = destroyAfter(socket, timeout);
    socket
      .once('secureConnect', () => {
        cancel();
        resolve(socket);
      })
      .on('error', (error) => {
        cancel();
        tunnel.destroy();
        reject(error);
      });
  });
}

const KEEP_ALIVE_AFTER_MS = 60_000;

/** Destroys `stream` after `ms` milliseconds. Returns a function that cancels the timer. */
function destroyAfter(stream: { destroy(error: Error): unknown }, ms: number): () => void {
  return startTimeLimit(ms, () => {
    stream.destroy(Object.assign(new Error('connecting timed out'), { code: 'ETIMEDOUT' }));
  });
}

function credentials({ username, password }: URL): Record<string, string> {
  if (!username && !password) return {};
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(pair).toString('base64')}` };
}
