/** What carries requests over the sockets of one origin: node-client.ts for a few, undici-pool.ts for many. */
import type { AnswerReader } from './answer-reader.ts';
import type { Done } from './happy-eyeballs.ts';

export interface SentRequest {
  /** As in a request line. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface HttpClient {
  /** Sends one GET and calls `reader` with its answer. */
  dispatch(request: SentRequest, reader: AnswerReader): void;
  destroy(): Promise<void>;
}

export interface HttpClientOptions {
  readonly origin: string;
  /** Calls `done` with a socket to `origin`, TLS included. */
  readonly connect: (origin: string, done: Done) => void;
  readonly maxHeaderBytes: number;
  /** Maximum sockets. */
  readonly connections: number;
}

export type OpenHttpClient = (options: HttpClientOptions) => HttpClient;
