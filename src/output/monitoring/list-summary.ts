/**
 * How a list ended, as one JSON document (`--summary`). Names are stable; what the run did not
 * reach is null.
 */
import { jsonText } from '../../document/write.ts';
import type { ExitCode } from '../../errors.ts';
import type { ListRemark } from '../../lists/list.ts';
import type { Status } from '../../row/row.ts';
import type { RuleCounts } from '../../rules/rule-counts.ts';
import type { Level } from '../../rules/rules.ts';
import { redactSecrets } from '../../secrets/redact.ts';

/** What the run counted; undefined for what it did not reach. */
export interface ListFigures {
  /** All rows of the list by status; rows that were not reached are `pending`. */
  readonly rows?: Readonly<Record<Status, number>>;
  /**
   * For every rule, by its name or the text of its condition, including those that matched nothing.
   */
  readonly byRule?: ReturnType<RuleCounts<unknown>['byRule']>;
  /** Remarks on the list itself: lines that are not rows, cells that were redacted. */
  readonly list?: readonly ListRemark[] | undefined;
  readonly requests?: number;
  /** Requests that the service answered with 429. */
  readonly refusals?: number;
}

export interface SummarizedList extends ListFigures {
  readonly exitCode: ExitCode;
  /** Stable code of the error that ended the run. */
  readonly errorCode: string | undefined;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly endedAt: number;
  readonly durationMs: number;
}

export function listSummary(end: SummarizedList): string {
  const { exitCode, errorCode = null, startedAt, endedAt, durationMs } = end;
  const { rows = null, list, byRule, requests = 0, refusals = 0 } = end;
  const document = {
    exit_code: exitCode,
    error_code: errorCode,
    started_at: new Date(startedAt).toISOString(),
    ended_at: new Date(endedAt).toISOString(),
    duration_seconds: durationMs / 1000,
    rows,
    list_notes: list?.map(noteDocument) ?? null,
    matched: ruleDocuments(byRule, 'alarm') ?? null,
    ...(byRule?.some(({ level }) => level === 'watch') && { watched: ruleDocuments(byRule, 'watch') }),
    requests,
    rate_limited_requests: refusals,
  };
  return jsonText(document);
}

const ruleDocuments = (byRule: ListFigures['byRule'], wanted: Level) =>
  byRule
    ?.filter(({ level }) => level === wanted)
    .map(({ rule, rows, unjudged }) => ({ rule: redactSecrets(rule), rows, unjudged }));

const noteDocument = ({ code, count, firstLine, what, remedy }: ListRemark) => ({
  code,
  count,
  first_line: firstLine ?? null,
  note: `${what}; ${remedy}`,
});
