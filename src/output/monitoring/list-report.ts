/** The result of a run of a list, for the monitoring files. */
import { ExitCode } from '../../errors.ts';
import type { Status } from '../../row/row.ts';
import type { UnseenValue } from '../../row/unseen-values.ts';

/** How many rows a rule matched. */
export interface RuleMatches {
  /** Its name, or the text of its condition. */
  readonly rule: string;
  readonly rows: number;
  /** Rows for which it could not be judged. */
  readonly unjudged: number;
}

/** What the run counted; undefined for what it did not reach. */
export interface ListFigures {
  /** All rows of the list by status; rows that were not reached are `pending`. */
  readonly rows?: Readonly<Record<Status, number>>;
  /** For every rule, including those that matched nothing. */
  readonly matched?: readonly RuleMatches[];
  /** Conditions whose value no row had. */
  readonly unseen?: readonly UnseenValue[];
  readonly requests?: number | undefined;
  /** Requests that the service answered with 429. */
  readonly refusals?: number | undefined;
}

export interface ListReport extends ListFigures {
  /** Undefined if the command failed before it was known. */
  readonly environment: string | undefined;
  readonly baseUrl: string | undefined;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly endedAt: number;
  readonly durationMs: number;
  readonly exitCode: ExitCode;
  /** Stable code of the error that ended the run. */
  readonly errorCode: string | undefined;
  /** Requests left of the setting monthly-requests; undefined if it is not set or the count is unknown. */
  readonly monthlyLeft: number | undefined;
  /** Milliseconds since the key was stored; undefined for a key that is not stored. */
  readonly keyAgeMs: number | undefined;
}

/** Whether the run completed and nothing matched. */
export const isSuccess = ({ exitCode }: ListReport) => exitCode === ExitCode.ok;

/**
 * Whether the run went through its whole list: each row has an answer or will never have one. Failed rows and matching rules do not
 * count: a gate that matches every night does not make the list outdated.
 */
export const isComplete = ({ exitCode }: ListReport) => COMPLETE.some((code) => code === exitCode);

const COMPLETE = [ExitCode.ok, ExitCode.rows, ExitCode.matched];

/** At most this much of the previous file is read; riskcli writes far less. */
export const MAX_PREVIOUS_BYTES = 1024 * 1024;
