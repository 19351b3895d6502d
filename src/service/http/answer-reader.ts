/**
 * An answer as it arrives, in the form in which undici hands it out: status and headers, then the body, into one block and
 * within limits. undici's own `request` makes a stream of each body, which costs a third of the whole request.
 */
import type { ByteBudget, Share } from './byte-budget.ts';
import { bodyTooLong, cutShort, encodingNotAskedFor } from './failure.ts';

export interface TransportAnswer {
  readonly status: number;
  /** Names in lower case; a header given several times is joined with `, `. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** Whether a length or a last chunk vouches for the end of the body; otherwise a close may have cut it (RFC 9112, 8). */
  readonly complete: boolean;
  /** Why no more of the body came. A document may be whole all the same: of bad trailers it has no need. */
  readonly cutBy?: unknown;
}

/** What undici gives to steer a request by. */
interface Controller {
  pause(): void;
  resume(): void;
  abort(reason: Error): void;
}

type RawHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** What a body without a length is given to begin with. */
const FIRST_ROOM_BYTES = 16 * 1024;

const NOTHING = Buffer.alloc(0);

/** An answer whose headers are there. */
interface OpenAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly share: Share;
  /** Of the right size where a length is told: chunks to be joined in the end would need twice the memory. */
  block: Buffer;
  size: number;
}

interface ReaderOptions {
  /** Who answers, in messages. */
  readonly peer: string;
  readonly maxBytes: number;
  readonly budget: ByteBudget;
  /** Stops the deadline until `work` is done: what this process makes an answer wait is not the service's time. */
  readonly pauseFor: (work: Promise<void>) => Promise<void>;
  /** One of the two is called, once. */
  readonly onAnswer: (answer: TransportAnswer) => void;
  readonly onError: (error: unknown) => void;
  /** Called when headers came behind the body. */
  readonly onTrailers: () => void;
}

/** undici calls what begins with `on`. */
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
   * Ends the request, also one that has no connection yet. What has come of the answer is handed on: whether the rest matters
   * shows when the document is read.
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
    // Whoever is told makes other copies of a long body right away: the next one waits until these are made.
    if (this.begun) setImmediate(this.begun.share.release);
  }

  private abort(reason: unknown): void {
    this.end(reason);
    this.controller?.abort(errorOf(reason));
  }

  /** The status and the headers of a refusal say what matters; a body that is odd takes nothing from them. */
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

  /** Gives the body a block of `bytes`, which may have to wait for other answers, and then the `chunk` to it. */
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
