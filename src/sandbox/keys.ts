/**
 * The sandbox's three API keys, one in each state that the contract names (section 2.4), and where a request may carry
 * one (section 5). They protect nothing: the sandbox is on loopback and its data is made up.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { type Random, seededRandom } from './random.ts';

export interface SandboxKeys {
  readonly working: string;
  readonly revoked: string;
  readonly expired: string;
}

const URL_SAFE = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const RANDOM_LENGTH = 32;
/** Tells the key of a sandbox from one of the service. */
export const KEY_PREFIX = 'sandbox_';

/** Always the same ones, so that a key pasted once still works after the sandbox was started again. */
export function makeKeys(): SandboxKeys {
  const random = seededRandom(0);
  return { working: makeKey(random), revoked: makeKey(random), expired: makeKey(random) };
}

function makeKey(random: Random): string {
  const draw = () => URL_SAFE.charAt(Math.floor(random() * URL_SAFE.length));
  const characters = Array.from({ length: RANDOM_LENGTH }, draw);
  // Real keys contain both characters, and tools that take one for the end of a key leak the rest.
  characters[9] = '-';
  characters[20] = '_';
  return `${KEY_PREFIX}${characters.join('')}`;
}

const BEARER = /^Bearer +(\S+) *$/i;

/**
 * The key that a request presents, or undefined. The contract leaves open which of several methods counts; here it is
 * the first of X-API-Key, Authorization and the query.
 */
export function presentedKey(headers: IncomingHttpHeaders, query: string): string | undefined {
  const header = headers['x-api-key'];
  if (typeof header === 'string' && header !== '') return header;
  const bearer = BEARER.exec(headers.authorization ?? '')?.[1];
  if (bearer !== undefined || query === '') return bearer;
  return new URLSearchParams(query).get('api-key') ?? undefined;
}

/** Why `key` is not accepted, or undefined when it is. Only the log tells: the answer is the same 401 for all. */
export function keyFault(key: string | undefined, keys: SandboxKeys): string | undefined {
  if (key === keys.working) return undefined;
  if (key === undefined) return 'no key';
  if (key === keys.revoked) return 'revoked key';
  return key === keys.expired ? 'expired key' : 'unknown key';
}
