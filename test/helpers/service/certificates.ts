/** Certificates for loopback, made by openssl when a test asks: keys that expire need not be kept anywhere. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

export interface Authority {
  /** The file to name in NODE_EXTRA_CA_CERTS. */
  readonly file: string;
  readonly own: Certificate;
  /** A certificate for `name` (`IP:127.0.0.1`, `DNS:example.test`), valid from now for `days`. */
  issue(name: string, days?: number): Certificate;
}

const NEW_KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];

export function createAuthority(): Authority {
  const folder = mkdtempSync(join(tmpdir(), 'riskcli-ca-'));
  const path = (name: string) => join(folder, name);
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });
  const read = (name: string) => ({
    key: readFileSync(path(`${name}.key`), 'utf8'),
    cert: readFileSync(path(`${name}.pem`), 'utf8'),
  });
  const subject = ['-subj', '/CN=riskcli test', '-addext', 'subjectAltName=IP:127.0.0.1'];
  openssl('req', '-x509', ...NEW_KEY, ...subject, '-days', '2', '-keyout', 'ca.key', '-out', 'ca.pem');
  let issued = 0;
  return {
    file: path('ca.pem'),
    own: read('ca'),
    issue(name, days = 2) {
      const leaf = `leaf${++issued}`;
      writeFileSync(path(`${leaf}.ext`), `subjectAltName=${name}\n`);
      openssl('req', ...NEW_KEY, '-subj', '/CN=leaf', '-keyout', `${leaf}.key`, '-out', `${leaf}.csr`);
      const signer = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial'];
      const terms = ['-days', String(days), '-extfile', `${leaf}.ext`];
      openssl('x509', '-req', '-in', `${leaf}.csr`, ...signer, ...terms, '-out', `${leaf}.pem`);
      return read(leaf);
    },
  };
}
