/**
 * Every way a run can end, a class for each kind of failure. The exit code is a property of the
 * error, so the one catch in main.ts needs no list of cases. Messages say what happened; hints say
 * what to do next.
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

/**
 * From the gravest to the mildest: when several ends hold at once, the first of these is the exit
 * code.
 */
export const PRECEDENCE: readonly ExitCode[] = [141, 143, 130, 129, 1, 11, 4, 8, 9, 6, 7, 5, 2, 10, 3, 0];

/** The exit code of a run to which all of `codes` apply. */
export function gravest(codes: Iterable<ExitCode>): ExitCode {
  const held = new Set(codes);
  return PRECEDENCE.find((code) => held.has(code)) ?? ExitCode.ok;
}

/** How many rows of a list have which status. */
export type RowCounts = Readonly<Record<'scored' | 'no_score' | 'invalid' | 'failed' | 'pending', number>>;

interface Details {
  /** Stable machine name; each kind has a default. */
  readonly code?: ErrorCode;
  /** The remedy, without a final full stop. */
  readonly hint?: string | undefined;
  /** Whether the same command continues once that was done; the hint says so. */
  readonly isResumable?: boolean;
  /** The status of the answer that the failure is about. */
  readonly httpStatus?: number;
  /** When the same command can continue, milliseconds since 1970; absent when that is not known. */
  readonly resumeAt?: number | undefined;
  /** The rows by status, when it ends a list. */
  readonly counts?: RowCounts;
  /** The service's id of the request that failed. */
  readonly requestId?: string | undefined;
  /** Whether it is not reported: only the exit code tells. */
  readonly isSilent?: boolean;
  readonly cause?: unknown;
}

/** The exit code of each kind of failure, and its default error code. */
const FAILURE_KINDS = {
  usage: [ExitCode.usage, 'usage'],
  refused: [ExitCode.rows, 'refused'],
  key: [ExitCode.key, 'key'],
  temporary: [ExitCode.temporary, 'temporary'],
  untrusted: [ExitCode.untrusted, 'untrusted'],
  limit: [ExitCode.limit, 'rate_limit'],
  io: [ExitCode.io, 'io'],
  list: [ExitCode.list, 'list'],
  locked: [ExitCode.locked, 'locked'],
  finding: [ExitCode.rows, 'rows'],
  signal: [ExitCode.interrupt, 'sigint'],
  reader_gone: [ExitCode.pipe, 'pipe'],
} as const satisfies Record<string, readonly [ExitCode, ErrorCode]>;
type FailureKind = keyof typeof FAILURE_KINDS;

/**
 * The base of every expected failure. Anything else that is thrown is an internal error in riskcli
 * (exit 1).
 */
export abstract class RiskcliError extends Error {
  readonly exitCode: ExitCode;
  readonly code: ErrorCode;
  readonly hint: string | undefined;
  readonly isResumable: boolean;
  readonly httpStatus: number | undefined;
  readonly resumeAt: number | undefined;
  readonly counts: RowCounts | undefined;
  readonly isSilent: boolean;
  /** The service's id of the request that failed; set when its answer has been read. */
  requestId: string | undefined;

  constructor(
    readonly kind: FailureKind,
    message: string,
    details: Details & { readonly exitCode?: ExitCode } = {},
  ) {
    super(message, { cause: details.cause });
    const [exitCode, code] = FAILURE_KINDS[kind];
    this.name = new.target.name;
    this.exitCode = details.exitCode ?? exitCode;
    this.code = details.code ?? code;
    this.hint = details.hint;
    this.isResumable = details.isResumable ?? false;
    this.httpStatus = details.httpStatus;
    this.resumeAt = details.resumeAt;
    this.counts = details.counts;
    this.isSilent = details.isSilent ?? false;
    this.requestId = details.requestId;
  }
}

/** The class of errors that have only a message and details. */
function errorClass<K extends FailureKind>(kind: K) {
  return class extends RiskcliError {
    declare readonly kind: K;
    constructor(message: string, details?: Details) {
      super(kind, message, details);
    }
  };
}

/** The command line or a setting is wrong. */
export class UsageError extends errorClass('usage') {}

/** The service refused this request for good: a 4xx that is neither 401, 408 nor 429. */
export class RefusedError extends errorClass('refused') {}

/** The key is missing, malformed or rejected (docs/service.md, The key). */
export class KeyError extends errorClass('key') {}

/** Network, time-out, 408, 5xx, an unhealthy service: the same command again may succeed. */
export class TemporaryError extends RiskcliError {
  declare readonly kind: 'temporary';
  /**
   * The cause is this machine (no network, no name server, too many open files), not the service.
   */
  readonly isOfThisMachine: boolean;
  constructor(message: string, details: Details & { readonly isOfThisMachine?: boolean } = {}) {
    super('temporary', message, details);
    this.isOfThisMachine = details.isOfThisMachine ?? false;
  }
}

/** The answer cannot be trusted: TLS, a redirect, a body that breaks the contract. */
export class UntrustedError extends errorClass('untrusted') {}

/** A limit stopped the run: rate, quota, --max-requests, monthly-requests. */
export class LimitError extends errorClass('limit') {}

/** Reading or writing something local failed. */
export class IoError extends errorClass('io') {}

/** The wallet list is empty or cannot be read. */
export class ListError extends errorClass('list') {}

/** Another run holds the journal. */
export class LockedError extends errorClass('locked') {}

/** A result rather than a failure: rows refused (3) or a --fail-if matched (10). */
export class FindingError extends RiskcliError {
  declare readonly kind: 'finding';
  constructor(message: string, details: Details & { readonly exitCode: ExitCode; readonly code: ErrorCode }) {
    super('finding', message, details);
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
  declare readonly kind: 'signal';
  constructor(readonly signal: StopSignal) {
    const code = signal.toLowerCase() as Lowercase<StopSignal>;
    super('signal', `stopped by ${signal === 'SIGINT' ? 'Ctrl-C' : signal}`, { exitCode: SIGNAL_EXITS[signal], code });
  }
}

/**
 * The reader of standard output is gone: nothing is printed, as in `yes | head`; the exit code
 * tells.
 */
export class ReaderGoneError extends RiskcliError {
  declare readonly kind: 'reader_gone';
  constructor() {
    super('reader_gone', 'the reader of standard output is gone', { isSilent: true });
  }
}

/** The exit code of whatever was thrown; anything unforeseen is an internal error in riskcli. */
export function exitCodeOf(error: unknown): ExitCode {
  return error instanceof RiskcliError ? error.exitCode : ExitCode.fault;
}

/** The one of two errors whose exit code counts; either may be undefined. */
export function graverError(one: unknown, other: unknown): unknown {
  if (one === undefined || other === undefined) return one ?? other;
  return gravest([exitCodeOf(one), exitCodeOf(other)]) === exitCodeOf(one) ? one : other;
}
