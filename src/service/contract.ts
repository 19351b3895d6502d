/**
 * Holds what the service promised (its contract, sections 2 to 7): paths, header names, the documented fields. Only those
 * are judged, on a copy; whatever else an answer holds is kept as it came.
 */
import { literal, nullable, number, object, optional, regex, safeParse, string, union } from 'zod/mini';
import type { Auth } from '../cli/settings-table.ts';
import type { Node, ObjectNode } from '../document/node.ts';
import { parseDocument } from '../document/parse.ts';
import { plainFields } from '../document/plain.ts';
import { DocumentSyntaxError } from '../document/syntax-error.ts';
import { decodeUtf8 } from '../document/utf8.ts';
import { TemporaryError, UntrustedError } from '../errors.ts';
import { quoted } from '../text/escape.ts';
import { isAnswerFor } from '../wallet/name.ts';
import { cutShort } from './http/failure.ts';
import type { Address } from './http/transport.ts';

/** GET /health under the base URL's own path (contract, 4.1). */
export function healthUrl(baseUrl: URL): URL {
  return under(baseUrl, 'health');
}

/** GET /v1/risk-profile/{wallet} (contract, 4.2), for any wallet: only the end of the path differs. */
export function profileAddresses(baseUrl: URL): (wallet: string) => Address {
  const { origin, host, pathname, href } = under(baseUrl, 'v1/risk-profile/');
  return (wallet) => {
    const last = encodeURIComponent(wallet);
    return { origin, host, pathname: pathname + last, href: href + last };
  };
}

/** Only the path is replaced: resolving it as a reference could lead to another host. */
function under(baseUrl: URL, path: string): URL {
  const url = new URL(baseUrl.origin);
  url.pathname = `${baseUrl.pathname.replace(/\/$/, '')}/${path}`;
  return url;
}

/** The header that carries the key (contract, 5.3). */
export function keyHeader(auth: Auth, key: string): Record<string, string> {
  return auth === 'bearer' ? { authorization: `Bearer ${key}` } : { 'x-api-key': key };
}

/**
 * A decimal number in a string, as services send amounts that a double would round. No two parts of it can take the same
 * digits: with `\d+\.?\d*` 40,000 of them and an `x` took seconds.
 */
const NUMERIC = /^\s*[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?\s*$/i;

const profileSchema = object({
  wallet_address: string(),
  total_collateral_usd: union([number(), string().check(regex(NUMERIC)), literal(null)]),
  defi_score: optional(nullable(object({}))),
});

/** ISO 8601 as it is written on the web; without a zone it is UTC, as the contract says. Date checks the values. */
const TIMESTAMP = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(:\d\d([.,]\d+)?)?([Zz]|[-+]\d\d:?\d\d)?$/;

const healthSchema = object({
  status: string(),
  timestamp: string().check(regex(TIMESTAMP)),
});

const PROFILE_FIELDS = Object.keys(profileSchema.shape);
const HEALTH_FIELDS = Object.keys(healthSchema.shape);

const EXPECTED: Readonly<Record<string, string>> = {
  wallet_address: 'is not a string',
  total_collateral_usd: 'is absent or not a number',
  defi_score: 'is not an object',
  status: 'is not a string',
  timestamp: 'is not an ISO 8601 time',
};

interface Body {
  readonly body: Uint8Array;
  /** Whether the end of the body is vouched for by its length; if not, a document that breaks off was cut. */
  readonly complete: boolean;
}

export interface ReadDocument {
  readonly document: ObjectNode;
  readonly text: string;
}

/**
 * The risk profile of `wallet` in the body of a 200 (contract, 2.2).
 * @throws UntrustedError naming the field that breaks the contract; TemporaryError when the body was cut short.
 */
export function readProfile(answer: Body, wallet: string): ReadDocument {
  const { text, node } = readBody(answer);
  const judged = safeParse(profileSchema, plainFields(node, PROFILE_FIELDS));
  if (node.kind !== 'object' || !judged.success) throw breach(judged.error?.issues[0]?.path[0]);
  if (!isAnswerFor(wallet, judged.data.wallet_address)) {
    throw broken('it is about a different wallet');
  }
  return { document: node, text };
}

/**
 * The health status in the body of a 200 (contract, 2.1); `timestamp` in epoch milliseconds too.
 * @throws UntrustedError, TemporaryError as readProfile does; TemporaryError for any status but `ok`.
 */
export function readHealth(answer: Body): ReadDocument & { status: string; timestamp: string; time: number } {
  const { text, node } = readBody(answer);
  const judged = safeParse(healthSchema, plainFields(node, HEALTH_FIELDS));
  if (node.kind !== 'object' || !judged.success) throw breach(judged.error?.issues[0]?.path[0]);
  const { status, timestamp } = judged.data;
  const [, date, clock = '', zone = 'Z'] = /^(.{10}).(.*?)([Zz]|[-+]\d\d:?\d\d)?$/.exec(timestamp) ?? [];
  const time = Date.parse(`${date}T${clock.replace(',', '.')}${zone.toUpperCase()}`);
  if (Number.isNaN(time)) throw breach('timestamp');
  if (status !== 'ok') {
    throw new TemporaryError(`the service reports its status as ${quoted(status)}`, {
      code: 'unhealthy',
      hint: 'run the same command again later',
    });
  }
  return { document: node, text, status, timestamp, time };
}

/** Reads an error body (contract, 2.3); any other body yields nothing. `retryAfter` is in seconds. */
export function readServiceError(body: Uint8Array): { readonly error?: string; readonly retryAfter?: number } {
  try {
    const plain = plainFields(parseDocument(decodeUtf8(body)), ['error', 'retry_after']);
    const { error, retry_after: retryAfter } = plain ?? {};
    return {
      error: typeof error === 'string' ? error : undefined,
      retryAfter: NUMERIC.test(String(retryAfter)) ? Number(retryAfter) : undefined,
    };
  } catch {
    return {};
  }
}

function readBody({ body, complete }: Body): { readonly text: string; readonly node: Node } {
  let text = '';
  try {
    text = decodeUtf8(body);
    return { text, node: parseDocument(text) };
  } catch (error) {
    if (!(error instanceof DocumentSyntaxError)) throw error;
    const brokeOff = error.offset >= (text ? text.length : body.length);
    throw !complete && brokeOff ? cutShort('the service') : notJson(error, body.length);
  }
}

function notJson(error: DocumentSyntaxError, length: number): UntrustedError {
  return broken(length === 0 ? 'it is empty' : `it is not JSON (${error.message})`, error);
}

function breach(field: PropertyKey | undefined): UntrustedError {
  return broken(field === undefined ? 'it is not an object' : `${String(field)} ${EXPECTED[String(field)]}`);
}

function broken(how: string, cause?: unknown): UntrustedError {
  return new UntrustedError(`the answer does not match the API: ${how}`, {
    code: 'contract',
    hint: 'check that the base URL is the address of the service',
    cause,
  });
}
