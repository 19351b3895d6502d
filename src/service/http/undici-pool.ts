/** Sends many requests over kept connections, for lists. The only file that imports undici: the whole package doubles the start-up. */
import type { Socket } from 'node:net';
import Pool from 'undici/lib/dispatcher/pool.js';
import type { HttpClient, HttpClientOptions } from './http-client.ts';

export function openUndiciPool({ origin, connect, maxHeaderBytes, connections }: HttpClientOptions): HttpClient {
  /** The socket whose bytes undici parses: it parses what it has read before it reads more. */
  let current: Socket | undefined;
  const watched = (socket: Socket) => {
    const { read } = socket;
    socket.read = (size) => {
      current = socket;
      return read.call(socket, size);
    };
    return socket;
  };
  const pool = new Pool(origin, {
    connections,
    connect: ({ protocol, host }, done) =>
      connect(`${protocol}//${host}`, (...[error, socket]) => {
        if (error) done(error, null);
        else done(null, watched(socket));
      }),
    maxHeaderSize: maxHeaderBytes,
    // The deadline of the whole request covers headers and body.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  return {
    dispatch: ({ path, headers }, reader) => void pool.dispatch({ origin, path, method: 'GET', headers }, reader),
    // `Connection: close` in trailers is obeyed by undici's parser, but not by undici: the next answer would be lost.
    endCurrent: () => void current?.destroy(),
    destroy: () => pool.destroy(),
  };
}
