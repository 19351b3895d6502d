/** How a list ended, as one JSON document (`--summary`). Names are stable; what the run did not reach is null. */
import { jsonText } from '../../document/write.ts';
import type { ExitCode } from '../../errors.ts';
import type { Status } from '../../row/row.ts';
import { withholdSecrets } from '../../secrets/withhold.ts';

/** What the run counted; undefined for what it did not reach. */
export interface ListFigures {
  /** All rows of the list by status; rows that were not reached are `pending`. */
  readonly rows?: Readonly<Record<Status, number>>;
  /** For every rule, by its name or the text of its condition, including those that matched nothing. */
  readonly matched?: readonly { readonly rule: string; readonly rows: number; readonly unjudged: number }[];
  readonly requests?: number;
  /** Requests that the service answered with 429. */
  readonly refusals?: number;
}

export interface ListEnd extends ListFigures {
  readonly exitCode: ExitCode;
  /** Stable code of the error that ended the run. */
  readonly errorCode: string | undefined;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly endedAt: number;
  readonly durationMs: number;
}

export function listSummary(end: ListEnd): string {
  const { exitCode, errorCode = null, startedAt, endedAt, durationMs } = end;
  const { rows = null, matched, requests = 0, refusals = 0 } = end;
  const document = {
    exit_code: exitCode,
    error_code: errorCode,
    started_at: new Date(startedAt).toISOString(),
    ended_at: new Date(endedAt).toISOString(),
    duration_seconds: durationMs / 1000,
    rows,
    matched: matched?.map(({ rule, ...counts }) => ({ rule: withholdSecrets(rule), ...counts })) ?? null,
    requests,
    rate_limited_requests: refusals,
  };
  return jsonText(document);
}
