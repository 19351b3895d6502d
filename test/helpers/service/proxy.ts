/** A proxy for CONNECT that can be looked into. Every name leads to this machine, so that a test has a service elsewhere. */
import { once } from 'node:events';
import { createServer as createHttp, type IncomingMessage } from 'node:http';
import { createServer as createHttps, type ServerOptions } from 'node:https';
import { type AddressInfo, connect, type Socket } from 'node:net';

/** What its services are called; a certificate is issued for it. */
export const ELSEWHERE = 'service.test';

export interface TestProxy extends AsyncDisposable {
  /** `127.0.0.1:port` */
  readonly host: string;
  readonly asked: readonly IncomingMessage[];
}

export interface ProxyOptions {
  /** Written before the tunnel is granted. */
  readonly before?: string;
  /** Written in place of that, and the connection is closed. */
  readonly instead?: string;
  readonly tls?: ServerOptions;
}

const GRANTED = 'HTTP/1.1 200 Connection established\r\n\r\n';

export async function startProxy({ before = '', instead, tls }: ProxyOptions = {}): Promise<TestProxy> {
  const asked: IncomingMessage[] = [];
  const server = (tls ? createHttps(tls) : createHttp()).on('connect', (request: IncomingMessage, client: Socket) => {
    asked.push(request);
    client.on('error', () => {});
    if (instead !== undefined) return client.end(instead);
    const target = connect(Number(request.url?.split(':').at(-1)), '127.0.0.1', () => {
      client.write(before + GRANTED);
      target.pipe(client).pipe(target);
    }).on('error', () => client.destroy());
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const close = async () => {
    server.close();
    server.closeAllConnections();
  };
  return { host: `127.0.0.1:${(server.address() as AddressInfo).port}`, asked, [Symbol.asyncDispose]: close };
}

/** The address of the server at `url` behind the proxy. */
export const behindProxy = ({ port }: URL) => new URL(`https://${ELSEWHERE}:${port}`);
