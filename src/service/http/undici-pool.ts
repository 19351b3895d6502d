/** Sends many requests over kept connections, for lists. The only file that imports undici: the whole package doubles the start-up. */
import Pool from 'undici/lib/dispatcher/pool.js';
import type { HttpClient, HttpClientOptions } from './http-client.ts';

export function openUndiciPool({ origin, connect, maxHeaderBytes, connections }: HttpClientOptions): HttpClient {
  const pool = new Pool(origin, {
    connections,
    connect: ({ protocol, host }, done) => connect(`${protocol}//${host}`, done),
    maxHeaderSize: maxHeaderBytes,
    // The deadline of the whole request covers headers and body.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  return {
    dispatch: ({ path, headers }, reader) => void pool.dispatch({ origin, path, method: 'GET', headers }, reader),
    destroy: () => pool.destroy(),
  };
}
