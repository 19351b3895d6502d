/** Where the system keeps the authorities it trusts: node has its own, and a private one has to be named to it. */
import { existsSync } from 'node:fs';

/** Of Debian, Arch and Alpine; Red Hat and Fedora; SUSE; and of macOS and the BSDs. On Windows there is none. */
const BUNDLES = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/ca-bundle.pem',
  '/etc/ssl/cert.pem',
];

/** Where this system has its authorities, as the end of a hint. */
export function systemAuthorities(isThere: (path: string) => boolean = existsSync): string {
  const bundle = BUNDLES.find(isThere);
  if (bundle) return `the system's own are in ${bundle}`;
  return 'this system has no file of its own: export the certificate from its store as PEM, Base64-encoded';
}
