/**
 * Runs a list so that --metrics and --summary tell how it ended: well, badly, by a signal, or before it began. Nothing of
 * the run depends on them: they are written when rows and journal are in place.
 */
import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import type { ParsedArgs } from '../../../cli/command.ts';
import { exitCodeOf, graverError } from '../../../cli/messages.ts';
import type { Context } from '../../../context.ts';
import { ExitCode, ReaderGoneError, RiskcliError } from '../../../errors.ts';
import { writeTarget } from '../../../files/target.ts';
import { listMetrics } from '../../../output/monitoring/list-metrics.ts';
import type { ListFigures, ListReport } from '../../../output/monitoring/list-report.ts';
import { listSummary } from '../../../output/monitoring/list-summary.ts';
import { PROMETHEUS_MODE } from '../../../output/monitoring/prometheus.ts';
import { monthlyUse } from '../../../session/key-usage.ts';
import { baseUrlText } from '../../../settings/base-url.ts';
import { type ResolvedRun, resolveSettings, type Settings } from '../../../settings/resolve.ts';
import { judgeReports, type ReportFile, readPrevious } from './report-files.ts';
import type { Known, Tell } from './tell.ts';

interface Run {
  readonly typed: ParsedArgs;
  readonly context: Context;
}

/**
 * Does `work`, which tells what it learns, and writes the files that were typed.
 * @throws what `work` throws, or a failure to write that is graver.
 */
export async function reportRun<T>(run: Run, work: (tell: Tell) => Promise<T>): Promise<T> {
  const { typed, context } = run;
  // From here on a signal lets the run end in order: it has something to write.
  context.signal();
  const [startedAt, began] = [context.now(), context.monotonic()];
  const { files, refusal } = await judgeReports(typed, context);
  let known: Known = {};
  const tell: Tell = (more) => {
    known = { ...known, ...more };
  };
  if (refusal !== undefined) tell(settingsOf(run));
  const attempt = refusal === undefined ? work(tell) : Promise.reject(refusal);
  const { value, error } = await attempt.then(
    (value) => ({ value, error: undefined }),
    (error: unknown) => ({ value: undefined, error }),
  );
  const end = { known, error, startedAt, durationMs: context.monotonic() - began, context };
  const failure = await writeReports(files, end);
  if (failure !== undefined) throw failure;
  return value as T;
}

/**
 * Reports a run whose command line could not be read, as far as what was read names a file. Something that should have
 * been read may be the name of that very file, so that only what riskcli has written is replaced.
 */
export async function reportUnread(run: Run, error: unknown): Promise<void> {
  const { typed, context } = run;
  const { files } = await judgeReports(typed, context);
  const own = files.filter(({ path }) => !existsSync(path) || SIGNATURE.test(readPrevious(path)));
  await writeReports(own, { known: settingsOf(run), error, startedAt: context.now(), durationMs: 0, context });
}

/** Of a run that did not get as far as its settings. */
function settingsOf({ typed, context }: Run): Known {
  const settings = unlessUnknown(() => resolveSettings(typed, context));
  return settings ? { settings } : {};
}

/** How the files begin that riskcli writes. */
const SIGNATURE = /^(?:# HELP riskcli_list_|\{\n {2}"exit_code": )/;

/** How a run ended. */
interface End {
  readonly known: Known;
  readonly error: unknown;
  readonly startedAt: number;
  readonly durationMs: number;
  readonly context: Context;
}

/** A file, and what an earlier run has left in it. */
interface Slot extends ReportFile {
  readonly previous: string;
}

/** Writes `files`. @returns the error with which the run ends now. */
async function writeReports(files: readonly ReportFile[], end: End): Promise<unknown> {
  const written: Slot[] = [];
  let { error } = end;
  for (const slot of files.map((file) => ({ ...file, previous: readPrevious(file.path) }))) {
    const failure = await writeReport(slot, { ...end, error });
    if (failure === undefined) written.push(slot);
    else error = endWith(error, { failure, context: end.context });
  }
  // What was written before another file could not be does not have the exit code yet.
  if (exitCodeWith(error) !== exitCodeWith(end.error)) {
    for (const slot of written) await writeReport(slot, { ...end, error });
  }
  return error;
}

/** One error ends the run; the other is told, or it would be lost behind it. */
function endWith(
  error: unknown,
  { failure, context }: { readonly failure: unknown; readonly context: Context },
): unknown {
  const gravest = graverError(error, failure);
  const other = gravest === error ? failure : error;
  if (other instanceof RiskcliError && !(gravest instanceof ReaderGoneError)) context.report.notice(other.message);
  return gravest;
}

const exitCodeWith = (error: unknown) => (error === undefined ? ExitCode.ok : exitCodeOf(error));

/** @returns why it could not be written. */
async function writeReport({ flag, path, previous }: Slot, end: End): Promise<unknown> {
  const { context } = end;
  const report = makeReport(end);
  try {
    if (flag === 'summary') {
      await writeTarget(listSummary(report, previous), { output: path, host: context });
    } else {
      const text = listMetrics(report, { list: basename(path).replace(/\.prom$/i, ''), previous });
      await writeTarget(text, { output: path, mode: PROMETHEUS_MODE, host: context });
    }
    return undefined;
  } catch (failure) {
    return failure;
  }
}

function makeReport({ known, error, startedAt, durationMs, context }: End): ListReport {
  const { settings, ...figures } = known;
  const code = error instanceof RiskcliError ? error.code : 'fault';
  return {
    // Nothing is sent before the run gets as far as counting it.
    requests: 0,
    refusals: 0,
    ...figures,
    environment: settings?.isSandbox ? 'sandbox' : settings?.environment.value,
    baseUrl: settings && unlessUnknown(() => (settings.isSandbox ? undefined : baseUrlText(settings.baseUrl().value))),
    startedAt,
    endedAt: context.now(),
    durationMs,
    exitCode: exitCodeWith(error),
    errorCode: error === undefined ? undefined : code,
    monthlyLeft: settings && monthlyLeft({ settings, context }, figures),
    keyAgeMs: settings && keyAge(settings, context),
  };
}

/** Undefined where what was sent is not kept: this run alone has then sent more than is known. */
function monthlyLeft(run: ResolvedRun, { requests = 0 }: ListFigures): number | undefined {
  const use = unlessUnknown(() => monthlyUse(run));
  return use && use.sent >= requests ? Math.max(0, use.allowed - use.sent) : undefined;
}

function keyAge(settings: Settings, { now }: Context): number | undefined {
  if (settings.isSandbox) return undefined;
  const storedAt = Date.parse(unlessUnknown(() => settings.findKey())?.stored?.storedAt ?? '');
  return Number.isNaN(storedAt) ? undefined : Math.max(0, now() - storedAt);
}

/** What settings that are wrong keep from being known: that they are has ended the run. */
function unlessUnknown<T>(find: () => T): T | undefined {
  try {
    return find();
  } catch {
    return undefined;
  }
}
