/** What became of a run of a list, as the files for monitoring tell it. */
import { ExitCode } from '../../errors.ts';
import type { Status } from '../../row/row.ts';
import type { UnseenValue } from '../../row/unseen-values.ts';

/** How many rows a rule has matched. */
export interface RuleMatches {
  /** Its name, or the text of its condition. */
  readonly rule: string;
  readonly rows: number;
  /** Rows for which it could not be judged. */
  readonly unjudged: number;
}

/** What the run itself has counted. What it did not get as far as is undefined. */
export interface ListFigures {
  /** All rows of the list, those that were not reached as `pending`. */
  readonly rows?: Readonly<Record<Status, number>>;
  /** Of every rule, those that matched nothing included. */
  readonly matched?: readonly RuleMatches[];
  /** The conditions whose value no row had. */
  readonly unseen?: readonly UnseenValue[];
  readonly requests?: number | undefined;
  /** Requests that the service answered with 429. */
  readonly refusals?: number | undefined;
}

export interface ListReport extends ListFigures {
  /** Undefined when the command line did not get as far as naming one. */
  readonly environment: string | undefined;
  readonly baseUrl: string | undefined;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly endedAt: number;
  readonly durationMs: number;
  readonly exitCode: ExitCode;
  /** The stable name of the error that ended the run. */
  readonly errorCode: string | undefined;
  /** What is left of the setting monthly-requests; undefined when it is not set, or nobody knows what was sent. */
  readonly monthlyLeft: number | undefined;
  /** Since the key was stored, milliseconds; undefined for one that is not stored. */
  readonly keyAgeMs: number | undefined;
}

/** A run that did all that was asked of it, and found nothing. */
export const isSuccess = ({ exitCode }: ListReport) => exitCode === ExitCode.ok;

/**
 * A run that is through with its list: each row has an answer, or will never have one. What rows and rules say of it is
 * another matter: a gate that matches every night is no reason to call the list old.
 */
export const isComplete = ({ exitCode }: ListReport) => COMPLETE.some((code) => code === exitCode);

const COMPLETE = [ExitCode.ok, ExitCode.rows, ExitCode.matched];

/** A file that this run may replace is not read beyond this: what riskcli writes is far smaller. */
export const MAX_PREVIOUS_BYTES = 1024 * 1024;
