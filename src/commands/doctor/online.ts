/** The way to the service, step by step: its health and clock, and whether it accepts the key. */
import { RiskcliError } from '../../errors.ts';
import { openSession } from '../../session/open-session.ts';
import { tryKey } from '../../session/try-key.ts';
import type { ResolvedRun } from '../../settings/resolve.ts';
import { attempt, type Finding, failed, ok, warn, works } from './finding.ts';

/** Stops at the first step that fails: the later ones would fail for the same reason. */
export async function checkService(run: ResolvedRun): Promise<readonly Finding[]> {
  // checkSettings has said why.
  if (!works(() => run.settings.baseUrl())) return [];
  const findings: Finding[] = [];
  for (const step of [checkHealth, checkKeyOnline]) {
    findings.push(...(await step(run)));
    if (findings.some(({ status }) => status === 'fail')) break;
  }
  return findings;
}

/** A monitoring check gives up as early. */
const HEALTH_MS = 5_000;
/** A larger difference is a wrong clock, not a slow network. */
const MAX_SKEW_MS = 30_000;

async function checkHealth({ settings, context }: ResolvedRun): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  const session = await openSession({ settings, context }, {});
  try {
    const timeoutMs = settings.timeoutMs.source === 'default' ? HEALTH_MS : settings.timeoutMs.value;
    const { latencyMs, clockOffsetMs } = await session.client.health({ signal: context.signal(), timeoutMs });
    findings.push(ok('health', `ok in ${Math.round(latencyMs)} ms`));
    findings.push(clockFinding(clockOffsetMs));
  } catch (error) {
    findings.push(failed(error instanceof RiskcliError && error.code === 'tls' ? 'tls' : 'health', error));
  } finally {
    await session.close();
  }
  return findings;
}

function clockFinding(offsetMs: number): Finding {
  if (Math.abs(offsetMs) <= MAX_SKEW_MS) return ok('clock', `${(Math.abs(offsetMs) / 1000).toFixed(1)} s apart`);
  return warn(
    'clock',
    `the service's clock is ${Math.abs(offsetMs / 1000).toFixed(1)} s ${offsetMs > 0 ? 'ahead of' : 'behind'} this machine's`,
    'let the system set its clock from the network (NTP)',
  );
}

async function checkKeyOnline(run: ResolvedRun): Promise<readonly Finding[]> {
  // checkKey has reported a missing key, and one that must not be sent there.
  const key = await run.settings.describeKey({ waits: false }).catch(() => undefined);
  if (key === undefined || key.refusal) return [];
  return attempt('key-accepted', async () => {
    const { rate } = await tryKey(run);
    const limit = rate.limit === undefined ? '' : `, limit ${rate.limit}/s`;
    return [ok('key-accepted', `the service accepts the key${limit}; this cost one request`)];
  });
}
