/**
 * What goes wrong below the answer, in words: DNS, connections, TLS, bytes that are no HTTP. Whether the same command
 * may succeed later (temporary) or something is not what it claims to be (untrusted) is decided here, by error code.
 */
import { RiskcliError, TemporaryError, UntrustedError } from '../errors.ts';
import { visible } from '../output/escape.ts';

export interface FailedRequest {
  /** Host and port of the service. */
  readonly host: string;
  readonly proxy?: URL;
}

/** Where distributions keep the CA certificates of the system, which node does not read by itself. */
const SYSTEM_BUNDLE = '/etc/ssl/certs/ca-certificates.crt';

const WAYS_TO_CHECK = 'check the base URL and the network, then run the same command again';

/** OpenSSL's verdicts on a chain that ends nowhere (verify(1), DIAGNOSTICS), as node spells them. */
const UNKNOWN_ISSUER = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

/** Verdicts of the same list whose names do not begin with CERT_ or ERR_TLS_. */
const OTHER_VERDICTS = /^(UNABLE_TO_|INVALID_(CA|PURPOSE)|PATH_LENGTH_|CRL_|HOSTNAME_MISMATCH|ERROR_IN_CERT)/;

/**
 * `error`, as undici or node threw it, as one of ours; ours pass unchanged, and so does what nobody foresaw.
 * A lost connection is temporary, a certificate that fails and bytes that are no HTTP are untrusted.
 */
export function describeFailure(error: unknown, { host, proxy }: FailedRequest): unknown {
  if (error instanceof RiskcliError || !(error instanceof Error)) return error;
  const code = codeOf(error);
  if (!code) return error;
  const peer = proxy ? `the proxy ${proxy.host}` : host;
  return (
    describeProxy(error, { code, peer }) ??
    describeTls(error, { code, host }) ??
    describeGarbage(error, { code, host }) ??
    describeConnection(error, { code, peer })
  );
}

/** The body ended before its end: a reset, a close, a broken chunk. */
export function cutShort(error?: unknown): TemporaryError {
  const code = error instanceof Error ? codeOf(error) : undefined;
  return new TemporaryError(`the answer was cut short${code ? ` (${visible(code)})` : ''}`, {
    code: 'network',
    hint: WAYS_TO_CHECK,
    cause: error,
  });
}

/** The codings of HTTP (RFC 9110, 8.4.1, and later ones): other words of a header are not said back. */
const CODING = /^(gzip|x-gzip|deflate|compress|br|zstd)$/i;

/** A body compressed although `Accept-Encoding: identity` was sent: its true size is anyone's guess. */
export function encodingNotAskedFor(encoding: string): UntrustedError {
  const how = CODING.test(encoding) ? ` as ${encoding}` : '';
  return new UntrustedError(`the answer is encoded${how}, which was not asked for`, {
    code: 'encoding',
    hint: 'check what stands between this machine and the service',
  });
}

/** The body passed `maxBytes`; the rest was not downloaded. */
export function bodyTooLong(maxBytes: number): UntrustedError {
  return new UntrustedError(`the answer is longer than ${maxBytes / 1024 / 1024} MiB, which no risk profile is`, {
    code: 'too_long',
    hint: 'check the base URL',
  });
}

/** Stand in for the codes that undici's parser errors lack. */
const PARSER_ERROR = 'HPE_ERROR';
const EARLY_END = 'HPE_INVALID_EOF_STATE';

function codeOf(error: Error): string | undefined {
  const { code } = error as NodeJS.ErrnoException;
  if (typeof code === 'string') return code;
  if (error.name === 'HTTPParserError') return error.message.includes('Invalid EOF state') ? EARLY_END : PARSER_ERROR;
  return error.cause instanceof Error ? codeOf(error.cause) : undefined;
}

interface Named {
  readonly code: string;
  readonly host: string;
}
interface Peer {
  readonly code: string;
  readonly peer: string;
}

/** undici tells a CONNECT that was not granted only by its message. */
function describeProxy(error: Error, { code, peer }: Peer): TemporaryError | undefined {
  const status = code === 'UND_ERR_ABORTED' && /^Proxy response \((\d+)\)/.exec(error.message)?.[1];
  if (!status) return undefined;
  const hint =
    status === '407'
      ? 'put user and password into the URL in HTTPS_PROXY'
      : 'check the proxy, or name the host in NO_PROXY to go without it';
  return new TemporaryError(`${peer} refused the connection (${status})`, { code: 'proxy', hint, cause: error });
}

function describeTls(error: Error, { code, host }: Named): UntrustedError | undefined {
  const untrusted = (message: string, hint: string) => new UntrustedError(message, { code: 'tls', hint, cause: error });
  if (UNKNOWN_ISSUER.has(code)) {
    return untrusted(
      `the certificate of ${host} is not signed by a known authority (${code})`,
      `if you trust it, name its CA certificate in NODE_EXTRA_CA_CERTS (the system's own are in ${SYSTEM_BUNDLE})`,
    );
  }
  if (code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID') {
    const state = code === 'CERT_HAS_EXPIRED' ? 'has expired' : 'is not valid yet';
    return untrusted(
      `the certificate of ${host} ${state}`,
      "check this machine's clock, or tell whoever runs the service",
    );
  }
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID' || code === 'UND_ERR_PRX_TLS') {
    return untrusted(`the certificate of ${host} is for another name`, 'check the host in the base URL');
  }
  if (code === 'EPROTO' || code.startsWith('ERR_SSL_')) {
    return untrusted(`${host} does not speak TLS as it should (${code})`, 'check scheme and port of the base URL');
  }
  if (/^(CERT_|ERR_TLS_)/.test(code) || OTHER_VERDICTS.test(code)) {
    return untrusted(
      `the certificate of ${host} was refused (${code})`,
      'check what stands between here and the service',
    );
  }
}

/** Codes of what is no HTTP, or HTTP that contradicts itself: a length and chunks, two lengths. */
const GARBAGE: Readonly<Record<string, string>> = {
  [PARSER_ERROR]: 'did not answer in HTTP',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'gave contradictory lengths for its answer',
  UND_ERR_HEADERS_OVERFLOW: 'sent more headers than any answer needs',
};

function describeGarbage(error: Error, { code, host }: Named): UntrustedError | undefined {
  const what = GARBAGE[code];
  if (!what) return undefined;
  return new UntrustedError(`${host} ${what}`, {
    code: 'not_http',
    hint: 'check scheme and port of the base URL',
    cause: error,
  });
}

const CONNECTION_FAILURES: Readonly<Record<string, (peer: string) => string>> = {
  ECONNREFUSED: (peer) => `${peer} refuses connections`,
  ECONNRESET: (peer) => `${peer} closed the connection without an answer`,
  UND_ERR_SOCKET: (peer) => `${peer} closed the connection without an answer`,
  [EARLY_END]: (peer) => `${peer} closed the connection without an answer`,
  EPIPE: (peer) => `${peer} closed the connection without an answer`,
  ENOTFOUND: (peer) => `the name of ${peer} does not resolve`,
  EAI_AGAIN: (peer) => `the name of ${peer} does not resolve: no name server answers`,
  ENETUNREACH: (peer) => `there is no network to ${peer}`,
  EHOSTUNREACH: (peer) => `there is no way to ${peer}`,
  UND_ERR_CONNECT_TIMEOUT: (peer) => `${peer} does not accept connections (no answer in time)`,
  ETIMEDOUT: (peer) => `${peer} does not accept connections (no answer in time)`,
  EMFILE: () => 'this process may not open more connections',
};

function describeConnection(error: Error, { code, peer }: Peer): TemporaryError {
  const message = CONNECTION_FAILURES[code]?.(peer) ?? `the connection to ${peer} failed (${visible(code)})`;
  const hint = code === 'EMFILE' ? 'raise ulimit -n, or lower --concurrency' : WAYS_TO_CHECK;
  return new TemporaryError(message, { code: 'network', hint, cause: error });
}
