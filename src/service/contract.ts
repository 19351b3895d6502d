/**
 * The service's contract (sections 2 to 7): paths, header names, documented fields. Only these fields are checked; everything
 * else in an answer is kept as it came.
 */

import { isScalar, type Node, type ObjectNode, type ScalarNode } from '../document/node.ts';
import { parseDocument } from '../document/parse.ts';
import { memberOf } from '../document/path.ts';
import { DocumentSyntaxError, decodeUtf8 } from '../document/utf8.ts';
import { TemporaryError, UntrustedError } from '../errors.ts';
import { isDecimal } from '../row/decimal.ts';
import { quoted } from '../secrets/withhold.ts';
import { parseTime } from '../text/when.ts';
import { VERSION } from '../version.ts';
import { answerCutShort } from './http/failure.ts';
import type { TransportAnswer } from './http/transport.ts';

/** GET /health under the base URL's own path (contract, 4.1). */
export const healthUrl = (baseUrl: URL): URL => urlBelow(baseUrl, 'health');

/** GET /v1/risk-profile/{wallet} (contract, 4.2). */
export const profileUrl = (baseUrl: URL, wallet: string): URL =>
  urlBelow(baseUrl, `v1/risk-profile/${encodeURIComponent(wallet)}`);

/** Only the path is replaced: resolving it as a reference could lead to another host. */
function urlBelow(baseUrl: URL, path: string): URL {
  const url = new URL(baseUrl.origin);
  url.pathname = `${baseUrl.pathname.replace(/\/$/, '')}/${path}`;
  return url;
}

/**
 * The headers of every request; one with the key has one more. They ask for an unencoded body: one that is encoded nevertheless is
 * refused, since its true size is unknown.
 */
export const HEADERS = {
  'accept-encoding': 'identity',
  accept: 'application/json',
  'user-agent': `riskcli/${VERSION}`,
};

/** A documented field: whether its value (as of JSON.parse, undefined if absent) conforms, and the message if not. */
interface ContractField {
  readonly name: string;
  readonly fits: (value: unknown) => boolean;
  readonly problem: string;
}

const isText = (value: unknown): value is string => typeof value === 'string';
const TEXT_FIELD = { fits: isText, problem: 'is not a string' };

const PROFILE_FIELDS: readonly ContractField[] = [
  { name: 'wallet_address', ...TEXT_FIELD },
  {
    name: 'total_collateral_usd',
    // In a string services send amounts that a double would round.
    fits: (value) => value === null || typeof value === 'number' || (isText(value) && isDecimal(value)),
    problem: 'is absent or not a number',
  },
  {
    name: 'defi_score',
    fits: (value) => value === undefined || (typeof value === 'object' && !Array.isArray(value)),
    problem: 'is not an object',
  },
];

const HEALTH_FIELDS: readonly ContractField[] = [
  { name: 'status', ...TEXT_FIELD },
  {
    name: 'timestamp',
    fits: (value) => isText(value) && parseTime(value) !== undefined,
    problem: 'is not an ISO 8601 time',
  },
];

type Body = Pick<TransportAnswer, 'body' | 'complete'>;

export interface ReadDocument {
  readonly document: ObjectNode;
  /** The document as received. */
  readonly text: string;
}

/**
 * The risk profile of `wallet` in the body of a 200 (contract, 2.2).
 * @throws UntrustedError naming the field that breaks the contract; TemporaryError when the body was cut short
 */
export function readProfile(answer: Body, wallet: string): ReadDocument {
  const { text, node } = readBody(answer);
  const { document, fields } = checkFields(node, PROFILE_FIELDS);
  if (String(fields.wallet_address).toLowerCase() !== wallet.toLowerCase())
    throw contractError('it is about a different wallet');
  return { document, text };
}

/**
 * The service's time in the body of a 200 (contract, 2.1): as it was spelled, and in milliseconds since 1970.
 * @throws UntrustedError, TemporaryError as readProfile does; TemporaryError for any status but `ok`
 */
export function readHealth(answer: Body): { readonly timestamp: string; readonly time: number } {
  const { fields } = checkFields(readBody(answer).node, HEALTH_FIELDS);
  const [status, timestamp] = [String(fields.status), String(fields.timestamp)];
  if (status !== 'ok') {
    throw new TemporaryError(`the service reports its status as ${quoted(status)}`, {
      code: 'unhealthy',
      hint: 'run the same command again later',
      isResumable: true,
    });
  }
  return { timestamp, time: Math.floor(parseTime(timestamp) ?? Number.NaN) };
}

/** @throws UntrustedError naming the first field that does not conform */
function checkFields(node: Node, expected: readonly ContractField[]) {
  if (node.kind !== 'object') throw contractError('it is not an object');
  const fields: Record<string, unknown> = {};
  for (const { name, fits, problem } of expected) {
    fields[name] = plainMember(node, name);
    if (!fits(fields[name])) throw contractError(`${name} ${problem}`);
  }
  return { document: node, fields };
}

/** The `retry_after` of an error body, in seconds (contract, 2.3); undefined for any other body. */
export function retryAfterOfBody(body: Uint8Array): number | undefined {
  try {
    const retryAfter = plainMember(parseDocument(decodeUtf8(body)), 'retry_after');
    return isDecimal(String(retryAfter)) ? Number(retryAfter) : undefined;
  } catch {
    return undefined;
  }
}

/** A document that ends early, in a body without a known length, was cut short. */
function readBody({ body, complete }: Body): { readonly text: string; readonly node: Node } {
  let text = '';
  try {
    text = decodeUtf8(body);
    return { text, node: parseDocument(text) };
  } catch (error) {
    if (!(error instanceof DocumentSyntaxError)) throw error;
    const brokeOff = error.offset >= (text ? text.length : body.length);
    if (!complete && brokeOff) throw answerCutShort('the service');
    throw contractError(body.length === 0 ? 'it is empty' : `it is not JSON (${error.message})`, error);
  }
}

function contractError(how: string, cause?: unknown): UntrustedError {
  return new UntrustedError(`the answer does not match the API: ${how}`, {
    code: 'contract',
    hint: 'check that the base URL is the address of the service',
    cause,
  });
}

/**
 * The member `name` of `node` as JSON.parse would give it, except that objects and arrays are empty: only their type is checked.
 * If a key is given twice, the last value counts.
 */
function plainMember(node: Node, name: string): unknown {
  const value = node.kind === 'object' ? memberOf(node, name) : undefined;
  if (!value) return undefined;
  if (isScalar(value)) return plainScalar(value);
  return value.kind === 'object' ? {} : [];
}

/** A number beyond a double's range becomes the largest finite double: 1e400 is a valid number, not Infinity. */
function plainScalar(node: ScalarNode): unknown {
  if (node.kind !== 'number') return node.value;
  return Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, Number(node.spelling)));
}
