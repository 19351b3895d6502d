/**
 * `riskcli health`: is the service up, how fast is it, and is its clock right? For people, cron and
 * monitoring systems.
 */

import { command, type Options } from '../cli/command.ts';
import { duration, type ParsedArgs } from '../cli/flag.ts';
import type { Context } from '../context.ts';
import { type ExitCode, RiskcliError, SignalError, TemporaryError, UntrustedError } from '../errors.ts';
import { writeAll } from '../files/stream.ts';
import { checkTarget, writeTarget } from '../files/target.ts';
import { chooseFormat } from '../output/choose-format.ts';
import { type HealthReport, healthRecord, isSlow } from '../output/monitoring/health-report.ts';
import { NAGIOS_EXIT, nagiosLine, nagiosState, unknownLine } from '../output/monitoring/nagios.ts';
import { PROMETHEUS_MODE, prometheusText } from '../output/monitoring/prometheus.ts';
import { renderRecords } from '../output/records.ts';
import { sayWritten } from '../output/say-written.ts';
import { terminalOf } from '../output/terminal/terminal-of.ts';
import { openSession } from '../session/open-session.ts';
import { baseUrlText } from '../settings/base-url.ts';
import { resolveSettings } from '../settings/resolve.ts';
import { formatDuration } from '../settings/typed-values.ts';
import { formatFlags, outputFlag, serviceFlags } from './flags.ts';

/** Half of the 10 s that a monitoring plugin is usually given. */
const DEADLINE_MS = 5_000;

const HEALTH_FORMATS = ['table', 'json', 'nagios', 'prometheus'] as const;

const healthFlags = {
  warning: duration({ short: 'w', value: 'DURATION', help: 'nagios only: a slower answer is a warning' }),
  critical: duration({
    short: 'c',
    value: 'DURATION',
    help: 'a slower answer fails (exit 5; nagios: critical)',
  }),
  ...formatFlags(HEALTH_FORMATS),
  output: outputFlag,
  ...serviceFlags,
};

export const health = command({
  description: `Check that the service is up. No key is needed and none is sent. The service is
healthy when it answers 200 with the body that its API defines. Without
thresholds, latency and clock are reported but not judged. With --format nagios
the exit code is 0 to 3, as monitoring systems expect.

With --json, standard output always has a status: "ok", "slow" (healthy, but slower
than --critical), "down" or "unknown" (no check could be made); error_code and
error say why. Only a wrong command line leaves it empty.`,
  flags: healthFlags,
  examples: {
    'riskcli health --base-url https://api.example.com': 'At a glance',
    'riskcli health -q --critical 3s > /dev/null || notify-on-call': 'Cron: silent while all is well',
    'riskcli health --format nagios -w 1s -c 3s': 'Nagios, Icinga',
    'riskcli health -o /var/lib/node_exporter/riskcli.prom': 'Prometheus textfile collector',
  },
  excessHint: 'give the address with --base-url',
  rescue,
  run: checkHealth,
});

type HealthOptions = Options<typeof healthFlags>;

async function checkHealth(options: HealthOptions, context: Context): Promise<ExitCode | undefined> {
  const format = chooseFormat(options, { choices: HEALTH_FORMATS });
  const { output = '-', env } = options;
  // A wrong -e is a wrong command line; a wrong RISKCLI_ENV is a check that could not be made.
  if (env !== undefined) resolveSettings({ env }, context);
  if (output !== '-') {
    await checkTarget({ output }, context);
  }
  const report = await examineService(options, context);
  // A check that was stopped leaves the file as the last complete one wrote it.
  const isKept = report.error instanceof SignalError && output !== '-';
  if (!isKept) await deliver(report, { format, output }, context);
  if (format === 'nagios') {
    await writeAll(context.stdout, nagiosLine(report));
    return NAGIOS_EXIT[nagiosState(report)];
  }
  if (report.error) throw report.error;
  return undefined;
}

/** A service that is down is a result, and so is a check that could not be made: neither throws. */
async function examineService(options: HealthOptions, context: Context): Promise<HealthReport> {
  const { warning: warningMs, critical: criticalMs } = options;
  try {
    return slowOrNot({ ...(await requestHealth(options, context)), warningMs, criticalMs });
  } catch (error) {
    if (!(error instanceof RiskcliError)) throw error;
    // Any other error says nothing about the service.
    const isDown = error instanceof UntrustedError || (error instanceof TemporaryError && !error.isOfThisMachine);
    return { baseUrl: knownBaseUrl(options, context), healthy: isDown ? false : undefined, error };
  }
}

async function requestHealth(options: HealthOptions, context: Context): Promise<HealthReport> {
  const settings = resolveSettings(options, context);
  const { value, source } = settings.get('timeout');
  const timeoutMs = source === 'default' ? Math.max(DEADLINE_MS, options.critical ?? 0) : value;
  const { client, baseUrl, close } = await openSession({ settings, context }, { sendsKey: false });
  try {
    const answer = await client.health({ signal: context.signal(), timeoutMs });
    return { baseUrl: baseUrlText(baseUrl), healthy: true, ...answer };
  } finally {
    await close();
  }
}

function slowOrNot(report: HealthReport): HealthReport {
  if (!isSlow(report)) return report;
  const { latencyMs = 0, criticalMs = 0 } = report;
  const message = `the service took ${Math.round(latencyMs)} ms, more than --critical ${formatDuration(criticalMs)}`;
  const hint = 'run it again with -v to see more, or raise --critical';
  return { ...report, error: new TemporaryError(message, { code: 'slow', hint }) };
}

/** The base URL, if it is known: it is the label of a series in Prometheus. */
function knownBaseUrl(options: HealthOptions, context: Context): string | undefined {
  try {
    return options.sandbox ? undefined : baseUrlText(resolveSettings(options, context).baseUrl().value);
  } catch {
    return undefined;
  }
}

/**
 * Writes `report`, a file whatever the result: programs that read it would take an older result for
 * today's.
 */
async function deliver(
  report: HealthReport,
  { format, output }: { readonly format: (typeof HEALTH_FORMATS)[number]; readonly output: string },
  context: Context,
): Promise<void> {
  if (output !== '-') {
    const mode = format === 'prometheus' ? PROMETHEUS_MODE : undefined;
    await writeTarget(await healthText(report, format, context), { output, mode, host: context });
    sayWritten(output, context);
    return;
  }
  // A failed check prints no table: the error says everything.
  const isSaid = format === 'nagios' || (format === 'table' && !report.healthy);
  if (!isSaid) await writeAll(context.stdout, await healthText(report, format, context));
}

async function healthText(
  report: HealthReport,
  format: (typeof HEALTH_FORMATS)[number],
  context: Context,
): Promise<string> {
  if (format === 'nagios') return nagiosLine(report);
  if (format === 'prometheus') return prometheusText(report);
  // These are never coloured.
  const terminal = terminalOf({ color: 'never' }, context);
  return renderRecords([healthRecord(report, format)], { format, single: true, terminal });
}

/** Nagios gets its one line on stdout in every case, a wrong command line included (UNKNOWN, 3). */
async function rescue(error: unknown, typed: ParsedArgs, context: Context): Promise<ExitCode | undefined> {
  if (typed.words('format')?.at(-1) !== 'nagios') return undefined;
  // When stdout is full, only the exit code is left to say it.
  await writeAll(context.stdout, unknownLine(error)).catch(() => {});
  return NAGIOS_EXIT.UNKNOWN;
}
