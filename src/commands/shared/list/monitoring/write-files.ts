/** Writes the outcome of a run into the files of --metrics and --summary. */
import { basename } from 'node:path';
import { exitCodeOf, graverError } from '../../../../cli/messages.ts';
import type { Context } from '../../../../context.ts';
import { ExitCode, ReaderGoneError, RiskcliError } from '../../../../errors.ts';
import { writeTarget } from '../../../../files/target.ts';
import { listMetrics } from '../../../../output/monitoring/list-metrics.ts';
import type { ListFigures, ListReport } from '../../../../output/monitoring/list-report.ts';
import { listSummary } from '../../../../output/monitoring/list-summary.ts';
import { PROMETHEUS_MODE } from '../../../../output/monitoring/prometheus.ts';
import { withholdApiKeys } from '../../../../secrets/api-key.ts';
import { monthlyUse } from '../../../../session/key-usage.ts';
import { baseUrlText } from '../../../../settings/base-url.ts';
import type { StoredKey } from '../../../../settings/files.ts';
import type { KeyDescription } from '../../../../settings/key/lookup.ts';
import type { ResolvedRun } from '../../../../settings/resolve.ts';
import type { RunFacts } from '../options.ts';
import { type MonitoringFile, readPrevious } from './monitoring-files.ts';

export interface RunEnd {
  readonly known: RunFacts;
  readonly error: unknown;
  readonly startedAt: number;
  readonly durationMs: number;
  readonly context: Context;
}

/** The counts of a run that has not ended are left out. */
const UNCOUNTED = { requests: undefined, refusals: undefined };

/** Writes `files` for a run that was told to end and has not ended yet. Never throws: if it does end, they are written again. */
export async function writeEarly(files: readonly MonitoringFile[], end: RunEnd): Promise<void> {
  const known = { ...end.known, ...UNCOUNTED };
  for (const file of files) await writeOne(file, readPrevious(file.path), { ...end, known });
}

/** Writes `files`. @returns the error with which the run ends, which may be a failure to write them */
export async function writeFiles(files: readonly MonitoringFile[], end: RunEnd): Promise<unknown> {
  const written: (readonly [MonitoringFile, previous: string])[] = [];
  let { error } = end;
  for (const [file, previous] of files.map((file) => [file, readPrevious(file.path)] as const)) {
    const failure = await writeOne(file, previous, { ...end, error });
    if (failure === undefined) written.push([file, previous]);
    else error = endWith(error, failure, end.context);
  }
  // What was written before another file could not be does not have the exit code yet.
  if (exitCodeWith(error) !== exitCodeWith(end.error)) {
    for (const [file, previous] of written) await writeOne(file, previous, { ...end, error });
  }
  return error;
}

/** The graver of two errors, with which the run ends; the other is reported as a warning. */
function endWith(error: unknown, failure: unknown, { report }: Context): unknown {
  const gravest = graverError(error, failure);
  const other = gravest === error ? failure : error;
  if (other instanceof RiskcliError && !(gravest instanceof ReaderGoneError)) report.warn(other.message);
  return gravest;
}

const exitCodeWith = (error: unknown) => (error === undefined ? ExitCode.ok : exitCodeOf(error));

/** @param previous what an earlier run has left in the file. @returns why it could not be written. */
async function writeOne({ flag, path }: MonitoringFile, previous: string, end: RunEnd): Promise<unknown> {
  const { context } = end;
  const report = await makeReport(end);
  try {
    if (flag === 'summary') {
      await writeTarget(listSummary(report, previous), { output: path, host: context });
    } else {
      const text = listMetrics(report, { list: basename(path, '.prom'), previous });
      await writeTarget(text, { output: path, mode: PROMETHEUS_MODE, host: context });
    }
    return undefined;
  } catch (failure) {
    return failure;
  }
}

async function makeReport({ known, error, startedAt, durationMs, context }: RunEnd): Promise<ListReport> {
  const { settings, ...figures } = known;
  // A run that is over does not wait for a pipe.
  const key = await settings?.describeKey({ waits: false }).catch(() => undefined);
  const code = error instanceof RiskcliError ? error.code : 'fault';
  return {
    // Nothing is sent before the run gets as far as counting it.
    requests: 0,
    refusals: 0,
    ...figures,
    ...withoutKey(figures, key?.value),
    environment: settings?.isSandbox ? 'sandbox' : settings?.environment.value,
    baseUrl: settings && unlessUnknown(() => (settings.isSandbox ? undefined : baseUrlText(settings.baseUrl().value))),
    startedAt,
    endedAt: context.now(),
    durationMs,
    exitCode: exitCodeWith(error),
    errorCode: error === undefined ? undefined : code,
    monthlyLeft: settings && key && monthlyLeft({ settings, context }, key, figures),
    keyAgeMs: settings?.isSandbox ? undefined : keyAge(key?.stored, context),
  };
}

/** Rules may be called by their text, and somebody may have typed the key into one. */
function withoutKey({ matched, unseen }: ListFigures, key: string | undefined): ListFigures {
  const safe = (text: string) => withholdApiKeys(text, [key]);
  return {
    ...(matched && { matched: matched.map(({ rule, ...counts }) => ({ rule: safe(rule), ...counts })) }),
    ...(unseen && {
      unseen: unseen.map(({ rule, condition, value, ...rest }) => ({
        ...rest,
        rule: rule && safe(rule),
        condition: { ...condition, text: safe(condition.text) },
        value: safe(value),
      })),
    }),
  };
}

/** Undefined where requests are not counted on disk: this run alone has then sent more than the count says. */
function monthlyLeft(run: ResolvedRun, key: KeyDescription, { requests = 0 }: ListFigures): number | undefined {
  const use = run.settings.isSandbox ? undefined : unlessUnknown(() => monthlyUse(run, key));
  return use && use.sent >= requests ? Math.max(0, use.allowed - use.sent) : undefined;
}

function keyAge(stored: StoredKey | undefined, { now }: Context): number | undefined {
  // When a command was stored says nothing about the key that it prints.
  const storedAt = Date.parse((!stored?.command && stored?.storedAt) || '');
  return Number.isNaN(storedAt) ? undefined : Math.max(0, now() - storedAt);
}

/** What `find` returns; undefined if settings are wrong, which has already ended the run. */
export function unlessUnknown<T>(find: () => T): T | undefined {
  try {
    return find();
  } catch {
    return undefined;
  }
}
