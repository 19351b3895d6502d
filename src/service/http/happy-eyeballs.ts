/**
 * Connects a socket to whichever address of a name accepts it (RFC 8305, 5). Node's own way gives an address up when its
 * time is over, and with hundreds of handshakes at once it is this process that is late: then all of them are given up.
 * Here the next address joins in, and whoever is first wins.
 */
import type { Socket } from 'node:net';

/** The Connection Attempt Delay that RFC 8305 recommends, in milliseconds. */
const NEXT_AFTER_MS = 250;

export type Done = (...result: [error: null, socket: Socket] | [error: Error, socket: null]) => void;

/** Opens a socket, TLS included, and returns it while it still connects. */
type Open = (address: string, done: Done) => Socket;

/**
 * @throws the error of the last attempt. An address that accepted the connection is not passed over, so that the user sees
 * what is wrong with it, its certificate for example.
 */
export function connectToFirst(addresses: readonly string[], open: Open): Promise<[socket: Socket, address: string]> {
  return new Promise((resolve, reject) => {
    const waiting = [...addresses];
    const underWay = new Set<Socket>();
    let hasAccepted = false;
    let timer: NodeJS.Timeout | undefined;

    function end(): void {
      hasAccepted = true;
      clearTimeout(timer);
      for (const socket of underWay) socket.destroy();
    }

    function tryNext(): void {
      clearTimeout(timer);
      const address = waiting.shift();
      if (hasAccepted || address === undefined) return;
      let isAccepted = false;
      const socket = open(address, (error, connected) => {
        underWay.delete(socket);
        if (error && !isAccepted && waiting.length + underWay.size > 0) return tryNext();
        end();
        if (error) reject(error);
        else resolve([connected, address]);
      });
      underWay.add(socket);
      socket.once('connect', () => {
        isAccepted = true;
        hasAccepted = true;
      });
      // An acceptance that has arrived while this process was busy is read before what is put off with setImmediate.
      timer = setTimeout(() => setImmediate(tryNext), NEXT_AFTER_MS);
    }

    tryNext();
  });
}
