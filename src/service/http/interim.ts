/**
 * Takes interim answers (RFC 9110, 15.2) out of what undici reads: its parser ends a connection at `100 Continue`, and at
 * any other that says `connection: close`. A status that HTTP does not have is refused here too: undici takes it for a
 * lost connection, or fails itself.
 */
import type { Socket } from 'node:net';
import { tooManyHeaders, undefinedStatus } from './failure.ts';

/** As many bytes as any other head may have. */
const MAX_HEAD_BYTES = 32 * 1024;
/** Empty lines before an answer are ignored (RFC 9112, 2.2). */
const EMPTY_LINES = /^[\r\n]+/;
const STATUS_LINE = /^HTTP\/1\.[01] (\d{3})(?=[ \r\n])/;
/** A status line that has arrived in part. */
const BEGINNING = /^(?:H|HT|HTT|HTTP|HTTP\/|HTTP\/1|HTTP\/1\.|HTTP\/1\.[01](?: \d{0,3})?)?$/;
const END_OF_HEAD = /\r?\n\r?\n/;
/** Of an end that arrives in two parts, the first has no more characters. */
const MAX_PART_OF_END = 3;

/**
 * Has `socket` hand out final answers alone. Each write on it is taken for a request.
 * @param host who answers, in messages.
 * @param onRead called before each look at what has arrived.
 */
export function withoutInterim(socket: Socket, host: string, onRead: () => void): Socket {
  const { read, write } = socket;
  const sieve = new Sieve(host);
  socket.read = (size) => {
    onRead();
    for (;;) {
      const chunk: Buffer | null = read.call(socket, size);
      if (chunk === null || sieve.isOpen(chunk)) return chunk;
      const left = sieve.sift(chunk);
      if (left instanceof Error) socket.destroy(left);
      else if (left) return left;
    }
  };
  socket.write = (...args: unknown[]) => {
    sieve.close();
    return (write as (...args: unknown[]) => boolean).apply(socket, args);
  };
  return socket;
}

/** What keeps interim answers back until the final one comes. */
class Sieve {
  private awaitsAnswer = false;
  /** The end of what was read, where it does not decide by itself: within a head always something. */
  private held = '';
  /** Bytes of the interim head that is being read; 0 between heads. */
  private headBytes = 0;

  constructor(private readonly host: string) {}

  /** An answer is awaited. */
  close(): void {
    this.awaitsAnswer = true;
  }

  /** Whether all of `chunk`, and what follows it, belongs to a final answer. */
  isOpen(chunk: Buffer): boolean {
    if (this.held === '' && isSurelyFinal(chunk)) this.awaitsAnswer = false;
    return !this.awaitsAnswer;
  }

  /** What of `chunk` belongs to a final answer, undefined for nothing; or what is wrong with it. */
  sift(chunk: Buffer): Buffer | Error | undefined {
    let rest = this.held + chunk.toString('latin1');
    this.held = '';
    for (;;) {
      if (this.headBytes === 0) {
        rest = rest.replace(EMPTY_LINES, '');
        const [line, status = ''] = STATUS_LINE.exec(rest) ?? [];
        if (!line && BEGINNING.test(rest)) {
          this.held = rest;
          return undefined;
        }
        if (!line || status >= '200') {
          this.awaitsAnswer = false;
          return Buffer.from(rest, 'latin1');
        }
        if (status < '100' || status === '101') return undefinedStatus(status, this.host);
      }
      const end = END_OF_HEAD.exec(rest);
      if (!end) return this.keepHead(rest);
      this.headBytes = 0;
      rest = rest.slice(end.index + end[0].length);
    }
  }

  private keepHead(part: string): Error | undefined {
    this.headBytes += part.length;
    this.held = part.slice(-MAX_PART_OF_END);
    return this.headBytes > MAX_HEAD_BYTES ? tooManyHeaders(this.host) : undefined;
  }
}

const [LETTER_H, DIGIT_1] = [0x48, 0x31];
/** The place of the status in `HTTP/1.1 200`. */
const STATUS_AT = 9;

/** All answers but a few need no more than this look. */
const isSurelyFinal = (chunk: Buffer) => chunk[0] === LETTER_H && (chunk[STATUS_AT] ?? 0) > DIGIT_1;
