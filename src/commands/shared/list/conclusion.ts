/** How a list ends: one line that says what happened, with the counts, and the exit code. */

import type { ListFormat } from '../../../cli/formats.ts';
import { graverError } from '../../../cli/messages.ts';
import type { ErrorCode } from '../../../error-codes.ts';
import { ExitCode, FindingError, gravest, ReaderGoneError, RiskcliError, UsageError } from '../../../errors.ts';
import { exitCodes, stopReasons } from '../../../list-run/outcome.ts';
import type { ListEnd } from '../../../list-run/run-list.ts';
import { accountFor } from '../../../output/terminal/summary.ts';
import { matchedHint, matchedSummary } from '../../../row/matches.ts';
import { STATUSES } from '../../../row/row.ts';
import { isAlarm } from '../../../row/rule-counts.ts';
import { areNotWallets, counted, grouped, verbFor } from '../../../text/words.ts';
import type { JudgedRows } from '../judged-rows.ts';
import type { ListOptions, ListRun } from './options.ts';

interface Facts extends Pick<ListRun, 'context'> {
  readonly options: Pick<ListOptions, 'accept' | 'format' | 'selection' | 'shape'>;
  readonly judged: JudgedRows;
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
  const main = reasons.find((reason) => reason.exitCode === exitCode);
  // What stopped the list is named even if a more severe error decides the exit code.
  const also = reasons.filter((reason) => reason !== main);
  if (main) return stopped(main, also, outcome);
  const byStatus = countWords(outcome);
  const words = (message: string) => `${withAlso(message, also)} (${byStatus})`;
  if (missing && exitCode === missing.exitCode) {
    return withStopWords(missing, {
      message: words(missing.message),
      hint: hintOf(missing.hint, also),
      counts: countsOf(outcome),
    });
  }
  return new FindingError(words(finding(exitCode, outcome, facts)), {
    exitCode,
    code: CODES[exitCode] ?? 'fault',
    counts: countsOf(outcome),
    resumeAt: also[0]?.resumeAt,
    hint: hintOf(resumeHint(exitCode, outcome, facts), also),
  });
}

/** The error of a list that has failed twice: the more severe one, with the message of the other if that was about a file. */
export function endOfBoth(one: unknown, other: unknown): unknown {
  const main = graverError(one, other);
  const also = main === one ? other : one;
  const isTold = also instanceof RiskcliError && also.exitCode === ExitCode.io;
  if (!isTold || !(main instanceof RiskcliError) || main instanceof ReaderGoneError) return main;
  return withStopWords(main, {
    message: withAlso(main.message, [also]),
    hint: hintOf(main.hint, [also]),
    counts: main.counts ?? also.counts,
  });
}

const withAlso = (message: string, also: readonly RiskcliError[]) =>
  [message, ...also.map((error) => error.message)].join(', and ');

function hintOf(hint: string | undefined, also: readonly RiskcliError[]): string | undefined {
  const hints = also.map((error) => error.hint);
  return [...new Set([hint, ...hints].filter(Boolean))].join('; ') || undefined;
}

const CODES: Readonly<Partial<Record<number, ErrorCode>>> = {
  [ExitCode.rows]: 'rows',
  [ExitCode.temporary]: 'temporary',
  [ExitCode.untrusted]: 'untrusted',
  [ExitCode.matched]: 'fail_if',
};

function resumeHint(exitCode: ExitCode, outcome: ListEnd, facts: Facts): string | undefined {
  const { judged } = facts;
  const why = whyWords(facts.options);
  switch (exitCode) {
    case ExitCode.matched:
      return matchedHint(judged.matches);
    case ExitCode.rows:
      // Refusals that may be about the key or the path rather than about these wallets.
      return outcome.isComplete || !outcome.isKept
        ? why
        : `${why}; run the same command again to retry those refused at the end`;
    case ExitCode.untrusted:
      return `${why}; check the base URL`;
    case ExitCode.temporary:
      return outcome.isKept
        ? 'run the same command again to ask only for these'
        : 'run the same command again; with --journal FILE it would ask only for these';
  }
}

/** The field or column of each format that says why a row has no answer. */
const WHY = {
  csv: 'column `error`',
  json: '`_meta.error`',
  jsonl: '`_meta.error`',
  table: 'the output',
} as const satisfies Record<ListFormat, string>;

function whyWords({ format, selection, shape }: Facts['options']): string {
  // The output may have only the fields that --fields picked.
  const isHidden = selection.fields && !selection.keepsDefaults;
  const place = isHidden ? `without --fields ${WHY[format]}` : WHY[format];
  const keeping = [...(shape.where ? ['--where'] : []), ...(shape.top === undefined ? [] : ['--top'])];
  const rows = keeping.length > 0 ? ` in rows that ${keeping.join(' and ')} ${verbFor(keeping.length, 'keeps')}` : '';
  return `${place} says why${rows}`;
}

function finding(exitCode: ExitCode, outcome: ListEnd, facts: Facts): string {
  const { failures, reasons, counts } = outcome;
  if (exitCode === ExitCode.matched) return matchedSummary(facts.judged.matches);
  if (exitCode === ExitCode.temporary) return `${rows(failures.temporary)} got no answer${because(reasons.temporary)}`;
  if (exitCode === ExitCode.untrusted)
    return `${rows(failures.untrusted)} got an answer that cannot be trusted${because(reasons.untrusted)}`;
  const parts = [
    ...(counts.invalid > 0 ? [notWallets(counts.invalid, outcome.total)] : []),
    ...(failures.refused > 0 ? [`the service refused ${rows(failures.refused)}`] : []),
  ];
  return parts.join(', and ');
}

/** The reason, if all have the same; else that of the first. */
function because([first, other]: readonly string[]): string {
  if (first === undefined) return '';
  return other === undefined ? `: ${first}` : `, the first because ${first}`;
}

const rows = (count: number) => counted(count, 'row');

/** @param total rows of the list; undefined when they were not counted */
function notWallets(count: number, total: number | undefined): string {
  const which = total === undefined ? rows(count) : `${grouped(count)} of ${rows(total)}`;
  return `${which} ${areNotWallets(count)}`;
}

/** `3 scored, 1 invalid, 6 pending`: the statuses that occur. */
function countWords(outcome: ListEnd): string {
  const counts = countsOf(outcome);
  const parts = STATUSES.filter((status) => counts[status] > 0).map((status) => `${counts[status]} ${status}`);
  return parts.join(', ') || 'no rows';
}

const countsOf = ({ counts, stop, total }: ListEnd) => accountFor(counts, stop && total).byStatus;

/** The reason for the stop, with the counts and how to go on. */
function stopped(reason: RiskcliError, also: readonly RiskcliError[], outcome: ListEnd): RiskcliError {
  const total = outcome.total === undefined ? '' : ` of ${grouped(outcome.total)}`;
  const { done } = accountFor(outcome.counts, outcome.total);
  const byStatus = countWords(outcome);
  const ownHint = hintOf(reason.hint, also);
  const isSaid = outcome.isKept && [reason, ...also].some((error) => error.isResumable);
  const hint = [ownHint, isSaid ? undefined : resumeWords(reason, outcome)].filter(Boolean).join('; ');
  const progress = `${grouped(done)}${total} rows done`;
  const why = withAlso(reason.message, also);
  const message =
    reason.kind === 'signal'
      ? `${why}: ${progress} (${byStatus})`
      : why.endsWith(')')
        ? `${why}, with ${progress} (${byStatus})`
        : `${why} (${progress}: ${byStatus})`;
  return withStopWords(reason, { message, hint, counts: countsOf(outcome) });
}

function resumeWords(reason: RiskcliError, { isKept, counts }: ListEnd): string | undefined {
  const hasAnswers = counts.scored + counts.no_score + counts.failed > 0;
  if (!isKept) return hasAnswers ? 'no answers were kept: add --journal FILE to be able to resume' : undefined;
  // The same command would stop at the same place.
  if (reason instanceof UsageError) return 'the answers are kept: the corrected command continues with them';
  return 'rerun the same command to resume';
}

/** `error` with the message and hint of the one line with which the list ends. */
function withStopWords(error: RiskcliError, words: Pick<RiskcliError, 'message' | 'hint' | 'counts'>): FindingError {
  const { exitCode, code, httpStatus, resumeAt, isResumable } = error;
  const { message, ...rest } = words;
  return new FindingError(message, { exitCode, code, httpStatus, resumeAt, isResumable, cause: error, ...rest });
}

function reportReuse({ reused, oldestReused }: ListEnd, { context }: Facts): void {
  if (reused === 0 || oldestReused === undefined) return;
  const date = new Date(oldestReused).toISOString();
  const answers =
    reused === 1
      ? `1 answer was reused from the journal, dated ${date}`
      : `${reused} answers were reused from the journal, the oldest dated ${date}`;
  context.report.info(answers);
}
