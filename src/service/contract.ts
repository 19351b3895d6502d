/**
 * The documented parts of the service (docs/service.md): paths and members of answers. Only these
 * fields are checked; everything else in an answer is kept as it came.
 */

import type { Node, ObjectNode } from '../document/node.ts';
import { parseDocument } from '../document/parse.ts';
import { memberOf } from '../document/path.ts';
import { DocumentSyntaxError, decodeUtf8 } from '../document/utf8.ts';
import { TemporaryError, UntrustedError } from '../errors.ts';
import { isDecimal } from '../row/decimal.ts';
import { quoted } from '../secrets/redact.ts';
import { parseTime } from '../text/when.ts';
import { cutShortError } from './http/failure.ts';
import type { HttpResponse } from './http/transport.ts';

/** GET /health under the base URL's own path (docs/service.md, Health). */
export const healthPath = (baseUrl: URL): string => pathBelow(baseUrl, 'health');

/** GET /v1/risk-profile/{wallet} (docs/service.md, Profiles). */
export const profilePath = (baseUrl: URL, wallet: string): string =>
  pathBelow(baseUrl, `v1/risk-profile/${encodeURIComponent(wallet)}`);

const pathBelow = (baseUrl: URL, path: string) => `${baseUrl.pathname.replace(/\/$/, '')}/${path}`;

type Body = Pick<HttpResponse, 'body' | 'hasKnownLength'>;

export interface ParsedDocument {
  readonly document: ObjectNode;
  /** The document as received. */
  readonly text: string;
}

/**
 * The risk profile of `wallet` in the body of a 200 (docs/service.md, Profiles).
 * @throws UntrustedError naming the field that breaks the contract; TemporaryError when the body
 * was cut short
 */
export function readProfile(answer: Body, wallet: string): ParsedDocument {
  const { text, document } = readObjectBody(answer);
  const address = textMember(document, 'wallet_address');
  if (!isCollateral(memberOf(document, 'total_collateral_usd'))) {
    throw contractError('total_collateral_usd is absent or not a number');
  }
  const score = memberOf(document, 'defi_score');
  if (score && !isNull(score) && score.kind !== 'object') throw contractError('defi_score is not an object');
  if (address.toLowerCase() !== wallet.toLowerCase()) throw contractError('it is about a different wallet');
  return { document, text };
}

/** Services send amounts that a double would round as strings. */
const isCollateral = (node: Node | undefined) =>
  node?.kind === 'number' || (node?.kind === 'string' && isDecimal(node.value)) || isNull(node);

const isNull = (node: Node | undefined) => node?.kind === 'literal' && node.value === null;

/**
 * The service's time in the body of a 200 (docs/service.md, Health): as it was spelled, and in
 * milliseconds since 1970.
 * @throws UntrustedError, TemporaryError as readProfile does; TemporaryError for any status but
 * `ok`
 */
export function readHealth(answer: Body): { readonly timestamp: string; readonly time: number } {
  const { document } = readObjectBody(answer);
  const status = textMember(document, 'status');
  const timestamp = memberOf(document, 'timestamp');
  const time = timestamp?.kind === 'string' ? parseTime(timestamp.value) : undefined;
  if (timestamp?.kind !== 'string' || time === undefined) throw contractError('timestamp is not an ISO 8601 time');
  if (status !== 'ok') {
    throw new TemporaryError(`the service reports its status as ${quoted(status)}`, {
      code: 'unhealthy',
      hint: 'run the same command again later',
      isResumable: true,
    });
  }
  return { timestamp: timestamp.value, time: Math.floor(time) };
}

function textMember(document: ObjectNode, name: string): string {
  const node = memberOf(document, name);
  if (node?.kind !== 'string') throw contractError(`${name} is not a string`);
  return node.value;
}

/**
 * The `retry_after` of an error body, in seconds (docs/service.md, Rate limits); undefined for any
 * other body.
 */
export function retryAfterOfBody(body: Uint8Array): number | undefined {
  try {
    const document = parseDocument(decodeUtf8(body));
    const node = document.kind === 'object' ? memberOf(document, 'retry_after') : undefined;
    const text = node?.kind === 'number' ? node.spelling : node?.kind === 'string' ? node.value : '';
    return isDecimal(text) ? Number(text) : undefined;
  } catch {
    return undefined;
  }
}

function readObjectBody(answer: Body): ParsedDocument {
  const { text, node } = readBody(answer);
  if (node.kind !== 'object') throw contractError('it is not an object');
  return { document: node, text };
}

/** A document that ends early, in a body without a known length, was cut short. */
function readBody({ body, hasKnownLength }: Body): { readonly text: string; readonly node: Node } {
  let text = '';
  try {
    text = decodeUtf8(body);
    return { text, node: parseDocument(text) };
  } catch (error) {
    if (!(error instanceof DocumentSyntaxError)) throw error;
    const brokeOff = error.offset >= (text ? text.length : body.length);
    if (!hasKnownLength && brokeOff) throw cutShortError('the service');
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
