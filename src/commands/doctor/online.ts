/** The way to the service, step by step: its name, certificate, health and clock, and whether it accepts the key. */

import { isIP } from 'node:net';
import type { DetailedPeerCertificate, PeerCertificate } from 'node:tls';
import { RiskcliError } from '../../errors.ts';
import { Names } from '../../service/http/dns.ts';
import { describeFailure } from '../../service/http/failure.ts';
import { hostOf, proxyFor } from '../../service/http/proxy.ts';
import { tryKey } from '../../session/try-key.ts';
import type { ResolvedRun } from '../../settings/resolve.ts';
import { DAY_MS } from '../../text/when.ts';
import { attempt, type Finding, failed, ok, warn, works } from './finding.ts';

/** Stops at the first step that fails: the later ones would fail for the same reason. */
export async function checkService(run: ResolvedRun): Promise<readonly Finding[]> {
  // checkSettings has said why.
  if (!works(() => run.settings.baseUrl())) return [];
  const findings: Finding[] = [];
  for (const step of [checkName, checkHealth, checkKeyOnline]) {
    findings.push(...(await step(run)));
    if (findings.some(({ status }) => status === 'fail')) break;
  }
  return findings;
}

async function checkName({ settings, context }: ResolvedRun): Promise<readonly Finding[]> {
  const url = settings.baseUrl().value;
  const host = hostOf(url);
  // A proxy looks the name up itself.
  if (isIP(host) || proxyFor(url, context.env)) return [];
  const names = new Names(context);
  try {
    return [ok('dns', `${host} is ${(await names.addresses(host)).join(', ')}`)];
  } catch (error) {
    return [failed('dns', describeFailure(error, { peer: url.host, setting: 'the base URL' }))];
  } finally {
    names.close();
  }
}

/** A monitoring check gives up as early. */
const HEALTH_MS = 5_000;
/** A larger difference is a wrong clock, not a slow network. */
const MAX_SKEW_MS = 30_000;

async function checkHealth({ settings, context }: ResolvedRun): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  const { openSession } = await import('../../session/open-session.ts');
  const session = await openSession(
    { settings, context },
    {
      onCertificate: (certificate) => findings.push(...certificateFindings(certificate, context.now())),
    },
  );
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

/** Automatic renewal happens about 30 days before expiry: with less than this left, it has failed. */
const SOON_DAYS = 14;

function certificateFindings(certificate: PeerCertificate | DetailedPeerCertificate, now: number): readonly Finding[] {
  const { subject, issuer, valid_to: until } = certificate;
  const days = Math.floor((Date.parse(until) - now) / DAY_MS);
  const whose = [subject?.CN].flat()[0] ?? 'no name';
  const by = [issuer?.O ?? issuer?.CN].flat()[0] ?? 'nobody';
  const date = Number.isNaN(days) ? 'an unknown date' : new Date(until).toISOString().slice(0, 10);
  const found = ok('tls', `certificate of ${whose}, issued by ${by}, valid until ${date} (${days} days)`);
  if (!(days < SOON_DAYS)) return [found];
  return [found, warn('tls', 'the certificate expires soon', 'tell whoever runs the service')];
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
