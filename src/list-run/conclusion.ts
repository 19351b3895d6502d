/** The end of a list: one line that says what happened, with the counts, and the exit code. */

import type { Context } from '../context.ts';
import {
  ExitCode,
  FindingError,
  graverError,
  gravest,
  ReaderGoneError,
  RiskcliError,
  type RowCounts,
  UsageError,
} from '../errors.ts';
import { accountFor } from '../output/terminal/summary.ts';
import type { FieldSelection } from '../paths/fields.ts';
import { hasColumns, type ListFormat } from '../row/formats.ts';
import { STATUSES, type Status } from '../row/row.ts';
import type { RowJudge } from '../rules/row-judge.ts';
import { isoSeconds } from '../text/when.ts';
import { counted, countWords } from '../text/words.ts';
import { exitCodes, stopReasons } from './outcome.ts';
import type { ListEnd } from './run-list.ts';

interface Facts {
  readonly context: Context;
  readonly judged: Pick<RowJudge, 'alarmError'> & { readonly paths: Pick<RowJudge['paths'], 'missingPathsError'> };
  readonly accept: ReadonlySet<Status>;
  /** The format of the output, whose rows say why they have no answer. */
  readonly format: ListFormat;
  readonly selection?: FieldSelection;
  /** The journal of the answers, if there is one. */
  readonly journal: string | undefined;
  /** Whether answers that were used again are not reported. */
  readonly isQuiet?: boolean;
  /**
   * How long after the newest answer the same command still continues, milliseconds; undefined for
   * ever.
   */
  readonly maxAge?: number | undefined;
  /** The noun of the counts, in place of the rows of the list. */
  readonly counts?: RowCounts | undefined;
}

/**
 * The error with which a list ends; undefined when all that was asked was answered. Also reports
 * what was reused.
 */
export function concludeList(end: ListEnd, facts: Facts): unknown {
  if (!facts.isQuiet) reportReuse(end, facts);
  const stops = [...stopReasons(end), ...end.faults];
  const main = [...stops, facts.judged.paths.missingPathsError(), finding(end, facts)].reduce(graverError, undefined);
  // When the reader has gone, nobody would read more; an internal error is reported whole.
  if (!(main instanceof RiskcliError) || main instanceof ReaderGoneError) return main;
  // The reason of the stop is named even if a more severe error decides the exit code.
  const also = stops.filter((error): error is RiskcliError => error instanceof RiskcliError && error !== main);
  const errors = [main, ...also];
  const { exitCode, code, httpStatus, isResumable } = main;
  const counts = facts.counts ?? countsByStatus(end);
  const resume = end.stop && resumeHint(errors, end, facts);
  // The same command may send as many requests again.
  const unsolved = errors.filter(({ code }) => code !== 'max_requests' || !resume);
  const hints = [...unsolved.map(({ hint }) => hint), resume];
  const messages = [...new Set(errors.map(({ message }) => message))];
  const rows = countWords(STATUSES.map((status) => [status, counts[status]])) || 'no rows';
  return new FindingError(`${messages.join(', and ')} (${rows})`, {
    hint: [...new Set(hints.filter(Boolean))].join('; ') || undefined,
    counts,
    resumeAt: errors.find(({ resumeAt }) => resumeAt !== undefined)?.resumeAt,
    ...{ exitCode, code, httpStatus, isResumable, cause: main },
  });
}

/** The error that the rows of a list amount to; undefined if all is well. */
function finding(
  end: ListEnd,
  { accept, judged, format, selection, journal, maxAge }: Facts,
): FindingError | undefined {
  const codes = new Set(exitCodes({ ...end, stop: undefined }, accept));
  const alarm = judged.alarmError();
  if (alarm) codes.add(ExitCode.matched);
  const exitCode = gravest(codes);
  const why = `${selection?.fields && !selection.keepsDefaults ? 'without --fields ' : ''}${whyIn(format)} says why`;
  switch (exitCode) {
    case ExitCode.ok:
      return undefined;
    case ExitCode.matched:
      return alarm;
    case ExitCode.untrusted: {
      const message = `some answers cannot be trusted${because(end.reasons.untrusted)}`;
      return new FindingError(message, { exitCode, code: 'untrusted', hint: `${why}; check the base URL` });
    }
    case ExitCode.temporary: {
      const unkept = journal === undefined ? '; with --journal FILE it would ask only for these' : '';
      // A kept review is paid with on its own day only.
      const kept = `${maxAge === undefined ? '' : ' on the same UTC day'} to ask only for these`;
      const hint = `run the same command again${end.isKept ? kept : unkept}`;
      const message = `some rows got no answer${because(end.reasons.temporary)}`;
      return new FindingError(message, { exitCode, code: 'temporary', hint, isResumable: true });
    }
    default:
      return new FindingError(rowsWords(end, accept), { exitCode, code: 'rows', hint: why });
  }
}

/** What the rows are that have no answer and are not accepted. */
function rowsWords({ counts }: ListEnd, accept: ReadonlySet<Status>): string {
  const [isRefused, isInvalid] = (['failed', 'invalid'] as const).map((one) => counts[one] > 0 && !accept.has(one));
  if (isRefused && isInvalid) return 'some rows were refused, and some are not wallets';
  return isInvalid ? 'some rows are not wallets' : 'some rows were refused';
}

/** The reason of the first. */
const because = ([first]: readonly string[]) => (first === undefined ? '' : `: ${first}`);

/** The part of the output that says why a row has no answer. */
const whyIn = (format: ListFormat) =>
  format === 'table' ? 'the output' : hasColumns(format) ? 'column `error`' : '`_meta.error`';

/** The rows by status; after a stop those that were not reached are pending. */
export const countsByStatus = ({ counts, stop, total }: ListEnd) => accountFor(counts, stop && total).byStatus;

/** The hint after a stop. */
function resumeHint(errors: readonly RiskcliError[], { isKept, counts, newestAnsweredAt }: ListEnd, facts: Facts) {
  const { journal, maxAge } = facts;
  const hasAnswers = counts.scored + counts.no_score > 0;
  if (!isKept)
    return hasAnswers && journal === undefined
      ? 'no answers were kept: add --journal FILE to be able to resume'
      : undefined;
  // After a wrong path the same command would stop at the same place.
  const isWrong = errors.some((error) => error instanceof UsageError);
  const isSaid = errors.some((error) => error.isResumable);
  const until = hasAnswers && maxAge !== undefined ? ` until ${isoSeconds(newestAnsweredAt + maxAge)}` : '';
  if (isWrong) return 'the corrected command continues with the answers kept';
  if (isSaid) return until && `answers are reused${until}`;
  return `run the same command again${until} to resume`;
}

/** Reports how many answers of an earlier run were reused. */
export function reportReuse({ reused, oldestReused }: ListEnd, { context }: Pick<Facts, 'context'>): void {
  if (reused === 0 || oldestReused === undefined) return;
  const oldest = new Date(oldestReused).toISOString();
  const which = reused === 1 ? '' : 'the oldest ';
  context.report.info(`reused ${counted(reused, 'earlier answer')}, ${which}from ${oldest}`);
}
