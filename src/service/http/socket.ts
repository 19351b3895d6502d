/** Opens sockets to one address, with TLS for https. */
import { connect, type Socket } from 'node:net';
import type { ConnectionOptions, TLSSocket } from 'node:tls';
import { tls } from '../../host/builtin.ts';
import { startTimeLimit } from '../../host/clock.ts';
import type { Done } from './happy-eyeballs.ts';

/** A peer and one of its addresses. */
export interface Peer {
  readonly protocol: string;
  /** The host with brackets and, unless it is the scheme's default, the port. */
  readonly host: string;
  /** The host without brackets or port: a name, or one of its addresses. */
  readonly hostname: string;
  readonly port: string;
  /** What its certificate has to be for; undefined when that is the address. */
  readonly servername?: string | undefined;
  /** The socket for TLS, instead of a new connection. */
  readonly httpSocket?: Socket;
}

/** Opens a socket and returns it while it is still connecting; `done` is called once, when it can be used or has failed. */
export type OpenSocket = (peer: Peer, done: Done) => Socket;

/** How long to wait for a connection, TLS included, in milliseconds. */
const CONNECT_TIMEOUT_MS = 10_000;
const KEEP_ALIVE_AFTER_MS = 60_000;
/** Read ahead of a plain socket: on Node 20 it would stop a long answer every 16 kB. */
const BUFFERED_BYTES = 64 * 1024;

/** TLS sessions are resumed (RFC 8446, 2.2): a list opens hundreds of connections to the same name. */
export function createSocketOpener(): OpenSocket {
  const sessions = new Map<string, Buffer>();
  return (peer, done) => {
    const isSecure = peer.protocol === 'https:';
    const socket = isSecure ? openSecure(peer, sessions) : openPlain(peer);
    const late = () => socket.destroy(Object.assign(new Error('connecting timed out'), { code: 'ETIMEDOUT' }));
    const callOff = startTimeLimit(CONNECT_TIMEOUT_MS, late);
    let isOver = false;
    const end = (error?: Error) => {
      if (isOver) return;
      isOver = true;
      callOff();
      if (error) done(error, null);
      else done(null, socket);
    };
    return (
      socket
        .setKeepAlive(true, KEEP_ALIVE_AFTER_MS)
        .setNoDelay(true)
        .once(isSecure ? 'secureConnect' : 'connect', () => end())
        // One that is given up while it connects says nothing but this.
        .once('close', callOff)
        .on('error', end)
    );
  };
}

function openPlain({ hostname, port }: Peer): Socket {
  const options = { host: hostname, port: Number(port || 80), highWaterMark: BUFFERED_BYTES };
  return connect(options);
}

function openSecure({ hostname, port, servername, httpSocket }: Peer, sessions: Map<string, Buffer>): TLSSocket {
  const name = servername ?? hostname;
  const session = sessions.get(name);
  const options: ConnectionOptions = {
    host: hostname,
    port: Number(port || 443),
    ...(servername !== undefined && { servername }),
    ...(httpSocket && { socket: httpSocket }),
    ...(session && { session }),
    ALPNProtocols: ['http/1.1'],
    // Explicit, so that it overrides NODE_TLS_REJECT_UNAUTHORIZED=0 in the environment.
    rejectUnauthorized: true,
  };
  const socket = tls().connect(options);
  return socket.on('session', (fresh: Buffer) => sessions.set(name, fresh));
}
