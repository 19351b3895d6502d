/**
 * Removes interim answers (RFC 9110, 15.2) from what undici reads: its parser ends a connection at `100 Continue`, and at any
 * other with `connection: close`. Also refuses statuses that HTTP does not have: undici would report a lost connection, or fail.
 */
import type { Socket } from 'node:net';
import { tooManyHeaders, undefinedStatus } from './failure.ts';

/** As for other heads. */
const MAX_HEAD_BYTES = 32 * 1024;
/** Empty lines before an answer are ignored (RFC 9112, 2.2). */
const EMPTY_LINES = /^[\r\n]+/;
const STATUS_LINE = /^HTTP\/1\.[01] (\d{3})(?=[ \r\n])/;
/** An incomplete status line. */
const BEGINNING = /^(?:H|HT|HTT|HTTP|HTTP\/|HTTP\/1|HTTP\/1\.|HTTP\/1\.[01](?: \d{0,3})?)?$/;
const END_OF_HEAD = /\r?\n\r?\n/;
/** The most characters of an END_OF_HEAD that is incomplete. */
const MAX_PART_OF_END = 3;

/**
 * Makes `socket` return only final answers. Each write on it is taken for a request.
 * @param host in messages
 */
export function withoutInterim(socket: Socket, host: string): Socket {
  const { push, write } = socket;
  const sieve = new Sieve(host);
  // What node calls with each chunk that has arrived, before anyone can read it.
  socket.push = (chunk: Buffer | null) => {
    if (chunk === null || sieve.isOpen(chunk)) return push.call(socket, chunk);
    const left = sieve.sift(chunk);
    if (left instanceof Error) socket.destroy(left);
    else if (left) return push.call(socket, left);
    return true;
  };
  socket.write = (...args: unknown[]) => {
    sieve.close();
    return (write as (...args: unknown[]) => boolean).apply(socket, args);
  };
  return socket;
}

/** Drops interim answers until the final one comes. */
class Sieve {
  private awaitsAnswer = false;
  /** The end of what was read, if more is needed to decide. */
  private held = '';
  /** Bytes of the interim head that is being read; 0 between heads. */
  private headBytes = 0;

  constructor(private readonly host: string) {}

  /** To be called when a request is sent: an answer is awaited. */
  close(): void {
    this.awaitsAnswer = true;
  }

  /** Whether all of `chunk`, and what follows it, belongs to a final answer. */
  isOpen(chunk: Buffer): boolean {
    if (this.held === '' && isSurelyFinal(chunk)) this.awaitsAnswer = false;
    return !this.awaitsAnswer;
  }

  /** The part of `chunk` that belongs to a final answer, or undefined; an Error if it is not valid. */
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
/** The index of the status in `HTTP/1.1 200`. */
const STATUS_AT = 9;

/** Enough for nearly all answers. */
const isSurelyFinal = (chunk: Buffer) => chunk[0] === LETTER_H && (chunk[STATUS_AT] ?? 0) > DIGIT_1;
