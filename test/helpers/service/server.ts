/** Loopback servers that count what reaches them, and answer as a test says: well, badly, or in bytes that are no HTTP. */
import { createServer as createHttp, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import { createServer as createHttps, type ServerOptions } from 'node:https';
import { type AddressInfo, createServer as createTcp, type Server, type Socket } from 'node:net';

interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
}

export interface TestServer extends AsyncDisposable {
  readonly url: URL;
  /** Every request that arrived, in order. */
  readonly requests: readonly SeenRequest[];
  /** Connections that were accepted, whether anything was asked on them or not. */
  readonly connections: () => number;
  close(): Promise<void>;
}

/** An answer as data: an object becomes JSON. */
export interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly body?: unknown;
  /** How long the service thinks, milliseconds. */
  readonly afterMs?: number;
}

/** What the `count`-th request (from 1) gets. */
export type Responder = (request: SeenRequest, count: number) => Reply;

/** Serves what `respond` says; with `tls`, over https. */
export function startServer(respond: Responder, { tls }: { tls?: ServerOptions } = {}): Promise<TestServer> {
  const requests: SeenRequest[] = [];
  const listener: RequestListener = ({ method = '', url: path = '', headers }, response) => {
    requests.push({ method, path, headers });
    const reply = respond({ method, path, headers }, requests.length);
    const isRaw = typeof reply.body === 'string' || Buffer.isBuffer(reply.body) || reply.body === undefined;
    const send = () => {
      response.writeHead(reply.status ?? 200, { 'content-type': 'application/json', ...reply.headers });
      response.end(isRaw ? reply.body : JSON.stringify(reply.body));
    };
    if (reply.afterMs) setTimeout(send, reply.afterMs);
    else send();
  };
  const server = tls ? createHttps(tls, listener) : createHttp(listener);
  return listen(server, { protocol: tls ? 'https' : 'http', requests });
}

/** Hands each request, as soon as its head is complete, to `respond`, which writes what it likes to the socket. */
export function startRawServer(respond: (socket: Socket, count: number, path: string) => void): Promise<TestServer> {
  const requests: SeenRequest[] = [];
  const server = createTcp((socket) => {
    let head = '';
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      head += chunk.toString('latin1');
      if (!head.includes('\r\n\r\n')) return;
      const [method = '', path = ''] = head.split(' ');
      head = '';
      requests.push({ method, path, headers: {} });
      respond(socket, requests.length, path);
    });
  });
  return listen(server, { protocol: 'http', requests });
}

async function listen(
  server: Server,
  { protocol, requests }: { protocol: string; requests: readonly SeenRequest[] },
): Promise<TestServer> {
  const sockets = new Set<Socket>();
  let accepted = 0;
  server.on('connection', (socket) => {
    accepted++;
    sockets.add(socket);
    socket.on('error', () => {}).once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      for (const socket of sockets) socket.destroy();
    });
  const url = new URL(`${protocol}://127.0.0.1:${port}`);
  return { url, requests, connections: () => accepted, close, [Symbol.asyncDispose]: close };
}

/** A port of loopback on which nothing listens. */
export async function closedPort(): Promise<number> {
  const server = await startServer(() => ({}));
  await server.close();
  return Number(server.url.port);
}
