/**
 * Opens the sockets of one origin, straight or through a proxy. Whatever a request's URL went through before: here, where
 * the bytes leave, the peer asked for is held against the origin that was judged, and plain http against this machine.
 */
import { isIP, type Socket } from 'node:net';
import { UntrustedError } from '../errors.ts';
import type { Names } from './dns.ts';
import { describeFailure } from './failure.ts';
import { isLoopbackAddress } from './loopback.ts';
import { type HttpProxy, hostOf } from './proxy.ts';
import { askForTunnel } from './tunnel.ts';

/** A peer as undici tells it to a connector. */
export interface Peer {
  readonly protocol: string;
  /** With brackets and, unless it is the scheme's own, the port. */
  readonly host?: string;
  /** Without brackets. */
  readonly hostname: string;
  readonly port: string;
  readonly servername?: string;
  /** What TLS is spoken over, in place of a connection of its own. */
  readonly httpSocket?: Socket;
}

type Done = (...result: [error: null, socket: Socket] | [error: Error, socket: null]) => void;

export interface ConnectorOptions {
  /** The judged origin, the only one that is connected to. */
  readonly origin: string;
  readonly proxy?: HttpProxy;
  /** Opens a socket, TLS included, and returns it while it still connects. */
  readonly open: (peer: Peer, done: Done) => Socket;
  readonly names: Names;
}

export interface Connector {
  /** For undici. */
  connect(asked: Peer, done: Done): void;
  /** Ends every socket, those that still connect too. */
  close(): void;
}

export function createConnector(options: ConnectorOptions): Connector {
  const target = peerOf(new URL(options.origin));
  // undici knows a socket only once it is connected; one that still tries would keep the process alive.
  const sockets = new Set<Socket>();
  const opened = (peer: Peer) => openSocket(peer, { ...options, sockets });

  async function connect({ protocol, host, servername }: Peer): Promise<Socket> {
    if (`${protocol}//${host}` !== options.origin) {
      throw new Error(`a request for ${options.origin} was about to leave for ${protocol}//${host}`);
    }
    const peer = { ...target, servername };
    if (options.proxy) return openTunnel(peer, { proxy: options.proxy, opened });
    const socket = await opened(peer);
    if (protocol === 'http:' && !isIP(peer.hostname)) insistOnLoopback(socket, peer);
    return socket;
  }

  return {
    connect(asked, done) {
      connect(asked).then(
        (socket) => done(null, socket),
        (error) => done(error, null),
      );
    },
    close() {
      for (const socket of sockets) socket.destroy();
    },
  };
}

function peerOf(url: URL): Peer {
  return { protocol: url.protocol, host: url.host, hostname: hostOf(url), port: url.port };
}

type Opening = Pick<ConnectorOptions, 'open' | 'names'> & { readonly sockets: Set<Socket> };

function openSocket(peer: Peer, { open, names, sockets }: Opening): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = open(peer, (error, connected) => {
      if (error) {
        names.missed(peer.hostname);
        reject(error);
      } else {
        names.reached(peer.hostname, connected.remoteAddress ?? '');
        resolve(connected);
      }
    });
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
}

interface Way {
  readonly proxy: HttpProxy;
  readonly opened: (peer: Peer) => Promise<Socket>;
}

/** With CONNECT, and TLS inside: the proxy sees neither key nor wallet, and its own answers are never the service's. */
async function openTunnel(peer: Peer, { proxy, opened }: Way): Promise<Socket> {
  const { url, variable } = proxy;
  const toProxy = await opened(peerOf(url)).catch((error) => {
    throw describeFailure(error, { peer: `the proxy ${url.host}`, setting: variable });
  });
  await askForTunnel(toProxy, { authority: `${peer.host?.replace(/:\d+$/, '')}:${peer.port || 443}`, proxy });
  try {
    return await opened({ ...peer, httpSocket: toProxy });
  } catch (error) {
    toProxy.destroy();
    throw error;
  }
}

/** An address was judged with its origin; the name localhost is whatever hosts file and name server make of it. */
function insistOnLoopback(socket: Socket, { hostname }: Peer): void {
  const { remoteAddress } = socket;
  if (remoteAddress && isLoopbackAddress(remoteAddress)) return;
  socket.destroy();
  if (!remoteAddress) throw Object.assign(new Error('closed at once'), { code: 'ECONNRESET' });
  throw new UntrustedError(
    `${hostname} is ${remoteAddress} here, not this machine, and plain http would show the key`,
    {
      code: 'not_loopback',
      hint: 'write http://127.0.0.1 in the base URL, or use https',
    },
  );
}
