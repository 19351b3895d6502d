/**
 * Reads an answer as an HTTP client delivers it: status and headers, then the body, into one block and within limits. undici's
 * own `request` makes a stream of each body, which costs a third of the whole request.
 */
import type { ByteBudget, Share } from './byte-budget.ts';
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
  pause(): void;
  resume(): void;
  abort(reason: Error): void;
}

type RawHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** The first block of a body without a length, in bytes. */
const FIRST_ROOM_BYTES = 16 * 1024;

const NOTHING = Buffer.alloc(0);

/** An answer whose headers have arrived. */
interface OpenAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly share: Share;
  /** Of the right size if a length is given: joining chunks at the end would need twice the memory. */
  block: Buffer;
  size: number;
}

interface ReaderOptions {
  /** Who answers, in messages. */
  readonly peer: string;
  readonly maxBytes: number;
  readonly budget: ByteBudget;
  /** Stops the deadline until `work` is done: a wait caused by this process does not count as the service's time. */
  readonly pauseFor: (work: Promise<void>) => Promise<void>;
  /** Either this or onError is called, once. */
  readonly onAnswer: (answer: TransportAnswer) => void;
  readonly onError: (error: unknown) => void;
  /** Called when trailers came after the body. */
  readonly onTrailers: () => void;
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

  onResponseEnd(_: Controller, trailers: RawHeaders): void {
    for (const _name in trailers) {
      this.options.onTrailers();
      break;
    }
    if (!this.begun) return;
    const { status, headers, block, size } = this.begun;
    this.end(undefined, { status, headers, body: block.subarray(0, size), complete: isProvenComplete(this.begun) });
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
    const { status, headers, block, size } = this.begun;
    this.end(reason, { status, headers, body: block.subarray(0, size), complete: false, cutBy: reason });
    this.controller?.abort(errorOf(reason));
  }

  /** Without an answer it ends with an error, for `reason`. */
  private end(reason: unknown, answer?: TransportAnswer): void {
    if (this.ended) return;
    this.ended = { reason };
    if (answer) this.options.onAnswer(answer);
    else this.options.onError(reason);
    // Released after the callbacks, which make copies of a long body, so that the next body waits until these are made.
    if (this.begun) setImmediate(this.begun.share.release);
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
    const { peer, maxBytes, budget } = this.options;
    const begun = { status, headers, share: budget.open(), block: NOTHING, size: 0 };
    this.begun = begun;
    const encoding = headers['content-encoding'];
    const length = Number(headers['content-length']) || FIRST_ROOM_BYTES;
    if (encoding && encoding.toLowerCase() !== 'identity') this.refuseBody(begun, encodingNotAskedFor(peer, encoding));
    else if (length > maxBytes) this.refuseBody(begun, bodyTooLong(peer, maxBytes));
    else this.reserve(begun, length);
  }

  private add(answer: OpenAnswer, chunk: Buffer): void {
    const { peer, maxBytes } = this.options;
    const size = answer.size + chunk.length;
    if (size <= answer.block.length) append(answer, chunk);
    else if (size > maxBytes) this.refuseBody(answer, bodyTooLong(peer, maxBytes));
    else this.reserve(answer, Math.min(maxBytes, 2 * size), chunk);
  }

  /** Gives the body a block of `bytes`, which may have to wait for other answers, then adds `chunk`. */
  private reserve(answer: OpenAnswer, bytes: number, chunk?: Buffer): void {
    const makeRoom = () => {
      const block = Buffer.allocUnsafe(bytes);
      if (answer.size > 0) answer.block.copy(block, 0, 0, answer.size);
      answer.block = block;
      if (chunk) append(answer, chunk);
    };
    const room = answer.share.take(bytes);
    if (!room) {
      makeRoom();
      return;
    }
    this.controller?.pause();
    void this.options.pauseFor(room).then(() => {
      if (this.ended) return;
      makeRoom();
      this.controller?.resume();
    });
  }
}

function append(answer: OpenAnswer, chunk: Buffer): void {
  answer.size += chunk.copy(answer.block, answer.size);
}

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
