/** Reads an answer as an HTTP client delivers it: status and headers, then the body, within limits. */
import { bodyTooLong, cutShort, encodingNotAskedFor } from './failure.ts';

export interface TransportAnswer {
  readonly status: number;
  /** Names in lower case; a header given several times is joined with `, `. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** Whether a length or a last chunk marks the end of the body; otherwise a close may have cut it short (RFC 9112, 8). */
  readonly complete: boolean;
  /** Why no more of the body came. The document may still be complete, as before bad trailers. */
  readonly cutBy?: unknown;
}

/** An HTTP client's controls of a request. */
interface Controller {
  abort(reason: Error): void;
}

type RawHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** An answer whose headers have arrived. */
interface OpenAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly chunks: Buffer[];
  size: number;
}

interface ReaderOptions {
  /** Who answers, in messages. */
  readonly peer: string;
  readonly maxBytes: number;
  /** Either this or onError is called, once. */
  readonly onAnswer: (answer: TransportAnswer) => void;
  readonly onError: (error: unknown) => void;
}

/** An HTTP client calls the methods that begin with `on`: their names are those of undici's handlers. */
export class AnswerReader {
  private controller: Controller | undefined;
  private begun: OpenAnswer | undefined;
  private ended: { readonly reason: unknown } | undefined;

  constructor(private readonly options: ReaderOptions) {}

  onRequestStart(started: Controller): void {
    this.controller = started;
    if (this.ended) this.abort(this.ended.reason);
  }

  onResponseStart(_: Controller, status: number, headers: RawHeaders): void {
    // An interim answer (RFC 9110, 15.2) is followed by another.
    if (!this.ended && status >= 200) this.begin(status, joinHeaders(headers));
  }

  onResponseData(_: Controller, chunk: Buffer): void {
    if (!this.ended && this.begun) this.add(this.begun, chunk);
  }

  onResponseEnd(): void {
    if (!this.begun) return;
    this.end(undefined, { ...partOf(this.begun), complete: isProvenComplete(this.begun) });
  }

  onResponseError(_: Controller, error: Error): void {
    this.giveUp(this.begun ? cutShort(this.options.peer, error) : error);
  }

  /**
   * Ends the request, also one without a connection yet. The part of the answer that has come is passed on: the reader of the
   * document decides whether the rest matters.
   */
  giveUp(reason: unknown): void {
    if (!this.begun) {
      this.abort(reason);
      return;
    }
    this.end(reason, { ...partOf(this.begun), complete: false, cutBy: reason });
    this.controller?.abort(errorOf(reason));
  }

  /** Without an answer it ends with an error, for `reason`. */
  private end(reason: unknown, answer?: TransportAnswer): void {
    if (this.ended) return;
    this.ended = { reason };
    if (answer) this.options.onAnswer(answer);
    else this.options.onError(reason);
  }

  private abort(reason: unknown): void {
    this.end(reason);
    this.controller?.abort(errorOf(reason));
  }

  /** For a refusal, status and headers are enough: an unusable body does not change them. */
  private refuseBody({ status, headers }: OpenAnswer, error: Error): void {
    if (status === 200) {
      this.abort(error);
      return;
    }
    this.end(error, { status, headers, body: new Uint8Array(), complete: false, cutBy: error });
    this.controller?.abort(error);
  }

  private begin(status: number, headers: OpenAnswer['headers']): void {
    const { peer, maxBytes } = this.options;
    const begun = { status, headers, chunks: [], size: 0 };
    this.begun = begun;
    const encoding = headers['content-encoding'];
    if (encoding && encoding.toLowerCase() !== 'identity') this.refuseBody(begun, encodingNotAskedFor(peer, encoding));
    else if (Number(headers['content-length']) > maxBytes) this.refuseBody(begun, bodyTooLong(peer, maxBytes));
  }

  private add(answer: OpenAnswer, chunk: Buffer): void {
    const { peer, maxBytes } = this.options;
    answer.size += chunk.length;
    if (answer.size > maxBytes) this.refuseBody(answer, bodyTooLong(peer, maxBytes));
    else answer.chunks.push(chunk);
  }
}

const partOf = ({ status, headers, chunks }: OpenAnswer) => ({ status, headers, body: Buffer.concat(chunks) });

const errorOf = (reason: unknown) => (reason instanceof Error ? reason : new Error('aborted'));

const isProvenComplete = ({ headers }: Pick<OpenAnswer, 'headers'>) =>
  'content-length' in headers || 'transfer-encoding' in headers;

function joinHeaders(headers: RawHeaders): Record<string, string> {
  const joined: Record<string, string> = Object.create(null);
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined) joined[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return joined;
}
