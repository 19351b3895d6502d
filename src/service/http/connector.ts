/**
 * Opens the sockets of one origin, directly or through a proxy. Here, where bytes are sent, the peer is compared with the origin
 * that was checked, however a request's URL was made, and plain http is allowed only to this machine.
 */
import { isIP, type Socket } from 'node:net';
import type { Clock } from '../../context.ts';
import { UntrustedError } from '../../errors.ts';
import type { Names } from './dns.ts';
import { describeFailure } from './failure.ts';
import { connectToFirst, type Done } from './happy-eyeballs.ts';
import { withoutInterim } from './interim.ts';
import { type HttpProxy, hostOf, isLoopbackAddress } from './proxy.ts';

/** A peer, in the form in which undici hands it to a connector. */
export interface Peer {
  readonly protocol: string;
  /** The host with brackets and, unless it is the scheme's default, the port. */
  readonly host?: string;
  /** The host without brackets or port. */
  readonly hostname: string;
  readonly port: string;
  readonly servername?: string;
  /** The socket for TLS, instead of a new connection. */
  readonly httpSocket?: Socket;
}

export interface ConnectorOptions {
  /** The checked origin, the only one that is connected to. */
  readonly origin: string;
  readonly clock: Pick<Clock, 'halted'>;
  readonly proxy?: HttpProxy;
  /** Opens a socket, TLS included, and returns it while it is still connecting. */
  readonly open: (peer: Peer, done: Done) => Socket;
  readonly names: Names;
}

export class Connector {
  private readonly target: Peer & { readonly host: string };
  /** undici knows only connected sockets; one that is still connecting would keep the process alive. */
  private readonly sockets = new Set<Socket>();
  private isClosed = false;
  /** The socket whose bytes undici parses: it parses what it has read before it reads more. */
  private current: Socket | undefined;

  constructor(private readonly options: ConnectorOptions) {
    this.target = peerOf(new URL(options.origin));
  }

  /** Called by undici for each socket that it needs. */
  readonly connect = (peer: Peer, done: Done): void => {
    this.openTarget(peer).then(
      (socket) => done(null, this.sifted(socket)),
      (error) => done(error, null),
    );
  };

  /** To be called while undici parses: ends the connection being parsed, so that no other request uses it. */
  readonly endCurrent = (): void => void this.current?.destroy();

  /** Ends every socket, those still connecting included. */
  close(): void {
    this.isClosed = true;
    for (const socket of this.sockets) socket.destroy();
  }

  private async openTarget({ protocol, host, servername }: Peer): Promise<Socket> {
    const { origin, proxy } = this.options;
    if (`${protocol}//${host}` !== origin) throw strayRequest(origin, `${protocol}//${host}`);
    const peer = { ...this.target, servername };
    if (proxy) return this.throughTunnel(peer, proxy);
    return this.openPeer(peer, protocol === 'http:' ? requireLoopbackPeer : undefined);
  }

  /** Asks the proxy for a tunnel with TLS inside: it sees neither key nor wallet, and cannot answer for the service. */
  private async throughTunnel(peer: Peer, proxy: HttpProxy): Promise<Socket> {
    const { url, variable } = proxy;
    const toProxy = await this.openPeer(peerOf(url)).catch((error) => {
      throw describeFailure(error, { peer: `the proxy ${url.host}`, setting: variable });
    });
    const { askForTunnel } = await import('./tunnel.ts');
    const authority = `${peer.host?.replace(/:\d+$/, '')}:${peer.port || 443}`;
    await askForTunnel(toProxy, authority, { proxy, clock: this.options.clock });
    try {
      return await this.openPeer({ ...peer, httpSocket: toProxy });
    } catch (error) {
      toProxy.destroy();
      throw error;
    }
  }

  /** @param check throws when one of the addresses of a name must not be connected to */
  private async openPeer(peer: Peer, check?: typeof requireLoopbackPeer): Promise<Socket> {
    const { names, clock } = this.options;
    const { hostname, httpSocket } = peer;
    // Addresses were checked with their origin.
    const isName = !httpSocket && !isIP(hostname);
    const addresses = isName ? await names.addresses(hostname) : [hostname];
    if (isName) check?.(hostname, addresses);
    try {
      const attempt = (to: string, done: Done) => this.open({ ...peer, hostname: to }, done);
      const [socket, address] = await connectToFirst(addresses, attempt, clock);
      names.reached(hostname, address);
      return socket;
    } catch (error) {
      names.missed(hostname);
      throw error;
    }
  }

  private open(peer: Peer, done: Done): Socket {
    const socket = this.options.open(peer, done);
    this.sockets.add(socket);
    socket.once('close', () => this.sockets.delete(socket));
    if (this.isClosed) socket.destroy();
    return socket;
  }

  private sifted(socket: Socket): Socket {
    return withoutInterim(socket, this.target.host, () => {
      this.current = socket;
    });
  }
}

/** An internal error: a request for one origin must not reach another. */
export function strayRequest(origin: string, other: string): Error {
  return new Error(`a request for ${origin} was about to leave for ${other}`);
}

function peerOf(url: URL) {
  return { protocol: url.protocol, host: url.host, hostname: hostOf(url), port: url.port };
}

/** Checks addresses, since the name localhost may resolve to anything. */
function requireLoopbackPeer(name: string, addresses: readonly string[]): void {
  const other = addresses.find((address) => !isLoopbackAddress(address));
  if (other === undefined) return;
  throw new UntrustedError(`${name} resolves to ${other}, not to this machine, and plain http would expose the key`, {
    code: 'not_loopback',
    hint: 'write http://127.0.0.1 in the base URL, or use https',
  });
}
