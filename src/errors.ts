/**
 * Every way a run can end, one class a kind of failure. The exit code is a property of the error, so the one catch in
 * main.ts needs no list of cases. Messages say what happened; hints say what to do next.
 */
import type { ErrorCode } from './error-codes.ts';

/** Exit codes that users and scripts rely on. */
export const ExitCode = {
  ok: 0,
  fault: 1,
  usage: 2,
  rows: 3,
  key: 4,
  temporary: 5,
  untrusted: 6,
  limit: 7,
  io: 8,
  list: 9,
  matched: 10,
  locked: 11,
  hangup: 129,
  interrupt: 130,
  pipe: 141,
  terminated: 143,
} as const;
export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode];

/** From the gravest to the mildest: when several ends hold at once, the first of these is the exit code. */
export const PRECEDENCE: readonly ExitCode[] = [141, 143, 130, 129, 1, 11, 4, 8, 9, 6, 7, 5, 2, 10, 3, 0];

/** The exit code of a run to which all of `codes` apply. */
export function gravest(codes: Iterable<ExitCode>): ExitCode {
  const held = new Set(codes);
  return PRECEDENCE.find((code) => held.has(code)) ?? ExitCode.ok;
}

/** How many rows of a list have which status. */
export type RowCounts = Readonly<Record<'scored' | 'no_score' | 'invalid' | 'failed' | 'pending', number>>;

interface Details {
  /** Stable machine name; each class has a default. */
  readonly code?: ErrorCode;
  /** What the user can do next, without a final full stop. */
  readonly hint?: string;
  /** The status of the answer that the failure is about. */
  readonly httpStatus?: number;
  /** When the same command can go on, milliseconds since 1970; absent when nobody knows. */
  readonly resumeAt?: number | undefined;
  /** What became of the rows, when it ends a list. */
  readonly counts?: RowCounts;
  readonly cause?: unknown;
}

/** The base of every expected failure. Anything else that is thrown is a fault in riskcli (exit 1). */
export abstract class RiskcliError extends Error {
  abstract readonly exitCode: ExitCode;
  readonly code: ErrorCode;
  readonly hint: string | undefined;
  readonly httpStatus: number | undefined;
  readonly resumeAt: number | undefined;
  readonly counts: RowCounts | undefined;

  constructor(message: string, defaultCode: ErrorCode, details: Details = {}) {
    super(message, { cause: details.cause });
    this.name = new.target.name;
    this.code = details.code ?? defaultCode;
    this.hint = details.hint;
    this.httpStatus = details.httpStatus;
    this.resumeAt = details.resumeAt;
    this.counts = details.counts;
  }
}

/** The command line or a setting is wrong. */
export class UsageError extends RiskcliError {
  readonly exitCode = ExitCode.usage;
  constructor(message: string, details?: Details) {
    super(message, 'usage', details);
  }
}

/** The service refused this request for good: a 4xx that is neither 401, 408 nor 429. */
export class RefusedError extends RiskcliError {
  readonly exitCode = ExitCode.rows;
  constructor(message: string, details?: Details) {
    super(message, 'refused', details);
  }
}

/** The key is missing, malformed or rejected (contract, section 5.4). */
export class KeyError extends RiskcliError {
  readonly exitCode = ExitCode.key;
  constructor(message: string, details?: Details) {
    super(message, 'key', details);
  }
}

/** Network, time-out, 408, 5xx, an unhealthy service: the same command again may succeed. */
export class TemporaryError extends RiskcliError {
  readonly exitCode = ExitCode.temporary;
  /** It lies with this machine (no network, no name server, too many open files), and says nothing about the service. */
  readonly isOfThisMachine: boolean;
  constructor(message: string, details: Details & { readonly isOfThisMachine?: boolean } = {}) {
    super(message, 'temporary', details);
    this.isOfThisMachine = details.isOfThisMachine ?? false;
  }
}

/** The answer cannot be trusted: TLS, a redirect, a body that breaks the contract. */
export class UntrustedError extends RiskcliError {
  readonly exitCode = ExitCode.untrusted;
  constructor(message: string, details?: Details) {
    super(message, 'untrusted', details);
  }
}

/** A limit stopped the run: rate, quota, --max-requests, monthly-requests. */
export class LimitError extends RiskcliError {
  readonly exitCode = ExitCode.limit;
  constructor(message: string, details?: Details) {
    super(message, 'rate_limit', details);
  }
}

/** Reading or writing something local failed. */
export class IoError extends RiskcliError {
  readonly exitCode = ExitCode.io;
  constructor(message: string, details?: Details) {
    super(message, 'io', details);
  }
}

/** The wallet list is empty or cannot be read. */
export class ListError extends RiskcliError {
  readonly exitCode = ExitCode.list;
  constructor(message: string, details?: Details) {
    super(message, 'list', details);
  }
}

/** Another run holds the journal. */
export class LockedError extends RiskcliError {
  readonly exitCode = ExitCode.locked;
  constructor(message: string, details?: Details) {
    super(message, 'locked', details);
  }
}

/** The one line of an end that is a finding rather than a failure: rows refused (3) or a --fail-if matched (10). */
export class FindingError extends RiskcliError {
  readonly exitCode: ExitCode;
  constructor(message: string, details: Details & { readonly exitCode: ExitCode; readonly code: ErrorCode }) {
    super(message, details.code, details);
    this.exitCode = details.exitCode;
  }
}

const SIGNAL_EXITS = {
  SIGHUP: ExitCode.hangup,
  SIGINT: ExitCode.interrupt,
  SIGTERM: ExitCode.terminated,
} as const;
export type StopSignal = keyof typeof SIGNAL_EXITS;

/** The user or the system asked the run to stop. It is the `reason` of `context.signal`. */
export class SignalError extends RiskcliError {
  readonly exitCode: ExitCode;
  constructor(readonly signal: StopSignal) {
    super(`stopped by ${signal}`, signal.toLowerCase() as Lowercase<StopSignal>);
    this.exitCode = SIGNAL_EXITS[signal];
  }
}

/** The reader of standard output is gone: nothing is said, the exit code tells (as `yes | head` does). */
export class ReaderGoneError extends RiskcliError {
  readonly exitCode = ExitCode.pipe;
  constructor() {
    super('the reader of standard output is gone', 'pipe');
  }
}

/** How V8 says that the system gives no more memory for bytes, and for the parser of HTTP, which asks for 10 GB of addresses. */
const NO_MEMORY = /^Array buffer allocation failed$|^WebAssembly\..*Out of memory/;

/** The failure behind what V8 throws where memory is short, as under `ulimit -v`; undefined for any other error. */
export function memoryError(error: unknown): IoError | undefined {
  if (!(error instanceof RangeError) || !NO_MEMORY.test(error.message)) return undefined;
  const isParser = error.message.startsWith('WebAssembly');
  return new IoError('the system does not give this process enough memory', {
    hint: `free some or raise its limit (ulimit -v)${isParser ? ', or set NODE_OPTIONS=--disable-wasm-trap-handler' : ''}, then run the same command again`,
    cause: error,
  });
}
