/**
 * Makes the errors for failures below the answer: DNS, connections, TLS, bytes that are not HTTP.
 * The error code decides whether the same command may succeed later (temporary) or something is not
 * what it claims to be (untrusted).
 */
import { existsSync } from 'node:fs';
import { RiskcliError, TemporaryError, UntrustedError } from '../../errors.ts';
import { visible } from '../../text/escape.ts';
import type { HttpProxy } from './proxy.ts';

interface FailedRequest {
  /**
   * The failed peer, in words: host and port of the service, or `the proxy` with its host and port.
   */
  readonly peer: string;
  /** The setting that named its address: `the base URL`, `HTTPS_PROXY`. */
  readonly setting: string;
}

const checkHint = (setting: string) => `check ${setting} and the network, then run the same command again`;

/**
 * OpenSSL's codes for a chain without a trusted root (verify(1), DIAGNOSTICS), as node spells them.
 */
const UNKNOWN_ISSUER = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

/** Codes of the same list whose names do not begin with CERT_ or ERR_TLS_. */
const OTHER_VERIFY_CODES = /^(UNABLE_TO_|INVALID_(CA|PURPOSE)|PATH_LENGTH_|CRL_|HOSTNAME_MISMATCH|ERROR_IN_CERT)/;

/**
 * Turns an error of undici or node into one of ours; our own errors, and unforeseen ones, pass
 * unchanged. A lost connection is temporary; a bad certificate and bytes that are not HTTP are
 * untrusted.
 */
export function toRiskcliError(error: unknown, failed: FailedRequest): unknown {
  if (error instanceof RiskcliError || !(error instanceof Error)) return error;
  const code = codeOf(error);
  if (!code) return error;
  if (isGarbage(code)) return notHttpError(error, code, failed);
  return tlsError(error, code, failed) ?? connectionError(error, code, failed);
}

const bypassHint = (variable: string) => `check the proxy in ${variable}, or list the host in NO_PROXY to bypass it`;

/** Makes the error for a proxy that answered a CONNECT with `status`. */
export function proxyRefusedError(status: number, { url, variable }: HttpProxy): TemporaryError {
  const hasCredentials = url.username !== '' || url.password !== '';
  const signIn = `${hasCredentials ? 'check' : 'add'} the user name and password ${hasCredentials ? 'in' : 'to'} the URL`;
  const hint = status === 407 ? `${signIn} in ${variable}` : bypassHint(variable);
  return new TemporaryError(`the proxy ${url.host} refused the connection (${status})`, { code: 'proxy', hint });
}

/**
 * Makes the error for a proxy that granted a tunnel and then sent its own page, such as a login.
 */
export function proxyAnsweredError({ url, variable }: HttpProxy): UntrustedError {
  return new UntrustedError(`the proxy ${url.host} answered in place of the service`, {
    code: 'proxy',
    hint: bypassHint(variable),
  });
}

/**
 * Makes the error for a body from `peer` that was cut short by a reset, a close or a broken chunk.
 */
export function cutShortError(peer: string, error?: unknown): TemporaryError {
  const code = error instanceof Error ? codeOf(error) : undefined;
  return new TemporaryError(`the answer from ${peer} was cut short${code ? ` (${visible(code)})` : ''}`, {
    code: 'network',
    hint: checkHint('the base URL'),
    isResumable: true,
    cause: error,
  });
}

/**
 * Makes the error for a body that is compressed although `Accept-Encoding: identity` was sent: its
 * true size is unknown.
 */
export function encodingError(peer: string): UntrustedError {
  return new UntrustedError(`the answer from ${peer} is compressed, which was not requested`, {
    code: 'encoding',
    hint: 'check what is between this machine and the service',
  });
}

/** Whether undici has stopped at `maxResponseSize`. */
export const isTooLong = (error: unknown) =>
  error instanceof Error && (error as NodeJS.ErrnoException).code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE';

/** Makes the error for a body longer than `maxBytes`; the rest is not downloaded. */
export function bodyTooLongError(peer: string, maxBytes: number): UntrustedError {
  return new UntrustedError(
    `the answer from ${peer} is longer than ${maxBytes / 1024 / 1024} MiB, too long for a risk profile`,
    { code: 'too_long', hint: 'check the base URL' },
  );
}

// Codes of llhttp, the parser of undici and node. undici's errors lack them, since it looks them up
// by number in a table whose keys are names.
const HEADERS_OVERFLOW = 'HPE_HEADER_OVERFLOW';
const PARSER_ERROR = 'HPE_ERROR';
const EARLY_END = 'HPE_INVALID_EOF_STATE';
const TWO_LENGTHS = 'HPE_UNEXPECTED_CONTENT_LENGTH';

/** Other codes of the same faults. */
const SAME_AS: Readonly<Record<string, string>> = {
  UND_ERR_SOCKET: 'ECONNRESET',
  UND_ERR_CONNECT_TIMEOUT: 'ETIMEDOUT',
  UND_ERR_HEADERS_OVERFLOW: HEADERS_OVERFLOW,
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: TWO_LENGTHS,
};

/** The only place that reads undici's English messages; a test provokes each of its errors. */
function codeOf(error: Error): string | undefined {
  const { code } = error as NodeJS.ErrnoException;
  if (typeof code === 'string') return SAME_AS[code] ?? code;
  if (error.name === 'HTTPParserError') return error.message.includes('Invalid EOF state') ? EARLY_END : PARSER_ERROR;
  return error.cause instanceof Error ? codeOf(error.cause) : undefined;
}

function tlsError(error: Error, code: string, { peer, setting }: FailedRequest): UntrustedError | undefined {
  const untrusted = (message: string, hint: string) => new UntrustedError(message, { code: 'tls', hint, cause: error });
  if (UNKNOWN_ISSUER.has(code)) {
    return untrusted(
      `the certificate of ${peer} is not signed by a known authority (${code})`,
      `if you trust it, name its CA certificate in NODE_EXTRA_CA_CERTS (${caBundleHint()})`,
    );
  }
  if (code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID') {
    const state = code === 'CERT_HAS_EXPIRED' ? 'has expired' : 'is not valid yet';
    return untrusted(
      `the certificate of ${peer} ${state}`,
      "check this machine's clock, or tell whoever runs the service",
    );
  }
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return untrusted(`the certificate of ${peer} is for another name`, `check the host in ${setting}`);
  }
  if (code === 'EPROTO' || code.startsWith('ERR_SSL_')) {
    return untrusted(`${peer} does not speak TLS properly (${code})`, `check the scheme and port in ${setting}`);
  }
  if (/^(CERT_|ERR_TLS_)/.test(code) || OTHER_VERIFY_CODES.test(code)) {
    return untrusted(
      `the certificate of ${peer} was refused (${code})`,
      'check what is between this machine and the service',
    );
  }
}

/**
 * Whether the answer is not HTTP or contradicts itself. undici asserts some things that a peer may
 * violate.
 */
const isGarbage = (code: string) => code === 'ERR_ASSERTION' || (code.startsWith('HPE_') && code !== EARLY_END);

const GARBAGE: Readonly<Record<string, string>> = {
  [TWO_LENGTHS]: 'gave contradictory lengths for its answer',
  [HEADERS_OVERFLOW]: 'sent more headers than any answer needs',
};

function notHttpError(error: Error, code: string, { peer, setting }: FailedRequest): UntrustedError {
  return new UntrustedError(`${peer} ${GARBAGE[code] ?? 'did not answer in HTTP'}`, {
    code: 'not_http',
    hint: `check the scheme and port in ${setting}`,
    cause: error,
  });
}

const closedEarly = (peer: string) => `${peer} closed the connection without an answer`;

const CONNECTION_FAILURES: Readonly<Record<string, (peer: string) => string>> = {
  ECONNREFUSED: (peer) => `${peer} refuses connections`,
  ECONNRESET: closedEarly,
  [EARLY_END]: closedEarly,
  EPIPE: closedEarly,
  ENOTFOUND: (peer) => `the host name of ${peer} cannot be resolved`,
  EAI_AGAIN: (peer) => `the host name of ${peer} cannot be resolved: no name server answers`,
  ENETUNREACH: (peer) => `the network of ${peer} cannot be reached`,
  EHOSTUNREACH: (peer) => `there is no route to ${peer}`,
  ETIMEDOUT: (peer) => `connecting to ${peer} timed out`,
  EMFILE: () => 'this process cannot open more connections',
};

/** Failures of this machine, which say nothing about the service. */
const OF_THIS_MACHINE = 'EAI_AGAIN ENETUNREACH ENETDOWN EADDRNOTAVAIL ENOBUFS ENOMEM EMFILE ENFILE'.split(' ');

function connectionError(error: Error, code: string, { peer, setting }: FailedRequest): TemporaryError {
  const message = CONNECTION_FAILURES[code]?.(peer) ?? `the connection to ${peer} failed (${visible(code)})`;
  const isResumable = code !== 'EMFILE';
  const hint = isResumable ? checkHint(setting) : 'raise ulimit -n, or send fewer requests at once';
  return new TemporaryError(message, {
    code: 'network',
    hint,
    isResumable,
    cause: error,
    isOfThisMachine: OF_THIS_MACHINE.includes(code),
  });
}

/**
 * CA bundles of Debian, Arch and Alpine; Red Hat and Fedora; SUSE; macOS and the BSDs. Windows has
 * none.
 */
const BUNDLES = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/ca-bundle.pem',
  '/etc/ssl/cert.pem',
];

/** Where this system's CA certificates are: the end of a hint. */
export function caBundleHint(): string {
  const bundle = BUNDLES.find((path) => existsSync(path));
  if (bundle) return `the system's own are in ${bundle}`;
  return 'this system has no file of its own: export the certificate from its store as PEM, Base64-encoded';
}
