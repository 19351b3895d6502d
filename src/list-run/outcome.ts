/** The outcome of a list, for its summary, its line on stderr and its exit code. */

import { ExitCode, RiskcliError } from '../errors.ts';
import type { StoredResult } from '../journal/store.ts';
import type { Row, Status } from '../row/row.ts';
import type { StopReasons } from './stop.ts';

export interface ListOutcome {
  /** Rows by status. A row whose wallet was not requested is `pending`, and was not emitted. */
  readonly counts: Readonly<Record<Status, number>>;
  /** The `failed` rows by kind of failure. */
  readonly failures: Readonly<Record<Failure, number>>;
  /** Why they failed: a message for each, two at most. */
  readonly reasons: Readonly<Record<Failure, readonly string[]>>;
  /** How many wallets have their answer from an earlier run. */
  readonly reused: number;
  /** When the oldest of these was answered, milliseconds since 1970. */
  readonly oldestReused: number | undefined;
  /** The reason why the list stopped before its end; undefined if it did not. */
  readonly stop: StopReasons | undefined;
  /** Whether the output has all rows that it was given. */
  readonly isOutputWhole: boolean;
  /** Whether nothing is left to request, so that the journal is no longer needed. */
  readonly isComplete: boolean;
}

/** The reason why the list stopped, and other faults of this machine. */
export function stopReasons({ stop }: Pick<ListOutcome, 'stop'>): readonly unknown[] {
  if (!stop) return [];
  return 'also' in stop ? [stop.reason, stop.also] : [stop.reason];
}

/** A `refused` wallet stays so; the next run requests `temporary` and `untrusted` ones again. */
export type Failure = 'refused' | 'temporary' | 'untrusted';

const FAILURE_EXITS = {
  refused: ExitCode.rows,
  temporary: ExitCode.temporary,
  untrusted: ExitCode.untrusted,
} as const satisfies Record<Failure, ExitCode>;

/**
 * The exit codes that hold for `outcome`, for `gravest`; none when all went well. Rows whose status
 * is in `accepted` (--accept) do not make exit 3 or 5; an answer that cannot be trusted always
 * makes exit 6.
 */
export function exitCodes(outcome: ListOutcome, accepted: ReadonlySet<Status> = new Set()): ReadonlySet<ExitCode> {
  const codes = new Set<ExitCode>();
  for (const reason of stopReasons(outcome))
    codes.add(reason instanceof RiskcliError ? reason.exitCode : ExitCode.fault);
  if (outcome.counts.invalid > 0 && !accepted.has('invalid')) codes.add(ExitCode.rows);
  for (const failure of ['refused', 'temporary', 'untrusted'] as const) {
    const isAccepted = accepted.has('failed') && failure !== 'untrusted';
    if (outcome.failures[failure] > 0 && !isAccepted) codes.add(FAILURE_EXITS[failure]);
  }
  return codes;
}

/** The end of a list, besides its rows. */
interface End extends Pick<ListOutcome, 'stop' | 'isOutputWhole'> {
  /** Whether the output has all rows that it was given. */
  readonly isOutputWhole: boolean;
  /** How many wallets are to be requested again. */
  readonly failed: number;
}

export function createRowTally() {
  const counts = { scored: 0, no_score: 0, invalid: 0, failed: 0, pending: 0 };
  const failures = { refused: 0, temporary: 0, untrusted: 0 };
  const reasons: Record<Failure, string[]> = { refused: [], temporary: [], untrusted: [] };
  /** The offsets of their records. */
  const reused = new Set<number>();
  let oldest = Number.POSITIVE_INFINITY;
  return {
    /** Counts and returns `row`; a failed one for `failure`. */
    count(row: Row, failure?: Failure): Row {
      counts[row.status] += 1;
      if (row.status === 'failed' && failure) {
        failures[failure] += 1;
        noteReason(reasons[failure], row.error?.message);
      }
      return row;
    },
    /** Notes an answer of an earlier run, once a wallet. */
    countReused({ offset, answeredAt }: StoredResult): void {
      reused.add(offset);
      oldest = Math.min(oldest, answeredAt);
    },
    /** Whether a wallet has an answer, of this run or an earlier one. */
    hasAnswers: () => counts.scored + counts.no_score > 0,
    outcome: ({ stop, failed, isOutputWhole }: End): ListOutcome => ({
      counts,
      failures,
      reasons,
      reused: reused.size,
      oldestReused: reused.size > 0 ? oldest : undefined,
      stop,
      isOutputWhole,
      isComplete: !stop && failed === 0,
    }),
  };
}

/** Keeps two messages at most: the second one shows that there are several. */
function noteReason(reasons: string[], message: string | undefined): void {
  if (message !== undefined && reasons.length < 2 && !reasons.includes(message)) reasons.push(message);
}
