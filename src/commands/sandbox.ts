/**
 * `riskcli sandbox`: runs the service in the foreground, so that a script or another program can be
 * tried against it without an account.
 */

import { command } from '../cli/command.ts';
import { choice, onOff, value, wholeNumber } from '../cli/flag.ts';
import type { Context } from '../context.ts';
import { UsageError } from '../errors.ts';
import { writeAll } from '../files/stream.ts';
import { type Limits, PLANS, type Plan } from '../sandbox/limiter.ts';
import type { RequestLine, Sandbox } from '../sandbox/server.ts';
import { quoted, quotedWord } from '../secrets/redact.ts';
import { parseDuration } from '../settings/typed-values.ts';
import { settingLine } from '../text/shell.ts';

const PLAN_NAMES = Object.keys(PLANS) as Plan[];
const MAX_LATENCY_MS = 3_600_000;
const DEFAULT_LATENCY_MS = [0, 20] as const;

export const sandbox = command({
  description: `Run the service on this machine, in the foreground, on loopback. Each wallet has
a made-up profile that never changes; with --drift, scores and collateral move
from day to day (UTC) by this machine's clock. Two lines to paste are printed;
press Ctrl-C to stop.`,
  flags: {
    port: wholeNumber({ min: 0, max: 65_535, value: 'N', help: 'port to listen on (default: a free one)' }),
    plan: choice(PLAN_NAMES, {
      value: 'PLAN',
      help: `the plan whose limits it has: ${PLAN_NAMES.join(', ')} (default: developer)`,
    }),
    latency: value(parseLatency, {
      value: 'TIME',
      help: 'how long a profile takes, such as 1000-5000 (ms) or 2s (default: 0-20ms)',
    }),
    fail: value(parseShare, {
      value: 'SHARE',
      help: 'make a share of the answers fail, such as 10%: 429, 5xx, connections that break',
    }),
    drift: onOff({ help: 'let the profiles move from day to day' }),
  },
  examples: {
    'riskcli sandbox': 'Try riskcli out: paste the two lines into another terminal',
    'riskcli sandbox --plan startup --latency 1s-5s': 'As slow and as limited as the real one',
    'riskcli sandbox --port 8080 --fail 10%': 'See how a script copes with failures',
    "faketime '+7 days' riskcli sandbox --drift": 'Rehearse next Monday',
  },
  async run({ port = 0, plan = 'developer', latency = DEFAULT_LATENCY_MS, fail, drift }, context) {
    const { startSandbox } = await import('../sandbox/server.ts');
    const { driftingProfile } = await import('../sandbox/drift.ts');
    const { report } = context;
    const sandbox = await startSandbox({
      port,
      plan,
      latencyMs: latency,
      failing: fail === undefined ? undefined : { share: fail },
      profile: drift ? driftingProfile : undefined,
      clock: context,
      onRequest: report.isVerbose ? (line: RequestLine) => report.verbose(describeRequest(line)) : undefined,
    });
    try {
      const moving = drift ? ' that moves from day to day' : '';
      await printStarted(sandbox, `synthetic data${moving}, plan ${plan} (${describeLimits(sandbox.limits)})`, context);
      await aborted(context.signal());
    } finally {
      await sandbox.close();
    }
    throw context.signal().reason;
  },
});

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

async function printStarted({ baseUrl, key }: Sandbox, what: string, context: Context): Promise<void> {
  const variables = { RISKCLI_BASE_URL: baseUrl, RISKCLI_API_KEY: key };
  const lines = Object.entries(variables).map(([name, value]) => settingLine(name, value, context.platform));
  await writeAll(context.stdout, lines.join(''));
  context.report.info(`sandbox: ${what}; press Ctrl-C to stop`);
}

function describeLimits({ rate, burst, quota }: Limits): string {
  const perSecond = rate === Number.POSITIVE_INFINITY ? 'no rate limit' : `${rate} requests a second, ${burst} at once`;
  return `${perSecond}, ${quota === Number.POSITIVE_INFINITY ? 'no monthly quota' : `${quota} a month`}`;
}

function describeRequest({ method, path, status, ms, reason }: RequestLine): string {
  const line = `${method} ${quoted(path).slice(1, -1)} ${status} ${Math.round(ms)} ms`;
  return reason ? `${line} (${reason})` : line;
}

/**
 * `2s`, or a range such as `1s-5s`; in `100-200ms` the unit is meant for both. Unlike elsewhere a
 * bare number is milliseconds, the usual unit of latencies: `1000-5000`.
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

/** `10%` or `0.1`. */
function parseShare(text: string): number {
  const [, digits, percent] = /^(\d+(?:\.\d+)?|\.\d+)(%?)$/.exec(text.trim()) ?? [];
  const share = Number(digits) / (percent ? 100 : 1);
  if (share <= 1) return share;
  throw new UsageError(`--fail cannot be ${quotedWord(text)}`, { hint: 'write a share of the answers, such as 10%' });
}
