import { expect, it } from 'vitest';
import { systemAuthorities } from '../../../../src/service/http/system-bundle.ts';

it.each([
  ['Debian', ['/etc/ssl/certs/ca-certificates.crt'], /in \/etc\/ssl\/certs\/ca-certificates\.crt$/],
  [
    'Alpine',
    ['/etc/ssl/cert.pem', '/etc/ssl/certs/ca-certificates.crt'],
    /in \/etc\/ssl\/certs\/ca-certificates\.crt$/,
  ],
  ['Red Hat', ['/etc/pki/tls/certs/ca-bundle.crt'], /in \/etc\/pki\/tls\/certs\/ca-bundle\.crt$/],
  ['SUSE', ['/etc/ssl/ca-bundle.pem'], /in \/etc\/ssl\/ca-bundle\.pem$/],
  ['macOS', ['/etc/ssl/cert.pem'], /in \/etc\/ssl\/cert\.pem$/],
  ['Windows', [], /export the certificate from its store/],
])('names the bundle that %s has, emulated', (_, files, said) => {
  expect(systemAuthorities((path) => files.includes(path))).toMatch(said);
});
