import { expect, it } from 'vitest';
import type { RiskcliError } from '../../../../src/errors.ts';
import { proxyRefusedError, toRiskcliError } from '../../../../src/service/http/failure.ts';

const coded = (code: string) => Object.assign(new Error('secret detail'), { code });
const described = (error: unknown) => toRiskcliError(error, { peer: 'HOST', setting: 'the base URL' }) as RiskcliError;

const AGAIN = 'check the base URL and the network, then run the same command again';
const CLOCK = "check this machine's clock, or tell whoever runs the service";
const BETWEEN = 'check what is between this machine and the service';
const SCHEME = 'check the scheme and port in the base URL';
const MORE_FILES = 'raise ulimit -n, or send fewer requests at once';
const HOST = 'check the host in the base URL';
const TRUST = /^if you trust it, name its CA certificate in NODE_EXTRA_CA_CERTS \(/;

it.each<[string, number, string, string, string | RegExp]>([
  ['ENOTFOUND', 5, 'network', 'the host name of HOST cannot be resolved', AGAIN],
  ['EAI_AGAIN', 5, 'network', 'the host name of HOST cannot be resolved: no name server answers', AGAIN],
  ['ENETUNREACH', 5, 'network', 'the network of HOST cannot be reached', AGAIN],
  ['EHOSTUNREACH', 5, 'network', 'there is no route to HOST', AGAIN],
  ['ETIMEDOUT', 5, 'network', 'connecting to HOST timed out', AGAIN],
  ['UND_ERR_CONNECT_TIMEOUT', 5, 'network', 'connecting to HOST timed out', AGAIN],
  ['ECONNREFUSED', 5, 'network', 'HOST refuses connections', AGAIN],
  ['EPIPE', 5, 'network', 'HOST closed the connection without an answer', AGAIN],
  ['EMFILE', 5, 'network', 'this process cannot open more connections', MORE_FILES],
  ['ESOMETHING\u0007', 5, 'network', 'the connection to HOST failed (ESOMETHING\\u0007)', AGAIN],
  ['CERT_HAS_EXPIRED', 6, 'tls', 'the certificate of HOST has expired', CLOCK],
  ['CERT_NOT_YET_VALID', 6, 'tls', 'the certificate of HOST is not valid yet', CLOCK],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 6, 'tls', 'the certificate of HOST is for another name', HOST],
  ['CERT_REVOKED', 6, 'tls', 'the certificate of HOST was refused (CERT_REVOKED)', BETWEEN],
  ['INVALID_CA', 6, 'tls', 'the certificate of HOST was refused (INVALID_CA)', BETWEEN],
  ['EPROTO', 6, 'tls', 'HOST does not speak TLS properly (EPROTO)', SCHEME],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 6, 'tls', 'HOST does not speak TLS properly (ERR_SSL_WRONG_VERSION_NUMBER)', SCHEME],
  ...[
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    'SELF_SIGNED_CERT_IN_CHAIN',
    'UNABLE_TO_GET_ISSUER_CERT',
    'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  ].map((code): [string, number, string, string, RegExp] => [
    code,
    6,
    'tls',
    `the certificate of HOST is not signed by a known authority (${code})`,
    TRUST,
  ]),
  ['ERR_ASSERTION', 6, 'not_http', 'HOST did not answer in HTTP', SCHEME],
  ['HPE_INVALID_CHUNK_SIZE', 6, 'not_http', 'HOST did not answer in HTTP', SCHEME],
  ['UND_ERR_HEADERS_OVERFLOW', 6, 'not_http', 'HOST sent more headers than any answer needs', SCHEME],
])('reports %s with exit code %i, %s: %s', (reason, exitCode, code, message, hint) => {
  const isResumable = hint === AGAIN;
  const error = described(coded(reason));
  expect(error).toMatchObject({ exitCode, code, message, isResumable });
  expect(error.hint).toMatch(hint);
});

it('blames this machine, and not the service, where the network or files are at fault', () => {
  const codes = ['EAI_AGAIN', 'ENETUNREACH', 'EMFILE', 'ENOTFOUND', 'EHOSTUNREACH', 'ECONNREFUSED', 'ETIMEDOUT'];
  const ofThisMachine = codes.filter(
    (code) => (described(coded(code)) as { isOfThisMachine?: boolean }).isOfThisMachine,
  );
  expect(ofThisMachine).toEqual(['EAI_AGAIN', 'ENETUNREACH', 'EMFILE']);
});

it('reads the code of the underlying error, and leaves a fault of ours as it is', () => {
  expect(described(new Error('outer', { cause: coded('ENOTFOUND') })).message).toMatch(/cannot be resolved/);
  const error = new TypeError('a fault');
  expect(described(error)).toBe(error);
});

it.each([
  ['', 'add the user name and password to the URL in HTTPS_PROXY'],
  ['user@', 'check the user name and password in the URL in HTTPS_PROXY'],
  [':pass@', 'check the user name and password in the URL in HTTPS_PROXY'],
])('names the variable of a proxy that asks for a login: %sproxy:1', (login, hint) => {
  const proxy = { url: new URL(`http://${login}proxy:1`), variable: 'HTTPS_PROXY' };
  expect(proxyRefusedError(407, proxy)).toMatchObject({ code: 'proxy', hint });
});
