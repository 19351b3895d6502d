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

/** An answer whose headers are there. */
interface OpenAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly share: Share;
  /** Of the right size where a length is told: chunks to be joined in the end would need twice the memory. */
  block: Buffer;
  size: number;
}

/**
 * `handler` is what undici calls. `giveUp` ends the request, also one that has no connection yet; what has come of the answer is
 * handed on.
 */
export function createAnswerReader(options: {
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
}) {
  const { peer, maxBytes, budget, pauseFor, onAnswer, onError, onTrailers } = options;
  let controller: Controller | undefined;
  let begun: OpenAnswer | undefined;
  let ended: { readonly reason: unknown } | undefined;

  function end(reason: unknown, tell: () => void): void {
    if (ended) return;
    ended = { reason };
    tell();
    // Whoever is told makes other copies of a long body right away: the next one waits until these are made.
    if (begun) setImmediate(begun.share.release);
  }

  function abort(reason: unknown): void {
    end(reason, () => onError(reason));
    controller?.abort(errorOf(reason));
  }

  /** The status and the headers of a refusal say what matters; a body that is odd takes nothing from them. */
  function refuseBody({ status, headers }: OpenAnswer, error: Error): void {
    if (status === 200) {
      abort(error);
      return;
    }
    end(error, () => onAnswer({ status, headers, body: new Uint8Array(), complete: false, cutBy: error }));
    controller?.abort(error);
  }

  /** Nothing more comes: whether that matters shows when the document is read. */
  function cut(reason: unknown): void {
    if (!begun) {
      abort(reason);
      return;
    }
    const { status, headers, block, size } = begun;
    end(reason, () => onAnswer({ status, headers, body: block.subarray(0, size), complete: false, cutBy: reason }));
    controller?.abort(errorOf(reason));
  }

  /** Gives the body a block of `bytes`, which may have to wait for other answers, and goes on with `next`. */
  function reserve(answer: OpenAnswer, bytes: number, next: () => void): void {
    const makeRoom = () => {
      const block = Buffer.allocUnsafeSlow(bytes);
      answer.block.copy(block, 0, 0, answer.size);
      answer.block = block;
      next();
    };
    const room = answer.share.take(bytes);
    if (!room) {
      makeRoom();
      return;
    }
    controller?.pause();
    void pauseFor(room).then(() => {
      if (ended) return;
      makeRoom();
      controller?.resume();
    });
  }

  function begin(status: number, headers: OpenAnswer['headers']): void {
    begun = { status, headers, share: budget.open(), block: Buffer.alloc(0), size: 0 };
    const encoding = headers['content-encoding'];
    const length = Number(headers['content-length']) || FIRST_ROOM_BYTES;
    if (encoding && encoding.toLowerCase() !== 'identity') refuseBody(begun, encodingNotAskedFor(peer, encoding));
    else if (length > maxBytes) refuseBody(begun, bodyTooLong(peer, maxBytes));
    else reserve(begun, length, () => {});
  }

  function add(answer: OpenAnswer, chunk: Buffer): void {
    const size = answer.size + chunk.length;
    const append = () => {
      answer.size += chunk.copy(answer.block, answer.size);
    };
    if (size <= answer.block.length) append();
    else if (size > maxBytes) refuseBody(answer, bodyTooLong(peer, maxBytes));
    else reserve(answer, Math.min(maxBytes, 2 * size), append);
  }

  const handler = {
    onRequestStart(started: Controller): void {
      controller = started;
      if (ended) abort(ended.reason);
    },
    onResponseStart(_: Controller, status: number, headers: RawHeaders): void {
      // An interim answer (RFC 9110, 15.2) is followed by another.
      if (!ended && status >= 200) begin(status, joinHeaders(headers));
    },
    onResponseData(_: Controller, chunk: Buffer): void {
      if (!ended && begun) add(begun, chunk);
    },
    onResponseEnd(_: Controller, trailers: RawHeaders): void {
      for (const _name in trailers) {
        onTrailers();
        break;
      }
      if (!begun) return;
      const { status, headers, block, size } = begun;
      const answer = { status, headers, body: block.subarray(0, size), complete: isProvenComplete(begun) };
      end(undefined, () => onAnswer(answer));
    },
    onResponseError(_: Controller, error: Error): void {
      cut(begun ? cutShort(peer, error) : error);
    },
  };
  return { handler, giveUp: cut };
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
