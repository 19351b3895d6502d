/**
 * `riskcli sandbox`: runs the service in the foreground, so that a script or another program can be tried against it without
 * an account.
 */

import { command } from '../cli/command.ts';
import { parseDuration } from '../cli/duration.ts';
import { choice, parseWholeNumber, text, value, values, wholeNumber } from '../cli/flag.ts';
import type { Context } from '../context.ts';
import { UsageError } from '../errors.ts';
import { writeAll } from '../files/stream.ts';
import { FAULT_KINDS, type Fault, parseFault } from '../sandbox/faults.ts';
import { LIMITERS, type LimiterKind, type Limits, PLANS, type Plan } from '../sandbox/limiter.ts';
import type { RequestLine, Sandbox, SandboxOptions } from '../sandbox/server.ts';
import { quoted, quotedWord } from '../secrets/withhold.ts';
import { settingLine } from '../text/shell.ts';

const PLAN_NAMES = Object.keys(PLANS) as Plan[];
/** Far above every plan. */
const MAX_LIMIT = 1_000_000_000;
const MAX_LATENCY_MS = 3_600_000;
const DEFAULT_LATENCY_MS = [0, 20] as const;

export const sandbox = command({
  description: `Run the service on this machine, in the foreground, on loopback. Each wallet has
a made-up profile that never changes. Two lines to paste are printed; press
Ctrl-C to stop. Among the faults, reset breaks the connection before the answer,
cut breaks it in the middle, and delay holds the answer back for a minute.`,
  flags: {
    port: wholeNumber({ min: 0, max: 65_535, value: 'N', help: 'port to listen on (default: a free one)' }),
    plan: choice(PLAN_NAMES, {
      value: 'PLAN',
      help: `limits of a plan: ${PLAN_NAMES.join(', ')} (default: developer)`,
    }),
    rate: value(parseLimit, { value: 'N', help: 'requests a second; 0 or unlimited: no limit' }),
    burst: wholeNumber({ min: 1, max: MAX_LIMIT, value: 'N', help: 'requests allowed at once after a pause' }),
    quota: value(parseLimit, { value: 'N', help: 'requests a month; 0 or unlimited: no limit' }),
    limiter: choice(LIMITERS, { value: 'KIND', help: 'how requests are counted: bucket or window (default: bucket)' }),
    latency: value(parseLatency, {
      value: 'TIME',
      help: 'how long a profile takes, such as 1000-5000 (ms) or 2s (default: 0-20ms)',
    }),
    faults: values(readFault, {
      long: 'fault',
      value: 'KIND[:SHARE]',
      help: `make a share of the answers fail, such as 503:10%; kinds: ${FAULT_KINDS.join(', ')}`,
      completes: FAULT_KINDS,
    }),
    fixtures: text({ value: 'FILE', help: 'answer with recorded documents, one per line', completes: 'file' }),
    seed: wholeNumber({
      min: 0,
      max: 2 ** 32 - 1,
      value: 'N',
      help: 'seed for the keys and for which answers fail (default: 0)',
    }),
  },
  examples: [
    { line: 'riskcli sandbox', does: 'A service to try out; paste the two lines into another terminal' },
    { line: 'riskcli sandbox --plan startup --latency 1s-5s', does: 'As slow and as limited as the real one' },
    {
      line: 'riskcli sandbox --port 8080 --fault 503:10% --fault reset:1%',
      does: 'See how a script copes with failures',
    },
    { line: 'riskcli sandbox --fixtures answers.jsonl', does: 'Replay what profile --jsonl recorded' },
  ],
  async run({ port = 0, plan = 'developer', limiter = 'bucket', latency, fixtures, ...flags }, context) {
    const options = {
      port,
      plan,
      limits: { rate: flags.rate, burst: flags.burst, quota: flags.quota },
      limiter,
      latencyMs: latency ?? DEFAULT_LATENCY_MS,
      faults: flags.faults,
      fixtures: fixtures === undefined ? undefined : await readFixturesFile(fixtures),
      seed: flags.seed,
    };
    const { startSandbox } = await import('../sandbox/server.ts');
    const { report } = context;
    const onRequest = report.isVerbose ? (line: RequestLine) => report.verbose(describeRequest(line)) : undefined;
    const sandbox = await startSandbox({ ...options, clock: context, onRequest });
    try {
      await announce(sandbox, { context, options });
      await aborted(context.signal());
    } finally {
      await sandbox.close();
    }
    throw context.signal().reason;
  },
});

type Options = Omit<SandboxOptions, 'clock' | 'onRequest'> & { readonly plan: Plan; readonly limiter: LimiterKind };

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

async function announce(
  sandbox: Sandbox,
  run: { readonly context: Context; readonly options: Options },
): Promise<void> {
  const { context, options } = run;
  const { baseUrl, keys } = sandbox;
  const variables = { RISKCLI_BASE_URL: baseUrl, RISKCLI_API_KEY: keys.working };
  const lines = Object.entries(variables).map(([name, value]) => settingLine(name, value, context.platform));
  await writeAll(context.stdout, lines.join(''));
  const data = options.fixtures ? `recorded data (${options.fixtures.size})` : 'synthetic data';
  context.report.info(
    `sandbox: ${data}, plan ${options.plan} (${describeLimits(sandbox.limits, options.limiter)}); press Ctrl-C to stop`,
  );
  context.report.info(`keys that get a 401: ${keys.revoked} (revoked), ${keys.expired} (expired)`);
}

function describeLimits({ rate, burst, quota }: Limits, limiter: LimiterKind): string {
  const atOnce = limiter === 'bucket' ? `, ${burst} at once` : '';
  const perSecond = rate === Number.POSITIVE_INFINITY ? 'no rate limit' : `${rate} requests a second${atOnce}`;
  return `${perSecond}, ${quota === Number.POSITIVE_INFINITY ? 'no monthly quota' : `${quota} a month`}`;
}

function describeRequest({ method, path, status, ms, reason }: RequestLine): string {
  const line = `${method} ${quoted(path).slice(1, -1)} ${status} ${Math.round(ms)} ms`;
  return reason ? `${line} (${reason})` : line;
}

async function readFixturesFile(path: string) {
  const { readFixtures } = await import('../sandbox/fixtures.ts');
  return readFixtures(path);
}

function parseLimit(typed: string, name: string): number {
  if (typed === 'unlimited') return Number.POSITIVE_INFINITY;
  return parseWholeNumber(typed, name, 0, MAX_LIMIT) || Number.POSITIVE_INFINITY;
}

/**
 * `2s`, or a range such as `1s-5s`; in `100-200ms` the unit is meant for both. Unlike elsewhere a bare number is
 * milliseconds, the usual unit of latencies: `1000-5000`.
 */
function parseLatency(text: string): readonly [number, number] {
  const [first = '', second = first, ...more] = text.split('-').map((part) => part.trim());
  const unit = /[a-z]+$/.exec(second)?.[0] ?? 'ms';
  const withUnit = (part: string) => (/^[\d.]+$/.test(part) ? part + unit : part);
  const min = parseDuration(withUnit(first), '--latency');
  const max = parseDuration(withUnit(second), '--latency');
  if (more.length === 0 && min <= max && max <= MAX_LATENCY_MS) return [min, max];
  throw new UsageError(`--latency cannot be ${quotedWord(text)}`, {
    hint: 'write the shorter time first, at most an hour, such as 200ms, 1s-5s or 1000-5000 (milliseconds)',
  });
}

function readFault(text: string): Fault {
  const fault = parseFault(text);
  if (fault) return fault;
  throw new UsageError(`--fault cannot be ${quotedWord(text)}`, {
    hint: `use KIND or KIND:SHARE, such as 503:10%; kinds are ${FAULT_KINDS.join(', ')}`,
  });
}
