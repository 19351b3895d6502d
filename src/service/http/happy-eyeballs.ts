/**
 * Connects a socket to the first address of a name that accepts it (RFC 8305, 5). Node abandons an address after a time-out; with
 * hundreds of handshakes at once it is this process that is late, and all addresses would be abandoned. Here the next address is
 * tried in parallel, and the first to connect wins.
 */
import type { Socket } from 'node:net';
import { startTimeLimit } from '../../host/clock.ts';

/** The Connection Attempt Delay that RFC 8305 recommends, in milliseconds. */
const NEXT_AFTER_MS = 250;

export type Done = (...result: [error: null, socket: Socket] | [error: Error, socket: null]) => void;

/**
 * @param open opens a socket, TLS included, and returns it while it is still connecting
 * @throws the error of the last attempt. After an address has accepted the connection no other is tried, so that the user sees
 * what is wrong with it, such as its certificate.
 */
export function connectToFirst(
  addresses: readonly string[],
  open: (address: string, done: Done) => Socket,
): Promise<[socket: Socket, address: string]> {
  return new Promise((resolve, reject) => new Race(addresses, { open, resolve, reject }).tryNext());
}

class Race {
  private readonly waiting: string[];
  private readonly underWay = new Set<Socket>();
  private hasAccepted = false;
  private callOffNext = () => {};

  constructor(
    addresses: readonly string[],
    private readonly options: {
      readonly open: (address: string, done: Done) => Socket;
      readonly resolve: (winner: [socket: Socket, address: string]) => void;
      readonly reject: (error: Error) => void;
    },
  ) {
    this.waiting = [...addresses];
  }

  tryNext(): void {
    const { underWay, waiting } = this;
    const { open, resolve, reject } = this.options;
    this.callOffNext();
    const address = waiting.shift();
    if (this.hasAccepted || address === undefined) return;
    let isAccepted = false;
    const socket = open(address, (error, connected) => {
      underWay.delete(socket);
      if (error && !isAccepted && waiting.length + underWay.size > 0) return this.tryNext();
      this.end();
      if (error) reject(error);
      else resolve([connected, address]);
    });
    underWay.add(socket);
    socket.once('connect', () => {
      isAccepted = true;
      this.hasAccepted = true;
    });
    if (waiting.length === 0) return;
    // A connection that was accepted while this process was busy is noticed first.
    this.callOffNext = startTimeLimit(NEXT_AFTER_MS, () => this.tryNext());
  }

  private end(): void {
    this.hasAccepted = true;
    this.callOffNext();
    for (const socket of this.underWay) socket.destroy();
  }
}
