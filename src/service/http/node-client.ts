/**
 * Sends requests by node's own client, each over a connection of its own: for one wallet or a health check. It starts in half
 * the time of undici, whose parser is WebAssembly that has to be compiled first.
 */
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import type { AnswerReader } from './answer-reader.ts';
import type { Done } from './happy-eyeballs.ts';
import type { HttpClient, HttpClientOptions } from './http-client.ts';

export function openNodeClient({ origin, connect, maxHeaderBytes }: HttpClientOptions): HttpClient {
  const { host } = new URL(origin);
  return {
    dispatch({ path, headers }, reader) {
      const sent = request({
        path,
        headers: { host, ...headers },
        maxHeaderSize: maxHeaderBytes,
        // Explicit, so that it overrides the flag of node that has the same name.
        insecureHTTPParser: false,
        createConnection: (_, done) => {
          // Node's type does not know that there is no socket with an error.
          connect(origin, done as Done);
          return undefined;
        },
      });
      passOn(sent, reader);
      sent.end();
    },
    async destroy() {},
  };
}

function passOn(sent: ClientRequest, reader: AnswerReader): void {
  let answer: IncomingMessage | undefined;
  const controller = {
    abort: (reason: Error) => void sent.destroy(reason),
  };
  const fail = (error: Error) => {
    // What has arrived may not have been passed on yet: a document before bad trailers is whole.
    answer?.read();
    reader.onResponseError(controller, error);
  };
  reader.onRequestStart(controller);
  sent.on('error', fail);
  sent.on('response', (response) => {
    answer = response;
    reader.onResponseStart(controller, response.statusCode ?? 0, response.headersDistinct);
    response
      .on('data', (chunk: Buffer) => reader.onResponseData(controller, chunk))
      .on('end', () => reader.onResponseEnd())
      .on('error', fail);
  });
}
