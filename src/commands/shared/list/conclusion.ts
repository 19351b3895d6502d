/** How a list ends: one line that says what happened, with the counts, and the exit code. */

import type { ListFormat } from '../../../cli/formats.ts';
import { graverError } from '../../../cli/messages.ts';
import type { ErrorCode } from '../../../error-codes.ts';
import { ExitCode, FindingError, gravest, ReaderGoneError, RiskcliError, UsageError } from '../../../errors.ts';
import { shownPath } from '../../../files/file-error.ts';
import { exitCodes, stopReasons } from '../../../list-run/outcome.ts';
import type { ListEnd } from '../../../list-run/run-list.ts';
import { accountFor } from '../../../output/terminal/summary.ts';
import { matchedHint, matchedSummary } from '../../../row/matches.ts';
import { STATUSES } from '../../../row/row.ts';
import { isAlarm } from '../../../row/rule-counts.ts';
import { grouped } from '../../../text/words.ts';
import type { JudgedRows } from '../judged-rows.ts';
import type { ListOptions, ListRun } from './options.ts';

interface Facts extends Pick<ListRun, 'context'> {
  readonly options: Pick<ListOptions, 'accept' | 'format' | 'selection'>;
  readonly judged: JudgedRows;
  /** Where the answers are kept, if they are. */
  readonly journal: string | undefined;
}

/** The error of `outcome`; undefined when all that was asked was answered. Also reports what was reused. */
export function concludeList(end: ListEnd, facts: Facts): unknown {
  reportReuse(end, facts);
  return end.faults.reduce(endOfBoth, errorOf(end, facts));
}

function errorOf(outcome: ListEnd, facts: Facts): unknown {
  const codes = new Set(exitCodes(outcome, facts.options.accept));
  const missing = facts.judged.view.missingFields();
  if (missing) codes.add(missing.exitCode);
  if (isAlarm(facts.judged.matches.counts)) codes.add(ExitCode.matched);
  const exitCode = gravest(codes);
  if (exitCode === ExitCode.ok) return undefined;
  const reasons: RiskcliError[] = [];
  for (const reason of stopReasons(outcome)) {
    // When the reader has gone, nobody would read more; an internal error is reported whole.
    if (reason instanceof ReaderGoneError || !(reason instanceof RiskcliError)) return reason;
    reasons.push(reason);
  }
  const stop = reasons.find((reason) => reason.exitCode === exitCode);
  const main = stop ?? (missing?.exitCode === exitCode ? missing : finding(exitCode, outcome, facts));
  // What stopped the list is named even if a more severe error decides the exit code.
  const also = reasons.filter((reason) => reason !== main);
  return withWords(main, {
    message: `${withAlso(main.message, also)} (${labels(outcome)})`,
    hint: hintOf(main.hint, also, outcome.stop && resumeHint([main, ...also], outcome, facts)),
    counts: countsOf(outcome),
    resumeAt: main.resumeAt ?? also[0]?.resumeAt,
  });
}

/** The error of a list that has failed twice: the more severe one, with the message of the other if that was about a file. */
export function endOfBoth(one: unknown, other: unknown): unknown {
  const main = graverError(one, other);
  const also = main === one ? other : one;
  const isTold = also instanceof RiskcliError && also.exitCode === ExitCode.io;
  if (!isTold || !(main instanceof RiskcliError) || main instanceof ReaderGoneError) return main;
  return withWords(main, {
    message: withAlso(main.message, [also]),
    hint: hintOf(main.hint, [also]),
    counts: main.counts ?? also.counts,
  });
}

const withAlso = (message: string, also: readonly RiskcliError[]) =>
  [message, ...also.map((error) => error.message)].join(', and ');

function hintOf(hint: string | undefined, also: readonly RiskcliError[], next?: string): string | undefined {
  const hints = [hint, ...also.map((error) => error.hint), next];
  return [...new Set(hints.filter(Boolean))].join('; ') || undefined;
}

const CODES: Readonly<Partial<Record<number, ErrorCode>>> = {
  [ExitCode.rows]: 'rows',
  [ExitCode.temporary]: 'temporary',
  [ExitCode.untrusted]: 'untrusted',
  [ExitCode.matched]: 'fail_if',
};

/** What is told of a list that was not stopped. */
function finding(exitCode: ExitCode, { reasons, isKept }: ListEnd, { judged, options }: Facts): FindingError {
  const told = (message: string, hint: string | undefined) =>
    new FindingError(message, { exitCode, code: CODES[exitCode] ?? 'fault', hint, isResumable });
  const isResumable = exitCode === ExitCode.temporary;
  switch (exitCode) {
    case ExitCode.matched:
      return told(matchedSummary(judged.matches), matchedHint(judged.matches));
    case ExitCode.untrusted:
      return told(`some answers cannot be trusted${because(reasons.untrusted)}`, `${why(options)}; check the base URL`);
    case ExitCode.temporary:
      return told(
        `some rows got no answer${because(reasons.temporary)}`,
        `run the same command again${isKept ? ' to ask only for these' : '; with --journal FILE it would ask only for these'}`,
      );
    default:
      return told('some rows were refused, or are not wallets', why(options));
  }
}

/** The reason of the first. */
const because = ([first]: readonly string[]) => (first === undefined ? '' : `: ${first}`);

/** The field or column of each format that says why a row has no answer. */
const WHY = {
  csv: 'column `error`',
  json: '`_meta.error`',
  jsonl: '`_meta.error`',
  table: 'the output',
} as const satisfies Record<ListFormat, string>;

/** The output may have only the fields that --fields picked. */
const why = ({ format, selection: { fields, keepsDefaults } }: Facts['options']) =>
  `${fields && !keepsDefaults ? 'without --fields ' : ''}${WHY[format]} says why`;

/** `3 scored, 1 invalid, 6 pending`: the statuses that occur. */
function labels(outcome: ListEnd): string {
  const counts = countsOf(outcome);
  const parts = STATUSES.filter((status) => counts[status] > 0).map((status) => `${grouped(counts[status])} ${status}`);
  return parts.join(', ') || 'no rows';
}

const countsOf = ({ counts, stop, total }: ListEnd) => accountFor(counts, stop && total).byStatus;

/** How to go on after a stop. */
function resumeHint(errors: readonly RiskcliError[], { isKept, counts }: ListEnd, { journal }: Facts) {
  const hasAnswers = counts.scored + counts.no_score + counts.failed > 0;
  if (!isKept) return hasAnswers ? 'no answers were kept: add --journal FILE to be able to resume' : undefined;
  // After a wrong path the same command would stop at the same place.
  const isWrong = errors.some((error) => error instanceof UsageError);
  const isSaid = errors.some((error) => error.isResumable);
  const again = isWrong ? 'the corrected command continues with the answers kept' : 'rerun the same command to resume';
  const look =
    hasAnswers && journal !== undefined ? `riskcli journal export ${shownPath(journal)} prints what is kept` : '';
  return [isSaid ? '' : again, look].filter(Boolean).join('; ');
}

/** `error` with the message and hint of the one line with which the list ends. */
function withWords(
  error: RiskcliError,
  words: Pick<RiskcliError, 'message' | 'hint' | 'counts'> & Partial<Pick<RiskcliError, 'resumeAt'>>,
): FindingError {
  const { exitCode, code, httpStatus, resumeAt, isResumable } = error;
  const { message, ...rest } = words;
  return new FindingError(message, { exitCode, code, httpStatus, resumeAt, isResumable, cause: error, ...rest });
}

function reportReuse({ reused, oldestReused }: ListEnd, { context }: Facts): void {
  if (reused === 0 || oldestReused === undefined) return;
  const oldest = new Date(oldestReused).toISOString();
  context.report.info(`answers reused from the journal: ${grouped(reused)}, the oldest dated ${oldest}`);
}
