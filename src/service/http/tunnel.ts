/**
 * Asks a proxy to open a tunnel (RFC 9110, 9.3.6). The answer is read here because node's http and undici take the first
 * response for the final one: a proxy that sends a 103 first would be refused.
 */
import type { Socket } from 'node:net';
import { startTimeLimit } from '../../host/clock.ts';
import {
  describeFailure,
  HEADERS_OVERFLOW,
  PARSER_ERROR,
  proxyAnsweredItself,
  proxyRefused,
  strangeProxyStatus,
} from './failure.ts';
import type { HttpProxy } from './proxy.ts';

/** How long to wait for the proxy, which has to connect itself, in milliseconds. */
const ANSWER_TIMEOUT_MS = 10_000;
const MAX_HEADER_BYTES = 32 * 1024;

/**
 * Resolves when the tunnel is open: what is written to `socket` goes to `authority`, a host and port.
 * @throws TemporaryError when the proxy refuses or is silent, UntrustedError when it does not speak HTTP.
 */
export function askForTunnel(socket: Socket, authority: string, proxy: HttpProxy): Promise<void> {
  return new Promise((resolve, reject) => {
    let head = '';
    const fail = (code: string) => end(describeCode(code, proxy));
    const callOff = startTimeLimit(ANSWER_TIMEOUT_MS, () => fail('ETIMEDOUT'));
    const onError = (error: NodeJS.ErrnoException) => fail(error.code ?? 'ECONNRESET');
    const onClose = () => fail('ECONNRESET');
    const onReadable = () => {
      for (let chunk = socket.read(); chunk !== null; chunk = socket.read()) head += chunk.toString('latin1');
      const verdict = readHead(head, proxy);
      if (verdict !== 'unfinished') end(verdict);
    };
    const end = (error?: unknown) => {
      callOff();
      socket.off('readable', onReadable).off('error', onError).off('end', onClose).off('close', onClose);
      if (!error) return resolve();
      socket.on('error', () => {}).destroy();
      reject(error);
    };
    socket.on('readable', onReadable).on('error', onError).on('end', onClose).on('close', onClose);
    socket.write(`CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n${credentials(proxy.url)}\r\n`);
  });
}

function credentials({ username, password }: URL): string {
  if (!username && !password) return '';
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return `Proxy-Authorization: Basic ${Buffer.from(pair).toString('base64')}\r\n`;
}

/** Reads the bytes received so far: undefined when there is a tunnel, an error when there will be none. */
function readHead(bytes: string, proxy: HttpProxy): 'unfinished' | Error | undefined {
  let start = 0;
  for (;;) {
    const end = bytes.indexOf('\r\n\r\n', start);
    if (!'HTTP/1.'.startsWith(bytes.slice(start, start + 7))) return describeCode(PARSER_ERROR, proxy);
    if (end === -1) return bytes.length > MAX_HEADER_BYTES ? describeCode(HEADERS_OVERFLOW, proxy) : 'unfinished';
    const [, digits] = /^HTTP\/1\.[01] (\d{3})(?: |\r)/.exec(bytes.slice(start, end + 1)) ?? [];
    if (!digits) return describeCode(PARSER_ERROR, proxy);
    const status = Number(digits);
    if (status < 100 || status === 101 || status >= 600) return strangeProxyStatus(digits, proxy);
    start = end + 4;
    if (status < 200) continue;
    if (status >= 300) return proxyRefused(status, proxy);
    // A TLS server waits for the client to speak first (RFC 8446, 4.1), so further bytes are the proxy's own page.
    return bytes.length > start ? proxyAnsweredItself(proxy) : undefined;
  }
}

function describeCode(code: string, { url, variable }: HttpProxy): Error {
  const error = Object.assign(new Error(code), { code });
  return describeFailure(error, { peer: `the proxy ${url.host}`, setting: variable }) as Error;
}
