/** What variables say about the way to the service: the proxy, the certificate authorities. */
import { X509Certificate } from 'node:crypto';
import { constants, openSync, readSync } from 'node:fs';
import { closeQuietly } from '../../files/close-file.ts';
import { systemReason } from '../../files/file-error.ts';
import { quoted } from '../../secrets/withhold.ts';
import { proxyFor } from '../../service/http/proxy.ts';
import type { ResolvedRun } from '../../settings/resolve.ts';
import { counted } from '../../text/words.ts';
import { attempt, type Finding, ok, warn } from './finding.ts';

export function checkProxy({ settings, context: { env } }: ResolvedRun): Promise<readonly Finding[]> {
  return attempt('proxy', () => {
    if (!settings.text('base-url')) return [];
    const url = settings.baseUrl().value;
    const proxy = proxyFor(url, env);
    // Without its user name and password, which are secrets.
    return [ok('proxy', proxy ? `${proxy.url.host}, from ${proxy.variable}` : `none for ${url.host}`)];
  });
}

const VARIABLE = 'NODE_EXTRA_CA_CERTS';

/** Node ignores a file that it cannot read, with a warning at best. */
export function checkCertificates({ context: { env, now } }: ResolvedRun): readonly Finding[] {
  const path = env[VARIABLE]?.trim();
  if (!path) return [ok('ca', `those that come with Node (${VARIABLE} is not set)`)];
  let certificates: readonly X509Certificate[];
  try {
    certificates = certificatesIn(readBounded(path));
  } catch (error) {
    return [warn('ca', `${quoted(path)} (${VARIABLE}) cannot be read: ${systemReason(error)}`, 'name a PEM file')];
  }
  if (certificates.length === 0) {
    return [warn('ca', `${quoted(path)} (${VARIABLE}) contains no certificate that node can read`, 'name a PEM file')];
  }
  const found = ok('ca', `${counted(certificates.length, 'CA')} in ${quoted(path)} (${VARIABLE})`);
  // In a distribution's bundle some always have expired, which does no harm.
  const haveAllExpired = certificates.every(({ validTo }) => Date.parse(validTo) < now());
  return haveAllExpired
    ? [found, warn('ca', 'all of them have expired', 'replace the file with a newer one')]
    : [found];
}

/** The bundle of a whole distribution has 250 kB. */
const MAX_BYTES = 4 * 1024 * 1024;

function readBounded(path: string): string {
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const buffer = Buffer.alloc(MAX_BYTES);
    let size = 0;
    for (let got = 1; got > 0 && size < buffer.length; size += got) {
      got = readSync(fd, buffer, size, buffer.length - size, null);
    }
    return buffer.toString('latin1', 0, size);
  } finally {
    closeQuietly(fd);
  }
}

const PEM = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g;

function certificatesIn(text: string): readonly X509Certificate[] {
  return (text.match(PEM) ?? []).flatMap((pem) => {
    try {
      return [new X509Certificate(pem)];
    } catch {
      return [];
    }
  });
}
