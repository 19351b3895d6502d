/**
 * The meaning of an HTTP status for a request: every status but 200 becomes an error of a certain
 * class.
 */
import { KeyError, LimitError, RefusedError, type RiskcliError, TemporaryError, UntrustedError } from '../errors.ts';
import { redactPartsOf } from '../secrets/api-key.ts';
import { quoted } from '../secrets/redact.ts';
import type { HttpResponse } from './http/transport.ts';
import { reasonIn } from './reason.ts';

interface StatusOptions {
  /** Its host is named, and the target of a redirect is resolved against it. */
  readonly baseUrl: URL;
  /** The key, which is redacted if the service quotes it. */
  readonly key?: string;
  /** Whether the request is one of a list, in which a refused wallet becomes a row. */
  readonly isList?: boolean;
}

/** Statuses about the key, which is known but not allowed: payment required, forbidden. */
export const KEY_STATUSES: ReadonlySet<number | undefined> = new Set([402, 403]);
/**
 * Statuses of a working service about one wallet: malformed, unknown, gone, unprocessable (RFC
 * 9110, 15.5), illegal to provide (RFC 7725). The other 4xx (405, 413, 421, 425, 426, 431) are
 * about the request, which is the same for all wallets.
 */
export const WALLET_STATUSES: ReadonlySet<number | undefined> = new Set([400, 404, 410, 422, 451]);

/** The network asks for a login (RFC 6585, 6): never an answer of the service itself. */
const LOGIN_TO_NETWORK = 511;

/**
 * The error of an answer for a profile; undefined for a 200. A 429 is a LimitError here; retry.ts
 * decides whether it is retried.
 */
export function profileError(response: HttpResponse, options: StatusOptions): RiskcliError | undefined {
  const { status } = response;
  if (status === 200) return undefined;
  const { host } = options.baseUrl;
  const detail = quotedReason(response, options.key);
  if (status === 401) {
    return new KeyError(`${host} rejected the key (401${detail})`, {
      code: 'key_rejected',
      httpStatus: status,
      hint: 'store a valid key with riskcli keys set',
    });
  }
  if (status === 429) return new LimitError(`the rate limit of ${host} is exceeded (429${detail})`);
  if (isTemporary(status)) return serverError(status, host, detail);
  if (KEY_STATUSES.has(status) && !options.isList) {
    return new KeyError(`${host} refused the request (${status}${detail})`, {
      code: 'key_refused',
      httpStatus: status,
      hint: 'check what the key and its plan allow',
    });
  }
  if (status >= 400 && status < 500) {
    const hint = refusalHint(status);
    return new RefusedError(`${host} refused the request (${status}${detail})`, { httpStatus: status, hint });
  }
  return unexpectedStatusError(response, options);
}

function refusalHint(status: number): string {
  if (status === 404) return 'check the wallet and the base URL';
  if (WALLET_STATUSES.has(status)) return 'check the wallet';
  return 'this is not about the wallet: check the base URL, and what is between this machine and the service';
}

/**
 * The error of an answer to GET /health; undefined for a 200. The service documents no error status
 * for it (docs/service.md, Health).
 */
export function healthError(response: HttpResponse, baseUrl: URL): RiskcliError | undefined {
  const { status } = response;
  if (status === 200) return undefined;
  if (isTemporary(status) || status === 429) {
    return serverError(status, baseUrl.host, quotedReason(response, undefined));
  }
  return unexpectedStatusError(response, { baseUrl });
}

const isTemporary = (status: number) =>
  status === 408 || (status >= 500 && status < 600 && status !== LOGIN_TO_NETWORK);

function serverError(status: number, host: string, detail: string): TemporaryError {
  return new TemporaryError(`${host} failed (${status}${detail})`, {
    code: 'unavailable',
    httpStatus: status,
    hint: 'run the same command again later',
    isResumable: true,
  });
}

/**
 * Returns what `read` makes of the response, or throws what it throws. An HTML page in place of
 * JSON is named as such.
 */
export function readJson<T>(response: HttpResponse, baseUrl: URL, read: () => T): T {
  try {
    return read();
  } catch (error) {
    const breaksContract = error instanceof UntrustedError && error.code === 'contract';
    throw (breaksContract && pageError(response, baseUrl)) || error;
  }
}

function pageError(response: HttpResponse, baseUrl: URL): UntrustedError | undefined {
  if (!isHtmlPage(response)) return undefined;
  return new UntrustedError(`${baseUrl.host} answered with an HTML page, not JSON`, {
    code: 'contract',
    httpStatus: response.status,
    hint: 'sign in to the network or the proxy if that is what it asks for, and check the base URL',
  });
}

function unexpectedStatusError(response: HttpResponse, options: StatusOptions): UntrustedError {
  const { status, headers } = response;
  const { baseUrl, key } = options;
  if (status >= 300 && status < 400) {
    const target = headers.location;
    const where =
      target && URL.canParse(target, baseUrl.href)
        ? ` to ${quoted(redactPartsOf(new URL(target, baseUrl.href).origin, key))}`
        : '';
    return new UntrustedError(`${baseUrl.host} redirects (${status})${where}, which was not followed`, {
      code: 'redirect',
      httpStatus: status,
      hint: 'set the base URL to the address of the service itself',
    });
  }
  return (
    pageError(response, baseUrl) ??
    new UntrustedError(`${baseUrl.host} answered with status ${status}, which the API does not define`, {
      code: 'contract',
      httpStatus: status,
      hint: 'check that the base URL is the address of the service',
    })
  );
}

/** The service's reason, ready to follow a status: `: 'not a wallet'`. */
function quotedReason(response: HttpResponse, key: string | undefined): string {
  const reason = isHtmlPage(response) ? undefined : reasonIn(response.body);
  return reason === undefined ? '' : `: ${quoted(redactPartsOf(reason, key))}`;
}

const HTML_TYPE = /^(?:text\/html|application\/xhtml\+xml)(?:;|\s|$)/i;
const BEGINNING = /^<(?:!doctype html|html|head|title|!--)/i;
/** Enough for spaces and a tag: a page may be long. */
const BEGINNING_BYTES = 1024;

/** Whether it is an HTML page instead of an answer: from a captive portal, a login or a proxy. */
function isHtmlPage({ headers, body }: HttpResponse): boolean {
  const beginning = new TextDecoder().decode(body.subarray(0, BEGINNING_BYTES)).trimStart();
  return HTML_TYPE.test(headers['content-type'] ?? '') || BEGINNING.test(beginning);
}
