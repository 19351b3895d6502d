/**
 * Opens the sockets of one origin, directly or through a proxy. Here, where bytes are sent, the peer is compared with the origin
 * that was checked, however a request's URL was made, and plain http is allowed only to this machine.
 */
import { isIP, type Socket } from 'node:net';
import { UntrustedError } from '../../errors.ts';
import type { Names } from './dns.ts';
import { describeFailure } from './failure.ts';
import { connectToFirst, type Done } from './happy-eyeballs.ts';
import { type HttpProxy, hostOf, isLoopbackAddress } from './proxy.ts';
import type { OpenSocket, Peer } from './socket.ts';

export interface ConnectorOptions {
  /** The checked origin, the only one that is connected to. */
  readonly origin: string;
  readonly proxy?: HttpProxy;
  readonly open: OpenSocket;
  readonly names: Names;
}

export class Connector {
  /** HTTP clients know only connected sockets; one that is still connecting would keep the process alive. */
  private readonly sockets = new Set<Socket>();
  private isClosed = false;
  private readonly target: URL;

  constructor(private readonly options: ConnectorOptions) {
    this.target = new URL(options.origin);
  }

  /** Calls `done` with a socket to `origin`, which is what the HTTP client is about to send to. */
  readonly connect = (origin: string, done: Done): void => {
    this.openTarget(origin).then(
      (socket) => done(null, socket),
      (error) => done(error, null),
    );
  };

  /** Ends every socket, those still connecting included. */
  close(): void {
    this.isClosed = true;
    for (const socket of this.sockets) socket.destroy();
  }

  private async openTarget(asked: string): Promise<Socket> {
    const { origin, proxy } = this.options;
    if (asked !== origin) throw strayRequest(origin, asked);
    if (proxy) return this.throughTunnel(proxy);
    const { target } = this;
    return this.openPeer(peerOf(target), target.protocol === 'http:' ? requireLoopbackPeer : undefined);
  }

  /** Asks the proxy for a tunnel with TLS inside: it sees neither key nor wallet, and cannot answer for the service. */
  private async throughTunnel(proxy: HttpProxy): Promise<Socket> {
    const { target } = this;
    const { url, variable } = proxy;
    const toProxy = await this.openPeer(peerOf(url)).catch((error) => {
      throw describeFailure(error, { peer: `the proxy ${url.host}`, setting: variable });
    });
    const { askForTunnel } = await import('./tunnel.ts');
    const authority = `${target.hostname}:${target.port || 443}`;
    await askForTunnel(toProxy, authority, proxy);
    try {
      return await this.openPeer({ ...peerOf(target), httpSocket: toProxy });
    } catch (error) {
      toProxy.destroy();
      throw error;
    }
  }

  /** @param check throws when one of the addresses of a name must not be connected to */
  private async openPeer(peer: Peer, check?: typeof requireLoopbackPeer): Promise<Socket> {
    const { names } = this.options;
    const { hostname, httpSocket } = peer;
    // Addresses were checked with their origin.
    const isName = !httpSocket && !isIP(hostname);
    const addresses = isName ? await names.addresses(hostname) : [hostname];
    if (isName) check?.(hostname, addresses);
    try {
      const attempt = (to: string, done: Done) => this.open({ ...peer, hostname: to }, done);
      const [socket, address] = await connectToFirst(addresses, attempt);
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
}

/** An internal error: a request for one origin must not reach another. */
export function strayRequest(origin: string, other: string): Error {
  return new Error(`a request for ${origin} was about to leave for ${other}`);
}

function peerOf(url: URL): Peer {
  const hostname = hostOf(url);
  const servername = isIP(hostname) ? undefined : hostname;
  return { protocol: url.protocol, host: url.host, hostname, port: url.port, servername };
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
