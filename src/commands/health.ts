/** `riskcli health`: is the service up, how fast is it, and is its clock right? For people, cron and monitoring systems. */

import { chooseFormat } from '../cli/choose-format.ts';
import { command, type Options } from '../cli/command.ts';
import { formatDuration } from '../cli/duration.ts';
import { duration } from '../cli/flag.ts';
import { exitCodeOf } from '../cli/messages.ts';
import type { Context } from '../context.ts';
import type { ErrorCode } from '../error-codes.ts';
import {
  type ExitCode,
  ReaderGoneError,
  RiskcliError,
  SignalError,
  TemporaryError,
  UntrustedError,
  UsageError,
} from '../errors.ts';
import { type HealthReport, isSkewed, isSlow, skewWords } from '../output/monitoring/health-report.ts';
import { NAGIOS_EXIT } from '../output/monitoring/nagios.ts';
import type { Session } from '../session/open-session.ts';
import { baseUrlText } from '../settings/base-url.ts';
import { resolveSettings } from '../settings/resolve.ts';
import { roughDuration } from '../text/words.ts';
import { deliverHealth, HEALTH_FORMATS } from './health-output.ts';
import { formatFlags, headerFlag, outputFlag, SANDBOX_FORM, serviceFlags } from './shared/flags.ts';

/** Half of the 10 s that a monitoring plugin is usually given. */
const DEADLINE_MS = 5_000;
/** Pause between two tries of --wait. */
const RETRY_MS = 1_000;
/** Time for the last try of --wait when its time is up: enough for a service that is up. */
const LAST_LOOK_MS = 250;

const flags = {
  warning: duration({ short: 'w', value: 'DURATION', help: 'nagios only: a slower answer is a warning' }),
  critical: duration({
    short: 'c',
    value: 'DURATION',
    help: 'a slower answer is a failure (exit 5; nagios: critical)',
  }),
  maxSkew: duration({ value: 'DURATION', help: 'a clock that is further off is also a failure' }),
  wait: duration({ value: 'DURATION', help: 'retry until healthy, for at most this long' }),
  ...formatFlags(HEALTH_FORMATS),
  output: outputFlag,
  header: headerFlag,
  ...serviceFlags,
};

export const health = command({
  description: `Check that the service is up. No key is needed and none is sent. The service is
healthy when it answers 200 with the body that its API defines. Without
thresholds, latency and clock are reported but not judged. With --format nagios
the exit code is 0 to 3, as monitoring systems expect.

With --json and --csv standard output has a status whatever it is: "ok", "slow"
(healthy, but slower than --critical), "down" or "unknown" (no check could be
made); error_code and error say why. A wrong command line alone leaves it empty.
-o FILE is written in every case and format.`,
  flags,
  forms: [SANDBOX_FORM],
  examples: [
    { line: 'riskcli health --base-url https://api.example.com', does: 'At a glance' },
    { line: 'riskcli health -q --critical 3s > /dev/null || notify-on-call', does: 'Cron: silent while all is well' },
    { line: 'riskcli health --format nagios -w 1s -c 3s', does: 'Nagios, Icinga' },
    { line: 'riskcli health -o /var/lib/node_exporter/riskcli.prom', does: 'Prometheus textfile collector' },
    { line: 'riskcli health --wait 60s', does: 'In a deployment: wait until the service is up' },
  ],
  excessHint: 'give the address with --base-url',
  rescue: (error, { options, context }) => rescue(error, options, context),
  run: check,
});

type HealthFlags = Options<typeof flags>;
type HealthOptions = ReturnType<typeof healthOptions>;

/** @throws UsageError for two formats, and for thresholds that contradict each other */
function healthOptions(flags: HealthFlags) {
  const { warning, critical } = flags;
  if (warning !== undefined && critical !== undefined && warning > critical) {
    const thresholds = `--warning ${formatDuration(warning)} is above --critical ${formatDuration(critical)}`;
    throw new UsageError(`${thresholds}, so there would be no warnings`, {
      hint: 'give --warning the shorter duration, as in --warning 1s --critical 3s',
    });
  }
  return { ...flags, format: chooseFormat(flags, { choices: HEALTH_FORMATS }) };
}

interface HealthFinding {
  readonly report: HealthReport;
  /** What the exit code comes from: usually a RiskcliError. */
  readonly error?: unknown;
}

/** A service that is down is a result, and so is a check that could not be made: neither throws. */
async function check(flags: HealthFlags, context: Context): Promise<ExitCode | undefined> {
  const options = healthOptions(flags);
  const { format, output, env } = options;
  if (env !== undefined) resolveSettings({ env }, context);
  if (options.warning !== undefined && format !== 'nagios') {
    context.report.hint('--warning has an effect only with --format nagios; use --critical in the other formats');
  }
  const isForFile = output !== undefined && output !== '-';
  if (isForFile) {
    const { checkTarget } = await import('../files/target.ts');
    await checkTarget({ output }, context);
  }
  const { report, error } = await tryCheck(options, context);
  // An interrupted check leaves a file as the last complete check wrote it.
  const isKept = error instanceof SignalError && isForFile && format !== 'nagios';
  const exitCode = isKept ? undefined : await deliverHealth(report, options, context);
  if (exitCode !== undefined || !error) return exitCode;
  context.report.error(error);
  return exitCodeOf(error);
}

/** With settings that cannot be read, or without a network, there is no check, and the report says so. */
async function tryCheck(options: HealthOptions, context: Context): Promise<HealthFinding> {
  try {
    return await checkService(options, context);
  } catch (error) {
    return { report: unmade(error, options, context), error };
  }
}

async function checkService(options: HealthOptions, context: Context): Promise<HealthFinding> {
  const settings = resolveSettings(options, context);
  const { value, source } = settings.timeoutMs;
  const deadlineMs = source === 'default' ? Math.max(DEADLINE_MS, options.critical ?? 0) : value;
  const { openSession } = await import('../session/open-session.ts');
  const session = await openSession({ settings, context }, {});
  const checkOnce = (timeoutMs: number) => ask(session, options, { signal: context.signal(), timeoutMs });
  try {
    return options.wait === undefined
      ? await checkOnce(deadlineMs)
      : await untilHealthy(checkOnce, { waitMs: options.wait, deadlineMs, context });
  } finally {
    await session.close();
  }
}

/** Tries again for as long as --wait says: no try gets more time than is left. */
async function untilHealthy(
  checkOnce: (timeoutMs: number) => Promise<HealthFinding>,
  { waitMs, deadlineMs, context }: { readonly waitMs: number; readonly deadlineMs: number; readonly context: Context },
): Promise<HealthFinding> {
  const end = context.monotonic() + waitMs;
  const leftMs = () => end - context.monotonic();
  let finding: HealthFinding | undefined;
  let tries = 0;
  for (;;) {
    const timeoutMs = Math.min(deadlineMs, Math.max(leftMs(), LAST_LOOK_MS));
    const found = await checkOnce(timeoutMs);
    // A timeout of a try that had less time than usual says less than the try before it.
    const isCut = timeoutMs < deadlineMs && found.report.error?.code === 'timeout';
    finding = isCut ? (finding ?? found) : found;
    if (finding.report.healthy || leftMs() <= 0) return finding;
    const message = finding.report.error?.message;
    // `2s`, not `2.0s`: it was typed, not measured.
    const limit = roughDuration(waitMs).replace(/\.0s$/, 's');
    if (tries++ === 0) context.report.hint(`waiting up to ${limit} for the service: ${message}`);
    context.report.verbose(`${message}; trying again`);
    await context.sleep(Math.min(RETRY_MS, leftMs()), context.signal());
  }
}

async function ask(
  { client, baseUrl }: Session,
  { warning, critical, maxSkew }: HealthOptions,
  limits: { readonly signal: AbortSignal; readonly timeoutMs: number },
): Promise<HealthFinding> {
  const known = { baseUrl: baseUrlText(baseUrl), warningMs: warning, criticalMs: critical, maxSkewMs: maxSkew };
  try {
    const { timestamp, latencyMs, clockOffsetMs } = await client.health(limits);
    return findingOf({ ...known, healthy: true, timestamp, latencyMs, clockOffsetMs });
  } catch (error) {
    // Any other error says nothing about the service, and another try would not change it.
    if (!(error instanceof TemporaryError || error instanceof UntrustedError)) throw error;
    const isUnmade = error instanceof TemporaryError && error.isOfThisMachine;
    return { error, report: { ...known, healthy: isUnmade ? undefined : false, error } };
  }
}

/** A service that is up may still be too slow, or its clock may be wrong. */
function findingOf(report: HealthReport): HealthFinding {
  const { latencyMs = 0, clockOffsetMs = 0, criticalMs = 0, maxSkewMs = 0 } = report;
  const found = (code: ErrorCode, message: string, hint: string) => {
    const error = new TemporaryError(message, { code, hint });
    return { report: { ...report, error }, error };
  };
  if (isSlow(report)) {
    const message = `the service took ${Math.round(latencyMs)} ms, more than --critical ${formatDuration(criticalMs)}`;
    return found('slow', message, 'run it again with -v to see more, or raise --critical');
  }
  if (isSkewed(report)) {
    const message = `the service's clock is ${skewWords(clockOffsetMs)} this machine's, more than --max-skew ${formatDuration(maxSkewMs)}`;
    return found('clock_skew', message, 'let the system set its clock from the network (NTP), or raise --max-skew');
  }
  return { report };
}

/**
 * After a wrong command line or an output that could not be written: nagios gets its one line on stdout in every case
 * (UNKNOWN, 3), and a file must not keep the result of an earlier check. Otherwise the error is all there is to print.
 */
async function rescue(error: unknown, flags: Partial<HealthFlags>, context: Context): Promise<ExitCode | undefined> {
  const { output = '-', header = true } = flags;
  const isNagios = flags.format === 'nagios';
  if (!isNagios && (error instanceof ReaderGoneError || error instanceof SignalError)) return undefined;
  // Before the format is chosen, which may fail: the error names the environment and the base URL as far as they are known.
  const report = unmade(error, flags, context);
  const format = isNagios ? 'nagios' : chooseFormat(flags, { choices: HEALTH_FORMATS });
  if (output === '-' && !isNagios && format !== 'prometheus') return undefined;
  const deliver = (output: string) => deliverHealth(report, { format, output, header }, context);
  // Where not even the file can be written, the line on stdout is all there is.
  await deliver(output).catch(() => (isNagios ? deliver('-').catch(() => {}) : undefined));
  return isNagios ? NAGIOS_EXIT.UNKNOWN : undefined;
}

/** The report of a check that could not be made because of `error`. */
function unmade(error: unknown, flags: Partial<HealthFlags>, context: Context): HealthReport {
  const { code, message, hint } =
    error instanceof RiskcliError ? error : { code: 'fault', message: 'internal error in riskcli', hint: undefined };
  return { baseUrl: knownBaseUrl(flags, context), healthy: undefined, error: { code, message, hint } };
}

/** The base URL, as far as it can be told: a series in Prometheus is known by it. */
function knownBaseUrl(flags: Partial<HealthFlags>, context: Context): string | undefined {
  try {
    return flags.sandbox ? undefined : baseUrlText(resolveSettings(flags, context).baseUrl().value);
  } catch {
    return undefined;
  }
}
