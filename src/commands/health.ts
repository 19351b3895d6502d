/** `riskcli health`: is the service up, how fast, and is its clock ours? Made for people, cron and monitoring systems. */
import type { Context } from '../context.ts';
import { ExitCode, RiskcliError, SignalError, TemporaryError } from '../errors.ts';
import type { HealthReport } from '../output/health-report.ts';
import { NAGIOS_EXIT, nagiosLine, nagiosState, nagiosUnknown } from '../output/nagios.ts';
import { writeAll } from '../output/stream.ts';
import { columnsOf } from '../output/text.ts';
import type { Client, HealthAnswer } from '../service/client.ts';
import { chooseFormat } from './choose-format.ts';
import type { CommandBody, FailedRun, Typed } from './command.ts';
import { formatFlags, OUTPUT_FLAGS, SERVICE_FLAGS } from './flags.ts';

const FORMATS = ['table', 'json', 'csv', 'nagios', 'prometheus'] as const;
type Format = (typeof FORMATS)[number];

/** A monitoring plugin is given about 10 s; a check that takes longer says nothing in time. */
const DEADLINE_MS = 5_000;
/** Pause between two tries of --wait. */
const RETRY_MS = 1_000;

export const health: CommandBody = {
  description: `Check that the service is up: no key is needed, none is sent. Healthy is a 200
whose body keeps the contract. Without thresholds the latency is reported, not
judged. With --format nagios the exit code is 0 to 3, as monitoring expects it.`,
  flags: [
    { long: 'warning', short: 'w', value: 'DURATION', help: 'slower is a warning (nagios only)' },
    { long: 'critical', short: 'c', value: 'DURATION', help: 'slower is a failure (exit 5; nagios: critical)' },
    { long: 'wait', value: 'DURATION', help: 'try again until healthy, this long' },
    ...formatFlags(FORMATS),
    ...OUTPUT_FLAGS,
    ...SERVICE_FLAGS,
  ],
  examples: [
    { line: 'riskcli health --base-url https://api.example.com', does: 'At a glance' },
    { line: 'riskcli health -q --critical 3s > /dev/null || notify-on-call', does: 'Cron: silent while all is well' },
    { line: 'riskcli health --format nagios -w 1s -c 3s', does: 'Nagios, Icinga' },
    { line: 'riskcli health -o /var/lib/node_exporter/riskcli.prom', does: 'Prometheus textfile collector' },
    { line: 'riskcli health --wait 60s', does: 'In a deployment: wait until the service is up' },
  ],
  excessHint: 'the address goes with --base-url',
  rescue: rescueNagios,
  run: check,
};

interface HealthOptions {
  readonly format: Format;
  readonly output: string | undefined;
  readonly header: boolean;
  readonly warningMs: number | undefined;
  readonly criticalMs: number | undefined;
  readonly waitMs: number;
  /** Time for one try. */
  readonly deadlineMs: number;
}

/** What `typed` means. */
export async function parseHealth(typed: Typed): Promise<HealthOptions> {
  const { parseDuration } = await import('../settings/duration.ts');
  const duration = (long: string) => {
    const text = typed.text(long);
    return text === undefined ? undefined : parseDuration(text, `--${long}`);
  };
  const criticalMs = duration('critical');
  return {
    format: chooseFormat(typed, { choices: FORMATS }),
    output: typed.text('output'),
    header: !typed.on('no-header'),
    warningMs: duration('warning'),
    criticalMs,
    waitMs: duration('wait') ?? 0,
    deadlineMs: duration('timeout') ?? Math.max(DEADLINE_MS, criticalMs ?? 0),
  };
}

interface Finding {
  readonly report: HealthReport;
  readonly answer?: HealthAnswer;
  readonly error?: RiskcliError;
}

async function check(typed: Typed, context: Context): Promise<ExitCode | undefined> {
  const options = await parseHealth(typed);
  const { connect } = await import('./connect.ts');
  const connection = await connect(typed, context, { authenticated: false, timeoutMs: options.deadlineMs });
  try {
    const finding = await untilHealthy(connection, { options, context });
    return await present(finding, { options, context });
  } finally {
    await connection.close();
  }
}

interface Stage {
  readonly options: HealthOptions;
  readonly context: Context;
}

async function untilHealthy(
  connection: { readonly client: Client; readonly baseUrl: URL },
  { options, context }: Stage,
): Promise<Finding> {
  const end = context.monotonic() + options.waitMs;
  for (;;) {
    const finding = await ask(connection, { options, context });
    if (finding.report.healthy || context.monotonic() + RETRY_MS > end) return finding;
    context.report.verbose(`${finding.report.message}; trying again`);
    await context.sleep(RETRY_MS, context.signal);
  }
}

async function ask(
  { client, baseUrl }: { readonly client: Client; readonly baseUrl: URL },
  { options, context }: Stage,
): Promise<Finding> {
  const known = {
    baseUrl: baseUrl.href.replace(/\/$/, ''),
    warningMs: options.warningMs,
    criticalMs: options.criticalMs,
  };
  try {
    const answer = await client.health({ signal: context.signal });
    const { latencyMs, clockOffsetMs } = answer;
    return { answer, report: { ...known, healthy: true, latencyMs, clockOffsetMs, message: '' } };
  } catch (error) {
    if (!(error instanceof RiskcliError) || error instanceof SignalError) throw error;
    if (error.exitCode !== ExitCode.temporary && error.exitCode !== ExitCode.untrusted) throw error;
    return { error, report: { ...known, healthy: false, message: error.message } };
  }
}

async function present(finding: Finding, stage: Stage): Promise<ExitCode | undefined> {
  const { options } = stage;
  if (options.format === 'nagios') {
    await deliver(nagiosLine(finding.report), stage);
    return NAGIOS_EXIT[nagiosState(finding.report)];
  }
  if (options.format === 'prometheus') {
    const { prometheusText } = await import('../output/prometheus.ts');
    await deliver(prometheusText(finding.report), stage);
  } else if (finding.answer) {
    await deliver(await renderRecord(finding, stage), stage);
  }
  if (finding.error) throw finding.error;
  const { latencyMs = 0, criticalMs = Number.POSITIVE_INFINITY } = finding.report;
  if (latencyMs <= criticalMs) return undefined;
  throw new TemporaryError(`the service took ${Math.round(latencyMs)} ms, --critical is ${criticalMs} ms`, {
    code: 'slow',
    hint: 'run it again with -v, or allow more',
  });
}

/** Readable by the exporter's user, whatever the umask of the job that writes it. */
const PROMETHEUS_MODE = 0o644;

async function deliver(text: string, { options, context }: Stage): Promise<void> {
  const { openTarget } = await import('../output/target.ts');
  const mode = options.format === 'prometheus' ? { mode: PROMETHEUS_MODE } : {};
  const target = await openTarget({ output: options.output, ...mode }, context);
  try {
    await target.write(text);
    await target.commit();
  } finally {
    await target.discard();
  }
}

async function renderRecord(finding: Finding, { options, context }: Stage): Promise<string> {
  const { renderRecords } = await import('../output/records.ts');
  const { answer, report } = finding;
  const milliseconds = (ms: number | undefined) => (ms === undefined ? null : Math.round(ms));
  const record = {
    status: answer?.status ?? null,
    timestamp: answer?.timestamp ?? null,
    clock_offset_ms: milliseconds(report.clockOffsetMs),
    latency_ms: milliseconds(report.latencyMs),
    base_url: report.baseUrl,
  };
  return renderRecords([record], {
    format: options.format === 'json' || options.format === 'csv' ? options.format : 'table',
    terminal: context.stdout.isTTY ?? false,
    width: columnsOf(context.stdout),
    header: options.header,
    single: true,
  });
}

/** In the nagios format the line stands on stdout in every case, wrong options and faults included (UNKNOWN, 3). */
async function rescueNagios(error: unknown, { typed, context }: FailedRun): Promise<ExitCode | undefined> {
  if (typed.text('format') !== 'nagios') return undefined;
  const words = error instanceof RiskcliError ? [error.message, error.hint] : ['a fault in riskcli'];
  await writeAll(context.stdout, nagiosUnknown(words.filter(Boolean).join('; '))).catch(() => {});
  return NAGIOS_EXIT.UNKNOWN;
}
