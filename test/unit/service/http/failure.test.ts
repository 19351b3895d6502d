import { describe, expect, it } from 'vitest';
import { RiskcliError } from '../../../../src/errors.ts';
import { describeFailure, proxyRefused } from '../../../../src/service/http/failure.ts';

const coded = (code: string) => Object.assign(new Error('secret detail'), { code });
const described = (error: unknown) =>
  describeFailure(error, { peer: 'api.example.com', setting: 'the base URL' }) as RiskcliError;

describe('errors that cannot be provoked on loopback', () => {
  it.each<[string, number, RegExp]>([
    ['ENOTFOUND', 5, /^the host name of api.example.com cannot be resolved$/],
    ['EAI_AGAIN', 5, /no name server answers/],
    ['ENETUNREACH', 5, /network of .* cannot be reached/],
    ['EHOSTUNREACH', 5, /no route/],
    ['ETIMEDOUT', 5, /timed out/],
    ['EMFILE', 5, /cannot open more connections/],
    ['ESOMETHING', 5, /failed \(ESOMETHING\)$/],
    ['CERT_NOT_YET_VALID', 6, /is not valid yet/],
    ['CERT_REVOKED', 6, /was refused \(CERT_REVOKED\)/],
    ['INVALID_CA', 6, /was refused/],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 6, /does not speak TLS/],
  ])('%s is exit %i, with a message and a hint', (code, exitCode, message) => {
    const error = described(coded(code));
    expect(error).toBeInstanceOf(RiskcliError);
    expect(error.exitCode).toBe(exitCode);
    expect(error.message).toMatch(message);
    expect(error.hint).toBeTruthy();
    expect(error.message).not.toContain('secret');
  });

  it.each([
    ['EAI_AGAIN', true],
    ['ENETUNREACH', true],
    ['EMFILE', true],
    ['ENOTFOUND', false],
    ['EHOSTUNREACH', false],
    ['ECONNREFUSED', false],
    ['ETIMEDOUT', false],
  ])('%s lies with this machine: %s', (code, isOfThisMachine) => {
    expect(described(coded(code))).toMatchObject({ isOfThisMachine });
  });

  it.each([
    ['CERT_HAS_EXPIRED', 'tls'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'tls'],
    ['EPROTO', 'tls'],
    ['ECONNREFUSED', 'network'],
    ['ERR_ASSERTION', 'not_http'],
    ['UND_ERR_HEADERS_OVERFLOW', 'not_http'],
    ['HPE_INVALID_CHUNK_SIZE', 'not_http'],
  ])('%s has the code %s', (code, expected) => {
    expect(described(coded(code))).toMatchObject({ code: expected });
  });

  it.each([
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    'SELF_SIGNED_CERT_IN_CHAIN',
    'UNABLE_TO_GET_ISSUER_CERT',
    'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  ])('%s is told how to trust the authority', (code) => {
    expect(described(coded(code))).toMatchObject({
      message: `the certificate of api.example.com is not signed by a known authority (${code})`,
      hint: expect.stringContaining('NODE_EXTRA_CA_CERTS'),
    });
  });

  it('suggests raising the limit of connections, and otherwise another attempt', () => {
    const again = 'check the base URL and the network, then run the same command again';
    expect(described(coded('ECONNREFUSED'))).toMatchObject({ hint: again, isResumable: true });
    expect(described(coded('EMFILE'))).toMatchObject({
      hint: 'raise ulimit -n, or send fewer requests at once',
      isResumable: false,
    });
  });

  it('finds the code of the underlying error', () => {
    expect(described(new Error('outer', { cause: coded('ENOTFOUND') })).message).toMatch(/cannot be resolved/);
  });

  it('leaves an unknown error unchanged', () => {
    const error = new TypeError('a fault');
    expect(described(error)).toBe(error);
  });
});

it.each([
  ['', 'add the user name and password to the URL in HTTPS_PROXY'],
  ['user@', 'check the user name and password in the URL in HTTPS_PROXY'],
  [':pass@', 'check the user name and password in the URL in HTTPS_PROXY'],
])('[95] a proxy at %sproxy:1 that asks for a login is told by its variable', (login, hint) => {
  const proxy = { url: new URL(`http://${login}proxy:1`), variable: 'HTTPS_PROXY' };
  expect(proxyRefused(407, proxy)).toMatchObject({ code: 'proxy', hint });
});
